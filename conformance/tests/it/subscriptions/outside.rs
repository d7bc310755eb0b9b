//! An outside billing engine counts the periods; payments are made here. (Facts 3.13, 7.11)

mod faults;

use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, DECLINED};
use multirail_conformance::{Engine, Shop};
use multirail_simulator::processor::EngineSubscription;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::method::{fails_and_is_replaced, replaces, saves_another};
use super::renewals::doomed;
use super::rows::opened;
use super::{
    DAY, HOUR, call, declined, invoice_becomes, invoices, now, on, pays_with, subscribed, until,
    until_in_steps, wanted, wanted_with,
};
use crate::servers::site::{Site, closed};

/// The shop's profile is billed by the simulated engine, and has a customer.
async fn bills_outside(shop: &Shop) {
    let ada = json!({ "customer_id": "ada", "email": "ada@shopper.example" });
    shop.call("customers_create").json(&ada).await.ok();
    let account = json!({
        "connector_type": "billing_processor",
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "engine_key" },
    });
    let account = shop.connects("stripe_billing_test", account).await.ok();
    let profile = json!({ "billing_processor_id": account["merchant_connector_id"] });
    shop.sets_up(profile).await.ok();
}

async fn open() -> Shop {
    let shop = Shop::open().await;
    bills_outside(&shop).await;
    shop
}

/// All that the engine has.
fn engine(shop: &Shop) -> Vec<EngineSubscription> {
    let ledger = shop.server.processor().ledger();
    ledger.engine_subscriptions().expect("a list")
}

/// The one that it has.
fn only(shop: &Shop) -> EngineSubscription {
    let mut all = engine(shop);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// A new one, once the engine has taken note of its payment. A worker may be about to tell it when the request is answered.
async fn known(shop: &Shop, price: &str) -> Value {
    let made = subscribed(shop, price).await;
    until(shop, &made, |now| now["pending_operation"].is_null()).await
}

/// Its invoice of this number is paid, and the engine has taken note.
async fn recorded(shop: &Shop, subscription: &Value, number: u64) -> Value {
    let is_so = |now: &Value| {
        let invoice = &now["invoice"];
        let is_paid = invoice["number"] == number && invoice["status"] == "invoice_paid";
        is_paid && now["pending_operation"].is_null()
    };
    until(shop, subscription, is_so).await["invoice"].clone()
}

/// Each invoice of the engine's was paid by one payment, and no payment was made beside them.
fn agree(shop: &Shop) {
    let invoices = engine(shop).into_iter().flat_map(|one| one.invoices);
    let paid: Vec<_> = invoices.filter(|invoice| invoice.is_paid).collect();
    let told: i64 = paid.iter().map(|invoice| invoice.amount).sum();
    assert_eq!(shop.money().captured, told, "{paid:?}");
    let mut payments: Vec<_> = paid.iter().map(|invoice| &invoice.payment).collect();
    payments.sort();
    payments.dedup();
    assert_eq!(payments.len(), paid.len(), "{paid:?}");
}

#[tokio::test]
async fn it_offers_and_estimates() {
    let shop = open().await;
    let items = call(&shop, "subscription_items_list").query("item_type", "plan");
    let items = items.await.ok();
    assert_eq!(items[0]["id"], "sim_reader");
    let price = &items[0]["price_id"][0];
    assert_eq!(price["price_id"], "sim_reader_monthly");
    assert_eq!(price["amount"], 990);
    let estimate = |price: &str| {
        call(&shop, "subscription_estimate")
            .query("item_price_id", price)
            .query("quantity", 3)
    };
    let answer = estimate("sim_reader_monthly").await.ok();
    assert_eq!(
        (&answer["amount"], &answer["plan_id"]),
        (&json!(2970), &json!("sim_reader"))
    );
    estimate("none").await.refused(404, "HE_02");
    let with_coupon = estimate("sim_reader_monthly").query("coupon_code", "TENTH");
    with_coupon.await.refused(400, "IR_20");
    // Its catalogue is its own.
    let product = json!({ "name": "Reading" });
    let product = call(&shop, "subscription_products_create").json(&product);
    let said = product.await.refused(400, "IR_16");
    assert!(said.contains("stripe_billing_test"), "{said}");
    for fault in [Fault::Throttles, Fault::TimesOut] {
        shop.server.next_call_meets(ScriptedCall::EngineRead, fault);
        let said = estimate("sim_reader_monthly").await.refused(400, "CE_09");
        assert_eq!(
            said,
            "Subscription operation: estimate failed with connector"
        );
    }
    shop.server
        .next_call_meets(ScriptedCall::EngineRead, Fault::FailsBefore(500));
    let items = call(&shop, "subscription_items_list").query("item_type", "plan");
    let said = items.await.refused(400, "CE_09");
    assert_eq!(
        said,
        "Subscription operation: list items failed with connector"
    );
    assert_eq!(engine(&shop), []);
}

/// What is charged is no concern of the engine's: it isn't asked, even while it owes an answer. Another price needs a call of its own.
#[tokio::test]
async fn another_card_is_charged_without_asking_it() {
    let shop = open().await;
    let active = known(&shop, "sim_reader_monthly").await;
    let other = saves_another(&shop).await;
    let mut dearer = active.clone();
    dearer["plan_id"] = json!("sim_reader_plus");
    dearer["item_price_id"] = json!("sim_reader_plus_monthly");
    let said = replaces(&shop, &dearer, &other).await.refused(422, "IR_06");
    assert!(said.starts_with("payment_method_id"), "{said}");
    assert_eq!(
        now(&shop, &active).await["payment_method_id"],
        active["payment_method_id"]
    );
    fails_and_is_replaced(&shop, &active, &other).await;
    let second = recorded(&shop, &active, 2).await;
    assert_eq!(second["payment_method_id"], other);
    assert_eq!(second["attempt_count"], 2);
    // The other card was paid with once beside it.
    let told: i64 = only(&shop).invoices.iter().map(|it| it.amount).sum();
    assert_eq!(shop.money().captured, told + 6540);
}

/// Create, confirm, renewals, pause, resume, another price, cancel: the engine says when and how much, and is told of each payment.
#[tokio::test]
async fn a_life_on_sqlite() {
    a_life(opened(Engine::Sqlite).await).await;
}

#[tokio::test]
async fn a_life_on_postgres() {
    if Site::on_postgres().await.is_some() {
        a_life(opened(Engine::Postgres).await).await;
    }
}

async fn a_life(shop: Shop) {
    bills_outside(&shop).await;
    let made = call(&shop, "subscriptions_create").json(&wanted("sim_reader_monthly"));
    let made = made.await.ok();
    assert_eq!(made["status"], "created");
    assert!(
        made["billing_processor_subscription_id"].is_null(),
        "{made}"
    );
    assert_eq!(engine(&shop), [], "it hears of it at the confirm");
    let confirm = json!({ "payment_details": pays_with(APPROVED) });
    let active = on(&shop, "subscriptions_confirm", &made).json(&confirm);
    let active = active.await.ok();
    assert_eq!(active["status"], "active");
    assert!(active["pending_operation"].is_null(), "{active}");
    let theirs = only(&shop);
    assert_eq!(
        active["billing_processor_subscription_id"],
        json!(theirs.reference)
    );
    let invoice = &theirs.invoices[0];
    assert_eq!(
        active["invoice"]["billing_processor_invoice_id"],
        json!(invoice.reference)
    );
    assert_eq!(active["payment"]["payment_id"], json!(invoice.payment));
    let confirm = on(&shop, "subscriptions_confirm", &made).json(&confirm);
    confirm.await.refused(409, "IR_16");

    for number in 2..=4 {
        shop.time_passes(31 * DAY).await;
        recorded(&shop, &active, number).await;
    }
    let paused = on(&shop, "subscriptions_pause", &active).await.ok();
    assert_eq!(paused["status"], "paused");
    shop.time_passes(90 * DAY).await;
    assert_eq!(now(&shop, &active).await["status"], "paused");
    assert_eq!(invoices(&shop, &active).await.len(), 4, "nothing is billed");
    let resumed = on(&shop, "subscriptions_resume", &active).json(&json!({}));
    assert_eq!(resumed.await.ok()["status"], "active");
    recorded(&shop, &active, 5).await;

    let plus = json!({ "plan_id": "sim_reader_plus", "item_price_id": "sim_reader_plus_monthly" });
    let plus = on(&shop, "subscriptions_update", &active).json(&plus).await;
    assert_eq!(plus.ok()["item_price_id"], "sim_reader_plus_monthly");
    shop.time_passes(31 * DAY).await;
    let sixth = recorded(&shop, &active, 6).await;
    assert_eq!(sixth["amount"], 1990);

    let end = json!({ "cancel_option": "end_of_term" });
    let planned = on(&shop, "subscriptions_cancel", &active).json(&end).await;
    assert_eq!(planned.ok()["status"], "active");
    shop.time_passes(31 * DAY).await;
    let over = until(&shop, &active, |now| now["status"] == "cancelled").await;
    assert!(over["cancelled_at"].is_string());
    shop.time_passes(400 * DAY).await;
    assert_eq!(invoices(&shop, &active).await.len(), 6);
    // Nothing is left to be recorded.
    until(&shop, &active, |now| now["pending_operation"].is_null()).await;
    assert!(only(&shop).invoices.iter().all(|invoice| invoice.is_paid));
    agree(&shop);
}

#[tokio::test]
async fn a_trial_and_what_is_paid_once() {
    let shop = open().await;
    let trial = known(&shop, "sim_reader_trial").await;
    assert_eq!(
        (&trial["status"], shop.money().captured),
        (&json!("trial"), 0)
    );
    shop.time_passes(14 * DAY).await;
    recorded(&shop, &trial, 2).await;
    until(&shop, &trial, |now| now["status"] == "active").await;
    let once = known(&shop, "sim_reader_once").await;
    assert_eq!(once["status"], "onetime");
    agree(&shop);
}

/// A charge that fails is tried again by our schedule, and not without asking the engine; then the subscription is `unpaid`.
#[tokio::test]
async fn a_charge_that_fails() {
    let shop = open().await;
    let active = known(&shop, "sim_reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, declined());
    shop.time_passes(31 * DAY).await;
    invoice_becomes(&shop, &active, 2, "payment_failed").await;
    until_in_steps(&shop, &active, HOUR, |now| {
        now["invoice"]["status"] == "invoice_paid"
    })
    .await;
    recorded(&shop, &active, 2).await;
    agree(&shop);
}

/// It was paid or given up at the engine: nobody is charged for it here.
#[tokio::test]
async fn an_invoice_that_is_settled_at_the_engine() {
    let shop = open().await;
    let active = known(&shop, "sim_reader_monthly").await;
    shop.server
        .next_call_meets(ScriptedCall::Authorize, declined());
    shop.time_passes(31 * DAY).await;
    invoice_becomes(&shop, &active, 2, "payment_failed").await;
    let theirs = only(&shop);
    let settled = shop.server.processor().settle_at_engine(&theirs.reference);
    assert_eq!(settled, 1);
    let voided = |now: &Value| now["invoice"]["status"] == "voided";
    until_in_steps(&shop, &active, HOUR, voided).await;
    assert_eq!(shop.money().captured, 990, "the first one alone");
    assert_eq!(now(&shop, &active).await["status"], "active");
}

/// The engine has made it, and the payment was refused here. Until the payer comes again the engine has changed its mind.
#[tokio::test]
async fn a_confirm_asks_whether_the_engine_still_wants_it() {
    let shop = open().await;
    let made = call(&shop, "subscriptions_create").json(&wanted("sim_reader_monthly"));
    let made = made.await.ok();
    let confirms = |pays: Value| {
        let body = json!({ "payment_details": pays });
        on(&shop, "subscriptions_confirm", &made).json(&body)
    };
    let mut odd = pays_with(APPROVED);
    odd["payment_method_type"] = json!("ach");
    let refused = confirms(odd).await;
    assert_eq!(refused.status / 100, 4, "{}", refused.body);
    assert_eq!(now(&shop, &made).await["status"], "created");
    assert_eq!(only(&shop).invoices.len(), 1);
    shop.time_passes(600).await;
    // Whether it can't say so,
    shop.server
        .next_call_meets(ScriptedCall::EngineRead, Fault::Throttles);
    confirms(pays_with(APPROVED)).await.refused(400, "CE_09");
    assert_eq!(now(&shop, &made).await["status"], "created");
    // or says that nothing is to be paid any more: nobody pays.
    let reference = only(&shop).reference;
    let settled = shop.server.processor().settle_at_engine(&reference);
    assert_eq!(settled, 1);
    confirms(pays_with(APPROVED)).await.refused(400, "IR_16");
    assert_eq!(now(&shop, &made).await["status"], "failed");
    assert_eq!(shop.money().captured, 0);
}
