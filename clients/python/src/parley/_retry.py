"""When to try again and how long to wait before, and whose turn it is once a bucket of the rate limit is empty.

Decisions only: whoever asks does the sleeping, so the same serves threads and tasks."""

from __future__ import annotations

import random
import threading
import time
from email.utils import parsedate_to_datetime
from typing import Mapping

PATIENCE = 60.0
"""A service that asks to wait longer than these seconds gets the error shown to the caller instead."""

_PASSING = frozenset({429, 502, 503, 504})
_FIRST, _LONGEST = 0.5, 8.0
_MOST_TURNS = 30
"""So often one request is refused by an empty bucket before that counts as a retry: others may be quicker."""
_CLOCK_TOLERANCE = 2.0


def is_passing(status: int) -> bool:
    """Not now, or someone in between did not reach the service."""
    return status in _PASSING


def backoff(attempt: int) -> float:
    """Doubles from half a second to eight, less a random part, so that clients do not come back together."""
    return min(_FIRST * 2.0 ** min(attempt, 10), _LONGEST) * (0.5 + random.random() / 2)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """`Retry-After`, in seconds or as a date."""
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value)) if value[:1].isdigit() else max(0.0, _time_of(value) - now)
    except ValueError:
        return None


def _time_of(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (TypeError, IndexError) as error:
        raise ValueError(date) from error


def is_spent(headers: Mapping[str, str]) -> bool:
    """The bucket is empty. Other refusals have the same status, such as too many wrong passwords."""
    return headers.get("x-ratelimit-remaining") == "0"


class Attempts:
    """Counts the attempts of one request: `turns` are for an empty bucket, `waits` for a service that asks to wait,
    `retries` for everything else and for when those are used up."""

    def __init__(self, method: str, safe: bool, retries: int, waits: int, pacing: bool) -> None:
        self._method = method
        self._safe = safe
        self._left = {"retries": retries, "waits": waits, "turns": _MOST_TURNS if pacing and retries > 0 else 0}
        self._used = {"retries": 0, "waits": 0, "turns": 0}
        self._unsure = False

    def after_failure(self) -> float | None:
        """Seconds to wait after no answer came; None when the error is to be shown."""
        self._unsure = True
        return backoff(self._used["retries"] - 1) if self._takes("retries") else None

    def is_done(self, status: int) -> bool:
        """Success; also a DELETE that finds nothing, after an attempt that may have deleted it."""
        return 200 <= status < 300 or (self._unsure and self._method == "DELETE" and status == 404)

    def after_answer(self, status: int, headers: Mapping[str, str]) -> float | None:
        """Seconds to wait after an answer that is no success; None when it is to be shown."""
        # A 500 may come after something was done, so only what does nothing twice is sent again.
        if not is_passing(status) and not (status == 500 and self._safe):
            return None
        asked = retry_after(headers, time.time())
        if asked is not None and asked > PATIENCE:
            return None
        if status == 429 and is_spent(headers) and self._takes("turns"):
            return 0.0  # Whoever waits for the bucket does so in its turn.
        kind = "waits" if status in (429, 503) and self._left["waits"] > 0 else "retries"
        if not self._takes(kind):
            return None
        # A little later than asked, so that a crowd that was turned away together does not come back together.
        return backoff(self._used[kind] - 1) if asked is None else asked + backoff(0) / 5

    def _takes(self, kind: str) -> bool:
        if self._left[kind] <= 0:
            return False
        self._left[kind] -= 1
        self._used[kind] += 1
        return True


class Pace:
    """Once a bucket of the service is empty, requests leave one after another at the pace at which it fills."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_at = 0.0
        self._gap = 0.0

    def turn(self) -> float:
        """Seconds until the next request may leave; taking a turn moves those behind it."""
        with self._lock:
            now = time.time()
            if self._next_at <= now:
                return 0.0
            wait = self._next_at - now
            self._next_at += self._gap
            return wait

    def heed(self, headers: Mapping[str, str]) -> None:
        """Learns from an answer how full the bucket is."""
        if not is_spent(headers):
            return
        with self._lock:
            now = time.time()
            self._gap = _gap_of(headers, now)
            asked = retry_after(headers, now)
            self._next_at = max(self._next_at, now + min(self._gap if asked is None else asked, PATIENCE))


def _gap_of(headers: Mapping[str, str], now: float) -> float:
    """How long one request takes to come back into the bucket, which says its size and when it will be full."""
    try:
        size = max(1.0, float(headers.get("x-ratelimit-limit", "1")))
        full_at = float(headers.get("x-ratelimit-reset", "0"))
    except ValueError:
        return 0.0
    try:
        theirs = _time_of(headers.get("date", ""))
    except ValueError:
        theirs = now
    clock = now if abs(theirs - now) < _CLOCK_TOLERANCE else theirs
    # Told in whole seconds, rounded up: half a second too late on average.
    return min(max(full_at - clock - 0.5, 0.0) / size, PATIENCE)
