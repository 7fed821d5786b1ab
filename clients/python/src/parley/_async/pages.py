"""What lists and files give: nothing is sent until they are read."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any, AsyncIterator, Generic, List, TypeVar

import httpx

from .. import _errors as errors
from .._request import Request
from .transport import AsyncTransport

Item = TypeVar("Item")


@dataclass
class AsyncPage(Generic[Item]):
    """One page of a list."""

    data: List[Item]
    next_cursor: str | None
    """None on the last page."""
    count: int | None
    """How many records the list has, when asked with `count=True`; 10,000 and not exact where there are more."""
    count_is_exact: bool | None
    _listing: AsyncListing[Item]

    @property
    def has_more(self) -> bool:
        return self.next_cursor is not None

    async def next_page(self) -> AsyncPage[Item] | None:
        """The page after this one; None when this is the last."""
        return None if self.next_cursor is None else await self._listing.page(self.next_cursor)


class AsyncListing(Generic[Item]):
    """A list: iterate it for every record, page after page, or take `page()`."""

    def __init__(self, transport: AsyncTransport, request: Request) -> None:
        self._transport = transport
        self._request = request

    async def page(self, cursor: str | None = None) -> AsyncPage[Item]:
        """The first page, or the one that the cursor stands for."""
        query = dict(self._request.query) if cursor is None else {**self._request.query, "cursor": cursor}
        answer: Any = await self._transport.ask(replace(self._request, query=query))
        pagination = answer.get("pagination") or {}
        return AsyncPage(
            answer["data"],
            pagination.get("nextCursor"),
            pagination.get("count"),
            pagination.get("countIsExact"),
            self,
        )

    async def pages(self) -> AsyncIterator[AsyncPage[Item]]:
        """Page after page."""
        page: AsyncPage[Item] | None = await self.page()
        while page is not None:
            yield page
            page = await page.next_page()

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for record in page.data:
                yield record

    async def all(self, max: int = sys.maxsize) -> List[Item]:
        """All records at once, up to `max`."""
        records: List[Item] = []
        if max <= 0:
            return records
        async for record in self:
            records.append(record)
            if len(records) >= max:
                break
        return records


class AsyncDownload:
    """A file that the service sends: `read()` it whole, or iterate its bytes or `lines()` as they come."""

    def __init__(self, transport: AsyncTransport, request: Request) -> None:
        self._transport = transport
        self._request = request

    async def read(self) -> bytes:
        """The whole file. An answer that breaks off is asked for again."""
        return await self._transport.read(self._request)

    async def text(self) -> str:
        return (await self.read()).decode()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        response = await self._transport.open(self._request)
        try:
            async for piece in response.aiter_bytes():
                yield piece
        except httpx.TransportError as error:
            raise errors.ConnectionError("The file broke off") from error
        finally:
            await response.aclose()

    async def lines(self) -> AsyncIterator[str]:
        """Line after line, for NDJSON."""
        rest = b""
        async for piece in self:
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line.decode()
        if rest:
            yield rest.decode()
