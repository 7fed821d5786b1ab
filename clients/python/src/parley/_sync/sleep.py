"""Waits, in a thread."""

from __future__ import annotations

import time


def sleep(seconds: float) -> None:
    if seconds > 0:
        time.sleep(seconds)
