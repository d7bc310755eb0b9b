//! Credits of a cancellation, row by row. (Facts 1.17, 7.11)

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_simulator::scripted::Call as ScriptedCall;
use serde_json::{Value, json};

use super::update::lines;
use super::{
    DAY, declined, invoice_becomes, invoices, now, offers, on, subscribed, until, until_in_steps,
};

/// Cancels the subscription at once, with these options.
async fn cancels(shop: &Shop, subscription: &Value, options: Value) -> Value {
    let call = on(shop, "subscriptions_cancel", subscription);
    call.json(&options).await.ok()
}

fn gives_back(option: &str) -> Value {
    json!({ "credit_option_for_current_term_charges": option })
}

/// Returns the lines of the newest of this many invoices.
async fn last_lines(shop: &Shop, subscription: &Value, number: usize) -> Vec<(String, i64)> {
    let all = invoices(shop, subscription).await;
    assert_eq!(all.len(), number, "{all:#?}");
    lines(all.last().expect("one"))
}

fn named(lines: &[(&str, i64)]) -> Vec<(String, i64)> {
    let owned = lines.iter();
    owned.map(|(kind, it)| ((*kind).to_owned(), *it)).collect()
}

/// A quarter of a day has passed.
#[tokio::test]
async fn the_charge_of_the_current_term_is_credited() {
    let shop = Shop::open().await;
    offers(&shop).await;
    for (option, back) in [("none", 0), ("prorate", 75), ("full", 100)] {
        let active = subscribed(&shop, "reader_daily").await;
        shop.time_passes(DAY / 4).await;
        let over = cancels(&shop, &active, gives_back(option)).await;
        assert_eq!(over["status"], "cancelled");
        assert_eq!(
            (&over["credit_amount"], &over["refunded_amount"]),
            (&json!(back), &json!(0))
        );
        assert_eq!(over["refunds"], json!([]));
        let seen = now(&shop, &active).await;
        assert_eq!(seen["credit_amount"], back, "it stays credit");
        if back == 0 {
            assert_eq!(invoices(&shop, &active).await.len(), 1);
            continue;
        }
        let expected = named(&[("return", -back), ("credit_given", back)]);
        assert_eq!(last_lines(&shop, &active, 2).await, expected);
        assert_eq!(seen["invoice"]["status"], "invoice_paid");
        assert!(seen["invoice"]["period_start"].is_null());
    }
    assert_eq!(shop.money().refunded, 0);
}

#[tokio::test]
async fn at_the_end_of_a_term_and_in_a_trial_nothing_is_left() {
    let shop = Shop::open().await;
    offers(&shop).await;
    for option in ["prorate", "full"] {
        let at_end = with(
            gives_back(option),
            json!({ "cancel_option": "end_of_term" }),
        );
        let active = subscribed(&shop, "reader_daily").await;
        let planned = cancels(&shop, &active, at_end).await;
        assert_eq!(planned["status"], "active");
        let trial = subscribed(&shop, "reader_trial").await;
        let over = cancels(&shop, &trial, gives_back(option)).await;
        assert_eq!(over["credit_amount"], 0);
        shop.time_passes(DAY).await;
        let over = until(&shop, &active, |now| now["status"] == "cancelled").await;
        assert_eq!(over["credit_amount"], 0);
        for one in [&active, &trial] {
            assert_eq!(invoices(&shop, one).await.len(), 1);
        }
    }
}

/// A worker ends a planned cancellation as of its date, with the options of the last call.
#[tokio::test]
async fn a_planned_end_gives_back_as_of_its_date() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_daily").await;
    let begin = active["current_period_start"].as_str().expect("a moment");
    let begin = chrono::DateTime::parse_from_rfc3339(begin).expect("a moment");
    let date = (begin + chrono::Duration::hours(12)).to_rfc3339();
    let when = json!({ "cancel_option": "specific_date", "cancel_at": date });
    cancels(&shop, &active, with(gives_back("full"), when.clone())).await;
    cancels(&shop, &active, with(gives_back("prorate"), when)).await;
    shop.time_passes(DAY * 3 / 4).await;
    let over = until(&shop, &active, |now| now["status"] == "cancelled").await;
    assert_eq!(over["credit_amount"], 50);
}

/// During a pause no term runs, so the credit of the pause is returned with any option.
#[tokio::test]
async fn unbilled_charges_are_cut_and_set_off() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let cases = [
        (json!({}), vec![("subscription", 100), ("return", -75)]),
        (
            gives_back("prorate"),
            vec![("proration", 50), ("return", -75), ("credit_given", 25)],
        ),
        (
            gives_back("full"),
            vec![("return", -75), ("credit_given", 75)],
        ),
        (
            json!({ "unbilled_charges_option": "delete" }),
            vec![("return", -75), ("credit_given", 75)],
        ),
    ];
    for (options, expected) in cases {
        let active = subscribed(&shop, "reader_daily").await;
        shop.time_passes(DAY / 4).await;
        on(&shop, "subscriptions_pause", &active).await.ok();
        let keeps = json!({ "charges_handling": "add_to_unbilled_charges" });
        let resume = on(&shop, "subscriptions_resume", &active).json(&keeps);
        resume.await.ok();
        let begins = |now: &Value| now["current_period_start"] != active["current_period_start"];
        until(&shop, &active, begins).await;
        shop.time_passes(DAY / 2).await;
        cancels(&shop, &active, options).await;
        assert_eq!(last_lines(&shop, &active, 2).await, named(&expected));
    }
    let paused = subscribed(&shop, "reader_daily").await;
    shop.time_passes(DAY / 4).await;
    on(&shop, "subscriptions_pause", &paused).await.ok();
    shop.time_passes(DAY).await;
    let over = cancels(&shop, &paused, json!({})).await;
    assert_eq!(over["credit_amount"], 75);
}

/// An unpaid invoice gives no credit, until somebody pays it.
#[tokio::test]
async fn an_open_invoice_is_credited_once_it_is_paid() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let mut seen = Vec::new();
    for handling in ["no_action", "write_off", "schedule_payment_collection"] {
        let active = subscribed(&shop, "reader_daily").await;
        shop.server
            .next_call_meets(ScriptedCall::Authorize, declined());
        shop.time_passes(DAY).await;
        let open = invoice_becomes(&shop, &active, 2, "payment_failed").await;
        let options = with(
            gives_back("full"),
            json!({ "account_receivables_handling": handling }),
        );
        let over = cancels(&shop, &active, options).await;
        assert_eq!(over["credit_amount"], 0, "nobody has paid it");
        if handling == "no_action" {
            let collect = on(&shop, "subscriptions_collect_invoice", &active);
            let id = open["id"].as_str().expect("an id");
            collect.at("invoice_id", id).await.ok();
        }
        if handling != "write_off" {
            let paid = until_in_steps(&shop, &active, 60, |now| now["credit_amount"] == 100);
            paid.await;
        }
        let all = invoices(&shop, &active).await;
        let statuses = all.iter().map(|it| it["status"].as_str().unwrap_or("-"));
        seen.push(format!(
            "{handling}: {}",
            statuses.collect::<Vec<_>>().join(", ")
        ));
    }
    assert_eq!(
        seen,
        [
            "no_action: invoice_paid, invoice_paid, invoice_paid",
            "write_off: invoice_paid, voided",
            "schedule_payment_collection: invoice_paid, invoice_paid, invoice_paid",
        ]
    );
    assert_eq!(shop.money().captured, 5 * 100);
}

/// The term was charged at two prices.
#[tokio::test]
async fn all_that_was_charged_for_the_term_goes_back_in_full() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let dearer = json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly" });
    on(&shop, "subscriptions_update", &active)
        .json(&dearer)
        .await
        .ok();
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    let over = cancels(&shop, &active, gives_back("full")).await;
    let charged = 990 + second["amount"].as_i64().expect("an amount");
    assert_eq!(over["credit_amount"], charged);
    assert_eq!(shop.money().captured, charged);
}

/// Credit that was set off against a voided invoice isn't lost.
#[tokio::test]
async fn credit_set_off_against_a_voided_invoice_returns() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = super::with_an_open_invoice(&shop).await;
    let set_off: i64 = lines(&active["invoice"])
        .iter()
        .filter(|(kind, _)| kind == "return")
        .map(|(_, amount)| -amount)
        .sum();
    assert!(set_off > 980, "{active:#}");
    let id = active["invoice"]["id"].as_str().expect("an id");
    let void = on(&shop, "subscriptions_void_invoice", &active).at("invoice_id", id);
    assert_eq!(void.await.ok()["status"], "voided");
    assert_eq!(now(&shop, &active).await["credit_amount"], set_off);
}
