"""What the client does, told once: stories_sync.py is made from this by scripts/generate.mjs."""

from __future__ import annotations

import io
import json
import struct
import uuid
from datetime import datetime, timedelta, timezone

import pytest

import parley as sdk

from conftest import Server
from parley import AsyncParley, with_response
from proxy import Proxy

SILENCE = b"RIFF" + struct.pack("<I", 8036) + b"WAVEfmt " + bytes(28) + bytes(8000)


async def records(server: Server, proxy: Proxy) -> None:
    """Create, read, change, refuse a stale change, delete; status and request id where asked for."""
    async with AsyncParley() as parley:
        with with_response() as answer:
            person = await parley.people.create({"displayName": "Ada Lovelace", "primaryPhone": "+12025550111"})
        assert (answer.status, answer.headers["content-type"]) == (201, "application/json; charset=utf-8")
        assert answer.request_id
        found = await parley.people.by_phone("+12025550111")
        assert found is not None and found["id"] == person["id"]
        assert await parley.people.by_phone("+12025550999") is None
        changed = await parley.people.update(person["id"], {"firstName": "Ada"}, if_match=person["version"])
        assert (changed["firstName"], changed["displayName"]) == ("Ada", "Ada Lovelace")
        with pytest.raises(sdk.ConflictError) as stale:
            await parley.people.update(person["id"], {"firstName": "Eve"}, if_match=person["version"])
        assert stale.value.status == 409 and stale.value.request_id
        in_two_days = datetime.now(timezone.utc) + timedelta(days=2)
        task = await parley.tasks.create({"title": "Call back", "personId": person["id"], "dueAt": in_two_days})
        assert task["dueAt"] is not None
        due = await parley.tasks.list(person_id=person["id"], due_at_from=in_two_days - timedelta(1)).all()
        assert [one["id"] for one in due] == [task["id"]]
        await parley.tasks.delete(task["id"])
        await parley.people.delete(person["id"])
        with pytest.raises(sdk.NotFoundError):
            await parley.people.get(person["id"])


async def refusals(server: Server, proxy: Proxy) -> None:
    """Every kind of error is a class, and mistakes are told before anything is sent."""
    async with AsyncParley() as parley:
        with pytest.raises(sdk.BadRequestError) as bad:
            await parley.request("POST", "/people", body={"displayNam": "typo"})
        assert bad.value.code == "bad_request" and "displayNam" in str(bad.value.issues)
        with pytest.raises(sdk.ParleyError, match="An id is missing"):
            await parley.people.get("")
        with pytest.raises(sdk.NotFoundError):
            await parley.people.get("../organization")
    async with AsyncParley(api_key="ak_test_wrong") as stranger:
        with pytest.raises(sdk.AuthenticationError):
            await stranger.schema()
    async with AsyncParley(base_url="http://127.0.0.1:1", max_retries=0) as nobody:
        with pytest.raises(sdk.ConnectionError):
            await nobody.schema()
    with pytest.raises(sdk.ParleyError, match="http or https"):
        AsyncParley(base_url="localhost:3000")


async def lists(server: Server, proxy: Proxy) -> None:
    """Every record of a list, page after page; one page with its count; a batch; and the list as a file."""
    async with AsyncParley() as parley:
        mark = f"Listed{uuid.uuid4().hex[:8]}"
        items: list[sdk.models.BatchItemInput] = [
            {"op": "create", "data": {"displayName": f"{mark} {number}"}} for number in range(7)
        ]
        results = await parley.people.batch([*items, {"op": "update", "id": str(uuid.uuid4()), "data": {}}])
        assert [one["status"] for one in results] == [201] * 7 + [404]
        names = [one["displayName"] async for one in parley.people.list(q=mark, limit=3)]
        assert sorted(names) == [f"{mark} {number}" for number in range(7)]
        page = await parley.people.list(q=mark, limit=3, count=True).page()
        assert (len(page.data), page.has_more, page.count, page.count_is_exact) == (3, True, 7, True)
        second = await page.next_page()
        assert second is not None and len(second.data) == 3
        assert len(await parley.people.list(q=mark, limit=2).all(max=5)) == 5
        exported = [json.loads(line) async for line in parley.people.export(q=mark).lines()]
        assert len(exported) == 7
        assert (await parley.people.export(q=mark, format="csv").text()).count(mark) == 7
        with pytest.raises(sdk.UnprocessableError) as failed:
            await parley.people.batch([items[0], {"op": "create", "data": {"x": 1}}], atomic=True)
        assert failed.value.code == "batch_failed"
        assert (await parley.people.list(q=mark, count=True).page()).count == 7


async def retries(server: Server, proxy: Proxy) -> None:
    """A write happens once, whatever is lost in between; a delete that is done counts as done."""
    async with AsyncParley(base_url=proxy.url) as parley:
        mark = f"Retried{uuid.uuid4().hex[:8]}"
        proxy.faults = ["lose", 503, 500]
        person = await parley.people.create({"displayName": mark})
        keys = {key for method, _, key in proxy.seen if method == "POST"}
        assert (len(proxy.seen), len(keys)) == (4, 1) and None not in keys
        assert len(await parley.people.list(q=mark).all()) == 1
        proxy.faults = ["drop", 502, 504]
        assert (await parley.people.get(person["id"]))["displayName"] == mark
        proxy.faults = ["lose"]
        await parley.people.delete(person["id"])
        proxy.faults = [503, 503]
        with pytest.raises(sdk.UnavailableError) as busy:
            await parley.people.list(max_retries=1).page()
        assert busy.value.code == "made_up"
        proxy.headers = {"retry-after": "61"}
        proxy.faults = [429]
        with pytest.raises(sdk.RateLimitError):
            await parley.people.create({"displayName": mark})
        assert proxy.faults == []
        key = str(uuid.uuid4())
        first = await parley.people.create({"displayName": mark}, idempotency_key=key)
        again = await parley.people.create({"displayName": mark}, idempotency_key=key)
        assert first["id"] == again["id"]
        with pytest.raises(sdk.UnprocessableError) as conflict:
            await parley.people.create({"displayName": "other"}, idempotency_key=key)
        assert conflict.value.code == "idempotency_conflict"


async def pacing(server: Server, proxy: Proxy) -> None:
    """An empty bucket is waited for, in turn, and is no retry; without pacing it is."""
    proxy.headers = {"retry-after": "0", "x-ratelimit-remaining": "0", "x-ratelimit-limit": "60"}
    async with AsyncParley(base_url=proxy.url, max_retries=1) as parley:
        proxy.faults = [429] * 5
        await parley.tasks.create({"title": "In its turn"})
        assert (proxy.faults, len(proxy.seen)) == ([], 6)
    async with AsyncParley(base_url=proxy.url, max_retries=1, pacing=False) as hasty:
        proxy.faults = [429] * 2
        with pytest.raises(sdk.RateLimitError):
            await hasty.tasks.create({"title": "Too many"})
        assert proxy.faults == []


async def uploads(server: Server, proxy: Proxy) -> None:
    """Bytes, and a file that is sent again from where it stood when its answer was lost; and an import."""
    async with AsyncParley(base_url=proxy.url) as parley:
        voicemail = await parley.voicemails.create({"callerNumber": "+12025550145"})
        kept = await parley.voicemails.put_recording(voicemail["id"], SILENCE, content_type="audio/wav")
        assert kept["recordingStatus"] == "available"
        file = io.BytesIO(b"before" + SILENCE)
        file.seek(6)
        proxy.faults = ["lose"]
        await parley.voicemails.put_recording(voicemail["id"], file, content_type="audio/wav")
        assert await parley.voicemails.recording(voicemail["id"]).read() == SILENCE
        other = await parley.voicemails.create({"callerNumber": "+12025550146"})
        with pytest.raises(sdk.NotFoundError):
            await parley.voicemails.recording(other["id"]).read()
        begun = await parley.imports.create({"entity": "companies", "format": "ndjson"})
        rows = "".join(f'{{"name":"Imported {number}"}}\n' for number in range(3))
        sent = await parley.imports.put_file(begun["id"], rows.encode())
        assert sent["id"] == begun["id"] and sent["status"] != "awaiting_file"


async def streams(server: Server, proxy: Proxy) -> None:
    """Events as they happen, each once, also those of the time in which the connection was gone."""
    async with AsyncParley() as parley:
        before = await parley.events.list(limit=1).page()
        events = parley.events.stream(
            type=["person.created"], last_event_id=before.data[0]["eventId"] if before.data else ""
        )
        wanted: list[str] = []
        seen: list[str] = []
        for number in range(3):
            if number == 1:
                server.stop()
                server.start()
            person = await parley.people.create({"displayName": f"Streamed {number}"})
            wanted.append(person["id"])
            if number != 1:
                while len(seen) < len(wanted):
                    event = await anext(events)
                    assert event["type"] == "person.created"
                    seen.append(event["data"]["personId"])
        assert seen == wanted
        unknown = parley.events.stream(last_event_id="01KJQH7VM8T6M3N5P7R9V0XCZ4")
        with pytest.raises(sdk.BadRequestError):
            await anext(unknown)


async def calls(server: Server, proxy: Proxy) -> None:
    """A call from ring to draft: segments, its stream, its transcript, approval."""
    async with AsyncParley() as parley:
        call = await parley.calls.create({"direction": "inbound", "from": "+12025550143", "to": "+12025550100"})
        assert call["from"] == "+12025550143"
        await parley.calls.add_segments(
            call["id"], {"segments": [{"sequence": 1, "startMs": 0, "speaker": "caller", "text": "My boiler leaks."}]}
        )
        message = await anext(parley.calls.stream(call["id"]))
        assert message.event == "surface" and message.data["call"]["id"] == call["id"]
        assert [one["text"] for one in await parley.calls.transcript(call["id"])] == ["My boiler leaks."]
        assert "My boiler leaks." in await parley.calls.transcript_text(call["id"])
        await parley.calls.end(call["id"], {"draft": {"title": "Leaking boiler"}})
        (draft,) = await parley.drafts.list(call_session_id=call["id"]).all()
        assert (await parley.drafts.approve(draft["id"]))["status"] == "approved"
