//! `merchant_connector_details`: a payment with credentials from its request needs them again for a refund.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_PEND, order_with, with};
use multirail_conformance::patience::until_found;
use multirail_simulator::processor::account_of;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{filed, given_back, paid_with, settles, standing};
use crate::servers::damage;
use crate::servers::site::Site;

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

async fn paid_with_mine(shop: &Shop, number: &str) -> Value {
    let body = with(order_with(number), json!({ "confirm": true }));
    let payment = shop.creates(with(body, mine())).await.ok();
    assert_eq!(payment["status"], "succeeded");
    payment
}

/// Checks that every refund used that account.
fn all_of_it_is_mine(shop: &Shop) {
    let filed = filed(shop);
    assert!(!filed.is_empty());
    let is_mine = filed.iter().all(|one| one["account"] == account_of(KEY));
    assert!(is_mine, "{filed:?}");
}

#[tokio::test]
async fn they_are_needed_again_under_the_same_name() {
    let shop = Shop::open().await;
    let payment = paid_with_mine(&shop, APPROVED).await;
    let stored = paid_with(&shop, APPROVED).await;
    let mut told = String::new();
    let other_kind = json!({ "merchant_connector_details": { "encoded_data": {
        "connector_account_details": { "auth_type": "BodyKey", "key1": "b" } } } });
    for (what, call) in [
        ("none", shop.refunds(&payment, json!({}))),
        ("another name", shop.refunds(&payment, named("other"))),
        ("not needed", shop.refunds(&stored, mine())),
        (
            "another kind",
            shop.refunds(&payment, with(mine(), other_kind)),
        ),
    ] {
        let message = call.await.refused(422, "IR_06");
        told.push_str(&format!("{what}: {message}\n"));
    }
    insta::assert_snapshot!(told, @r"
    none: merchant_connector_details are needed again: the payment was begun with credentials that were brought along, which are no longer kept
    another name: merchant_connector_details.creds_identifier is not the one that the payment was sent with
    not needed: merchant_connector_details can't be given: the payment was sent with the stored connector account and goes on with it
    another kind: merchant_connector_details.encoded_data.connector_account_details.auth_type has to be HeaderKey, which fauxpay takes
    ");
    assert_eq!(filed(&shop), Vec::<Value>::new());

    let refund = shop.refunds(&payment, mine()).await.ok();
    assert_eq!(standing(&refund), ("succeeded", 6540));
    assert_eq!(refund["merchant_connector_id"], json!(null));
    let text = refund.to_string();
    assert!(!text.contains(KEY), "{text}");
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn open_refunds_are_synced_with_them() {
    let shop = Shop::open().await;
    // The merchant's call syncs.
    let payment = paid_with_mine(&shop, APPROVED).await;
    shop.next_call_meets(Call::Refund, Fault::LosesAnswer);
    let part = with(mine(), json!({ "amount": 2000 }));
    let unknown = shop.refunds(&payment, part).await.ok();
    assert_eq!(standing(&unknown), ("pending", 2000));
    let known = shop.asks_about_refund(&unknown).await.ok();
    assert_eq!(standing(&known), ("succeeded", 2000));
    // The worker syncs.
    let payment = paid_with_mine(&shop, REFUNDS_PEND).await;
    let pending = shop.refunds(&payment, mine()).await.ok();
    assert_eq!(standing(&pending), ("pending", 6540));
    shop.time_passes(120).await;
    assert_eq!(
        standing(&settles(&shop, &pending).await),
        ("succeeded", 6540)
    );
    assert_eq!(
        given_back(&shop, &payment).await,
        ("succeeded".to_owned(), 6540)
    );
    // The worker sends the scheduled refund.
    let payment = paid_with_mine(&shop, APPROVED).await;
    let later = with(mine(), json!({ "refund_type": "scheduled" }));
    let scheduled = shop.refunds(&payment, later).await.ok();
    assert_eq!(standing(&scheduled), ("pending", 6540));
    assert_eq!(
        standing(&settles(&shop, &scheduled).await),
        ("succeeded", 6540)
    );
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn they_are_stored_no_longer_than_needed() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let kept = || damage::held_refund_credentials(&site.folder("one"));
    let payment = paid_with_mine(&shop, APPROVED).await;
    let part = |amount: i64| with(mine(), json!({ "amount": amount }));
    shop.refunds(&payment, part(1000)).await.ok();
    assert_eq!(kept(), 0, "what was final at once");

    shop.next_call_meets(Call::Refund, Fault::Pends);
    let pending = shop.refunds(&payment, part(1000)).await.ok();
    assert_eq!(kept(), 1);
    let known = shop.asks_about_refund(&pending).await.ok();
    assert_eq!(standing(&known), ("succeeded", 1000));
    assert_eq!(kept(), 0, "what came to be known");

    shop.next_call_meets(Call::Refund, Fault::LosesRequest);
    let lost = shop.refunds(&payment, part(1000)).await.ok();
    let failed = shop.asks_about_refund(&lost).await.ok();
    assert_eq!(standing(&failed), ("failed", 1000));
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
    all_of_it_is_mine(&shop);
}

#[tokio::test]
async fn without_them_nothing_is_concluded() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let payment = paid_with_mine(&shop, APPROVED).await;
    shop.next_call_meets(Call::Refund, Fault::LosesAnswer);
    let unknown = shop.refunds(&payment, mine()).await.ok();
    damage::loses_held_refund_credentials(&site.folder("one"));
    let asked = shop.asks_about_refund(&unknown).await.ok();
    assert_eq!(standing(&asked), ("pending", 6540));
    assert_eq!(asked["error_code"], "outcome_unknown");
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(
        (&open[0]["refund_id"], &open[0]["reason"]),
        (&unknown["refund_id"], &json!("credentials_gone"))
    );
}
