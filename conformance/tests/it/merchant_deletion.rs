//! Deleting a merchant account: nothing may be left that only the merchant's keys could finish.

use multirail_conformance::bodies::{
    APPROVED, DECLINED, HELD, PENDING, THREE_DS, order_with, with,
};
use multirail_conformance::{Call, Response, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use crate::servers::damage;
use crate::servers::site::{Site, closed};

fn deletes(shop: &Shop) -> Call {
    shop.operator("merchant_accounts_delete")
        .at("account_id", &shop.merchant_id)
}

/// Deletes the account with open payments voided.
fn voids_and_deletes(shop: &Shop) -> Call {
    deletes(shop).query("void_open_payments", true)
}

#[track_caller]
fn is_refused(answer: Response, words: &str) {
    let message = answer.refused(400, "MR_04");
    assert!(message.contains(words), "{message}");
}

async fn pays(shop: &Shop, card: &str, capture_method: &str) -> Value {
    let more = json!({ "confirm": true, "capture_method": capture_method });
    shop.creates(with(order_with(card), more)).await.ok()
}

async fn has_status(shop: &Shop, payment: &Value, status: &str) {
    assert_eq!(shop.retrieves(payment).await.ok()["status"], status);
}

/// Creates one payment of every open kind: authorized, held for the merchant's decision, captured in part, unknown,
/// pending, with its payer, and about to be voided.
async fn opens_one_of_each(shop: &Shop) -> Vec<(Value, &'static str)> {
    let held = pays(shop, APPROVED, "manual").await;
    let in_part = pays(shop, APPROVED, "manual_multiple").await;
    let part = json!({ "amount_to_capture": 2540 });
    let in_part = shop.captures(&in_part, part).await.ok();
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    let unknown = pays(shop, APPROVED, "manual").await;
    let undecided = pays(shop, PENDING, "automatic").await;
    let with_payer = pays(shop, THREE_DS, "automatic").await;
    let in_review = pays(shop, HELD, "automatic").await;
    let voided = pays(shop, APPROVED, "manual").await;
    shop.next_call_meets(ScriptedCall::Void, Fault::LosesAnswer);
    let voided = shop.cancels(&voided, json!({})).await.ok();
    let open = vec![
        (held, "requires_capture"),
        (in_review, "requires_merchant_action"),
        (in_part, "partially_captured_and_capturable"),
        (unknown, "processing"),
        (undecided, "processing"),
        (with_payer, "requires_customer_action"),
        (voided, "processing"),
    ];
    for (payment, status) in &open {
        assert_eq!(payment["status"], *status);
    }
    open
}

/// Creates payments that a deletion can't strand.
async fn leaves_some_that_are_not_open(shop: &Shop) {
    shop.creates(order_with(APPROVED)).await.ok();
    assert_eq!(
        pays(shop, APPROVED, "automatic").await["status"],
        "succeeded"
    );
    assert_eq!(pays(shop, DECLINED, "automatic").await["status"], "failed");
    let held = pays(shop, APPROVED, "manual").await;
    let cancelled = shop.cancels(&held, json!({})).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
}

#[tokio::test]
async fn open_payments_keep_the_account() {
    let shop = Shop::open().await;
    leaves_some_that_are_not_open(&shop).await;
    let open = opens_one_of_each(&shop).await;
    is_refused(deletes(&shop).await, "7 of its payments are open");
    is_refused(
        deletes(&shop).query("void_open_payments", false).await,
        "7 of its payments are open",
    );
    for (payment, status) in &open {
        has_status(&shop, payment, status).await;
    }

    let [
        held,
        in_review,
        in_part,
        unknown,
        undecided,
        with_payer,
        voided,
    ] = open.as_slice()
    else {
        panic!("seven payments");
    };
    shop.cancels(&held.0, json!({})).await.ok();
    shop.rejects(&in_review.0).await.ok();
    let rest = json!({ "amount_to_capture": 4000 });
    shop.captures(&in_part.0, rest).await.ok();
    shop.asks_about(&undecided.0).await.ok();
    shop.asks_about(&voided.0).await.ok();
    shop.asks_about(&unknown.0).await.ok();
    is_refused(deletes(&shop).await, "2 of its payments are open");
    shop.captures(&unknown.0, json!({})).await.ok();
    is_refused(deletes(&shop).await, "1 of its payments is open");
    shop.cancels(&with_payer.0, json!({})).await.ok();
    shop.asks_about(&with_payer.0).await.ok();
    deletes(&shop).await.ok();
    shop.retrieves(&held.0).await.refused(401, "IR_01");
}

#[tokio::test]
async fn the_operator_may_have_them_voided() {
    let shop = Shop::open().await;
    leaves_some_that_are_not_open(&shop).await;
    let before = shop.money();
    opens_one_of_each(&shop).await;
    let gone = voids_and_deletes(&shop).await.ok();
    assert_eq!(gone, json!({ "merchant_id": "bookshop", "deleted": true }));
    let after = shop.money();
    assert_eq!(
        after.captured - before.captured,
        2540 + 6540,
        "what was taken before, and what the processor had taken itself"
    );
    assert_eq!(
        after.authorized - after.captured - after.released,
        0,
        "nothing stays reserved: {after:?}"
    );
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(open, json!([]));
    voids_and_deletes(&shop).await.refused(404, "HE_02");
}

#[tokio::test]
async fn a_void_without_an_answer_keeps_the_account() {
    let shop = Shop::open().await;
    let held = pays(&shop, APPROVED, "manual").await;
    let freed = pays(&shop, APPROVED, "manual").await;
    shop.next_call_meets(ScriptedCall::Void, Fault::LosesAnswer);
    for _ in 0..3 {
        shop.next_call_meets(ScriptedCall::LookUp, Fault::LosesRequest);
    }
    is_refused(
        voids_and_deletes(&shop).await,
        "1 of its payments could not be finished yet",
    );
    let mut words = Vec::new();
    for payment in [&held, &freed] {
        words.push(shop.retrieves(payment).await.ok()["status"].clone());
    }
    words.sort_by_key(Value::to_string);
    assert_eq!(words, ["cancelled", "processing"]);
    shop.processor().script().clear();
    voids_and_deletes(&shop).await.ok();
    assert_eq!(shop.money().released, 2 * 6540);
}

#[tokio::test]
async fn a_declined_void_is_announced_once() {
    let shop = Shop::open().await;
    let held = pays(&shop, APPROVED, "manual").await;
    let refusal = Fault::Declines {
        code: "DC_08".to_owned(),
        message: "not now".to_owned(),
    };
    shop.next_call_meets(ScriptedCall::Void, refusal);
    is_refused(
        voids_and_deletes(&shop).await,
        "the processor refused to void 1 of its payments",
    );
    has_status(&shop, &held, "requires_capture").await;
    is_refused(deletes(&shop).await, "1 of its payments");
    voids_and_deletes(&shop).await.ok();
    assert_eq!(shop.money().released, 6540);
}

/// Earlier versions deleted accounts with open payments.
#[tokio::test]
async fn payments_stranded_by_an_earlier_version_can_be_voided() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    pays(&shop, APPROVED, "manual").await;
    let (server, shop) = closed(shop);
    server.stops().await.expect("a stop");
    damage::loses_merchant_account(&site.folder("one"), "bookshop");

    let shop = shop.opens_at(site.server("one").await);
    deletes(&shop).await.refused(404, "HE_02");
    voids_and_deletes(&shop).await.ok();
    let money = shop.money();
    assert_eq!((money.authorized, money.released), (6540, 6540));
    voids_and_deletes(&shop).await.refused(404, "HE_02");
}
