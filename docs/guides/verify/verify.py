#!/usr/bin/env python3
"""Verifies a webhook of Parley with nothing but Python's standard library."""
import hashlib
import hmac
import os
import sys
import time

TOLERANCE_SECONDS = 300


def is_genuine(secret: str, signature_header: str, body: bytes, now: float | None = None) -> bool:
    """`body` must be the bytes as they came: parse the JSON afterwards."""
    parts = [part.strip().partition("=") for part in signature_header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(times[0])) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret.encode(), f"{times[0]}.".encode() + body, hashlib.sha256).hexdigest()
    # While a secret is rotated there are two signatures; one that fits is enough.
    return any([hmac.compare_digest(value.encode(), expected.encode()) for name, _, value in parts if name == "v1"])


if __name__ == "__main__":
    # WEBHOOK_SECRET=whsec_... python3 verify.py "$X_SERVICE_SIGNATURE" < body
    sys.exit(0 if is_genuine(os.environ["WEBHOOK_SECRET"], sys.argv[1], sys.stdin.buffer.read()) else 1)
