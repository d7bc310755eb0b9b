"""Repeated tries, idempotency keys and time limits."""

from __future__ import annotations

import asyncio
import socket
import threading
import time

import httpx
import pytest
from support import KEY, NOW, Server, async_shop, ok, operations, payment, refusal, shop

from multirail import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AsyncMultirail,
    Multirail,
    MultirailError,
    NotSentError,
    RateLimitError,
    ServerError,
)
from multirail.models import ApiKeyCreateRequest, PaymentCaptureRequest, PaymentCreateRequest, RefundListRequest
from multirail.retries import retry_after, wait

ORDER = PaymentCreateRequest(amount=6540, currency="USD")


def broken() -> httpx.RequestError:
    return httpx.ReadError("broken")


def unreached() -> httpx.RequestError:
    return httpx.ConnectError("unreached")


def test_all_tries_of_a_call_carry_the_same_key_and_body() -> None:
    it = shop(broken(), refusal(503, "HE_00"), ok(payment()))
    it.multirail.payments.create(ORDER)
    assert it.server.keys == ["key-1", "key-1", "key-1"]
    assert it.server.bodies == [{"amount": 6540, "currency": "USD"}] * 3
    assert it.machine.waits == [0.2, 0.4]


def test_a_key_of_the_caller_takes_the_place_of_a_made_one() -> None:
    it = shop(refusal(429, "MR_03"), ok(payment()))
    it.multirail.payments.capture("pay_1", PaymentCaptureRequest(amount_to_capture=1), idempotency_key="order-2041")
    assert it.server.keys == ["order-2041", "order-2041"]


def test_another_call_has_another_key() -> None:
    it = shop(ok(payment()), ok(payment()))
    it.multirail.payments.create(ORDER)
    it.multirail.payments.create(ORDER)
    assert it.server.keys == ["key-1", "key-2"]


@pytest.mark.parametrize("answer", [broken(), unreached(), refusal(503, "HE_00"), refusal(429, "MR_03")])
def test_a_change_without_an_idempotency_key_is_tried_once(answer: httpx.Response | httpx.RequestError) -> None:
    it = shop(answer)
    with pytest.raises(MultirailError):
        it.multirail.api_keys.create("demo", ApiKeyCreateRequest(name="shop", expiration="never"))
    assert it.server.keys == [None]


def test_reads_are_repeated_also_those_by_post() -> None:
    it = shop(broken(), ok(payment()), broken(), ok(operations()["refunds_list"].answers()[0]))
    it.multirail.payments.retrieve("pay_1")
    it.multirail.refunds.list(RefundListRequest(limit=1)).page()
    assert it.server.keys == [None, None, None, None]


@pytest.mark.parametrize(("status", "code"), [(400, "IR_14"), (401, "IR_01"), (409, "IR_16"), (422, "MR_01"), (500, "HE_00")])
def test_refusals_and_failures_of_the_server_are_not_repeated(status: int, code: str) -> None:
    it = shop(refusal(status, code))
    with pytest.raises(ApiError) as caught:
        it.multirail.payments.create(ORDER)
    assert len(it.server.received) == 1
    assert caught.value.is_outcome_unknown == (status == 500)
    assert not caught.value.is_retryable


def test_a_busy_object_and_a_rate_limit_are_waited_for() -> None:
    it = shop(refusal(422, "HE_00"), refusal(429, "MR_03", retry_after="2"), ok(payment()))
    it.multirail.payments.confirm("pay_1")
    assert it.machine.waits == [0.2, 2.4]


def test_a_wait_that_is_too_long_for_a_call_ends_it() -> None:
    it = shop(refusal(429, "MR_03", retry_after="11"))
    with pytest.raises(RateLimitError) as caught:
        it.multirail.payments.create(ORDER)
    assert caught.value.is_retryable
    assert not caught.value.is_outcome_unknown
    assert len(it.server.received) == 1


def test_the_number_of_retries_can_be_set_for_a_client_and_for_a_call() -> None:
    four = [refusal(503, "HE_00") for _ in range(4)]
    it = shop(*four, max_retries=3)
    with pytest.raises(ServerError):
        it.multirail.payments.create(ORDER)
    assert len(it.server.received) == 4
    other = shop(*four)
    with pytest.raises(ServerError):
        other.multirail.payments.create(ORDER, max_retries=0)
    assert len(other.server.received) == 1
    with pytest.raises(NotSentError, match="numbers from 0 on"):
        other.multirail.payments.create(ORDER, timeout=float("nan"))


def test_a_call_is_repeated_while_its_first_try_is_still_being_worked_on() -> None:
    claimed = [refusal(409, "MR_02", retry_after="9") for _ in range(20)]
    it = shop(broken(), *claimed)
    with pytest.raises(ApiError) as caught:
        it.multirail.payments.create(ORDER)
    assert caught.value.code == "MR_02"
    assert caught.value.is_outcome_unknown and caught.value.is_retryable
    assert len(it.server.received) > 3
    assert 60 <= it.machine.time - NOW < 80
    impatient = shop(*claimed)
    with pytest.raises(ApiError):
        impatient.multirail.payments.create(ORDER, max_retries=0)
    assert len(impatient.server.received) == 1


def test_a_try_in_doubt_is_reported_even_if_later_ones_do_not_reach_the_server() -> None:
    with pytest.raises(ApiConnectionError) as caught:
        shop(broken(), unreached(), unreached()).multirail.payments.create(ORDER)
    assert caught.value.reason == "ReadError"
    assert caught.value.is_outcome_unknown


def test_a_key_that_is_revoked_between_two_tries_does_not_settle_the_first() -> None:
    with pytest.raises(ApiError) as caught:
        shop(broken(), refusal(401, "IR_01")).multirail.payments.create(ORDER)
    assert caught.value.status == 401
    assert caught.value.is_outcome_unknown


def test_a_server_that_is_never_reached_did_nothing() -> None:
    with pytest.raises(ApiConnectionError) as caught:
        shop(unreached(), unreached(), unreached()).multirail.payments.create(ORDER)
    assert caught.value.is_retryable
    assert not caught.value.is_outcome_unknown


def test_a_call_without_any_answer_ends_with_the_limit_and_its_doubt() -> None:
    it = shop(*[httpx.ReadTimeout("late") for _ in range(3)])
    with pytest.raises(ApiTimeoutError) as caught:
        it.multirail.payments.create(ORDER)
    assert str(caught.value) == "payments_create: no answer within 60 s"
    assert caught.value.is_outcome_unknown and caught.value.is_retryable
    assert it.server.keys == ["key-1"] * 3


def test_a_read_that_got_no_answer_leaves_no_doubt() -> None:
    with pytest.raises(ApiTimeoutError) as caught:
        shop(httpx.ReadTimeout("late")).multirail.payments.retrieve("pay_1", max_retries=0)
    assert not caught.value.is_outcome_unknown


def test_waits_are_drawn_below_a_bound_that_doubles() -> None:
    assert [wait(count, None, 1) for count in (1, 2, 3, 9, 2000)] == [0.2, 0.4, 0.8, 10, 10]
    assert wait(2, None, 0) == 0
    assert wait(1, 10.1, 0) is None


def test_retry_after_is_seconds_or_a_moment() -> None:
    assert retry_after(" 3 ", NOW) == 3
    assert retry_after("Mon, 05 Jan 2026 10:11:17 GMT", NOW) == 5
    assert retry_after("Mon, 05 Jan 2026 10:11:07 GMT", NOW) == 0
    assert [retry_after(wrong, NOW) for wrong in (None, "", "soon", "-1", "1.5")] == [None] * 5


class Slow:
    """A server that answers slowly: it sends its pieces with a pause before each."""

    def __init__(self, *pieces: bytes, pause: float = 0.1) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.pieces, self.pause = pieces, pause
        self.ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def _serve(self) -> None:
        connection, _ = self.listener.accept()
        connection.recv(65_536)
        try:
            for piece in self.pieces:
                time.sleep(self.pause)
                connection.sendall(piece)
            while connection.recv(65_536):
                pass
        except OSError:
            pass
        self.ended.set()


TRICKLE = (b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n", *[b" "] * 100)


@pytest.mark.parametrize("pieces", [(), TRICKLE])
def test_the_limit_of_a_try_holds_for_its_whole_answer(pieces: tuple[bytes, ...]) -> None:
    with Multirail(Slow(*pieces).url, api_key=KEY, max_retries=0, timeout=0.5) as multirail:
        began = time.monotonic()
        with pytest.raises(ApiTimeoutError) as caught:
            multirail.payments.create(ORDER)
        assert 0.4 < time.monotonic() - began < 5
    assert caught.value.is_outcome_unknown


@pytest.mark.parametrize("pieces", [(), TRICKLE])
def test_the_limit_holds_in_asyncio_too(pieces: tuple[bytes, ...]) -> None:
    async def call() -> None:
        async with AsyncMultirail(Slow(*pieces).url, api_key=KEY, max_retries=0, timeout=0.5) as multirail:
            await multirail.payments.create(ORDER)

    began = time.monotonic()
    with pytest.raises(ApiTimeoutError):
        asyncio.run(call())
    assert 0.4 < time.monotonic() - began < 5


def test_calls_in_asyncio_are_repeated_too() -> None:
    multirail, server, machine = async_shop(broken(), refusal(429, "MR_03"), ok(payment(payment_id="pay_1")))

    async def call() -> str:
        return (await multirail.payments.create(ORDER)).payment_id

    assert asyncio.run(call()) == "pay_1"
    assert server.keys == ["key-1", "key-1", "key-1"]
    assert machine.waits == [0.2, 0.4]


def test_a_cancelled_call_ends_at_once_and_closes_its_connection() -> None:
    slow = Slow()

    async def call() -> None:
        async with AsyncMultirail(slow.url, api_key=KEY) as multirail:
            task = asyncio.create_task(multirail.payments.create(ORDER))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    began = time.monotonic()
    asyncio.run(call())
    assert slow.ended.wait(5)
    assert time.monotonic() - began < 5


def test_a_call_that_is_cancelled_between_tries_sends_nothing_more() -> None:
    multirail, server, machine = async_shop(refusal(429, "MR_03"), ok(payment()))

    async def call() -> None:
        task = asyncio.create_task(multirail.payments.create(ORDER))
        machine.when_waiting = task.cancel
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(call())
    assert len(server.received) == 1


def test_threads_may_share_a_client() -> None:
    server = Server(*[ok(payment()) for _ in range(16)])
    http = httpx.Client(transport=httpx.MockTransport(server))
    multirail = Multirail("https://pay.example", api_key=KEY, http_client=http)
    threads = [threading.Thread(target=multirail.payments.create, args=(ORDER,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(server.keys)) == 16
