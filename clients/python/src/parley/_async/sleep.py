"""Waits without holding up the event loop, whichever it is."""

from __future__ import annotations

import anyio


async def sleep(seconds: float) -> None:
    if seconds > 0:
        await anyio.sleep(seconds)
