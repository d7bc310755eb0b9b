//! Disputes that the simulated processor opens and decides by itself, by amounts and by words in the evidence.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{DISPUTED, paid_with, with};
use serde_json::{Value, json};

use super::{challenges, shop_with_notice_secret, stands};
use crate::notices::sent::{hears, settles};

/// Opens a shop whose processor sends every notice.
async fn shop_with_all_notices() -> Shop {
    let shop = shop_with_notice_secret().await;
    hears(&shop);
    shop
}

async fn paid(shop: &Shop, amount: i64) -> Value {
    let body = with(paid_with(DISPUTED), json!({ "amount": amount }));
    shop.creates(body).await.ok()
}

#[tokio::test]
async fn an_amount_says_what_a_dispute_is_raised_as() {
    let shop = shop_with_all_notices().await;
    for (amount, stage, status) in [
        (6500, "dispute", "dispute_opened"),
        (6511, "pre_dispute", "dispute_opened"),
        (6512, "pre_arbitration", "dispute_opened"),
        (6513, "arbitration", "dispute_opened"),
    ] {
        let payment = paid(&shop, amount).await;
        stands(&shop, &payment, stage, status).await;
    }
    for (amount, stage, status) in [
        (6514, "dispute", "dispute_expired"),
        (6515, "dispute", "dispute_cancelled"),
        (6516, "dispute", "dispute_opened"),
    ] {
        let payment = paid(&shop, amount).await;
        let raised = if amount == 6516 {
            "pre_dispute"
        } else {
            "dispute"
        };
        stands(&shop, &payment, raised, "dispute_opened").await;
        settles(&shop);
        stands(&shop, &payment, stage, status).await;
    }
}

#[tokio::test]
async fn words_in_the_evidence_say_what_is_decided() {
    let shop = shop_with_all_notices().await;
    for (word, stage, status) in [
        ("winning_evidence", "dispute", "dispute_won"),
        ("losing_evidence", "dispute", "dispute_lost"),
        ("escalating_evidence", "pre_arbitration", "dispute_opened"),
        ("reversing_evidence", "dispute_reversal", "dispute_won"),
    ] {
        let payment = paid(&shop, 6500).await;
        let dispute = stands(&shop, &payment, "dispute", "dispute_opened").await;
        let challenged = challenges(&shop, &dispute, "uncategorized_text", word)
            .await
            .ok();
        assert_eq!(challenged["dispute_status"], "dispute_challenged", "{word}");
        settles(&shop);
        stands(&shop, &payment, stage, status).await;
    }
}

#[tokio::test]
async fn a_dispute_without_a_notice_is_fetched() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop, 6511).await;
    let fetch = |from: &str, till: &str| {
        shop.call("disputes_fetch")
            .at("merchant_connector_id", &shop.connector_account_id)
            .query("fetch_from", from)
            .query("fetch_till", till)
    };
    let (past, now, future) = (
        "2020-01-01T00:00:00Z",
        "2020-01-02T00:00:00Z",
        "2099-01-01T00:00:00Z",
    );
    assert_eq!(fetch(past, now).await.ok(), json!([]));
    fetch(future, past).await.refused(422, "IR_06");
    let fetched = fetch(past, future).await.ok();
    assert_eq!(fetched[0]["payment_id"], payment["payment_id"]);
    let dispute = stands(&shop, &payment, "pre_dispute", "dispute_opened").await;
    assert_eq!(fetched, json!([dispute]));
    assert_eq!(
        fetch(past, future).await.ok(),
        fetched,
        "it is known by now"
    );
}
