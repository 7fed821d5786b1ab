"""One request before it is sent: its path, query, headers and body, and what a client is made with."""

from __future__ import annotations

import os
import re
import sys
import uuid
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import IO, Any, Iterator, Mapping, TypedDict, Union
from urllib.parse import quote, urlencode

from ._errors import ParleyError

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

__all__ = ["Answer", "Content", "Request", "RequestOptions", "Settings", "Unpack", "path", "with_response"]

Content = Union[bytes, IO[bytes]]
"""What is uploaded: bytes, or a file opened with mode `rb`, which is sent piece by piece."""


class RequestOptions(TypedDict, total=False):
    """What one call may say for itself."""

    timeout: float
    """Seconds without an answer, or without more of it, after which an attempt has failed."""
    max_retries: int
    idempotency_key: str
    """Yours instead of a random one, so that even a restarted program does not write twice."""
    if_match: int
    """Refuses the write with a ConflictError unless the record still has this version."""
    headers: Mapping[str, str]


@dataclass
class Answer:
    """How the service answered, filled in by the last request within `with_response()`."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def request_id(self) -> str | None:
        """What to quote when you ask about this request."""
        return self.headers.get("x-request-id")


_asked_for: ContextVar[Answer | None] = ContextVar("parley_answer", default=None)


@contextmanager
def with_response() -> Iterator[Answer]:
    """Status, headers and request id of the requests within: the last one's, each time one is answered."""
    answer = Answer()
    token = _asked_for.set(answer)
    try:
        yield answer
    finally:
        _asked_for.reset(token)


def note_answer(status: int, headers: Mapping[str, str]) -> None:
    answer = _asked_for.get()
    if answer is not None:
        answer.status, answer.headers = status, headers


@dataclass
class Request:
    """What a method of the client asks for."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    content: Content | None = None
    content_type: str = "application/octet-stream"
    follows: bool = False
    """Goes where a redirect points. Everything else takes a redirect for a mistake in `base_url`."""
    options: RequestOptions = field(default_factory=lambda: RequestOptions())
    start: int = 0
    """Where a file that is uploaded stood."""

    def __post_init__(self) -> None:
        if self.content is not None and not isinstance(self.content, bytes):
            self.start = self.content.tell()
        # `/people/` is the list, and `..` the level above.
        if re.search(r"/\.{0,2}(/|$)", self.path):
            raise ParleyError(f"An id is missing in {self.path}: a method was given one that is empty")

    def url(self) -> str:
        said = [(name, _text_of(value)) for name, value in self.query.items() if value is not None]
        return f"{self.path}?{urlencode(said)}" if said else self.path

    def headers(self) -> dict[str, str]:
        headers = {"accept": "application/json"}
        if self.body is not None:
            headers["content-type"] = "application/json"
        if self.content is not None:
            headers["content-type"] = self.content_type
        elif self.method in ("POST", "PATCH", "PUT"):
            headers["idempotency-key"] = self.options.get("idempotency_key") or str(uuid.uuid4())
        if "if_match" in self.options:
            headers["if-match"] = f'"{self.options["if_match"]}"'
        for name, value in self.options.get("headers", {}).items():
            headers[name.lower()] = value
        return headers


def path(template: str, *ids: str) -> str:
    """A path with its parts escaped: `path("/calls/{}/end", id)`."""
    for id in ids:
        if not isinstance(id, str):
            raise ParleyError(f"An id must be text, not {id!r}")
    return template.format(*(quote(id, safe="") for id in ids))


def _text_of(value: Any) -> str:
    """Times as RFC 3339, lists with commas. A time without a zone is taken for the local one, as Python does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text_of(one) for one in value)
    return str(value)


def time_text(value: datetime) -> str:
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def json_default(value: Any) -> str:
    """What is sent takes a `datetime` wherever it takes a time."""
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, (date, uuid.UUID)):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


@dataclass
class Settings:
    """What a client is made with, and what it takes from the environment where nothing is said."""

    api_key: str | None = None
    base_url: str | None = None
    timeout: float = 30.0
    max_retries: int = 3
    max_waits: int = 0
    pacing: bool = True

    def root(self) -> str:
        said = self.base_url or os.environ.get("PARLEY_BASE_URL")
        if not said:
            raise ParleyError("No base_url: set PARLEY_BASE_URL, or pass Parley(base_url=…)")
        if not re.match(r"https?://[^\s/]", said):
            raise ParleyError(f"The base_url must be an http or https address, not {said!r}")
        root = said.rstrip("/")
        return root if root.endswith("/api/v1") else f"{root}/api/v1"

    def credentials(self) -> dict[str, str]:
        key = self.api_key or os.environ.get("PARLEY_API_KEY")
        if not key:
            raise ParleyError("No api_key: set PARLEY_API_KEY, or pass Parley(api_key=…)")
        if re.search(r"[^!-~]", key):
            raise ParleyError("The api_key has characters that no key has: copy it again")
        return {"authorization": f"Bearer {key}"}
