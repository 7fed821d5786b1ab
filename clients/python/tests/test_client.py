"""Each story in threads and on an event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

import stories_async
import stories_sync
from conftest import Server
from parley import AsyncParley, Parley, ParleyError
from proxy import Proxy

STORIES = ["records", "refusals", "lists", "retries", "pacing", "uploads", "calls", "streams"]


@pytest.mark.parametrize("story", STORIES)
def test_sync(story: str, server: Server, proxy: Proxy) -> None:
    getattr(stories_sync, story)(server, proxy)


@pytest.mark.parametrize("story", STORIES)
def test_async(story: str, server: Server, proxy: Proxy) -> None:
    asyncio.run(getattr(stories_async, story)(server, proxy))


WRITERS = 75
"""More than the bucket for writes holds, all at once."""


def test_a_crowd_of_threads_finishes_at_the_pace_of_the_limit() -> None:
    with Parley() as parley, ThreadPoolExecutor(40) as pool:
        made = list(pool.map(lambda number: parley.tasks.create({"title": f"Task {number}"}), range(WRITERS)))
    assert len({task["id"] for task in made}) == WRITERS


def test_a_crowd_of_tasks_finishes_at_the_pace_of_the_limit() -> None:
    async def crowd() -> None:
        async with AsyncParley() as parley:
            made = await asyncio.gather(*(parley.tasks.create({"title": f"Task {n}"}) for n in range(WRITERS)))
        assert len({task["id"] for task in made}) == WRITERS

    asyncio.run(crowd())


def test_key_and_address_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARLEY_API_KEY")
    with pytest.raises(ParleyError, match="PARLEY_API_KEY"):
        Parley()
    monkeypatch.delenv("PARLEY_BASE_URL")
    with pytest.raises(ParleyError, match="PARLEY_BASE_URL"):
        Parley(api_key="ak_test_x")
