"""Proves that a webhook comes from the service and was not changed on its way. Needs nothing but Python."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Protocol, Sequence, Union, cast

if TYPE_CHECKING:
    from .models import Event

__all__ = ["SignedBody", "WebhookVerificationError", "sign_for_test", "verify_webhook"]

_HEADER = "x-service-signature"
_TOLERANCE_SECONDS = 300
RawBody = Union[str, bytes, bytearray, memoryview]


class Headers(Protocol):
    """Headers of any framework: a dict, or what `http.server`, Flask, Django, Starlette and httpx have."""

    def keys(self) -> Iterable[Any]: ...

    def __getitem__(self, name: Any, /) -> Any: ...


class WebhookVerificationError(Exception):
    """The only error that `verify_webhook` raises for a request, whatever is in it. Tell the sender nothing but 400."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        """For your log: `missing_signature`, `malformed_signature`, `stale_timestamp`, `wrong_signature` or
        `malformed_body`."""


def verify_webhook(
    raw_body: RawBody,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    now: float | None = None,
) -> Event:
    """The event in a webhook, or a WebhookVerificationError.

    `raw_body` is the body as it came: JSON that is written again has other bytes. `headers` may be those of any
    framework; names may have any case. `secret` is the subscription's, `whsec_…`; give several while you exchange one
    for another. Times more than 300 seconds away from the clock, in either direction, are refused. `now` is the clock
    in seconds, for tests.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or not all(isinstance(one, str) and one for one in secrets):
        raise TypeError(
            "verify_webhook got no secret: is the variable set that holds the signing secret of the subscription?"
        )
    body = _bytes_of(raw_body)
    timestamp, signatures = _parse(_value_of(headers))
    if abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookVerificationError(
            "stale_timestamp", "The signature is too old or too far ahead: is the clock right?"
        )
    expected = [_hmac(one.encode(), f"{int(timestamp)}.", body).hex() for one in secrets]
    # Every pair is compared, so that the time taken does not tell which one matched.
    if not any([hmac.compare_digest(ours, theirs) for ours in expected for theirs in signatures]):
        raise WebhookVerificationError(
            "wrong_signature",
            "The signature does not match: is this the secret of this subscription, and is the body raw?",
        )
    return _event_of(body)


@dataclass(frozen=True)
class SignedBody:
    """A request as the service would send it."""

    body: bytes
    headers: dict[str, str]


def sign_for_test(body: RawBody | Mapping[str, Any], secret: str, *, now: float | None = None) -> SignedBody:
    """Signs a body as the service does, in both of its schemes, for the tests of a receiver."""
    raw = json.dumps(body, ensure_ascii=False).encode() if isinstance(body, Mapping) else _bytes_of(body)
    timestamp = int(time.time() if now is None else now)
    said = _read(raw)
    event_id = str(said.get("eventId", ""))
    standard = _hmac(_standard_key(secret), f"{event_id}.{timestamp}.", raw)
    headers = {
        "content-type": "application/json",
        "x-service-signature": f"t={timestamp},v1={_hmac(secret.encode(), f'{timestamp}.', raw).hex()}",
        "x-service-event": str(said.get("type", "")),
        "x-service-event-id": event_id,
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(standard).decode()}",
    }
    return SignedBody(raw, headers)


def _bytes_of(body: RawBody) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise TypeError("verify_webhook needs the raw body, as text or bytes, not a parsed one")


def _value_of(headers: Headers | None) -> str:
    """Several headers of one name come in a list, or joined by commas."""
    value: Any = None
    given: Headers = {} if headers is None else headers
    for name in given.keys():
        text = name.decode("latin-1") if isinstance(name, bytes) else str(name)
        if text.lower() == _HEADER:
            value = given[name]
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, (list, tuple)):
        value = ",".join(one for one in value if isinstance(one, str))
    if not isinstance(value, str) or value == "":
        raise WebhookVerificationError("missing_signature", "There is no X-Service-Signature header")
    return value


def _parse(value: str) -> tuple[str, list[str]]:
    """`t=1767225600,v1=<hex>[,v1=<hex>]`; parts of other names are passed over, because a later scheme would stand
    beside this one."""
    parts = [part.strip() for part in value.split(",")]
    times = [part[2:] for part in parts if part.startswith("t=")]
    signatures = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]) or not signatures:
        raise WebhookVerificationError("malformed_signature", "The X-Service-Signature header cannot be read")
    return times[0], signatures


def _standard_key(secret: str) -> bytes:
    """The bytes behind the prefix. A secret made up for a test may be no base64; its own letters do as well."""
    text = secret.removeprefix("whsec_")
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return text.encode()


def _hmac(key: bytes, prefix: str, body: bytes) -> bytes:
    return hmac.new(key, prefix.encode() + body, hashlib.sha256).digest()


def _event_of(body: bytes) -> Event:
    event = _read(body)
    if not isinstance(event.get("eventId"), str) or not isinstance(event.get("data"), dict):
        raise WebhookVerificationError("malformed_body", "The body is signed but is no event")
    return cast("Event", event)


def _read(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
