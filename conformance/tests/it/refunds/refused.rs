//! Refusals before anything is stored or sent to the processor. (Facts 3.10)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_DECLINED, with, without};
use serde_json::{Map, Value, json};

use super::{amount, filed, paid_with, standing};

const DAY: i64 = 86_400;

#[tokio::test]
async fn bodies_that_ask_for_nothing_that_can_be_done() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let id = payment["payment_id"].as_str().expect("an id");
    let too_many: Map<String, Value> = (0..51).map(|n| (format!("k{n}"), json!(n))).collect();
    let of_payment = json!({ "payment_id": id });
    let members = [
        json!({ "amount": 0 }),
        json!({ "amount": -1 }),
        json!({ "amount": 1_000_000_000 }),
        json!({ "amount": 6541 }),
        json!({ "amount": "2000" }),
        json!({ "refund_id": "" }),
        json!({ "refund_id": "list" }),
        json!({ "refund_id": "a b" }),
        json!({ "refund_id": "r".repeat(65) }),
        json!({ "reason": "r".repeat(256) }),
        json!({ "refund_type": "delayed" }),
        json!({ "metadata": too_many }),
        json!({ "merchant_id": "florist" }),
        json!({ "split_refunds": { "stripe_split_refund": { "revert_transfer": true } } }),
        json!({ "currency": "USD" }),
        json!({ "payment_id": "pay_unborn" }),
        json!({ "payment_id": "not an id" }),
    ];
    let mut told = String::new();
    let bodies = members
        .into_iter()
        .map(|more| with(of_payment.clone(), more))
        .chain([without(of_payment.clone(), "payment_id")]);
    for body in bodies {
        let answer = shop.call("refunds_create").json(&body).await;
        let code = answer.body["code"].as_str().unwrap_or("-");
        told.push_str(&format!("{} {code} {}\n", answer.status, answer.message()));
    }
    insta::assert_snapshot!(told, @r"
    422 IR_05 amount is not in the expected form: a positive integer
    422 IR_05 amount is not in the expected form: a positive integer
    400 IR_13 amount 1000000000 is above what was captured and not refunded yet, 6540
    400 IR_13 amount 6541 is above what was captured and not refunded yet, 6540
    400 IR_06 `amount` must be a whole number.
    422 IR_05 `refund_id` must be not empty.
    422 IR_05 refund_id is not in the expected form: an id that is not a word of our own paths, such as list
    422 IR_05 `refund_id` must be of the form `^ *[A-Za-z0-9_-]+ *$`.
    422 IR_05 `refund_id` must be at most 64 characters long.
    422 IR_05 `reason` must be at most 255 characters long.
    400 IR_06 `refund_type` must be one of: scheduled, instant.
    422 IR_05 `metadata` must be an object of at most 50 members.
    404 HE_02 there is no such merchant account
    400 IR_20 `split_refunds` asks for something that isn't built yet; leave it out.
    400 IR_06 `currency` is not a known member here.
    404 HE_02 there is no such payment
    422 IR_05 `payment_id` must be of the form `^ *[A-Za-z0-9_-]+ *$`.
    400 IR_04 Missing required parameter: payment_id
    ");
    let now = shop.retrieves(&payment).await.ok();
    assert_eq!(now["modified_at"], payment["modified_at"]);
    assert_eq!(filed(&shop), Vec::<Value>::new());
}

/// A year has 365 days, and the client secret has expired long before.
#[tokio::test]
async fn a_payment_of_a_year_ago() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    shop.time_passes(365 * DAY - 600).await;
    let refund = shop.refunds(&payment, amount(1000)).await.ok();
    assert_eq!(standing(&refund), ("succeeded", 1000));
    shop.time_passes(600).await;
    let message = shop.refunds(&payment, amount(1000)).await;
    insta::assert_snapshot!(message.refused(422, "IR_05"), @"payment_id is not in the expected form: a payment of the last 365 days");
    // A refund that was made in time can still be read.
    let read = shop.retrieves_refund(&refund).await.ok();
    assert_eq!(read, refund);
    assert_eq!(shop.money().refunded, 1000);
}

/// Failed refunds count too: eleven in all.
#[tokio::test]
async fn a_twelfth_refund() {
    let shop = Shop::open().await;
    for (card, status) in [(APPROVED, "succeeded"), (REFUNDS_DECLINED, "failed")] {
        let payment = paid_with(&shop, card).await;
        for _ in 0..11 {
            let refund = shop.refunds(&payment, amount(10)).await.ok();
            assert_eq!(standing(&refund), (status, 10));
        }
        let message = shop.refunds(&payment, amount(10)).await;
        let message = message.refused(400, "IR_12");
        insta::allow_duplicates! {
            insta::assert_snapshot!(message, @"the payment has 11 refunds already and can have no more");
        }
    }
    assert_eq!(shop.money().refunded, 110);
}

#[tokio::test]
async fn objects_of_others_are_not_found() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&payment, amount(1000)).await.ok();
    let second = &shop.second_profile().await;
    let florist = shop.server.shop("florist").await;

    let (unborn, no_refund) = (
        json!({ "payment_id": "pay_unborn" }),
        json!({ "refund_id": "ref_unborn" }),
    );
    let mut told = String::new();
    for (who, call) in [
        ("unknown payment", shop.refunds(&unborn, amount(1))),
        ("another merchant's", florist.refunds(&payment, amount(1))),
        (
            "another profile's",
            shop.refunds(&payment, amount(1))
                .header("x-profile-id", second),
        ),
        ("unknown refund", shop.retrieves_refund(&no_refund)),
        ("another merchant's", florist.retrieves_refund(&refund)),
        (
            "another profile's",
            shop.asks_about_refund(&refund)
                .header("x-profile-id", second),
        ),
        (
            "unknown refund",
            shop.updates_refund(&no_refund, json!({ "reason": "none" })),
        ),
        (
            "another merchant's",
            florist.updates_refund(&refund, json!({ "reason": "none" })),
        ),
        (
            "another profile's",
            shop.updates_refund(&refund, json!({ "reason": "none" }))
                .header("x-profile-id", second),
        ),
    ] {
        let name = call.name();
        let message = call.await.refused(404, "HE_02");
        told.push_str(&format!("{name}, {who}: {message}\n"));
    }
    insta::assert_snapshot!(told, @r"
    refunds_create, unknown payment: there is no such payment
    refunds_create, another merchant's: there is no such payment
    refunds_create, another profile's: there is no such payment
    refunds_retrieve, unknown refund: there is no such refund
    refunds_retrieve, another merchant's: there is no such refund
    refunds_retrieve, another profile's: there is no such refund
    refunds_update, unknown refund: there is no such refund
    refunds_update, another merchant's: there is no such refund
    refunds_update, another profile's: there is no such refund
    ");
    assert_eq!(shop.retrieves_refund(&refund).await.ok(), refund);
    assert_eq!(shop.money().refunded, 1000);

    // With the payment's own profile everything works.
    let own = shop.profile_id.as_str();
    let narrowed = shop
        .refunds(&payment, amount(540))
        .header("x-profile-id", own);
    let more = narrowed.await.ok();
    let read = shop.retrieves_refund(&more).header("x-profile-id", own);
    assert_eq!(read.await.ok(), more);
}
