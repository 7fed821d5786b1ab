"""The client: one property per resource, all over one transport."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Mapping

import httpx

from .._request import Request, RequestOptions, Settings, Unpack
from .pages import AsyncDownload
from .resources import AsyncResources
from .transport import AsyncTransport

if sys.version_info >= (3, 11):
    from typing import Self
else:
    from typing_extensions import Self


class AsyncParley(AsyncResources):
    """Everything that the service offers. Nothing is sent before a method is called.

    Key and address come from `PARLEY_API_KEY` and `PARLEY_BASE_URL` unless you say. `timeout` is in seconds and for
    each attempt; `max_retries` counts attempts after the first; `max_waits` counts answers of 429 and 503 that are
    waited out besides, for work that may take its time; with `pacing`, requests wait their turn once the bucket of the
    rate limit is empty; `http_client` is your own httpx client, for proxies and certificates, which you close yourself.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        max_waits: int = 0,
        pacing: bool = True,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = Settings(api_key, base_url, timeout, max_retries, max_waits, pacing)
        super().__init__(AsyncTransport(settings, http_client))

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """Any request, for paths that this version of the client does not know; `path` is relative to `/api/v1`."""
        return await self._transport.ask(Request(method.upper(), path, query or {}, body, options=options))

    def download(self, path: str, *, query: Mapping[str, Any] | None = None) -> AsyncDownload:
        """Any file, for paths that this version of the client does not know."""
        return AsyncDownload(self._transport, Request("GET", path, query or {}, follows=True))

    async def close(self) -> None:
        """Ends the connections. A client used with `async with` does so by itself."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
