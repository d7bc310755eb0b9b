"""The verification of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from email.message import Message
from typing import Any

import httpx
import pytest
from support import NOW, document, operations, payment

from multirail import WebhookError, construct_event
from multirail.models import Payment, Refund
from multirail.webhooks import _OBJECTS

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_b3RoZXIgc2VjcmV0"


def _body(kind: str = "payment_details", event_type: str = "payment_succeeded", **members: object) -> str:
    content = {"type": kind, "object": members or payment(status="succeeded", description="Bücher")}
    event = {"merchant_id": "demo", "event_id": "evt_1", "event_type": event_type, "content": content}
    return json.dumps({**event, "timestamp": "2026-01-05T10:11:12.000Z"}, ensure_ascii=False)


BODY = _body()


def _signature(secret: str, body: str, seconds: float) -> str:
    key = base64.b64decode(secret[6:])
    made = hmac.digest(key, f"evt_1.{seconds:.0f}.{body}".encode(), hashlib.sha256)
    return f"v1,{base64.b64encode(made).decode()}"


def _signed(body: str = BODY, secret: str = SECRET, seconds: float = NOW) -> dict[str, Any]:
    signature = _signature(secret, body, seconds)
    return {"webhook-id": "evt_1", "webhook-timestamp": f"{seconds:.0f}", "webhook-signature": signature}


def _reason(body: Any, headers: dict[str, Any], secret: Any = SECRET, **options: Any) -> str:
    with pytest.raises(WebhookError) as caught:
        construct_event(body, headers, secret, **{"now": NOW, **options})
    assert SECRET not in repr(caught.value) + str(caught.value)
    return caught.value.reason


def test_a_delivery_is_verified_and_read() -> None:
    event = construct_event(BODY, _signed(), SECRET, now=NOW)
    assert (event.event_id, event.event_type, event.content.type) == ("evt_1", "payment_succeeded", "payment_details")
    assert isinstance(event.content.object, Payment)
    assert (event.content.object.status, event.content.object.description) == ("succeeded", "Bücher")
    assert event.timestamp.timestamp() == NOW


def test_each_word_of_the_document_has_its_object() -> None:
    words = set(document()["components"]["schemas"]["WebhookContentType"]["enum"])
    assert words - _OBJECTS.keys() == {"payout_details"}
    refund = _body("refund_details", "refund_succeeded", **operations()["refunds_retrieve"].answers()[0])
    assert isinstance(construct_event(refund, _signed(refund), SECRET, now=NOW).content.object, Refund)


def test_an_event_of_a_newer_server_can_be_read() -> None:
    body = _body("mood_details", "mood_changed", mood="good")
    event = construct_event(body, _signed(body), SECRET, now=NOW)
    assert (str(event.event_type), event.content.object) == ("mood_changed", {"mood": "good"})


def test_the_test_event_of_an_endpoint_is_no_news_of_money() -> None:
    members = {"profile_id": "pro_1", "webhook_endpoint_id": "whe_1"}
    body = _body("endpoint_test_details", "endpoint_test", **members)
    event = construct_event(body, _signed(body), SECRET, now=NOW)
    assert (str(event.event_type), str(event.content.type)) == ("endpoint_test", "endpoint_test_details")
    assert event.content.object == members
    assert event.event_type not in document()["components"]["schemas"]["EventType"]["enum"]


def test_bodies_may_be_bytes_and_headers_those_of_any_framework() -> None:
    headers = _signed()
    message = Message()
    for name, value in headers.items():
        message[name.title()] = value
    bodies: list[Any] = [BODY, BODY.encode(), bytearray(BODY.encode())]
    for body in bodies:
        for given in (headers, {name.upper(): value for name, value in headers.items()}, httpx.Headers(headers), message):
            assert construct_event(body, given, SECRET, now=NOW).event_id == "evt_1"


def test_what_is_forged_or_altered_is_refused() -> None:
    headers = _signed()
    assert _reason(f"{BODY} ", headers) == "wrong_signature"
    assert _reason(BODY, {**headers, "webhook-id": "evt_2"}) == "wrong_signature"
    assert _reason(BODY, {**headers, "webhook-timestamp": f"{NOW + 1:.0f}"}) == "wrong_signature"
    assert _reason(BODY, _signed(secret=OTHER)) == "wrong_signature"
    for forged in ("v1,", "v1,AAAA", "v1,*", "v1,é", "v2,AAAA", headers["webhook-signature"][3:]):
        assert _reason(BODY, {**headers, "webhook-signature": forged}) == "wrong_signature", forged


def test_each_header_is_needed_once() -> None:
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        for wrong in (None, "", ["a", "b"]):
            assert _reason(BODY, {**_signed(), name: wrong}) == "missing_header"
        assert _reason(BODY, {**_signed(), name.title(): "again"}) == "missing_header"
    for wrong in ("soon", "1.5", "-1", "9" * 13, "\u0661"):
        assert _reason(BODY, {**_signed(), "webhook-timestamp": wrong}) == "unreadable_timestamp"


def test_a_delivery_is_valid_for_five_minutes_around_its_time() -> None:
    for offset in (-300, 0, 300):
        construct_event(BODY, _signed(), SECRET, now=NOW + offset)
    assert _reason(BODY, _signed(), now=NOW + 301) == "too_old"
    assert _reason(BODY, _signed(), now=NOW - 301) == "too_new"
    construct_event(BODY, _signed(), SECRET, now=NOW + 900, tolerance=900)
    assert _reason(BODY, _signed(), now=NOW + 1, tolerance=0) == "too_old"
    assert _reason(BODY, _signed(), tolerance=float("nan")) == "too_old"


def test_while_a_secret_changes_either_signs() -> None:
    both = f"v2,x {_signature(OTHER, BODY, NOW)} {_signature(SECRET, BODY, NOW)}"
    construct_event(BODY, {**_signed(), "webhook-signature": both}, SECRET, now=NOW)
    construct_event(BODY, _signed(secret=OTHER), [SECRET, OTHER], now=NOW)


def test_a_header_with_very_many_signatures_is_not_read_to_its_end() -> None:
    padded = "v1,AAAA " * 16 + _signed()["webhook-signature"]
    assert _reason(BODY, {**_signed(), "webhook-signature": padded}) == "wrong_signature"


def test_the_second_signature_covers_the_body() -> None:
    made = hmac.digest(b"a hash key", BODY.encode(), hashlib.sha512).hex()
    headers = {**_signed(), "x-webhook-signature-512": made}
    construct_event(BODY, headers, SECRET, now=NOW, hash_key="a hash key")
    construct_event(BODY, {"x-webhook-signature-512": made}, [], hash_key="a hash key")
    assert _reason(BODY, headers, hash_key="another") == "wrong_signature"
    assert _reason(BODY, {**headers, "x-webhook-signature-512": made.upper()}, hash_key="a hash key") == "wrong_signature"
    assert _reason(BODY, {"x-webhook-signature-512": made}, hash_key="a hash key") == "missing_header"
    assert _reason(BODY, headers, hash_key="") == "unusable_secret"


def test_secrets_and_bodies_that_can_not_be_used_are_refused() -> None:
    for wrong in ("", "whsec_", "whsec_*", "whsec_é", SECRET[6:]):
        assert _reason(BODY, _signed(), wrong) == "unusable_secret"
    assert _reason(BODY, _signed(), []) == "unusable_secret"
    assert _reason(json.loads(BODY), _signed()) == "unreadable_body"
    for body in ("", "[]", "null", '{"event_id": "evt_1"}', _body(payment_id="pay_1")):
        assert _reason(body, _signed(body)) == "unreadable_body"
