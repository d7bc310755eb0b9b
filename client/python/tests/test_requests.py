"""Requests: their path, headers and body."""

from __future__ import annotations

import logging
import platform
from datetime import datetime, timezone
from typing import Any

import httpx
import pytest
from support import KEY, NOW, ROOT, Server, document, ok, operations, payment, shop

from multirail import VERSION, Machine, Multirail, NotSentError, response_of
from multirail.models import PaymentCaptureRequest, PaymentCreateRequest

ORDER = PaymentCreateRequest(amount=6540, currency="USD", description="Bücher")


def test_a_call_has_the_path_headers_and_body_of_its_operation() -> None:
    it = shop(ok(payment(payment_id="pay_1")))
    answer = it.multirail.payments.create(ORDER, client_source="shop")
    assert answer.payment_id == "pay_1"
    [request] = it.server.received
    assert (request.method, str(httpx.URL(request.url))) == ("POST", "https://pay.example/payments")
    transport = {"host", "connection", "accept-encoding", "content-length"}
    assert {name: value for name, value in request.headers.items() if name not in transport} == {
        "accept": "application/json",
        "content-type": "application/json",
        "api-key": KEY,
        "user-agent": f"multirail-python/{VERSION} python/{platform.python_version()}",
        "idempotency-key": "key-1",
        "x-client-source": "shop",
    }
    assert request.content == '{"amount":6540,"currency":"USD","description":"Bücher"}'.encode()


def test_settings_go_with_each_call_and_a_second_client_can_have_others() -> None:
    it = shop(ok([]), ok([]), ok([]), profile_id="pro_1", connected_merchant_id="shop")
    it.multirail.customers.list().page()
    other = it.multirail.with_options(profile_id="pro_2", timeout=5)
    other.customers.list().page()
    it.multirail.customers.list().page()
    sent = [(one.headers["x-profile-id"], one.headers["x-connected-merchant-id"]) for one in it.server.received]
    assert sent == [("pro_1", "shop"), ("pro_2", "shop"), ("pro_1", "shop")]
    assert type(other) is Multirail


def test_tokens_go_into_their_own_header() -> None:
    for name, value, expected in (("user_token", "a.b.c", "Bearer a.b.c"), ("sdk_authorization", "payer", "payer")):
        it = shop(ok(operations()["refunds_retrieve"].answers()[0]), **{"api_key": None, name: value})
        it.multirail.refunds.retrieve("ref_1")
        [request] = it.server.received
        assert request.headers["authorization"] == expected
        assert "api-key" not in request.headers


def test_a_query_leaves_out_members_without_a_value() -> None:
    it = shop(ok({"size": 0, "data": []}), ok(payment()))
    it.multirail.payments.list(limit=3, created_gte=datetime(2026, 1, 5, 10, 11, 12, tzinfo=timezone.utc)).page()
    it.multirail.payments.retrieve("pay_1", force_sync=True)
    assert it.server.queries == ["limit=3&created.gte=2026-01-05T10%3A11%3A12Z", "force_sync=true"]


def test_ids_are_encoded_and_those_that_lead_elsewhere_are_not_sent() -> None:
    it = shop(ok(payment()))
    it.multirail.payments.retrieve("a/b?c")
    assert it.server.received[0].url.raw_path == b"/payments/a%2Fb%3Fc"
    wrong: list[Any] = ["", ".", "..", None]
    for one in wrong:
        with pytest.raises(NotSentError, match="an id of the path is missing"):
            it.multirail.payments.retrieve(one)
    assert len(it.server.received) == 1


def test_a_body_without_a_form_in_json_is_not_sent() -> None:
    it = shop()
    wrong: list[Any] = [float("nan"), float("inf"), object()]
    for amount in wrong:
        with pytest.raises(NotSentError) as caught:
            it.multirail.payments.capture("pay_1", PaymentCaptureRequest(amount_to_capture=amount))
        assert str(caught.value) == "payments_capture: not sent, because its body holds a value that JSON has no form for"
        assert not caught.value.is_outcome_unknown
    assert it.server.received == []


def test_a_header_that_can_not_be_sent_is_named_without_its_value() -> None:
    for key in ("ord\ner", "", " order", "Bücher"):
        with pytest.raises(NotSentError, match="idempotency-key is empty or holds") as caught:
            shop().multirail.payments.create(ORDER, idempotency_key=key)
        assert "ord" not in str(caught.value)


def test_an_idempotency_key_is_refused_where_it_would_have_no_effect() -> None:
    with pytest.raises(TypeError):
        shop().multirail.customers.delete("cus_1", idempotency_key="order-1")  # type: ignore[call-arg]


def test_files_are_sent_as_they_are_and_texts_come_back_as_they_are() -> None:
    it = shop(ok(operations()["disputes_attach"].answers()[0]), httpx.Response(200, text="health is good"))
    it.multirail.disputes.attach(b"\x01\x02", dispute_id="dp_1", evidence_type="receipt")
    [request] = it.server.received
    assert (request.headers["content-type"], request.content) == ("application/octet-stream", b"\x01\x02")
    assert it.multirail.health.check() == "health is good"


def test_the_response_of_an_answer_can_be_asked_for() -> None:
    it = shop(ok(payment(), idempotent_replayed="true"))
    answer = it.multirail.payments.create(ORDER)
    response = response_of(answer)
    assert response and (response.status, response.request_id, response.is_replayed) == (200, "req_1", True)
    assert response_of(ORDER) is None
    assert "response" not in repr(answer)


def test_an_address_may_have_a_path() -> None:
    it = shop(ok(payment()), base_url="https://pay.example/base/")
    it.multirail.payments.retrieve("pay_1")
    assert it.server.received[0].url.path == "/base/payments/pay_1"
    assert it.multirail.base_url == "https://pay.example/base"


def test_redirects_are_not_followed() -> None:
    server = Server(httpx.Response(302, headers={"location": "https://elsewhere.example"}))
    http = httpx.Client(transport=httpx.MockTransport(server), follow_redirects=True)
    multirail = Multirail("https://pay.example", api_key=KEY, http_client=http)
    with pytest.raises(Exception, match="HTTP 302"):
        multirail.payments.retrieve("pay_1")
    assert len(server.received) == 1


def test_the_log_of_httpx_shows_no_client_secret(caplog: pytest.LogCaptureFixture) -> None:
    it = shop(ok(payment()))
    with caplog.at_level(logging.DEBUG):
        it.multirail.payments.retrieve("pay_1", client_secret="pay_1_secret_x")
    assert it.server.queries == ["client_secret=pay_1_secret_x"]
    assert "https://pay.example/payments/pay_1" in caplog.text
    assert "secret_x" not in caplog.text


def test_settings_that_can_not_be_used_are_refused_without_their_value() -> None:
    good = {"base_url": "https://pay.example", "api_key": KEY}
    wrong: list[dict[str, Any]] = [
        {"api_key": ""},
        {"api_key": f"{KEY}\n"},
        {"user_token": KEY},
        {"base_url": "pay.example"},
        {"base_url": "file:///pay"},
        {"base_url": "https://"},
        {"base_url": "https://pay.example:0"},
        {"base_url": "https://[pay"},
        {"base_url": None},
        {"base_url": f"https://user:{KEY}@pay.example"},
        {"base_url": f"https://pay.example/?key={KEY}"},
        {"base_url": "https://pay.example:port"},
        {"timeout": float("nan")},
        {"max_retries": -1},
    ]
    for each in wrong:
        with pytest.raises(ValueError) as caught:
            Multirail(**{**good, **each})
        assert KEY not in str(caught.value), each


def test_a_client_closes_its_own_connections_only() -> None:
    http = httpx.Client(transport=httpx.MockTransport(Server()))
    with Multirail("https://pay.example", http_client=http):
        pass
    assert not http.is_closed
    with Multirail("https://pay.example") as multirail:
        multirail.with_options(timeout=1).close()
        assert not multirail._http.is_closed
    assert multirail._http.is_closed


def test_the_version_is_that_of_the_document() -> None:
    assert document()["info"]["version"] == VERSION
    assert (ROOT / "src/multirail/py.typed").exists()


def test_idempotency_keys_differ() -> None:
    machine = Machine()
    keys = {machine.key() for _ in range(100)}
    assert len(keys) == 100
    assert all(len(key) == 32 for key in keys)
    assert machine.now() > NOW
    assert 0 <= machine.share() < 1
