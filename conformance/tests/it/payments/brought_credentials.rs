//! `merchant_connector_details`: a payment that began with credentials from its request keeps them to its end,
//! whoever calls. The simulator separates accounts by key, so other accounts don't know the payment.

use std::time::Duration;

use multirail_conformance::bodies::{
    APPROVED, DECLINED, PENDING, THREE_DS, order, order_with, with, without,
};
use multirail_conformance::patience::{until, until_found};
use multirail_conformance::{Browser, Shop};
use multirail_simulator::processor::account_of;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{settles, standing};
use crate::in_flight::is_authorized;
use crate::servers::damage;
use crate::servers::site::{Site, closed};

const KEY: &str = "key of my own account";

/// Returns the member with this identifier.
fn named(identifier: &str) -> Value {
    json!({ "merchant_connector_details": {
        "creds_identifier": identifier,
        "encoded_data": { "connector_account_details": { "auth_type": "HeaderKey", "api_key": KEY } },
    } })
}

fn mine() -> Value {
    named("mine")
}

/// Creates a payment with these credentials and confirms it at once.
async fn begun(shop: &Shop, number: &str, more: Value) -> Value {
    let body = with(order_with(number), json!({ "confirm": true }));
    shop.creates(with(with(body, mine()), more)).await.ok()
}

/// Checks that every operation at the processor used that account.
fn all_of_it_is_mine(shop: &Shop) {
    let ledger = shop.processor().ledger();
    let of = |list: Vec<String>| list.into_iter().all(|account| account == account_of(KEY));
    let authorizations = ledger.authorizations().expect("a list");
    assert!(!authorizations.is_empty());
    assert!(of(authorizations
        .into_iter()
        .map(|one| one.account)
        .collect()));
    let captures = ledger.captures().expect("a list");
    assert!(of(captures.into_iter().map(|one| one.account).collect()));
    let voids = ledger.voids().expect("a list");
    assert!(of(voids.into_iter().map(|one| one.account).collect()));
}

#[tokio::test]
async fn an_outcome_that_is_not_known_is_asked_about_at_their_account() {
    let shop = Shop::open().await;
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let unknown = begun(&shop, APPROVED, json!({})).await;
    assert_eq!(standing(&unknown), ("processing", 0, 0));
    let known = shop.asks_about(&unknown).await.ok();
    assert_eq!(standing(&known), ("succeeded", 0, 6540));
    let text = known.to_string();
    assert!(!text.contains(KEY), "{text}");

    let pending = begun(&shop, PENDING, json!({})).await;
    assert_eq!(standing(&pending), ("processing", 0, 0));
    // Only the worker syncs here.
    shop.time_passes(120).await;
    assert_eq!(
        standing(&settles(&shop, &pending).await),
        ("succeeded", 0, 6540)
    );
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn a_payer_who_comes_back_is_asked_about_at_their_account() {
    let shop = Shop::open().await;
    let more = json!({ "return_url": "https://shop.example/thanks", "capture_method": "manual" });
    let payment = begun(&shop, THREE_DS, more).await;
    assert_eq!(standing(&payment), ("requires_customer_action", 0, 0));
    let start = payment["next_action"]["redirect_to_url"]
        .as_str()
        .expect("a page");
    let browser = Browser::new(&shop.wire);
    let page = browser.opens(start).await.expect("the processor's page");
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    assert_eq!(
        end.query_value("status").as_deref(),
        Some("requires_capture")
    );
    // A later capture needs no credentials, as the payer needed none.
    let captured = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&captured), ("succeeded", 0, 6540));
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn captures_and_cancels_go_where_the_authorization_went() {
    let shop = Shop::open().await;
    let several = json!({ "capture_method": "manual_multiple" });
    let payment = begun(&shop, APPROVED, several).await;
    for (amount, body) in [(1000, json!({})), (2000, mine()), (3540, json!({}))] {
        let body = with(body, json!({ "amount_to_capture": amount }));
        shop.captures(&payment, body).await.ok();
    }
    let end = shop.retrieves(&payment).await.ok();
    assert_eq!(standing(&end), ("succeeded", 0, 6540));

    let manual = json!({ "capture_method": "manual" });
    for body in [json!({}), mine()] {
        let payment = begun(&shop, APPROVED, manual.clone()).await;
        shop.next_call_meets(Call::Void, Fault::LosesAnswer);
        let unknown = shop.cancels(&payment, body).await.ok();
        assert_eq!(standing(&unknown), ("processing", 0, 0));
        let known = shop.asks_about(&payment).await.ok();
        assert_eq!(standing(&known), ("cancelled", 0, 0));
    }
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn given_before_the_confirm_they_wait_for_it() {
    let shop = Shop::open().await;
    let created = shop.creates(with(order_with(APPROVED), mine())).await.ok();
    // The payer's app doesn't know the credentials.
    let paid = shop.payer_of(&created).confirms(json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));

    let updated = shop.creates(order_with(APPROVED)).await.ok();
    shop.updates(&updated, mine()).await.ok();
    let paid = shop.confirms(&updated, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    all_of_it_is_mine(&shop);

    // Credentials of a later request replace earlier ones, as with every member.
    let created = shop
        .creates(with(order_with(APPROVED), named("first")))
        .await
        .ok();
    let later = with(
        mine(),
        json!({ "merchant_connector_details": { "encoded_data": {
            "connector_account_details": { "api_key": "another one" } } } }),
    );
    shop.confirms(&created, later).await.ok();
    let newest = shop.processor().ledger().authorizations();
    let newest = newest.expect("a list").pop().expect("an authorization");
    assert_eq!(newest.account, account_of("another one"));
}

#[tokio::test]
async fn expired_credentials_are_asked_for_again() {
    let shop = Shop::open().await;
    let created = shop.creates(with(order_with(APPROVED), mine())).await.ok();
    shop.time_passes(1_000).await;
    let again = with(order_with(APPROVED), json!({}));
    let again = without(without(again, "amount"), "currency");
    let message = shop
        .confirms(&created, again.clone())
        .await
        .refused(422, "IR_06");
    insta::assert_snapshot!(message);
    assert_eq!(
        shop.processor().ledger().authorizations().expect("a list"),
        [],
        "no other account was charged"
    );
    let paid = shop.confirms(&created, with(again, mine())).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn another_account_is_never_taken() {
    let shop = Shop::open().await;
    let manual = json!({ "capture_method": "manual" });
    let payment = begun(&shop, APPROVED, manual.clone()).await;
    let mut told = Vec::new();
    for call in [
        shop.captures(&payment, named("other")),
        shop.cancels(&payment, named("other")),
    ] {
        told.push(call.await.refused(422, "IR_06"));
    }
    let stored = with(
        with(order_with(APPROVED), manual),
        json!({ "confirm": true }),
    );
    let stored = shop.creates(stored).await.ok();
    for call in [
        shop.captures(&stored, mine()),
        shop.cancels(&stored, mine()),
    ] {
        told.push(call.await.refused(422, "IR_06"));
    }
    let never_sent = shop.creates(order()).await.ok();
    told.push(
        shop.cancels(&never_sent, mine())
            .await
            .refused(422, "IR_06"),
    );
    insta::assert_snapshot!(told.join("\n"));
    // None of the refused requests changed anything.
    for payment in [&payment, &stored] {
        let now = shop.retrieves(payment).await.ok();
        assert_eq!(standing(&now), ("requires_capture", 6540, 0));
    }
}

#[tokio::test]
async fn a_retry_brings_them_again() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let failed = begun(&shop, DECLINED, json!({})).await;
    assert_eq!(failed["status"], "failed");
    let card = without(without(order_with(APPROVED), "amount"), "currency");
    shop.confirms(&failed, card.clone())
        .await
        .refused(422, "IR_06");
    let paid = shop.confirms(&failed, with(card, mine())).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn an_approval_after_a_cancel_is_voided_at_their_account() {
    let shop = Shop::open().await;
    let payment = begun(&shop, THREE_DS, json!({ "capture_method": "manual" })).await;
    let start = payment["next_action"]["redirect_to_url"]
        .as_str()
        .expect("a page");
    let browser = Browser::new(&shop.wire);
    let page = browser.opens(start).await.expect("the processor's page");
    shop.next_call_meets(Call::Void, Fault::LosesRequest);
    let cancelled = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(standing(&cancelled), ("cancelled", 0, 0));
    browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    until_found("the approval is voided", async || {
        let money = shop.money();
        if money.released >= 6540 {
            return Ok(());
        }
        shop.time_passes(60).await;
        Err(format!("{money:?}"))
    })
    .await;
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn unreadable_credentials_are_refused() {
    let shop = Shop::open().await;
    let mut told = Vec::new();
    for details in [
        json!({}),
        json!({ "auth_type": "HeaderKey" }),
        json!({ "auth_type": "HeaderKey", "api_key": "" }),
        json!({ "auth_type": "HeaderKey", "api_key": 7 }),
        json!({ "auth_type": "HeaderKey", "api_key": "a", "key1": "b" }),
        json!({ "auth_type": "TemporaryAuth" }),
        json!({ "auth_type": "Handshake" }),
        json!({ "auth_type": "BodyKey", "api_key": "a", "key1": "b" }),
    ] {
        let member = json!({ "merchant_connector_details": {
            "creds_identifier": "mine", "encoded_data": { "connector_account_details": details } } });
        let body = with(
            with(order_with(APPROVED), json!({ "confirm": true })),
            member,
        );
        let answer = shop.creates(body).await;
        told.push(format!("{} {}", answer.status, answer.message()));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn they_are_stored_no_longer_than_needed() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let kept = || damage::held_credentials(&site.folder("one"));
    begun(&shop, APPROVED, json!({})).await;
    begun(&shop, DECLINED, json!({})).await;
    assert_eq!(kept(), 0, "what was final at once");
    let manual = json!({ "capture_method": "manual" });
    let captured = begun(&shop, APPROVED, manual.clone()).await;
    let cancelled = begun(&shop, APPROVED, manual).await;
    let never_sent = shop.creates(with(order_with(APPROVED), mine())).await.ok();
    assert_eq!(kept(), 3);
    shop.captures(&captured, json!({})).await.ok();
    shop.cancels(&cancelled, json!({})).await.ok();
    shop.cancels(&never_sent, json!({})).await.ok();
    assert_eq!(kept(), 0);

    shop.creates(with(order_with(APPROVED), mine())).await.ok();
    assert_eq!(kept(), 1);
    shop.time_passes(1_000).await;
    let left = async || kept();
    until("they go with the client secret", left, |left| *left == 0).await;

    shop.next_call_meets(Call::Authorize, Fault::LosesRequest);
    let lost = begun(&shop, APPROVED, json!({})).await;
    assert_eq!(shop.asks_about(&lost).await.ok()["status"], "failed");
    assert_eq!(kept(), 1, "the request may still arrive");
    until_found("they are kept for nothing no more", async || {
        let left = kept();
        if left == 0 {
            return Ok(());
        }
        shop.time_passes(7_200).await;
        Err(left)
    })
    .await;
}

#[tokio::test]
async fn without_them_nothing_is_concluded() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let unknown = begun(&shop, APPROVED, json!({ "capture_method": "manual" })).await;
    damage::loses_held_credentials(&site.folder("one"));
    let asked = shop.asks_about(&unknown).await.ok();
    assert_eq!(standing(&asked), ("processing", 0, 0));
    assert_eq!(asked["error_code"], "outcome_unknown");
    let reason = &asked["error_details"]["connector_details"]["reason"];
    assert_eq!(reason, "credentials_gone");
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(
        (&open[0]["payment_id"], &open[0]["reason"]),
        (&unknown["payment_id"], &json!("credentials_gone"))
    );

    let manual = json!({ "capture_method": "manual" });
    let held = begun(&shop, APPROVED, manual).await;
    damage::loses_held_credentials(&site.folder("one"));
    for call in [
        shop.captures(&held, json!({})),
        shop.cancels(&held, json!({})),
    ] {
        call.await.refused(422, "IR_06");
    }
    let captured = shop.captures(&held, mine()).await.ok();
    assert_eq!(standing(&captured), ("succeeded", 0, 6540));
    all_of_it_is_mine(&shop);
}

/// The server died while it waited for the processor, which had authorized the payment.
#[tokio::test(flavor = "multi_thread")]
async fn they_outlive_a_crash() {
    let site = Site::on_sqlite();
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let shop = doomed.spawn(async move { born.server("one").await.shop("bookshop").await });
    let shop = shop.await.expect("a server starts");
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.processor().script().set_delay(Duration::from_secs(60));
    let first = tokio::spawn(shop.confirms(&payment, mine()).send());
    is_authorized(&shop).await;
    doomed.shutdown_background();
    let first = first.await.expect("a task that ends");
    assert!(first.is_err(), "nobody was there to answer: {first:?}");
    let (server, shop) = closed(shop);
    drop(server);
    let shop = shop.opens_at(site.server("one").await);
    shop.asks_about(&payment).await.ok();
    let known = settles(&shop, &payment).await;
    assert_eq!(standing(&known), ("succeeded", 0, 6540));
    all_of_it_is_mine(&shop);
}
