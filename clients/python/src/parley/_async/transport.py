"""Sends requests: credentials, time limits, retries, and an idempotency key that stays the same through all of them.
Nothing else calls httpx."""

from __future__ import annotations

import json
import logging
import time
from typing import IO, Any, AsyncIterator

import httpx

from .. import _errors as errors
from .._request import Request, Settings, json_default, note_answer
from .._retry import Attempts, Pace
from .sleep import sleep

_log = logging.getLogger("parley")
_PIECE = 65_536


class AsyncTransport:
    def __init__(self, settings: Settings, client: httpx.AsyncClient | None = None) -> None:
        self._settings = settings
        self._root = settings.root()
        self._credentials = settings.credentials()
        self._client = client or httpx.AsyncClient()
        self._is_own = client is None
        self._paces = {"read": Pace(), "write": Pace()}

    async def close(self) -> None:
        if self._is_own:
            await self._client.aclose()

    async def ask(self, request: Request) -> Any:
        """The JSON of the answer; None where it has no body."""
        content = await self.read(request)
        if not content:
            return None
        try:
            return json.loads(content)
        except ValueError:
            raise errors.ParleyError("The answer is no JSON: does base_url point at a Parley service?") from None

    async def read(self, request: Request) -> bytes:
        _, content = await self._attempts(request, is_stream=False)
        return content

    async def open(self, request: Request) -> httpx.Response:
        """A successful answer whose body has not been read; whoever asks closes it."""
        response, _ = await self._attempts(request, is_stream=True)
        return response

    async def _attempts(self, request: Request, is_stream: bool) -> tuple[httpx.Response, bytes]:
        retries = request.options.get("max_retries", self._settings.max_retries)
        headers = {**self._credentials, **request.headers()}
        safe = request.method != "POST" or "idempotency-key" in headers
        attempts = Attempts(request.method, safe, retries, self._settings.max_waits, self._settings.pacing)
        name = f"{request.method} {request.path}"
        while True:
            try:
                response, content = await self._attempt(request, headers, is_stream)
            except errors.ConnectionError as error:
                wait = attempts.after_failure()
                if wait is None:
                    raise
                _log.warning("%s is tried again in %.1f s: %s", name, wait, error)
            else:
                _log.info("%s %s (%s)", name, response.status_code, response.headers.get("x-request-id"))
                if attempts.is_done(response.status_code):
                    note_answer(response.status_code, response.headers)
                    return response, content if response.is_success else b""
                wait = attempts.after_answer(response.status_code, response.headers)
                if wait is None:
                    note_answer(response.status_code, response.headers)
                    raise errors.error_of(response.status_code, response.headers, content)
                _log.warning("%s is tried again in %.1f s: %s", name, wait, response.status_code)
            await sleep(wait)

    async def _attempt(
        self, request: Request, headers: dict[str, str], is_stream: bool
    ) -> tuple[httpx.Response, bytes]:
        pace = self._paces["read" if request.method == "GET" else "write"]
        if self._settings.pacing:
            await sleep(pace.turn())
        limit = request.options.get("timeout", self._settings.timeout)
        deadline = time.monotonic() + limit
        built = self._built(request, headers, limit)
        try:
            response = await self._client.send(built, stream=True, follow_redirects=request.follows)
            if self._settings.pacing:
                pace.heed(response.headers)
            if is_stream and response.is_success:
                return response, b""
            return response, await _whole(response, deadline)
        except httpx.TimeoutException as error:
            raise errors.TimeoutError(f"No answer within {limit} s") from error
        except httpx.TransportError as error:
            raise errors.ConnectionError(f"The service was not reached: {error or type(error).__name__}") from error

    def _built(self, request: Request, headers: dict[str, str], limit: float) -> httpx.Request:
        content: Any = None
        if request.body is not None:
            content = json.dumps(request.body, default=json_default, ensure_ascii=False).encode()
        if request.content is not None:
            content, size = _upload(request)
            headers = {**headers, "content-length": str(size)}
        return self._client.build_request(
            request.method, self._root + request.url(), headers=headers, content=content, timeout=limit
        )


async def _whole(response: httpx.Response, deadline: float) -> bytes:
    """The body, read here so that one that breaks off half-way is tried again like one that never came."""
    pieces = []
    try:
        async for piece in response.aiter_bytes():
            pieces.append(piece)
            if time.monotonic() > deadline:
                raise httpx.ReadTimeout("The answer takes too long")
    finally:
        await response.aclose()
    return b"".join(pieces)


def _upload(request: Request) -> tuple[Any, int]:
    """Bytes as they are; a file from where it stood, each attempt anew."""
    content = request.content
    if content is None or isinstance(content, bytes):
        return content, len(content or b"")
    size = content.seek(0, 2) - request.start
    return _pieces(content, request.start), size


async def _pieces(file: IO[bytes], start: int) -> AsyncIterator[bytes]:
    file.seek(start)
    while piece := file.read(_PIECE):
        yield piece
