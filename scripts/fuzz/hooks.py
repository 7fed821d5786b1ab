"""What the contract fuzzer must know besides the OpenAPI document, and the one list of what it does not count.

A request that the document allows must not be answered with 400, 413 or 415. Some refusals follow from rules that JSON
Schema has no words for; each stands in EXCUSED with its reason, by the `code` of the issue in the answer, and where that
says too little also by operation and field (how they begin). A new rule must either go into the document or be listed here.
"""

import itertools
import json
import os
import re

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

EXCUSED = [
    # What only the stored data can tell.
    {"code": "cursor", "why": "a cursor is made by the list itself, sealed, and good for one tenant, list, order and filter"},
    {"code": "reference", "why": "whether a record exists is known to the database; only some references must exist"},
    {"code": "unknown_event", "why": "only the id of an event that is still kept can be gone on from"},
    {"code": "kind_not_enabled", "why": "which kinds of work an organization does is its own setting"},
    {"code": "scope", "why": "which subjects a fact key is for is said by its definition"},
    {"code": "value_type", "why": "what type a fact's value has is said by its definition"},
    {"code": "live_key", "why": "the name of the organization is changed with a live key, and the fuzzer has a sandbox key"},
    {"code": "required", "operation": "POST /fact-definitions", "why": "an update where the key is known, and a creation where it is not"},
    {"code": "required", "operation": "PATCH ", "why": "asked of the merged record, not of the part that was sent"},
    {"code": "phone", "operation": "PATCH /contact-methods/{id}", "why": "asked of the merged record, not of the part that was sent"},
    {"code": "maxItems", "path": "externalRefs", "why": "references are added to those that the record has, and both together are counted"},
    {"operation": "POST /drafts/{id}/approve", "path": "payload", "why": "asked of the work record that the draft and the payload make together"},
    {"path": "structuredFieldsJson", "why": "the fields of each kind of work are described by the organization itself"},
    {"code": "channel", "path": "threadId", "why": "which channel a conversation has is known to the database"},
    {"code": "required", "path": "targetSubjectId", "why": "needed where no target follows from what the fact is about"},
    {"operation": "POST /facts/{id}/promote", "path": "primary", "why": "the value of the fact must fit the field of the record that it goes to"},
    {"code": "required", "operation": "POST /calls/{id}/facts", "path": "facts[", "why": "needed where the call has neither person nor work record"},
    {"code": "enum", "operation": "POST /integration-connections/{id}/inbound/simulate", "path": "kind", "why": "which kinds there are is said by the provider of the connection"},
    # Two values against each other, or one against the clock.
    {"code": "order", "why": "JSON Schema cannot compare two times"},
    {"code": "span", "why": "JSON Schema cannot compare two times"},
    {"code": "past", "why": "JSON Schema does not know the time"},
    {"code": "future", "why": "JSON Schema does not know the time"},
    {"code": "itself", "why": "JSON Schema cannot compare the body with the path"},
    {"code": "contradiction", "why": "the same id stands in two lists, or two fields name different things"},
    {"code": "required", "operation": "GET /work-records/search", "why": "OpenAPI has no words for one of several query parameters"},
    {"code": "query", "operation": "GET /events", "path": "sort", "why": "OpenAPI has no words for two query parameters that exclude each other"},
    # Sizes of a whole.
    {"code": "size", "why": "JSON Schema counts no bytes"},
    {"code": "depth", "why": "JSON Schema counts no levels"},
    {"code": "keys", "why": "JSON Schema counts keys of one object, not of all within it"},
    {"code": "values", "why": "JSON Schema counts items of one list, not of the whole body"},
    {"code": "reserved_name", "why": "`__proto__` as a key in a free-form object"},
    # Lists that are not ours.
    {"code": "date", "path": "routing.hours.closed", "why": "a pattern does not know how long a month is"},
    {"code": "timezone", "why": "the time zones are those of the runtime"},
    {"code": "country", "why": "the countries are those of the telephone library"},
    {"code": "keyword", "path": "fieldSchema", "why": "a schema within a schema: the subset of JSON Schema that is taken is told in the guide"},
    {"code": "type", "path": "fieldSchema", "why": "as above"},
    {"code": "url", "why": "addresses of private networks, ports and credentials in a URL, which a webhook may not have"},
]

MAX_SAFE = 2**53 - 1
OWN_KEY = os.environ["FUZZ_OWN_KEY_ID"]
REFUSALS = (400, 413, 415)
numbers = itertools.count()


def is_excused(issue, operation):
    return any(
        rule.get("code", issue.get("code")) == issue.get("code")
        and operation.startswith(rule.get("operation", ""))
        and (issue.get("path") or "").startswith(rule.get("path", ""))
        for rule in EXCUSED
    )


def issues_in(response):
    try:
        details = response.json()["error"].get("details")
    except (ValueError, KeyError, TypeError):
        return []
    return details if isinstance(details, list) else []


@schemathesis.check
def documented_requests_are_accepted(ctx, response, case):
    """`positive_data_acceptance`, less what is excused; each refusal counts by its reason, not once per operation."""
    if response.status_code not in REFUSALS:
        return
    issues = issues_in(response)
    if issues and all(is_excused(issue, case.operation.label) for issue in issues):
        return
    try:
        positive_data_acceptance(ctx, response, case)
    except AssertionError as refused:
        reasons = "; ".join(f"{re.sub('[0-9]+', 'N', one['path'])}: {one['message']} ({one.get('code')})" for one in issues)
        raise AssertionError(f"The document allows this and the server refuses it: {reasons or response.text[:200]}") from refused


def within_safe_range(value):
    if isinstance(value, dict):
        return {key: within_safe_range(one) for key, one in value.items()}
    if isinstance(value, list):
        return [within_safe_range(one) for one in value]
    return max(-MAX_SAFE, min(MAX_SAFE, value)) if type(value) in (int, float) else value


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Keeps apart what would spoil other requests.

    The key that the fuzzer itself uses outlives the run. Every Idempotency-Key is a new one: a used one gets the answer
    of before, or 422. The side stays without a country: with one, more numbers are read than the document says. Numbers
    of a free-form value stay within 2^53, which only fields with a type can say: else most valid bodies were none.
    """
    if isinstance(case.body, dict) and case.meta is not None and case.meta.generation.mode.is_positive:
        safe = within_safe_range(case.body)
        # A body that is set is judged anew, so one that stays as it is must be left alone.
        if safe != case.body:
            case.body = safe
    if case.path.startswith("/api-keys/{id}") and case.path_parameters.get("id") == OWN_KEY:
        case.path_parameters["id"] = "00000000-0000-7000-8000-000000000000"
    if re.fullmatch("[!-~]{1,255}", (case.headers or {}).get("Idempotency-Key", "")):
        case.headers["Idempotency-Key"] = f"fuzz-{next(numbers)}"
    settings = case.body.get("settings") if case.path == "/organization" and isinstance(case.body, dict) else None
    if isinstance(settings, dict) and re.fullmatch("[A-Z]{2}", str(settings.get("defaultCountry"))):
        settings["defaultCountry"] = None


@schemathesis.serializer("application/octet-stream")
def audio(ctx, value):
    """The bytes of a recording are anybody's, but for the first, which tell that it is one."""
    return b"RIFF....WAVE" + (value if isinstance(value, bytes) else json.dumps(value).encode())
