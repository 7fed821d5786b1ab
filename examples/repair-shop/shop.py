"""The whole integration of a repair shop: its customers come from a file, a call of a known customer becomes a job by
itself, everything else waits for a person, and callers are texted back."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice

from parley import Parley, WebhookVerificationError, models, verify_webhook

parley = Parley()  # by PARLEY_API_KEY and PARLEY_BASE_URL


def import_customers(file: str) -> int:
    """One `{number, name, phone}` a line, in batches of 500. Upserts: importing again changes what has changed."""
    count = 0
    with open(file, encoding="utf-8") as lines:
        while rows := [json.loads(line) for line in islice(lines, 500)]:
            some = [{"displayName": row["name"], "primaryPhone": row["phone"],
                     "externalRefs": [{"system": "shop", "externalId": row["number"]}]} for row in rows]
            customers = parley.customers.batch([{"op": "upsert", "data": data} for data in some], atomic=True)
            people = [{**data, "customerId": made["record"]["id"]} for data, made in zip(some, customers)]
            parley.people.batch([{"op": "upsert", "data": data} for data in people], atomic=True)
            count += len(rows)
    return count


def on_call_ended(call: models.CallEndedEventData) -> None:
    """The rule: someone we know, who does not complain, gets a job without anyone looking at it."""
    draft, caller = call["draft"], call["from"]
    if draft is None or caller is None:
        return
    is_routine = call["customerId"] is not None and all(one["kind"] != "complaint" for one in call["signals"])
    if is_routine:
        parley.drafts.approve(draft["id"])
    said = f"Booked: {draft['title']}. See you soon!" if is_routine else "Thank you. We will get back to you."
    parley.sms.send({"to": caller, "body": said}, idempotency_key=f"after-{draft['id']}")


class Hooks(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            event = verify_webhook(body, self.headers, os.environ["PARLEY_WEBHOOK_SECRET"])
            if event["type"] == "call.ended":
                on_call_ended(event["data"])
            elif event["type"] == "call.missed" and event["data"]["from"] is not None:
                text: models.SendSmsBody = {"to": event["data"]["from"], "body": "Sorry. What can we fix?"}
                parley.sms.send(text, idempotency_key=f"missed-{event['data']['callId']}")
            self.send_response(204)
        except WebhookVerificationError:
            self.send_response(400)
        self.end_headers()


if __name__ == "__main__":
    print(import_customers(os.environ.get("CUSTOMERS", "customers.ndjson")), "customers imported", flush=True)
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Hooks).serve_forever()
