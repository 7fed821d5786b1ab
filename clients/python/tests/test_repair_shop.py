"""The repair shop's integration as its README says: 2,000 customers, a call that becomes a job by the rule, one that
waits for a person, one that was missed, and each caller texted once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Iterator

import httpx
import pytest

from conftest import ROOT, free_port
from parley import Parley, models, sign_for_test

SHOP = ROOT / "examples/repair-shop/shop.py"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def phone_of(number: int) -> str:
    return f"+1202556{number:04d}"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[str]:
    rows = [{"number": f"C-{n}", "name": f"Customer {n}", "phone": phone_of(n)} for n in range(2_000)]
    (tmp_path / "customers.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
    port = str(free_port())
    env = {**os.environ, "PORT": port, "PARLEY_WEBHOOK_SECRET": SECRET}
    process = subprocess.Popen([sys.executable, str(SHOP)], cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "2000 customers imported\n"
        yield f"http://127.0.0.1:{port}/hooks"
    finally:
        process.terminate()
        process.wait(120)
        if process.stdout is not None:
            process.stdout.close()


def forward(shop: str, event: models.Event, secret: str = SECRET) -> int:
    """As `parley listen` does."""
    signed = sign_for_test(dict(event), secret)
    for _ in range(2_400):
        try:
            return httpx.post(shop, content=signed.body, headers=signed.headers, timeout=120).status_code
        except httpx.ConnectError:
            time.sleep(0.05)
    raise AssertionError("The shop is not open")


def call(parley: Parley, caller: str) -> str:
    made = parley.calls.create({"direction": "inbound", "from": caller, "to": "+12025550100"})
    parley.calls.end(made["id"], {"draft": {"title": "Leaking boiler"}})
    return made["id"]


def test_calls_are_approved_by_rule_and_texted_back_once(shop: str) -> None:
    assert len(SHOP.read_text().rstrip().splitlines()) <= 60
    with Parley() as parley:
        assert (parley.customers.list(count=True, limit=1).page().count or 0) >= 2_000
        known = parley.people.by_phone(phone_of(7))
        assert known is not None and known["customerId"] is not None
        before = parley.events.list(limit=1).page().data
        events = parley.events.stream(
            type=["call.ended", "call.missed"], last_event_id=before[0]["eventId"] if before else ""
        )
        routine, stranger = call(parley, phone_of(7)), call(parley, "+12025559999")
        missed = parley.calls.create({"direction": "inbound", "from": phone_of(8), "to": "+12025550100"})
        parley.calls.end(missed["id"], {"outcome": "missed"})
        happened = [next(events) for _ in range(3)]
        assert [forward(shop, event) for event in [*happened, *happened]] == [204] * 6
        assert forward(shop, happened[0], "whsec_forged") == 400
        texts = parley.sms.list().all()
        assert {phone: [one["body"] for one in texts if one["to"] == phone] for phone in callers} == callers
        assert [draft["status"] for draft in parley.drafts.list(call_session_id=routine)] == ["approved"]
        assert [draft["status"] for draft in parley.drafts.list(call_session_id=stranger)] != ["approved"]


callers = {
    phone_of(7): ["Booked: Leaking boiler. See you soon!"],
    "+12025559999": ["Thank you. We will get back to you."],
    phone_of(8): ["Sorry. What can we fix?"],
}
