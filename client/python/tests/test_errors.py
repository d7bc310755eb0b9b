"""Errors: their class, their parts, and the values that they don't show."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from support import KEY, payment, refusal, shop

import multirail
from multirail import ApiConnectionError, ApiError, MultirailError, NotSentError, UnreadableAnswerError
from multirail.models import CardRequest, PaymentConfirmRequest, PaymentCreateRequest, PaymentMethodDataRequest

CARD = CardRequest(card_number="4242424242424242", card_exp_month="10", card_exp_year="35", card_cvc="987")
PAY = PaymentCreateRequest(
    amount=1, currency="USD", payment_method="card", payment_method_data=PaymentMethodDataRequest(card=CARD)
)
CONFIRM = PaymentConfirmRequest(client_secret="pay_1_secret_x", payment_method_data=PAY.payment_method_data)


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "InvalidRequestError"),
        (401, "AuthenticationError"),
        (403, "PermissionDeniedError"),
        (404, "NotFoundError"),
        (409, "ConflictError"),
        (413, "InvalidRequestError"),
        (422, "InvalidRequestError"),
        (429, "RateLimitError"),
        (500, "ServerError"),
        (503, "ServerError"),
    ],
)
def test_the_status_decides_the_class_of_an_error(status: int, name: str) -> None:
    with pytest.raises(ApiError) as caught:
        shop(refusal(status, "IR_06"), max_retries=0).multirail.payments.create(PAY)
    assert type(caught.value) is getattr(multirail, name)


def test_an_error_has_the_parts_of_the_answer() -> None:
    with pytest.raises(ApiError) as caught:
        shop(refusal(404, "HE_02", "Payment does not exist")).multirail.payments.retrieve("pay_1")
    error = caught.value
    assert str(error) == "payments_retrieve: Payment does not exist (HE_02, HTTP 404)"
    assert (error.operation, error.status, error.code) == ("payments_retrieve", 404, "HE_02")
    assert (error.error_type, error.request_id, error.message) == ("invalid_request", "req_2", "Payment does not exist")


@pytest.mark.parametrize("status", [200, 302, 404, 502])
def test_an_answer_of_somebody_else_is_unreadable(status: int) -> None:
    page = [httpx.Response(status, text="<html>a proxy</html>") for _ in range(3)]
    with pytest.raises(UnreadableAnswerError) as caught:
        shop(*page).multirail.payments.create(PAY)
    assert str(caught.value).startswith(f"payments_create: the answer can't be read (HTTP {status}): ")
    assert caught.value.is_retryable == (status == 502)
    assert caught.value.is_outcome_unknown


def test_an_answer_of_another_form_names_the_place_and_not_the_value() -> None:
    with pytest.raises(UnreadableAnswerError) as caught:
        shop(httpx.Response(200, json=payment(amount="4242"))).multirail.payments.retrieve("pay_1")
    assert str(caught.value).endswith("(HTTP 200): Expected `int`, got `str` - at `$.amount`")
    assert not caught.value.is_outcome_unknown


def test_a_long_body_of_an_error_is_not_read_to_its_end() -> None:
    pulled: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            pulled.append(1)
            yield b" " * 16_384

    with pytest.raises(UnreadableAnswerError):
        shop(httpx.Response(400, content=endless())).multirail.payments.create(PAY)
    assert len(pulled) < 10


def _shown(error: BaseException) -> str:
    """Returns everything that a log could show of an error."""
    parts = [repr(error), str(error), repr(vars(error)), *traceback.format_exception(error)]
    return " ".join(parts) + repr(error.__context__) + repr(error.__cause__)


def test_errors_show_no_keys_no_card_data_and_no_client_secrets() -> None:
    leaky = f"the key {KEY} and the card 4242 4242 4242 4242, 4242424242424242"
    lost = httpx.ConnectError("no way to https://pay.example?client_secret=pay_1_secret_x")
    answers: list[Any] = [refusal(400, "IR_06", leaky), lost, httpx.ReadError(leaky), httpx.Response(502, text=leaky)]
    for answer in answers:
        with pytest.raises(MultirailError) as caught:
            shop(answer, max_retries=0).multirail.payments.confirm("pay_1", CONFIRM)
        shown = _shown(caught.value)
        assert not any(secret in shown for secret in (KEY, CARD.card_number, CARD.card_cvc, "secret_x")), shown
    not_sent: Any = float("nan")
    with pytest.raises(NotSentError) as unsent:
        CARD_BUT_NAN = PaymentCreateRequest(amount=not_sent, currency="USD", payment_method_data=PAY.payment_method_data)
        shop().multirail.payments.create(CARD_BUT_NAN)
    assert CARD.card_number not in _shown(unsent.value)


def test_a_masked_message_says_that_it_was_masked() -> None:
    with pytest.raises(ApiError) as caught:
        shop(refusal(401, "IR_01", f"wrong key {KEY} for 4242424242424242")).multirail.payments.create(PAY)
    assert str(caught.value) == "payments_create: wrong key [key] for [number] (IR_01, HTTP 401)"


def test_clients_their_resources_and_lists_show_no_keys() -> None:
    it = shop()
    for one in (it.multirail, it.multirail.payments, it.multirail.payments.list(customer_id="cus_1"), it.multirail._settings):
        assert KEY not in repr(one)
    assert repr(it.multirail) == "Multirail('https://pay.example')"


def test_errors_can_be_sent_to_another_process() -> None:
    with pytest.raises(ApiError) as refused:
        shop(refusal(404, "HE_02")).multirail.payments.retrieve("pay_1")
    with pytest.raises(ApiConnectionError) as lost:
        shop(*[httpx.ConnectError("")] * 3).multirail.payments.retrieve("pay_1")
    for error in (refused.value, lost.value):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))
