//! `POST /refunds/list`: filters, the last change first, with a count.

use multirail_conformance::bodies::{APPROVED, REFUNDS_DECLINED, REFUNDS_PEND, order_with, with};
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault, NoticeFault};
use serde_json::{Value, json};

use super::{amount, ids};

/// Five refunds, an hour apart, of four payments that differ in everything, in two profiles.
struct Books {
    shop: Shop,
    second_profile: String,
    second_account: String,
}

impl Books {
    async fn open() -> Self {
        let shop = Shop::open().await;
        let second_profile = shop.second_profile().await;
        let there = json!({ "profile_id": second_profile });
        let account = shop.connects("stripe_test", there).await.ok();
        let account = account["merchant_connector_id"].as_str();
        let books = Books {
            second_account: account.expect("an id").to_owned(),
            shop,
            second_profile,
        };
        let elsewhere = json!({ "profile_id": books.second_profile, "payment_id": "elsewhere" });
        let orders = [
            (APPROVED, json!({ "payment_id": "paid" })),
            (REFUNDS_DECLINED, json!({ "payment_id": "closed" })),
            (
                REFUNDS_PEND,
                json!({ "payment_id": "slow", "currency": "EUR" }),
            ),
            (APPROVED, elsewhere),
        ];
        for (card, more) in orders {
            let body = with(order_with(card), json!({ "confirm": true }));
            books.shop.creates(with(body, more)).await.ok();
        }
        // The refund stays pending however long the test takes: its notice is lost, and syncs fail.
        let script = books.shop.processor().script();
        script.next_notice(NoticeFault::Lost);
        script.next_times(50, ScriptedCall::LookUp, &Fault::FailsBefore(503));
        for (payment, refund, part) in [
            ("paid", "first", 1000),
            ("closed", "refused", 2000),
            ("slow", "waiting", 3000),
            ("elsewhere", "other", 4000),
            ("paid", "last", 5000),
        ] {
            books.shop.time_passes(3600).await;
            let body = with(amount(part), json!({ "refund_id": refund }));
            let payment = json!({ "payment_id": payment });
            books.shop.refunds(&payment, body).await.ok();
        }
        books
    }

    fn list(&self, body: Value) -> Call {
        self.shop.call("refunds_list").json(&body)
    }

    /// Returns the ids that a filter finds. The count must match the list.
    async fn found(&self, body: Value) -> Vec<String> {
        let page = self.list(body.clone()).await.ok();
        let found = ids(&page["data"]);
        assert_eq!(page["count"], found.len(), "{body}");
        assert_eq!(page["total_count"], found.len(), "{body}");
        found.into_iter().map(str::to_owned).collect()
    }
}

const ALL: [&str; 5] = ["last", "other", "waiting", "refused", "first"];

#[tokio::test]
async fn by_every_filter() {
    let books = Books::open().await;
    let moment = |refund: &str| {
        let refund = json!({ "refund_id": refund });
        let call = books.shop.retrieves_refund(&refund);
        async { call.await.ok()["created_at"].take() }
    };
    let (second, fourth) = (moment("refused").await, moment("other").await);
    let cases: Vec<(Value, &[&str])> = vec![
        (json!({}), &ALL),
        (json!({ "payment_id": "paid" }), &["last", "first"]),
        (json!({ "payment_id": "unborn" }), &[]),
        (json!({ "refund_id": "waiting" }), &["waiting"]),
        (json!({ "refund_id": "unborn" }), &[]),
        (json!({ "profile_id": books.second_profile }), &["other"]),
        (
            json!({ "profile_id": books.shop.profile_id }),
            &["last", "waiting", "refused", "first"],
        ),
        (json!({ "refund_status": ["failed"] }), &["refused"]),
        (
            json!({ "refund_status": ["pending", "failed"] }),
            &["waiting", "refused"],
        ),
        (json!({ "refund_status": ["review"] }), &[]),
        (json!({ "refund_status": [] }), &ALL),
        (json!({ "currency": ["EUR"] }), &["waiting"]),
        (json!({ "currency": ["EUR", "USD"] }), &ALL),
        (
            json!({ "amount_filter": { "start_amount": 2000, "end_amount": 4000 } }),
            &["other", "waiting", "refused"],
        ),
        (
            json!({ "amount_filter": { "start_amount": 4001 } }),
            &["last"],
        ),
        (json!({ "amount_filter": { "end_amount": 999 } }), &[]),
        (
            json!({ "time_range": { "start_time": second, "end_time": fourth } }),
            &["other", "waiting", "refused"],
        ),
        (
            json!({ "time_range": { "start_time": fourth } }),
            &["last", "other"],
        ),
        (json!({ "connector": ["stripe_test"] }), &["other"]),
        (
            json!({ "connector": ["fauxpay"] }),
            &["last", "waiting", "refused", "first"],
        ),
        (
            json!({ "merchant_connector_id": [books.second_account] }),
            &["other"],
        ),
        (
            json!({ "payment_id": "paid", "amount_filter": { "end_amount": 1000 } }),
            &["first"],
        ),
        (
            json!({ "payment_id": "paid", "refund_status": ["failed"] }),
            &[],
        ),
    ];
    for (body, wanted) in cases {
        assert_eq!(books.found(body.clone()).await, wanted, "{body}");
    }
}

#[tokio::test]
async fn the_one_that_changed_last_comes_first() {
    let books = Books::open().await;
    let shop = &books.shop;
    shop.time_passes(60).await;
    let refund = |id: &str| json!({ "refund_id": id });
    let note = json!({ "reason": "found again" });
    shop.updates_refund(&refund("first"), note).await.ok();
    shop.time_passes(60).await;
    shop.processor().script().clear();
    let known = shop.asks_about_refund(&refund("waiting")).await.ok();
    assert_eq!(known["status"], "succeeded");
    let order = ["waiting", "first", "last", "other", "refused"];
    assert_eq!(books.found(json!({})).await, order);
    assert_eq!(
        books.found(json!({ "refund_status": ["succeeded"] })).await,
        ["waiting", "first", "last", "other"]
    );
    // The list shows the same as a retrieve.
    let page = books.list(json!({ "limit": 1 })).await.ok();
    assert_eq!(page["data"], json!([known]));
}

#[tokio::test]
async fn pages_and_counts() {
    let books = Books::open().await;
    for (body, wanted, total) in [
        (json!({ "limit": 0 }), &ALL[..0], 5),
        (json!({ "limit": 2 }), &ALL[..2], 5),
        (json!({ "limit": 2, "offset": 1 }), &ALL[1..3], 5),
        (json!({ "limit": 2, "offset": 4 }), &ALL[4..], 5),
        (json!({ "offset": 5 }), &[], 5),
        (json!({ "offset": 9 }), &[], 5),
        (json!({ "limit": 100 }), &ALL[..], 5),
        (
            json!({ "limit": 1, "payment_id": "paid" }),
            &["last"][..],
            2,
        ),
    ] {
        let page = books.list(body.clone()).await.ok();
        assert_eq!(ids(&page["data"]), wanted, "{body}");
        assert_eq!(
            (&page["count"], &page["total_count"]),
            (&json!(wanted.len()), &json!(total)),
            "{body}"
        );
    }
    let bare = books.shop.call("refunds_list").await.ok();
    assert_eq!(ids(&bare["data"]), ALL, "an absent body lists everything");
    for (limit, status) in [(101, 422), (-1, 400)] {
        let refused = books.list(json!({ "limit": limit })).await;
        refused.refused(status, "IR_06");
    }
    let before = books.list(json!({ "offset": -1 })).await;
    before.refused(400, "IR_06");
}

#[tokio::test]
async fn ten_are_on_a_page() {
    let shop = Shop::open().await;
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let payment = shop.creates(body).await.ok();
    for _ in 0..11 {
        shop.refunds(&payment, amount(1)).await.ok();
    }
    let page = shop.call("refunds_list").await.ok();
    assert_eq!(
        (&page["count"], &page["total_count"]),
        (&json!(10), &json!(11))
    );
}

#[tokio::test]
async fn unknown_words_are_refused() {
    let shop = Shop::open().await;
    let list = |body: Value| shop.call("refunds_list").json(&body);
    for member in ["refund_status", "currency", "connector"] {
        let message = list(json!({ member: ["no_such_word"] })).await;
        let message = message.refused(400, "IR_06");
        assert!(message.contains(&format!("{member}[0]")), "{message}");
    }
    let message = list(json!({ "time_range": {} }))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("time_range.start_time"), "{message}");
    let message = list(json!({ "status": ["failed"] })).await;
    assert!(message.refused(400, "IR_06").contains("status"));
}

#[tokio::test]
async fn every_caller_lists_their_own() {
    let books = Books::open().await;
    let shop = &books.shop;
    let narrowed = shop
        .call("refunds_list")
        .header("x-profile-id", &books.second_profile);
    let page = narrowed.await.ok();
    assert_eq!(ids(&page["data"]), ["other"]);
    assert_eq!(page["total_count"], 1);
    let florist = shop.server.shop("florist").await;
    for body in [json!({}), json!({ "refund_id": "first" })] {
        let page = florist.call("refunds_list").json(&body).await.ok();
        assert_eq!(page["total_count"], 0);
    }
}
