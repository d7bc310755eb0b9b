"""The calls in the guide for people who come from Stripe's client for Python (server/docs/guides/coming-from-elsewhere.md).

A test finds each call of the guide here.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import os
import time

import httpx
import msgspec

from multirail import ApiError, AsyncMultirail, Call, Multirail, MultirailError, Operation, construct_event, response_of
from multirail.models import Customer, CustomerCreateRequest, PaymentCreateRequest

base_url = os.environ["MULTIRAIL_URL"]
api_key = os.environ["MULTIRAIL_API_KEY"]

# 1 to 4: a client, a list, one object, and an error.
multirail = Multirail(base_url, api_key=api_key)
customer = multirail.customers.create(CustomerCreateRequest(email="ada@example.com"))
assert customer.email == "ada@example.com", customer
assert customer.customer_id in [one.customer_id for one in multirail.customers.list(limit=3)]
assert multirail.customers.list(limit=3).page()
assert multirail.customers.retrieve(customer.customer_id) == customer
try:
    multirail.payments.retrieve("pay_none")
    raise AssertionError("there is such a payment")
except MultirailError as error:
    assert isinstance(error, ApiError) and error.code == "HE_02", error

# 5: a platform's connected account. This key is no platform's.
try:
    multirail.with_options(connected_merchant_id="bookshop").payments.list(limit=1).page()
    raise AssertionError("the key is a platform's")
except ApiError as error:
    assert (error.status, error.code) == (401, "IR_44"), error

# 6 to 8: connections of one's own, a proxy, retries.
network = httpx.HTTPTransport()
with httpx.Client(transport=network) as http_client:
    Multirail(base_url, api_key=api_key, http_client=http_client, max_retries=1).customers.retrieve(customer.customer_id)
with httpx.Client(proxy="http://proxy.invalid:3128") as http_client:
    try:
        Multirail(base_url, api_key=api_key, http_client=http_client, max_retries=0).customers.list().page()
        raise AssertionError("the proxy was not asked")
    except MultirailError as error:
        assert not error.is_outcome_unknown, error

# 9: the log.
lines: list[str] = []


class Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        lines.append(record.getMessage())


logging.getLogger("httpx").addHandler(Lines())
logging.getLogger("httpx").setLevel(logging.INFO)
multirail.customers.retrieve(customer.customer_id)
assert [f"GET {base_url}/customers/{customer.customer_id}" in line for line in lines] == [True], lines
assert api_key not in lines[0], "the log shows the key"

# 10: the response beside the object.
response = response_of(customer)
assert response is not None and response.status == 200 and response.request_id, response


# Beyond the first ten: asyncio, all pages, a webhook, and an operation that this version doesn't know.
async def at_once() -> None:
    async with AsyncMultirail(base_url, api_key=api_key) as client:
        made = await client.customers.create(CustomerCreateRequest(email="grace@example.com"))
        assert made.customer_id != customer.customer_id


asyncio.run(at_once())

order = PaymentCreateRequest(amount=2000, currency="USD", customer_id=customer.customer_id)
payment = multirail.payments.create(order, idempotency_key="order-7", timeout=5, max_retries=2)
assert multirail.payments.create(order, idempotency_key="order-7").payment_id == payment.payment_id
assert [one.amount for one in multirail.payments.list(customer_id=customer.customer_id)] == [2000]

secret = "whsec_" + base64.b64encode(b"a secret of thirty-two characters").decode()
content = {"type": "payment_details", "object": msgspec.to_builtins(payment)}
told = {"merchant_id": "demo", "event_id": "evt_1", "event_type": "payment_succeeded", "content": content}
body = json.dumps(told | {"timestamp": "2026-01-05T10:11:12.345Z"})
now = int(time.time())
signed = hmac.digest(b"a secret of thirty-two characters", f"msg_1.{now}.{body}".encode(), hashlib.sha256)
signature = f"v1,{base64.b64encode(signed).decode()}"
headers = {"webhook-id": "msg_1", "webhook-timestamp": str(now), "webhook-signature": signature}
assert construct_event(body, headers, secret).event_id == "evt_1"

retrieve = Operation("customers_retrieve", "GET", "/customers/{}", Customer, reads=True)
assert multirail.request(Call(retrieve, ids=(customer.customer_id,))) == customer
print("habits    of other clients work, or the guide says what differs")
