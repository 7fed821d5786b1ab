"""Server-sent events as an iterator that comes back after a break and goes on where it was."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, cast

import httpx

from .. import _errors as errors
from .._request import Request
from .._retry import backoff, is_passing
from .._sse import Message, Parser
from .sleep import sleep
from .transport import AsyncTransport

if TYPE_CHECKING:
    from ..models import Event

_log = logging.getLogger("parley")
_SILENCE = 45.0
"""The service sends something at least every 15 seconds; a line that is silent for three times as long is dead."""
_OLDEST = "0"


async def stream_messages(
    transport: AsyncTransport, request: Request, last_event_id: str | None = None
) -> AsyncIterator[Message]:
    """Every message from here on. Ends when the caller stops iterating; fails only when coming back cannot help."""
    failures = 0
    has_begun = False
    while True:
        try:
            response = await transport.open(_resumed(request, last_event_id))
            has_begun = True
            async for message in _messages_of(response):
                failures = 0
                last_event_id = message.id or last_event_id
                yield message
            _log.warning("%s was closed by the service; it is opened again", request.path)
        except errors.ParleyError as error:
            # A stream that has begun was away for too long: what is still kept is better than nothing.
            if has_begun and _is_no_longer_kept(error):
                last_event_id = _OLDEST
            elif not _is_worth_coming_back(error):
                raise
            _log.warning("%s broke off; it is opened again: %s", request.path, error)
        await sleep(backoff(failures))
        failures += 1


async def stream_events(
    transport: AsyncTransport, request: Request, last_event_id: str | None = None
) -> AsyncIterator[Event]:
    """Events as they happen, each once. Without a position the first break would lose something, so the stream takes
    the newest event for one, or a log without any from its beginning."""
    if last_event_id is None:
        newest = await transport.ask(Request("GET", "/events", {"limit": 1}))
        last_event_id = newest["data"][0]["eventId"] if newest["data"] else _OLDEST
    async for message in stream_messages(transport, request, last_event_id or _OLDEST):
        yield cast("Event", message.data)


async def _messages_of(response: httpx.Response) -> AsyncIterator[Message]:
    parser = Parser()
    try:
        async for piece in response.aiter_bytes():
            for message in parser.feed(piece):
                yield message
    except httpx.TransportError as error:
        raise errors.ConnectionError(f"The stream broke off: {error or type(error).__name__}") from error
    finally:
        await response.aclose()


def _resumed(request: Request, last_event_id: str | None) -> Request:
    headers: Dict[str, str] = {"accept": "text/event-stream", **request.options.get("headers", {})}
    if last_event_id is not None:
        headers["last-event-id"] = last_event_id
    return replace(request, options={"timeout": _SILENCE, "max_retries": 0, "headers": headers})


def _is_no_longer_kept(error: Exception) -> bool:
    issues: Any = error.issues if isinstance(error, errors.BadRequestError) else []
    return any(issue.get("code") == "unknown_event" for issue in issues)


def _is_worth_coming_back(error: Exception) -> bool:
    if isinstance(error, errors.ApiError):
        return is_passing(error.status) or error.status >= 500
    return isinstance(error, errors.ConnectionError)
