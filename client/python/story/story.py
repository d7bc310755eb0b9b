"""A shop's first day with the client. Each chapter prints one line, and fails with a message if its end is another."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

import httpx

from multirail import ApiError, AsyncMultirail, Multirail, WebhookError, construct_event, response_of
from multirail.models import (
    BusinessProfileUpdateRequest,
    CardRequest,
    CustomerCreateRequest,
    Payment,
    PaymentCaptureRequest,
    PaymentConfirmRequest,
    PaymentCreateRequest,
    PaymentFilterRequest,
    PaymentMethodDataRequest,
    RefundCreateRequest,
    RefundListRequest,
    WebhookDetailsRequest,
)

base_url = os.environ["MULTIRAIL_URL"]
api_key = os.environ["MULTIRAIL_API_KEY"]
publishable_key = os.environ["MULTIRAIL_PUBLISHABLE_KEY"]
merchant_id = os.environ["MULTIRAIL_MERCHANT"]
card = CardRequest(card_number="4242424242424242", card_exp_month="10", card_exp_year="2035", card_cvc="123")
declined = CardRequest(card_number="4000000000000002", card_exp_month="10", card_exp_year="2035", card_cvc="123")

multirail = Multirail(base_url, api_key=api_key)


def pay() -> str:
    order = PaymentCreateRequest(amount=6540, currency="USD", capture_method="manual")
    payment = multirail.payments.create(order)
    confirmed = multirail.payments.confirm(
        payment.payment_id,
        PaymentConfirmRequest(payment_method="card", payment_method_data=PaymentMethodDataRequest(card=card)),
    )
    assert payment.status == "requires_payment_method", payment
    assert confirmed.status == "requires_capture", confirmed
    tell("pay", f"{payment.payment_id} is {confirmed.status}")
    return payment.payment_id


def capture(payment_id: str) -> None:
    payment = multirail.payments.capture(payment_id, PaymentCaptureRequest(amount_to_capture=4000))
    assert (payment.status, payment.amount_received) == ("partially_captured", 4000), payment
    tell("capture", f"{payment.amount_received} of {payment.amount}")


def refund(payment_id: str) -> None:
    refund = multirail.refunds.create(RefundCreateRequest(payment_id=payment_id, amount=1500))
    assert refund.status == "succeeded", refund
    page = multirail.refunds.list(RefundListRequest(payment_id=payment_id)).page()
    assert [one.refund_id for one in page.data] == [refund.refund_id], page
    tell("refund", f"{refund.amount} is {refund.status}")


def refusals(payment_id: str) -> None:
    too_much = RefundCreateRequest(payment_id=payment_id, amount=9999)
    advice = ""
    try:
        multirail.refunds.create(too_much)
    except ApiError as error:
        match error.code:
            case "IR_13":
                advice = "refund less than that"
            case "HE_02":
                advice = "there is no such payment"
            case _:
                advice = "try again later" if error.is_retryable else f"report {error.request_id}"
    assert advice == "refund less than that", advice
    wrong = Multirail(base_url, api_key="snd_wrong")
    try:
        wrong.payments.retrieve(payment_id)
        raise AssertionError("a wrong key opens the payment")
    except ApiError as error:
        assert (error.status, error.code) == (401, "IR_01"), error
        assert "snd_wrong" not in repr(error), "the error shows the key"
    tell("refusals", f"typed by code: {advice}")


def payer() -> None:
    created = multirail.payments.create(PaymentCreateRequest(amount=100, currency="EUR"))
    with Multirail(base_url, api_key=publishable_key) as client:
        payment = client.payments.retrieve(created.payment_id, client_secret=created.client_secret)
    assert payment.amount == 100, payment
    tell("payer", f"the payer sees {payment.payment_id}")


def lists() -> None:
    customer_id = multirail.customers.create(CustomerCreateRequest(name="Ada")).customer_id
    made: list[str] = []
    for amount in range(1, 8):
        payment = multirail.payments.create(PaymentCreateRequest(amount=amount, currency="USD", customer_id=customer_id))
        made.insert(0, payment.payment_id)
    pages = list(multirail.payments.list(customer_id=customer_id, limit=3).pages())
    assert [one.payment_id for page in pages for one in page.data] == made, pages
    assert len(pages) == 3, pages
    newer = multirail.payments.list(customer_id=customer_id, limit=2, ending_before=made[6]).to_list(100)
    assert [one.payment_id for one in newer] == made[5::-1], newer
    filtered = multirail.payments.filter(PaymentFilterRequest(customer_id=customer_id, limit=2)).to_list(100)
    assert len(filtered) == 7, filtered

    total = 0
    for payment in multirail.payments.list(customer_id=customer_id):
        total += payment.amount
    assert total == 28, total
    tell("list", f"{len(made)} payments in {len(pages)} pages")


def decline() -> None:
    payment = multirail.payments.create(
        PaymentCreateRequest(
            amount=6540,
            currency="USD",
            confirm=True,
            payment_method="card",
            payment_method_data=PaymentMethodDataRequest(card=declined),
        )
    )
    assert payment.status == "failed" and payment.error_code and payment.error_message, payment
    tell("decline", f"no exception: {payment.status} with {payment.error_code}")


class Losing(httpx.HTTPTransport):
    """A network that loses the first answer."""

    tries = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        self.tries += 1
        if self.tries > 1:
            return response
        response.close()
        raise httpx.ReadError("the answer got lost")


def repeat() -> None:
    customer_id = multirail.customers.create(CustomerCreateRequest(name="Grace")).customer_id
    order = PaymentCreateRequest(amount=6540, currency="USD", customer_id=customer_id)
    first = multirail.payments.create(order, idempotency_key="order-2041")
    second = multirail.payments.create(order, idempotency_key="order-2041")
    assert second.payment_id == first.payment_id, second
    assert [is_replayed(one) for one in (first, second)] == [False, True]

    # An answer that gets lost on its way is asked for again, with the same key.
    network = Losing()
    losing = Multirail(base_url, api_key=api_key, http_client=httpx.Client(transport=network))
    third = losing.payments.create(order)
    assert network.tries == 2, network.tries
    assert is_replayed(third)
    found = multirail.payments.list(customer_id=customer_id).to_list(100)
    assert [one.payment_id for one in found] == [third.payment_id, first.payment_id], found
    tell("repeat", f"four requests with two keys made {len(found)} payments")


def is_replayed(payment: Payment) -> bool:
    response = response_of(payment)
    return response is not None and response.is_replayed


Delivery = tuple[bytes, Message]


@contextmanager
def receiver() -> Iterator[tuple[str, Queue[Delivery]]]:
    """Runs the shop's server, and yields its address and what it receives."""
    deliveries: Queue[Delivery] = Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.end_headers()
            deliveries.put((body, self.headers))

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the story's output short."""

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", deliveries
        server.shutdown()


def webhook() -> None:
    with receiver() as (webhook_url, deliveries):
        [profile, *_] = multirail.business_profiles.list(merchant_id)
        update = BusinessProfileUpdateRequest(webhook_details=WebhookDetailsRequest(webhook_url=webhook_url))
        secret = multirail.business_profiles.update(merchant_id, profile.profile_id, update).webhook_secrets[0].secret
        payment = multirail.payments.create(
            PaymentCreateRequest(
                amount=6540,
                currency="USD",
                confirm=True,
                payment_method="card",
                payment_method_data=PaymentMethodDataRequest(card=card),
            )
        )
        body, headers = deliveries.get(timeout=20)

    event = construct_event(body, headers, secret)
    if isinstance(event.content.object, Payment):
        assert event.content.object.payment_id == payment.payment_id
    assert (event.event_type, event.content.type) == ("payment_succeeded", "payment_details"), event

    forged = body.replace(b"6540", b"9999")
    assert forged != body
    assert reason(forged, headers, secret, time.time()) == "wrong_signature"
    assert reason(body, headers, secret, time.time() + 3600) == "too_old"
    tell("webhook", f"{event.event_type} is genuine, its forgery is refused")


def reason(body: bytes, headers: Message, secret: str, now: float) -> str:
    try:
        construct_event(body, headers, secret, now=now)
    except WebhookError as error:
        return error.reason
    return "accepted"


async def at_once() -> None:
    customer_id = multirail.customers.create(CustomerCreateRequest(name="Mary")).customer_id
    orders = [PaymentCreateRequest(amount=amount, currency="USD", customer_id=customer_id) for amount in (1, 2, 3)]
    total = 0
    async with AsyncMultirail(base_url, api_key=api_key) as client:
        payments = await asyncio.gather(*(client.payments.create(order) for order in orders))
        async for payment in client.payments.list(customer_id=customer_id, limit=2):
            total += payment.amount
    assert [payment.amount for payment in payments] == [1, 2, 3], payments
    assert total == 6, total
    tell("async", f"{len(payments)} payments at once")


def tell(chapter: str, end: str) -> None:
    print(f"{chapter:9} {end}")


payment_id = pay()
capture(payment_id)
refund(payment_id)
refusals(payment_id)
payer()
lists()
decline()
repeat()
webhook()
asyncio.run(at_once())
