"""The verification of webhooks. It needs the profile's secret, and sends nothing."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from .generated.models import (
    Dispute,
    EventType,
    Mandate,
    Payment,
    Refund,
    Subscription,
    WebhookContentType,
    WebhookDelivery,
)
from .model import Model

_OBJECTS: dict[str, type[Model]] = {
    "payment_details": Payment,
    "refund_details": Refund,
    "dispute_details": Dispute,
    "mandate_details": Mandate,
    "subscription_details": Subscription,
}
# More signatures than a server makes. A forger could keep this program busy with them.
_MOST_SIGNATURES = 16


@dataclass(frozen=True)
class WebhookContent:
    """The object of an event."""

    # The word for the type of the object.
    type: WebhookContentType
    # The object as it was at the time of the event. An object without a type here is a dict.
    object: Payment | Refund | Dispute | Mandate | Subscription | dict[str, Any]


@dataclass(frozen=True)
class WebhookEvent:
    """A verified delivery. The same event can come twice: remember its `event_id`, and do nothing the second time."""

    merchant_id: str
    event_id: str
    event_type: EventType
    content: WebhookContent
    timestamp: datetime


class WebhookHeaders(Protocol):
    """The headers of a delivery, as frameworks give them: a dict, or another object with `items`."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


WebhookReason: TypeAlias = Literal[
    "missing_header",
    "unreadable_timestamp",
    "wrong_signature",
    "too_old",
    "too_new",
    "unreadable_body",
    "unusable_secret",
]


class WebhookError(Exception):
    """The delivery is refused. Answer 400, and use nothing of it."""

    def __init__(self, reason: WebhookReason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


def construct_event(
    body: str | bytes,
    headers: WebhookHeaders,
    secret: str | Sequence[str],
    *,
    tolerance: float = 300,
    hash_key: str | None = None,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a delivery and reads it.

    The body is the received text or bytes: JSON that was parsed and written again has another signature. While the
    profile's secret changes, give both secrets.

    tolerance: The most seconds between `webhook-timestamp` and now, in both directions.
    hash_key: The profile's `payment_response_hash_key`, if the second signature has to fit too.
    now: The time in seconds since 1970; the machine's when None.
    """
    received = _received(body)
    secrets = [secret] if isinstance(secret, str) else secret
    if not secrets and hash_key is None:
        raise WebhookError("unusable_secret", "there is no secret to verify with")
    if secrets:
        timestamp = _check_standard(received, headers, secrets)
        _check_age((time.time() if now is None else now) - timestamp, tolerance)
    if hash_key is not None:
        _check_body(received, headers, hash_key)
    return _read(received)


def _received(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode(errors="surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise WebhookError("unreadable_body", "the body has to be the received text or bytes, not parsed JSON")


def _check_standard(body: bytes, headers: WebhookHeaders, secrets: Sequence[str]) -> int:
    """Checks the signature of Standard Webhooks, which also covers the id and the time. Returns the time."""
    webhook_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    given = _header(headers, "webhook-signature").split(" ")[:_MOST_SIGNATURES]
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise WebhookError("unreadable_timestamp", "webhook-timestamp is no number of seconds")
    text = f"{webhook_id}.{timestamp}.".encode(errors="replace") + body
    # Signatures of other versions may stand beside ours.
    signatures = [_base64(one[3:]) for one in given if one.startswith("v1,")]
    keys = [_base64(one[6:]) if one.startswith("whsec_") else b"" for one in secrets]
    if not all(keys):
        raise WebhookError("unusable_secret", "a secret is whsec_ and base64")
    made = [hmac.digest(key, text, hashlib.sha256) for key in keys]
    # Every pair is compared, each in constant time.
    fits = [hmac.compare_digest(one, signature) for one in made for signature in signatures]
    if not any(fits):
        raise WebhookError("wrong_signature", "no signature in webhook-signature fits")
    return int(timestamp)


def _check_age(age: float, tolerance: float) -> None:
    # Written so that a tolerance that is no number refuses.
    if not age <= tolerance:
        raise WebhookError("too_old", "the delivery was signed too long ago")
    if not age >= -tolerance:
        raise WebhookError("too_new", "the delivery was signed in the future")


def _check_body(body: bytes, headers: WebhookHeaders, hash_key: str) -> None:
    """Checks the signature that covers only the body."""
    given = _header(headers, "x-webhook-signature-512")
    if not hash_key:
        raise WebhookError("unusable_secret", "the hash key is empty")
    made = hmac.digest(hash_key.encode(), body, hashlib.sha512).hex()
    if not hmac.compare_digest(made.encode(), given.encode(errors="replace")):
        raise WebhookError("wrong_signature", "the signature in x-webhook-signature-512 does not fit")


def _header(headers: WebhookHeaders, name: str) -> str:
    found = [value for own, value in headers.items() if own.lower() == name]
    if len(found) != 1 or not isinstance(found[0], str) or not found[0]:
        raise WebhookError("missing_header", f"the header {name} is missing")
    return found[0]


def _base64(text: str) -> bytes:
    """Returns the bytes of a text in base64, or none."""
    try:
        return base64.b64decode(text.encode(), validate=True)
    except ValueError:
        return b""


def _read(body: bytes) -> WebhookEvent:
    try:
        delivery = msgspec.json.decode(body, type=WebhookDelivery)
        content = delivery.content
        kind = _OBJECTS.get(content.type)
        read: Any = msgspec.convert(content.object, kind) if kind else content.object
    except (msgspec.DecodeError, RecursionError) as error:
        reason = str(error)
    else:
        return WebhookEvent(
            delivery.merchant_id,
            delivery.event_id,
            delivery.event_type,
            WebhookContent(content.type, read),
            delivery.timestamp,
        )
    raise WebhookError("unreadable_body", f"the body is genuine, but no event: {reason}")
