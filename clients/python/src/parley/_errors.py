"""What can go wrong with a request, one class per kind of trouble."""

from __future__ import annotations

import json
from typing import Any, Mapping


class ParleyError(Exception):
    """Anything that this library raises."""


class ConnectionError(ParleyError):  # noqa: A001 - the name says what it is, as in the other clients.
    """The service was not reached: refused, reset, no such host."""


class TimeoutError(ConnectionError):  # noqa: A001
    """No answer within `timeout`."""


class ApiError(ParleyError):
    """The service answered, but not with success."""

    def __init__(self, status: int, code: str, message: str, details: Any, headers: Mapping[str, str]) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        """Stable and machine-readable, for example `rate_limited`. Later versions may know more codes."""
        self.message = message
        self.details = details
        """For `bad_request` a list of `{path, message, code?}`, else an object, with a `reason` if it has one."""
        self.headers = headers
        self.request_id = headers.get("x-request-id")
        """What to quote when you ask about this request."""


class BadRequestError(ApiError):
    """400: the request does not have the right shape. `issues` says where."""

    @property
    def issues(self) -> list[dict[str, Any]]:
        return self.details if isinstance(self.details, list) else []


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, revoked or expired."""


class PermissionError(ApiError):  # noqa: A001
    """403: the scope of the key is too low, or the organization is not enabled."""


class NotFoundError(ApiError):
    """404: nothing this key can see."""


class MethodNotAllowedError(ApiError):
    """405: the path does not take this method."""


class ConflictError(ApiError):
    """409: the request contradicts the current state; `details["reason"]` says how."""


class PayloadTooLargeError(ApiError):
    """413: the body is too large."""


class UnsupportedMediaTypeError(ApiError):
    """415: the body is of a kind that the path does not take."""


class UnprocessableError(ApiError):
    """422: refused by a rule (`details["reason"]`), or an idempotency key used twice for different things."""


class RateLimitError(ApiError):
    """429: too many requests, even after the retries."""


class ServerError(ApiError):
    """500 and above: the trouble is on the other side. Quote `request_id` when you report it."""


class UnavailableError(ServerError):
    """503: not now."""


_classes: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    405: MethodNotAllowedError,
    409: ConflictError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    422: UnprocessableError,
    429: RateLimitError,
    503: UnavailableError,
}


def error_of(status: int, headers: Mapping[str, str], content: bytes) -> ApiError:
    """The error that an answer means. The body may come from something in between that speaks no JSON."""
    said = _error_in(content)
    code = said.get("code")
    message = said.get("message")
    if 300 <= status < 400 and status != 304:
        message = "The service redirects: is base_url right?"
    chosen = _classes.get(status, ServerError if status >= 500 else ApiError)
    return chosen(
        status,
        code if isinstance(code, str) else f"http_{status}",
        message if isinstance(message, str) else f"The service answered {status}",
        said.get("details"),
        headers,
    )


def _error_in(content: bytes) -> dict[str, Any]:
    try:
        error = json.loads(content)["error"]
    except (ValueError, TypeError, KeyError):
        return {}
    return error if isinstance(error, dict) else {}
