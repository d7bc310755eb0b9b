//! Lists of refunds: the rows of each condition, their order, and their number.

use multirail_app::payments::ports::{RefundSearch, RefundStore};
use multirail_kernel::ids::PaymentId;

use super::super::engine::{Write, values};
use super::news::{at, shop};
use super::refund_story::{Refunding, Wish, id, wish};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    every_condition_lets_through_what_it_names
    the_last_changed_comes_first_page_by_page
    counting_ends_at_its_limit
}

/// Stores five refunds of one payment; some get columns as if they belonged to other payments.
async fn five(test: &TestStore) -> Refunding {
    let story = Refunding::begin(test, "pay_1").await;
    for (seconds, name) in [
        (100, "ref_1"),
        (101, "ref_2"),
        (102, "ref_3"),
        (103, "ref_4"),
        (104, "ref_5"),
    ] {
        let amount = 100 + seconds;
        let wish = Wish {
            seconds,
            ..wish(name, amount)
        };
        story.refund(test, wish).await.expect("a commit");
    }
    let moved = "update refunds set payment_id = 'pay_2', profile_id = 'pro_2', connector = 'fauxpay', \
         merchant_connector_id = 'mca_2', currency = 'EUR', status = 'failed' where refund_id = $1";
    test.insert(Write::new(moved, values!["ref_4"])).await;
    let brought = "update refunds set merchant_connector_id = null, status = 'succeeded' where refund_id = $1";
    test.insert(Write::new(brought, values!["ref_5"])).await;
    story
}

impl TestStore {
    async fn found(&self, search: RefundSearch) -> Vec<String> {
        let search = RefundSearch {
            limit: if search.limit == 0 { 10 } else { search.limit },
            ..search
        };
        let found = self
            .store
            .search_refunds(&shop(), &search)
            .await
            .expect("a list");
        let whole = RefundSearch {
            offset: 0,
            ..search.clone()
        };
        let count = self.store.count_refunds(&shop(), &whole, 100).await;
        if search.offset == 0 && found.len() < 10 && search.limit == 10 {
            assert_eq!(count, Ok(found.len() as i64), "{search:?}");
        }
        found
            .iter()
            .map(|refund| refund.refund_id.to_string())
            .collect()
    }
}

async fn every_condition_lets_through_what_it_names(test: TestStore) {
    let story = five(&test).await;
    let profile = story.payment(&test).await.profile_id.to_string();
    let words =
        |words: &[&str]| -> Vec<String> { words.iter().map(|word| (*word).to_owned()).collect() };
    let payment = |id: &str| PaymentId::parse(id).ok();
    let all = RefundSearch::default;
    let cases = [
        ("nothing", all(), "54321"),
        (
            "payment",
            RefundSearch {
                payment_id: payment("pay_1"),
                ..all()
            },
            "5321",
        ),
        (
            "unknown payment",
            RefundSearch {
                payment_id: payment("pay_3"),
                ..all()
            },
            "",
        ),
        (
            "refund",
            RefundSearch {
                refund_id: Some(id("ref_3")),
                ..all()
            },
            "3",
        ),
        (
            "profile",
            RefundSearch {
                profile_id: Some(profile),
                ..all()
            },
            "5321",
        ),
        (
            "from",
            RefundSearch {
                created_from: Some(at(102)),
                ..all()
            },
            "543",
        ),
        (
            "until",
            RefundSearch {
                created_until: Some(at(102)),
                ..all()
            },
            "321",
        ),
        (
            "amount from",
            RefundSearch {
                amount_from: Some(202),
                ..all()
            },
            "543",
        ),
        (
            "amount until",
            RefundSearch {
                amount_until: Some(202),
                ..all()
            },
            "321",
        ),
        (
            "connector",
            RefundSearch {
                connectors: words(&["fauxpay"]),
                ..all()
            },
            "4",
        ),
        (
            "connectors",
            RefundSearch {
                connectors: words(&["fauxpay", "stripe_test"]),
                ..all()
            },
            "54321",
        ),
        (
            "account",
            RefundSearch {
                merchant_connector_ids: words(&["mca_1"]),
                ..all()
            },
            "321",
        ),
        (
            "accounts",
            RefundSearch {
                merchant_connector_ids: words(&["mca_1", "mca_2"]),
                ..all()
            },
            "4321",
        ),
        (
            "currency",
            RefundSearch {
                currencies: words(&["EUR"]),
                ..all()
            },
            "4",
        ),
        (
            "status",
            RefundSearch {
                statuses: words(&["failed"]),
                ..all()
            },
            "4",
        ),
        (
            "statuses",
            RefundSearch {
                statuses: words(&["failed", "succeeded"]),
                ..all()
            },
            "54",
        ),
        (
            "several",
            RefundSearch {
                payment_id: payment("pay_1"),
                created_from: Some(at(101)),
                amount_until: Some(203),
                statuses: words(&["pending"]),
                ..all()
            },
            "32",
        ),
    ];
    for (name, search, expected) in cases {
        let expected: Vec<String> = expected.chars().map(|nth| format!("ref_{nth}")).collect();
        assert_eq!(test.found(search).await, expected, "{name}");
    }
    let other = multirail_kernel::ids::MerchantId::parse("flower_shop").expect("an id");
    let search = RefundSearch { limit: 10, ..all() };
    assert_eq!(test.store.search_refunds(&other, &search).await, Ok(vec![]));
    assert_eq!(test.store.count_refunds(&other, &search, 10).await, Ok(0));
}

async fn the_last_changed_comes_first_page_by_page(test: TestStore) {
    let story = five(&test).await;
    story
        .learns(&test, "ref_2", 200, super::story::done())
        .await;
    let page = |limit, offset| RefundSearch {
        limit,
        offset,
        ..RefundSearch::default()
    };
    assert_eq!(test.found(page(2, 0)).await, ["ref_2", "ref_5"]);
    assert_eq!(test.found(page(2, 2)).await, ["ref_4", "ref_3"]);
    assert_eq!(test.found(page(2, 4)).await, ["ref_1"]);
    assert_eq!(test.found(page(2, 6)).await, [""; 0]);
    // At the same moment the greater id comes first.
    let at_once = "update refunds set modified_at = $1";
    test.insert(Write::new(at_once, values![0_i64]).rows(5))
        .await;
    assert_eq!(test.found(page(3, 0)).await, ["ref_5", "ref_4", "ref_3"]);
}

async fn counting_ends_at_its_limit(test: TestStore) {
    five(&test).await;
    let count = async |most| {
        let all = RefundSearch::default();
        let count = test.store.count_refunds(&shop(), &all, most).await;
        count.expect("a count")
    };
    assert_eq!(count(4).await, 4, "or more");
    assert_eq!(count(5).await, 5, "just as many");
    assert_eq!(count(6).await, 5);
}
