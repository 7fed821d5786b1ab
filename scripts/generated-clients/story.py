"""The story with the client that openapi-python-client writes."""

import hashlib
import hmac
import io
import os
import ssl
import struct
import time
import urllib.request
import json

from parley_api_client import AuthenticatedClient
from parley_api_client.api.people import create_person, list_people
from parley_api_client.api.voicemails import create_voicemail, put_voicemail_recording
from parley_api_client.api.webhooks import create_webhook, test_webhook
from parley_api_client.models import PersonCreate, VoicemailCreate, WebhookCreate, WebhookEventType
from parley_api_client.types import File

base_url = os.environ["PARLEY_BASE_URL"] + "/api/v1"
parley = AuthenticatedClient(base_url=base_url, token=os.environ["PARLEY_API_KEY"], raise_on_unexpected_status=True)


def until_posted(url):
    trusted = ssl.create_default_context(cafile=os.environ["INBOX_CA"])
    for _ in range(3_000):
        try:
            with urllib.request.urlopen(url, context=trusted) as answer:
                return json.load(answer)
        except urllib.error.HTTPError:
            time.sleep(0.1)
    raise AssertionError("No webhook came within five minutes")


def is_signed(secret, signature, body):
    parts = dict(part.split("=", 1) for part in signature.split(","))
    expected = hmac.new(secret.encode(), f"{parts['t']}.{body}".encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(parts["v1"], expected)


made = create_person.sync(client=parley, body=PersonCreate(display_name="Ines Moreau", primary_phone="+12025550145"))
assert made.display_name == "Ines Moreau", made

listed = list_people.sync(client=parley, limit=1, q="Moreau")
assert listed.data[0].id == made.id, listed

voicemail = create_voicemail.sync(client=parley, body=VoicemailCreate(caller_number="+12025550145"))
silence = b"RIFF" + struct.pack("<I", 8036) + b"WAVEfmt " + bytes(28) + bytes(8000)
uploaded = put_voicemail_recording.sync(voicemail.id, client=parley, body=File(payload=io.BytesIO(silence)))
assert uploaded.recording_status.value == "available", uploaded

url = os.environ["INBOX_URL"] + "/openapi-python-client"
webhook = create_webhook.sync(
    client=parley, body=WebhookCreate(url=url, event_types=[WebhookEventType.CALL_ENDED])
)
test_webhook.sync(webhook.id, client=parley)
delivery = until_posted(url)
assert is_signed(webhook.secret, delivery["signature"], delivery["body"])
