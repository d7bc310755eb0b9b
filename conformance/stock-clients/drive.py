"""Pays with openapi-python-client's client."""

import os

from multirail_client import AuthenticatedClient
from multirail_client.api.events import events_list
from multirail_client.api.payments import payments_capture, payments_confirm, payments_create
from multirail_client.api.refunds import refunds_create
from multirail_client.models import (
    CaptureMethod,
    Currency,
    ErrorBody,
    EventListRequest,
    PaymentCaptureRequest,
    PaymentConfirmRequest,
    PaymentCreateRequest,
    PaymentMethod,
    PaymentMethodDataRequest,
    RefundCreateRequest,
)


def client(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(os.environ["URL"], token=key, prefix="", auth_header_name="api-key")


def told(answer):
    if answer is None or isinstance(answer, ErrorBody):
        raise SystemExit(f"refused: {answer}")
    return answer


def check(what: str, found, wanted: str) -> None:
    if str(found) != wanted:
        raise SystemExit(f"{what} is {found}, not {wanted}")


merchant = client(os.environ["KEY"])
wanted = PaymentCreateRequest(amount=6540, currency=Currency.USD, capture_method=CaptureMethod.MANUAL)
created = told(payments_create.sync(client=merchant, body=wanted))
check("the new payment", created.status, "requires_payment_method")
card = {"card_number": "4111111111111111", "card_exp_month": "10", "card_exp_year": "35", "card_cvc": "123"}
wanted = PaymentConfirmRequest(
    payment_method=PaymentMethod.CARD,
    payment_method_data=PaymentMethodDataRequest.from_dict({"card": card}),
)
confirmed = told(payments_confirm.sync(created.payment_id, client=merchant, body=wanted))
check("the confirmed payment", confirmed.status, "requires_capture")
wanted = PaymentCaptureRequest(amount_to_capture=4000)
captured = told(payments_capture.sync(created.payment_id, client=merchant, body=wanted))
check("the captured payment", captured.status, "partially_captured")
wanted = RefundCreateRequest(payment_id=created.payment_id, amount=1500)
refunded = told(refunds_create.sync(client=merchant, body=wanted))
check("the refund", refunded.status, "succeeded")
wanted = EventListRequest(object_id=created.payment_id)
operator = client(os.environ["ADMIN_KEY"])
listed = told(events_list.sync(os.environ["MERCHANT"], client=operator, body=wanted))
types = [str(event.event_type) for event in listed.events]
if "payment_captured" not in types:
    raise SystemExit(f"no payment_captured among {types}")
print("openapi-python-client:", captured.status, refunded.status, listed.total_count, "events")
