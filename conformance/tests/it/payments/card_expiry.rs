//! How long a card is valid: a typed card until its month has ended everywhere on earth, a stored card as long as its
//! issuer accepts it.

use chrono::{DateTime, Datelike, Duration, FixedOffset, Months, NaiveDate};
use multirail_conformance::bodies::{APPROVED, card, order, with};
use multirail_conformance::response::moment;
use multirail_conformance::{Response, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use crate::mandates;
use crate::payment_methods::charge::charged;
use crate::payment_methods::{card_of, known, listed, method_id, paid_by_token, saved_for};

/// Returns the end of this month in the last time zone, twelve hours behind UTC.
fn end_of_month(now: DateTime<FixedOffset>) -> DateTime<FixedOffset> {
    let first = NaiveDate::from_ymd_opt(now.year(), now.month(), 1).expect("a date");
    let next = first.and_hms_opt(12, 0, 0).expect("a moment") + Months::new(1);
    next.and_utc().fixed_offset()
}

/// Returns the members of a card that expires this month.
fn expiring_in_month_of(now: DateTime<FixedOffset>) -> Value {
    json!({ "card_exp_month": now.format("%m").to_string(), "card_exp_year": now.format("%Y").to_string() })
}

/// Counts the authorizations that the processor was asked for.
fn asked(shop: &Shop) -> usize {
    let all = shop.processor().ledger().authorizations();
    all.expect("the books can be read").len()
}

/// Opens a shop; returns a card that expires this month, and the seconds until ten minutes before the month's end.
async fn at_the_end_of_a_month() -> (Shop, Value, i64) {
    let shop = Shop::open().await;
    let now = moment(&shop.time_passes(0).await["now"]);
    let left = (end_of_month(now) - now - Duration::minutes(10)).num_seconds();
    (shop, expiring_in_month_of(now), left)
}

#[tokio::test]
async fn a_typed_card_is_valid_until_its_month_has_ended_everywhere() {
    let (shop, this_month, left) = at_the_end_of_a_month().await;
    known(&shop, "ada").await;
    let of_this_month = json!({ "payment_method_data": { "card": this_month } });
    let typed = with(card(APPROVED), of_this_month);
    let pays = with(with(order(), typed.clone()), json!({ "confirm": true }));
    let saved = with(card_of("ada", APPROVED), json!({ "card": this_month }));
    let every_door = async || -> Vec<(&str, Response)> {
        let (one, other) = (shop.creates(order()), shop.creates(order()));
        let (one, other) = (one.await.ok(), other.await.ok());
        vec![
            ("created and confirmed", shop.creates(pays.clone()).await),
            ("confirmed later", shop.confirms(&one, typed.clone()).await),
            (
                "confirmed by its payer",
                shop.payer_of(&other).confirms(typed.clone()).await,
            ),
            (
                "saved",
                shop.call("payment_methods_create").json(&saved).await,
            ),
        ]
    };
    shop.time_passes(left).await;
    for (door, answer) in every_door().await {
        let taken = answer.ok();
        assert!(taken["error_code"].is_null(), "{door}: {taken}");
    }
    let before = asked(&shop);
    shop.time_passes(601).await;
    for (door, answer) in every_door().await {
        let said = answer.refused(400, "IR_16");
        assert!(
            said.contains("the card expired at the end of"),
            "{door}: {said}"
        );
    }
    assert_eq!(asked(&shop), before, "no issuer hears of it");
}

/// Issuers and processors replace cards, so the stored date may be old. The issuer decides.
#[tokio::test]
async fn a_stored_credential_whose_month_has_ended_is_sent_to_its_issuer() {
    let (shop, this_month, left) = at_the_end_of_a_month().await;
    let of_this_month = json!({ "payment_method_data": { "card": this_month } });
    let mandate = mandates::setting_up(APPROVED, mandates::often());
    let agreed = with(mandate, of_this_month.clone());
    let agreed = shop.creates(agreed).await.ok();
    let mandate = mandates::retrieved(&shop, &agreed).await;
    let saved = with(with(order(), card(APPROVED)), saved_for("off_session"));
    let saved = with(saved, json!({ "customer_id": "ada", "confirm": true }));
    let saved = shop.creates(with(saved, of_this_month)).await.ok();
    shop.time_passes(left + 601).await;
    // A token is valid for one payment.
    let method = async || listed(&shop, "ada").await.remove(0);
    assert_eq!(method_id(&method().await), saved["payment_method_id"]);
    let charges = async || {
        [
            ("by its payer", paid_by_token("ada", &method().await)),
            ("without its payer", charged("ada", &method().await)),
            ("under a mandate", mandates::charged(&mandate, 6540)),
        ]
    };
    for (how, body) in charges().await {
        let before = asked(&shop);
        let paid = shop.creates(body).await.ok();
        assert_eq!(paid["status"], "succeeded", "{how}");
        assert_eq!(asked(&shop), before + 1, "{how}");
    }
    // The issuer's answer counts.
    for (how, body) in charges().await {
        let refusal = Fault::Declines {
            code: "DC_08".to_owned(),
            message: "Payment declined: Expired card".to_owned(),
        };
        shop.next_call_meets(ScriptedCall::Authorize, refusal);
        let refused = shop.creates(body).await.ok();
        let told = (&refused["status"], &refused["error_message"]);
        let expected = json!(["failed", "Payment declined: Expired card"]);
        assert_eq!(told, (&expected[0], &expected[1]), "{how}");
    }
}
