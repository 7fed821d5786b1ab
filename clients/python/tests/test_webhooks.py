"""The verifier with the vectors of the TypeScript one."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest

from parley import WebhookVerificationError, sign_for_test, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NOW = 1_767_225_600
BODY = json.dumps(
    {
        "eventId": "01KDVDNKG0",
        "type": "note.added",
        "occurredAt": "2026-01-01T00:00:00.000Z",
        "organizationId": "o",
        "data": {"noteId": "n — ü"},
    },
    ensure_ascii=False,
    separators=(",", ":"),
)


@pytest.fixture(autouse=True)
def environment() -> None:
    """No server is needed here."""


def hex_of(text: str, key: str = SECRET) -> str:
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


V1 = hex_of(f"{NOW}.{BODY}")
GOOD = {"X-Service-Signature": f"t={NOW},v1={V1}"}


def refusal(body: Any, headers: Any, secret: Any = SECRET) -> str:
    try:
        verify_webhook(body, headers, secret, now=NOW)
    except WebhookVerificationError as error:
        return error.reason
    except TypeError:
        return "TypeError"
    return "accepted"


def test_it_accepts_raw_bodies_and_headers_of_any_kind() -> None:
    assert verify_webhook(BODY, GOOD, SECRET, now=NOW)["data"] == {"noteId": "n — ü"}
    for raw in (BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())):
        assert refusal(raw, GOOD) == "accepted"
    value = GOOD["X-Service-Signature"]
    for headers in ({"x-service-signature": value}, {"X-SERVICE-SIGNATURE": [value]}, {b"x-service-signature": value}):
        assert refusal(BODY, headers) == "accepted"
    assert refusal(BODY, {"x-service-signature": value.split(",")}) == "accepted"


def test_it_refuses_a_body_that_is_parsed_or_changed_by_a_single_byte() -> None:
    assert refusal(json.loads(BODY), GOOD) == "TypeError"
    assert refusal(f"{BODY} ", GOOD) == "wrong_signature"
    assert refusal(BODY.replace("n —", "m —"), GOOD) == "wrong_signature"


def test_it_refuses_other_secrets_and_a_secret_that_is_missing() -> None:
    assert refusal(BODY, GOOD, "whsec_other") == "wrong_signature"
    assert refusal(BODY, GOOD, ["whsec_other", SECRET]) == "accepted"
    for secret in ("", [], None, [""]):
        assert refusal(BODY, GOOD, secret) == "TypeError"


def at(time: object) -> dict[str, str]:
    return {"x-service-signature": f"t={time},v1={hex_of(f'{time}.{BODY}')}"}


def test_it_refuses_times_too_far_away_and_times_that_are_no_numbers() -> None:
    for time in (NOW - 300, NOW + 300):
        assert refusal(BODY, at(time)) == "accepted"
    for time in (NOW - 301, NOW + 301, 0, 999_999_999_999):
        assert refusal(BODY, at(time)) == "stale_timestamp"
    for text in ("NaN", "Infinity", "", "-1", "1e9", "0x10", " ", f"{NOW}.5", "1" * 400, "١٢٣"):
        assert refusal(BODY, at(text)) == "malformed_signature", text


def test_it_refuses_headers_that_are_missing_doubled_or_of_another_scheme_alone() -> None:
    for headers in ({}, None, {"x-service-signature": ""}, {"x-service-signature": 5}):
        assert refusal(BODY, headers) == "missing_signature"
    doubled, shouted = f"t={NOW},t={NOW},v1={V1}", f"t={NOW},v1={V1.upper()}"
    for value in (f"v1={V1}", f"t={NOW}", f"t={NOW},v0={V1}", doubled, shouted, "x"):
        assert refusal(BODY, {"x-service-signature": value}) == "malformed_signature", value
    both = f"t={NOW}, v2=future, v1={'0' * 64} , v1={V1}"
    assert refusal(BODY, {"x-service-signature": both}) == "accepted"


def test_a_signed_body_that_is_no_event_is_refused() -> None:
    shapes = ('{"eventId":1,"data":{}}', '{"eventId":"x","data":null}')
    for text in ("", "null", "[]", "{}", '"x"', "{", "[" * 9999, *shapes):
        headers = {"x-service-signature": f"t={NOW},v1={hex_of(f'{NOW}.{text}')}"}
        assert refusal(text, headers) == "malformed_body", text[:30]


def test_what_is_signed_for_a_test_is_accepted_in_both_schemes() -> None:
    signed = sign_for_test(BODY, SECRET, now=NOW)
    assert verify_webhook(signed.body, signed.headers, SECRET, now=NOW)["eventId"] == "01KDVDNKG0"
    assert signed.headers["x-service-event"] == "note.added"
    assert signed.headers["webhook-signature"].startswith("v1,")
