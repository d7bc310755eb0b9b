//! Notices of the simulated processor as they come in real life: also twice, late, out of order, forged, or not at
//! all.

use std::sync::Arc;

use multirail_conformance::bodies::{
    APPROVED, PENDING, REFUNDS_FAIL_LATER, REFUNDS_PEND, THREE_DS, order_with, with,
};
use multirail_conformance::notice::{SECRET, webhook_details};
use multirail_conformance::patience::{until, until_found};
use multirail_conformance::shop::id;
use multirail_conformance::{Call as ApiCall, Receiver, Shop, TestServer};
use multirail_server::config::{Inputs, Setting};
use multirail_simulator::processor::HOLD_DAYS;
use multirail_simulator::scripted::{Call, Fault, NoticeFault};
use serde_json::{Value, json};

use super::{last_notice, shop_with_notice_secret};
use crate::servers::site::{Site, closed};

/// The shop's key at the processor.
const API_KEY: &str = "simulator-key";

/// Opens a shop whose account sends notices to the server. Syncs fail, so that only notices can end a payment.
async fn shop_of_notices() -> Shop {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    shop.next_call_meets(Call::LookUp, Fault::FailsBefore(503));
    shop
}

pub(crate) fn hears(shop: &Shop) {
    let (merchant, account) = (&shop.merchant_id, &shop.connector_account_id);
    let address = format!("{}/webhooks/{merchant}/{account}", shop.address());
    let entered = shop.processor().send_notices_of(API_KEY, &address, SECRET);
    entered.expect("an address of this machine");
}

/// Checks that no sync happened: the fault of the first one is still waiting.
fn no_sync_happened(shop: &Shop) {
    assert_eq!(shop.processor().script().waiting(), 1, "somebody asked");
}

fn meets(shop: &Shop, fault: NoticeFault) {
    shop.processor().script().next_notice(fault);
}

/// Has the processor decide what is pending, and send the notices.
pub(crate) fn settles(shop: &Shop) {
    let settled = shop.processor().settle_now().expect("the books are whole");
    assert!(settled > 0);
}

async fn pays(shop: &Shop, card: &str, more: Value) -> Value {
    let body = with(order_with(card), json!({ "confirm": true }));
    shop.creates(with(body, more)).await.ok()
}

async fn payment_is(shop: &Shop, payment: &Value, status: &str) -> Value {
    let what = format!("a payment that is {status}");
    until(
        what,
        async || shop.retrieves(payment).await.ok(),
        |payment| payment["status"] == status,
    )
    .await
}

/// Waits until the processor has no notice left, except one for an authorization that expires days later.
async fn all_is_sent(shop: &Shop) {
    let processor = shop.processor();
    let tomorrow = chrono::Utc::now().timestamp() + 86_400;
    until_found("the last notice", async || {
        let next = processor.next_notice_at().expect("the books are whole");
        match next {
            Some(at) if at.unix_seconds() < tomorrow => Err(format!("one is due at {at:?}")),
            _ => Ok(()),
        }
    })
    .await;
}

async fn inbox(shop: &Shop) -> Vec<Value> {
    let all = shop.operator("notices_list").await.ok();
    all.as_array().expect("a list").clone()
}

async fn announced_types(receiver: &Receiver, count: usize) -> Vec<String> {
    let told = receiver.has(count).await;
    let types = told.iter().map(|one| one.json()["event_type"].clone());
    types
        .map(|word| word.as_str().expect("a word").to_owned())
        .collect()
}

/// Builds a call of the sandbox's own merchant.
fn demo_call(server: &TestServer, operation: &str) -> ApiCall {
    let call = server.wire.call(operation);
    call.key(server.demo().api_key.expose())
}

/// Creates a payment of the sandbox's own merchant that the processor leaves pending.
async fn demo_waits(server: &TestServer) -> Value {
    let body = with(order_with(PENDING), json!({ "confirm": true }));
    let payment = demo_call(server, "payments_create").json(&body).await.ok();
    assert_eq!(payment["status"], "processing");
    payment
}

/// Checks that the payment ends by a notice, earlier than any sync would ask.
async fn demo_ends_by_notice(server: &TestServer, payment: &Value) {
    let script = server.processor().script();
    script.next(Call::LookUp, Fault::FailsBefore(503));
    server.time_passes(5).await;
    let now = demo_call(server, "payments_retrieve").at("payment_id", id(payment));
    let paid = until(
        "the payment's end",
        async || now.clone().await.ok(),
        |payment| payment["status"] != "processing",
    );
    assert_eq!(paid.await["status"], "succeeded");
    assert_eq!(script.waiting(), 1, "somebody asked");
}

#[tokio::test]
async fn the_sandboxs_own_merchant_gets_notices_without_any_set_up() {
    let server = TestServer::start_with(with_notices).await;
    let payment = demo_waits(&server).await;
    demo_ends_by_notice(&server, &payment).await;
}

/// Both accounts have the same key, like the accounts of readers of one guide.
#[tokio::test]
async fn every_account_of_a_simulated_processor_gets_notices_from_the_start() {
    let server = TestServer::start_with(with_notices).await;
    let shops = [server.shop("bookshop").await, server.shop("teashop").await];
    server
        .processor()
        .script()
        .next(Call::LookUp, Fault::FailsBefore(503));
    let mut waiting = Vec::new();
    for shop in &shops {
        let payment = pays(shop, PENDING, json!({})).await;
        assert_eq!(payment["status"], "processing");
        waiting.push((shop, payment));
    }
    server.time_passes(5).await;
    for (shop, payment) in &waiting {
        payment_is(shop, payment, "succeeded").await;
        no_sync_happened(shop);
    }
    all_is_sent(&shops[0]).await;
}

fn with_notices(inputs: Inputs) -> Inputs {
    inputs.with(Setting::SimulatorNotices, "true")
}

/// Earlier versions created the account without a secret. The new server also has another port.
#[tokio::test]
async fn the_next_start_tells_what_was_left_and_an_account_of_an_earlier_version() {
    let site = Site::on_sqlite();
    let server = site.server_with("one", with_notices).await;
    let made = server.demo().connector_account.as_ref();
    let made = made.expect("an account").merchant_connector_id.to_string();
    let of_accounts = |operation| server.operator(operation).at("account_id", "demo");
    let delete = of_accounts("connector_accounts_delete");
    delete.at("merchant_connector_id", &made).await.ok();
    let bare = json!({
        "connector_type": "payment_processor", "connector_name": "fauxpay",
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "simulator" },
    });
    of_accounts("connector_accounts_create")
        .json(&bare)
        .await
        .ok();
    let payment = demo_waits(&server).await;
    server.stops().await.expect("it stops");

    let server = site.server_with("one", with_notices).await;
    demo_ends_by_notice(&server, &payment).await;
}

/// After its restart the server listens on another port, so the accounts of all merchants have new addresses.
#[tokio::test]
async fn the_next_start_tells_the_accounts_of_every_merchant() {
    let mut sites = vec![Site::on_sqlite()];
    sites.extend(Site::on_postgres().await);
    for site in sites {
        let server = site.server_with("one", with_notices).await;
        let mut waiting = Vec::new();
        for name in ["bookshop", "teashop"] {
            let shop = server.shop(name).await;
            let payment = pays(&shop, PENDING, json!({})).await;
            assert_eq!(payment["status"], "processing");
            waiting.push((closed(shop).1, payment));
        }
        let before = server.address();
        server.stops().await.expect("it stops");

        let server = site.server_with("one", with_notices).await;
        assert_ne!(server.address(), before);
        let script = server.processor().script();
        script.next(Call::LookUp, Fault::FailsBefore(503));
        server.time_passes(5).await;
        for (shop, payment) in waiting {
            let shop = shop.opens_at(Arc::clone(&server));
            payment_is(&shop, &payment, "succeeded").await;
            no_sync_happened(&shop);
        }
    }
}

#[tokio::test]
async fn captures_and_refunds_end_by_notices_alone() {
    let shop = shop_of_notices().await;
    let held = pays(&shop, REFUNDS_PEND, json!({ "capture_method": "manual" })).await;
    shop.next_call_meets(Call::Capture, Fault::Pends);
    let capturing = shop.captures(&held, json!({})).await.ok();
    assert_eq!(capturing["status"], "processing");
    settles(&shop);
    let paid = payment_is(&shop, &held, "succeeded").await;
    assert_eq!(paid["amount_received"], 6540);

    let failing = pays(&shop, REFUNDS_FAIL_LATER, json!({})).await;
    for (payment, end) in [(&held, "succeeded"), (&failing, "failed")] {
        let refund = shop.refunds(payment, json!({ "amount": 40 })).await.ok();
        assert_eq!(refund["status"], "pending");
        settles(&shop);
        until(
            format!("the refund has {end}"),
            async || shop.retrieves_refund(&refund).await.ok(),
            |refund| refund["status"] == end,
        )
        .await;
    }
    no_sync_happened(&shop);
}

#[tokio::test]
async fn a_void_ends_by_a_notice_alone() {
    let shop = shop_of_notices().await;
    let held = pays(&shop, REFUNDS_PEND, json!({ "capture_method": "manual" })).await;
    shop.next_call_meets(Call::Void, Fault::Pends);
    let cancelling = shop.cancels(&held, json!({})).await.ok();
    assert_eq!(cancelling["status"], "processing");
    settles(&shop);
    payment_is(&shop, &held, "cancelled").await;
    no_sync_happened(&shop);
}

/// Syncs fail, so that only the notice can end the payment.
#[tokio::test]
async fn an_uncaptured_authorization_ends_by_a_notice() {
    let shop = shop_of_notices().await;
    for _ in 0..20 {
        shop.next_call_meets(Call::LookUp, Fault::FailsBefore(503));
    }
    let held = pays(&shop, APPROVED, json!({ "capture_method": "manual" })).await;
    shop.time_passes(HOLD_DAYS * 86_400).await;
    let expired = payment_is(&shop, &held, "expired").await;
    assert_eq!(expired["amount_capturable"], 0);
    let told = last_notice(&shop, "applied").await;
    assert_eq!(told["kinds"], json!(["authorize.lapsed"]), "{told}");
    all_is_sent(&shop).await;
    assert_eq!(shop.money().released, 6540);
}

#[tokio::test]
async fn a_payer_who_never_comes_back_has_paid_all_the_same() {
    let shop = shop_of_notices().await;
    let payment = pays(&shop, THREE_DS, json!({})).await;
    assert_eq!(payment["status"], "requires_customer_action");
    let books = shop.processor().ledger().authorizations();
    let token = books.expect("the books")[0].page_token.clone();
    let token = token.expect("a page");
    let decided = shop.processor().decide(&token, true);
    decided.expect("the books are whole");
    payment_is(&shop, &payment, "succeeded").await;
    no_sync_happened(&shop);
}

#[tokio::test]
async fn a_repeated_notice_has_one_effect() {
    let shop = shop_of_notices().await;
    let receiver = Receiver::open().await;
    let profile = json!({ "webhook_details": { "webhook_url": receiver.url() } });
    shop.sets_up(profile).await.ok();
    let payment = pays(&shop, PENDING, json!({})).await;
    meets(&shop, NoticeFault::SentTwice);
    settles(&shop);
    all_is_sent(&shop).await;
    payment_is(&shop, &payment, "succeeded").await;
    let filed = last_notice(&shop, "applied").await;
    assert_eq!(
        (inbox(&shop).await.len(), &filed["receipts"]),
        (1, &json!(2))
    );
    assert_eq!(announced_types(&receiver, 1).await, ["payment_succeeded"]);
    no_sync_happened(&shop);
}

#[tokio::test]
async fn notices_out_of_order_add_up() {
    let shop = shop_of_notices().await;
    let method = json!({ "capture_method": "manual_multiple" });
    let held = pays(&shop, REFUNDS_PEND, method).await;
    for amount in [4000, 2540] {
        shop.next_call_meets(Call::Capture, Fault::Pends);
        let body = json!({ "amount_to_capture": amount });
        shop.captures(&held, body).await.ok();
    }
    meets(&shop, NoticeFault::HeldOnTheWay);
    settles(&shop);
    all_is_sent(&shop).await;
    last_notice(&shop, "applied").await;
    let between = shop.retrieves(&held).await.ok();
    assert_eq!(between["amount_received"], 2540, "the second came first");
    let held_back = shop.processor().deliver_held_notices();
    assert_eq!(held_back.expect("the books are whole"), 1);
    let paid = payment_is(&shop, &held, "succeeded").await;
    assert_eq!(paid["amount_received"], 6540);
    no_sync_happened(&shop);
}

#[tokio::test]
async fn a_void_after_capture_ends_by_its_notice() {
    let shop = shop_of_notices().await;
    let paid = pays(&shop, APPROVED, json!({})).await;
    shop.next_call_meets(Call::Void, Fault::Pends);
    let pending = shop.cancels_post_capture(&paid, json!({})).await.ok();
    assert_eq!(pending["status"], "succeeded");
    settles(&shop);
    let voided = payment_is(&shop, &paid, "cancelled_post_capture").await;
    assert_eq!(voided["amount_received"], 0);
    assert_eq!(shop.money().reversed, 6540);
    no_sync_happened(&shop);
}

#[tokio::test]
async fn a_sync_replaces_a_lost_notice() {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    let payment = pays(&shop, PENDING, json!({})).await;
    meets(&shop, NoticeFault::Lost);
    settles(&shop);
    all_is_sent(&shop).await;
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "processing");
    shop.time_passes(60).await;
    payment_is(&shop, &payment, "succeeded").await;
    assert_eq!(inbox(&shop).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_late_notice_changes_nothing() {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    let receiver = Receiver::open().await;
    let profile = json!({ "webhook_details": { "webhook_url": receiver.url() } });
    shop.sets_up(profile).await.ok();
    let payment = pays(&shop, PENDING, json!({})).await;
    meets(&shop, NoticeFault::HeldOnTheWay);
    settles(&shop);
    all_is_sent(&shop).await;
    let asked = shop.asks_about(&payment).await.ok();
    assert_eq!(asked["status"], "succeeded");
    let held_back = shop.processor().deliver_held_notices();
    assert_eq!(held_back.expect("the books are whole"), 1);
    last_notice(&shop, "applied").await;
    let after = shop.retrieves(&payment).await.ok();
    assert_eq!(
        (&after["status"], &after["amount_received"]),
        (&asked["status"], &asked["amount_received"])
    );
    assert_eq!(announced_types(&receiver, 1).await, ["payment_succeeded"]);
}

#[tokio::test]
async fn a_wrongly_signed_notice_is_refused_and_not_stored() {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    let payment = pays(&shop, PENDING, json!({})).await;
    meets(&shop, NoticeFault::SignedWrongly);
    settles(&shop);
    all_is_sent(&shop).await;
    assert_eq!(inbox(&shop).await, Vec::<Value>::new());
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "processing");
}

#[tokio::test]
async fn a_refused_notice_is_sent_again() {
    let shop = shop_of_notices().await;
    let mut other = webhook_details();
    other["connector_webhook_details"]["merchant_secret"] = json!("not yet the processor's");
    shop.reconnects(other).await.ok();
    let payment = pays(&shop, PENDING, json!({})).await;
    let planned = shop.processor().next_notice_at().expect("the books");
    settles(&shop);
    until_found("a notice that waits for its second try", async || {
        let next = shop.processor().next_notice_at().expect("the books");
        let due = shop.processor().due_notices().expect("the books");
        // The first notice was sent early by `settle_now`, and its retry was scheduled after the refusal.
        match next.is_some() && next != planned && due.is_empty() {
            true => Ok(()),
            false => Err(format!("{} due, the next at {next:?}", due.len())),
        }
    })
    .await;
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "processing");
    shop.reconnects(webhook_details()).await.ok();
    shop.time_passes(2).await;
    payment_is(&shop, &payment, "succeeded").await;
    no_sync_happened(&shop);
}
