"""Lists: one page, all items, and the way from page to page."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support import async_shop, ok, operations, payment, refusal, shop

from multirail import ApiError, UnreadableAnswerError
from multirail.models import RefundListRequest


def _example(name: str) -> Any:
    return operations()[name].answers()[0]


def _payments(*numbers: int) -> dict[str, Any]:
    """Returns a page of payments."""
    return {"size": len(numbers), "data": [payment(payment_id=f"pay_{number}") for number in numbers]}


def _refunds(*numbers: int) -> dict[str, Any]:
    refund = _example("refunds_retrieve")
    return {**_example("refunds_list"), "data": [{**refund, "refund_id": f"ref_{number}"} for number in numbers]}


def test_a_page_is_the_one_that_was_asked_for() -> None:
    it = shop(ok(_payments(1)))
    page = it.multirail.payments.list(customer_id="cus_1").page()
    assert [one.payment_id for one in page.data] == ["pay_1"]
    assert it.server.queries == ["customer_id=cus_1"]


def test_a_list_that_is_not_used_sends_nothing() -> None:
    it = shop()
    it.multirail.payments.list()
    assert it.server.received == []


def test_a_list_by_cursor_goes_from_page_to_page() -> None:
    it = shop(ok(_payments(1, 2)), ok(_payments(3, 4)), ok(_payments(5)))
    found = [one.payment_id for one in it.multirail.payments.list(limit=2)]
    assert found == ["pay_1", "pay_2", "pay_3", "pay_4", "pay_5"]
    assert it.server.queries == ["limit=2", "limit=2&starting_after=pay_2", "limit=2&starting_after=pay_4"]


def test_a_list_by_cursor_can_go_backwards() -> None:
    it = shop(ok(_payments(4, 5)), ok(_payments(2, 3)), ok(_payments()))
    found = it.multirail.payments.list(limit=2, ending_before="pay_6").to_list(99)
    assert [one.payment_id for one in found] == ["pay_5", "pay_4", "pay_3", "pay_2"]
    assert it.server.queries == [
        "ending_before=pay_6&limit=2",
        "ending_before=pay_4&limit=2",
        "ending_before=pay_2&limit=2",
    ]


def test_the_audit_log_goes_by_its_numbers() -> None:
    entry = _example("audit_list")[0]
    it = shop(ok([{**entry, "sequence": 9}, {**entry, "sequence": 8}]), ok([{**entry, "sequence": 7}]))
    assert [one.sequence for one in it.multirail.audit.list(limit=2)] == [9, 8, 7]
    assert it.server.queries == ["limit=2", "limit=2&before=8"]


def test_lists_by_offset_in_the_query_count_on_from_the_given_one() -> None:
    customer = _example("customers_list")[0]
    it = shop(ok([customer] * 50), ok([customer] * 3))
    assert len(it.multirail.customers.list(offset=7).to_list(99)) == 53
    assert it.server.queries == ["offset=7&limit=50", "offset=57&limit=50"]


def test_lists_that_skip_and_pages_with_a_member_for_the_items_are_lists_too() -> None:
    key = _example("api_keys_list")[0]
    keys = shop(ok([key] * 2), ok([]))
    assert len(keys.multirail.api_keys.list("demo", limit=2).to_list(9)) == 2
    assert keys.server.queries == ["limit=2", "limit=2&skip=2"]
    routing = shop(ok(_example("routing_list")))
    assert len(routing.multirail.routing.list().to_list(9)) == len(_example("routing_list")["records"])


def test_lists_by_post_have_the_page_in_the_body() -> None:
    it = shop(ok(_refunds(1, 2)), ok(_refunds(3)))
    assert len(it.multirail.refunds.list(RefundListRequest(limit=2, payment_id="pay_1")).to_list(99)) == 3
    assert it.server.bodies == [{"payment_id": "pay_1", "limit": 2}, {"payment_id": "pay_1", "limit": 2, "offset": 2}]
    page = _example("events_list")
    event = page["events"][0]
    events = shop(ok({**page, "events": [event] * 50}), ok({**page, "events": [event]}))
    assert len(events.multirail.events.list("demo").to_list(99)) == 51
    assert events.server.bodies == [{"limit": 50}, {"limit": 50, "offset": 50}]


def test_a_program_that_stops_early_requests_no_further_page() -> None:
    it = shop(ok(_payments(1, 2)), ok(_payments(3, 4)))
    assert [one.payment_id for one in it.multirail.payments.list(limit=2).to_list(3)] == ["pay_1", "pay_2", "pay_3"]
    assert [it.multirail.payments.list(limit=2).to_list(most) for most in (0, -1)] == [[], []]
    assert len(it.server.received) == 2


def test_pages_can_be_read_one_by_one() -> None:
    it = shop(ok(_payments(1, 2)), ok(_payments()))
    assert [page.size for page in it.multirail.payments.list(limit=2).pages()] == [2, 0]


def test_a_limit_of_0_and_a_list_that_repeats_itself_end() -> None:
    it = shop(ok(_payments()), ok(_payments(1)), ok(_payments(1)))
    assert it.multirail.payments.list(limit=0).to_list(9) == []
    with pytest.raises(UnreadableAnswerError, match="the list repeats itself"):
        it.multirail.payments.list(limit=1).to_list(9)


def test_a_page_without_items_is_no_page() -> None:
    with pytest.raises(UnreadableAnswerError):
        shop(ok({"size": 0, "data": None})).multirail.payments.list().to_list(9)


def test_a_failure_of_a_later_page_comes_after_the_items_before_it() -> None:
    payments = iter(shop(ok(_payments(1)), refusal(404, "HE_02")).multirail.payments.list(limit=1))
    assert next(payments).payment_id == "pay_1"
    with pytest.raises(ApiError):
        next(payments)


def test_lists_in_asyncio_do_the_same() -> None:
    async def read() -> None:
        multirail, server, _ = async_shop(ok(_payments(1, 2)), ok(_payments(3)))
        assert [one.payment_id async for one in multirail.payments.list(limit=2)] == ["pay_1", "pay_2", "pay_3"]
        assert server.queries == ["limit=2", "limit=2&starting_after=pay_2"]

        multirail, server, _ = async_shop(ok(_payments(1, 2)), ok(_payments(1, 2)), ok(_payments()))
        assert (await multirail.payments.list().page()).size == 2
        assert [page.size async for page in multirail.payments.list(limit=2).pages()] == [2, 0]

        multirail, server, _ = async_shop(ok(_payments(1, 2)), ok(_payments(3, 4)))
        assert len(await multirail.payments.list(limit=2).to_list(3)) == 3
        assert await multirail.payments.list(limit=2).to_list(0) == []

    asyncio.run(read())
