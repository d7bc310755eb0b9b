//! Debits that the payer's bank returns after they have succeeded.

use multirail_conformance::Shop;
use multirail_conformance::patience::until;
use serde_json::{Value, json};

use super::{SEPA_RETURNS, debit, debited, paid, sepa};
use crate::disputes::{challenges, on, shop_with_notice_secret, stands};
use crate::notices::sent::hears;
use crate::payments::events_of;

const THREE_DAYS: i64 = 3 * 86_400;

/// Opens a shop with a debit that succeeded and will be returned.
async fn to_be_returned(order: Value) -> (Shop, Value) {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    let payment = debited(&shop, order).await;
    let payment = paid(&shop, &payment).await;
    (shop, payment)
}

#[tokio::test]
async fn a_return_is_a_lost_dispute_and_the_payment_stays_succeeded() {
    let (shop, payment) = to_be_returned(sepa(SEPA_RETURNS)).await;
    shop.time_passes(THREE_DAYS).await;
    let opened = stands(&shop, &payment, "dispute", "dispute_opened").await;
    assert_eq!(opened["amount"], "6540");
    assert_eq!(opened["connector_reason_code"], "MD06");
    // A return is final: the merchant can't answer it.
    let refusals = [
        on(&shop, "disputes_accept", &opened).await,
        challenges(&shop, &opened, "uncategorized_text", "winning_evidence").await,
    ];
    for refusal in refusals {
        let message = refusal.refused(400, "HE_03");
        let why = "the payer's bank returned the debit, and a return is final";
        assert!(message.contains(why), "{message}");
    }
    shop.time_passes(60).await;
    let lost = stands(&shop, &payment, "dispute", "dispute_lost").await;
    assert_eq!(lost["dispute_id"], opened["dispute_id"]);

    let after = shop.retrieves(&payment).await.ok();
    assert_eq!(after["status"], "succeeded");
    // The returned money can't be refunded, too.
    shop.refunds(&payment, json!({ "amount": 1 }))
        .await
        .refused(400, "IR_13");
    let told = until(
        "both events",
        async || {
            let told = events_of(&shop, &json!({ "payment_id": lost["dispute_id"] })).await;
            json!(told.into_iter().map(|(event, _)| event).collect::<Vec<_>>())
        },
        |events| events.as_array().is_some_and(|events| events.len() == 2),
    );
    assert_eq!(told.await, json!(["dispute_opened", "dispute_lost"]));
}

#[tokio::test]
async fn every_scheme_returns_debits() {
    let table = [
        (
            "ach",
            "USD",
            json!({ "account_number": "000333333335", "routing_number": "110000000" }),
            "R10",
        ),
        (
            "bacs",
            "GBP",
            json!({ "account_number": "33333335", "sort_code": "108800" }),
            "DDICA",
        ),
        (
            "becs",
            "AUD",
            json!({ "account_number": "333333335", "bsb_number": "000000" }),
            "unauthorised",
        ),
    ];
    for (kind, currency, account, code) in table {
        let (shop, payment) = to_be_returned(debit(kind, currency, account)).await;
        shop.time_passes(THREE_DAYS + 60).await;
        let dispute = stands(&shop, &payment, "dispute", "dispute_lost").await;
        assert_eq!(dispute["connector_reason_code"], code, "{kind}");
    }
}

/// An account without notices learns of returns when it asks for them.
#[tokio::test]
async fn a_return_without_a_notice_is_fetched() {
    let shop = shop_with_notice_secret().await;
    let payment = debited(&shop, sepa(SEPA_RETURNS)).await;
    let payment = paid(&shop, &payment).await;
    let fetch = || {
        shop.call("disputes_fetch")
            .at("merchant_connector_id", &shop.connector_account_id)
            .query("fetch_from", "2020-01-01T00:00:00Z")
            .query("fetch_till", "2099-01-01T00:00:00Z")
    };
    assert_eq!(fetch().await.ok(), json!([]));
    shop.time_passes(THREE_DAYS).await;
    let fetched = fetch().await.ok();
    assert_eq!(fetched[0]["payment_id"], payment["payment_id"]);
}
