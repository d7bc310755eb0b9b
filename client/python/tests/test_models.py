"""The types of requests and answers."""

from __future__ import annotations

from datetime import datetime, timezone

import msgspec
import pytest
from support import document, operations, payment

from multirail import Model, models
from multirail.models import CardRequest, Payment, PaymentCreateRequest, PaymentMethodDataRequest, SessionTokens, WebhookSecret

CARD = CardRequest(card_number="4242424242424242", card_exp_month="10", card_exp_year="2035", card_cvc="987")


def test_members_without_a_value_are_not_sent() -> None:
    order = PaymentCreateRequest(amount=1, currency="USD", payment_method_data=PaymentMethodDataRequest(card=CARD))
    assert msgspec.to_builtins(order) == {
        "amount": 1,
        "currency": "USD",
        "payment_method_data": {
            "card": {"card_number": "4242424242424242", "card_exp_month": "10", "card_exp_year": "2035", "card_cvc": "987"}
        },
    }


def test_type_checkers_know_the_words_of_the_document() -> None:
    # mypy fails when it finds nothing to ignore here.
    PaymentCreateRequest(amount=1, currency="USB")  # type: ignore[arg-type]
    assert PaymentCreateRequest(amount=1, currency="USD").currency == "USD"


def test_words_and_members_of_a_newer_server_can_be_read() -> None:
    newer = payment(status="sleeping", currency="XXX", mood={"is": "new"})
    read = msgspec.convert(newer, Payment)
    assert (str(read.status), str(read.currency)) == ("sleeping", "XXX")


def test_variants_of_a_newer_server_can_be_read() -> None:
    tokens = operations()["payments_session_tokens"].answers()[0]
    newer = {
        **tokens,
        "session_token": [{"wallet_name": "new_pay", "token": "x"}],
        "vault_details": {**tokens["vault_details"], "vault_type": "new"},
    }
    read = msgspec.convert(newer, SessionTokens)
    assert [one.wallet_name for one in read.session_token] == ["new_pay"]


def test_times_are_datetimes() -> None:
    read = msgspec.convert(payment(created="2026-01-05T10:11:12.000Z"), Payment)
    assert read.created == datetime(2026, 1, 5, 10, 11, 12, tzinfo=timezone.utc)


def test_an_answer_of_another_form_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$\.amount"):
        msgspec.convert(payment(amount="much"), Payment)


def test_secrets_do_not_show() -> None:
    whole = PaymentMethodDataRequest(card=CARD)
    secret = msgspec.convert({"secret": "whsec_x", "created": "2026-01-05T10:11:12Z", "expires": None}, WebhookSecret)
    for one in (CARD, whole, secret, msgspec.convert(payment(client_secret="pay_1_secret_x"), Payment)):
        for text in (repr(one), str(one), f"{one}", str(one.__rich_repr__())):
            assert not any(hidden in text for hidden in ("4242", "987", "whsec_x", "pay_1_secret_x")), text
    assert repr(CARD) == "CardRequest(card_number=***, card_exp_month='10', card_exp_year='2035', card_cvc=***)"
    assert repr(whole).startswith("PaymentMethodDataRequest(card=CardRequest(card_number=***")


def test_each_member_that_the_document_calls_secret_is_hidden() -> None:
    count = 0
    for name, schema in document()["components"]["schemas"].items():
        for member, value in schema.get("properties", {}).items():
            if value.get("format") == "secret":
                kind: type[Model] = getattr(models, name)
                made = kind(**{**dict.fromkeys(kind.__struct_fields__), member: "visible"})
                assert repr(made) == f"{name}({member}=***)"
                count += 1
    assert count > 40
