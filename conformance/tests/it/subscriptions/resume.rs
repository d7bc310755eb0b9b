//! Pausing, resuming, cancelling. (Specification 4.6; facts 2.6, 3.13, 13 M)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use multirail_conformance::response::moment;
use serde_json::{Value, json};

use super::{
    DAY, call, invoice_becomes, invoices, now, offers, on, pays_with, subscribed, until, wanted,
};

/// A paused subscription is resumed at once or at a date; an active one can't be resumed.
pub async fn trace_m(shop: Shop) {
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let resume = |body: Value| on(&shop, "subscriptions_resume", &active).json(&body);
    let said = resume(json!({})).await.refused(400, "IR_16");
    assert_eq!(
        said,
        "You cannot resume this subscription because it has status active"
    );
    let pause = || on(&shop, "subscriptions_pause", &active);
    let paused = pause().await.ok();
    assert_eq!(paused["status"], "paused");
    assert!(paused["paused_at"].is_string());
    pause().await.refused(400, "IR_16");

    let before = shop.time_passes(10 * DAY).await;
    let resumed = resume(json!({})).await.ok();
    let members: Vec<&str> = resumed
        .as_object()
        .expect("one")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        members,
        [
            "id",
            "status",
            "profile_id",
            "merchant_id",
            "customer_id",
            "merchant_reference_id",
            "next_billing_at"
        ]
    );
    assert_eq!(resumed["status"], "active");
    let off = (moment(&resumed["next_billing_at"]) - moment(&before["now"])).num_seconds();
    assert!((0..60).contains(&off), "now: {off}");
    // The worker bills the new period, minus the whole rest of the first one.
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    assert!(second["amount"].as_i64() < Some(10), "{second}");

    pause().await.ok();
    let date = moment(&before["now"]) + chrono::Duration::days(40);
    let body = json!({ "resume_option": "specific_date", "resume_date": date.to_rfc3339() });
    let planned = resume(body).await.ok();
    assert_eq!(planned["status"], "paused");
    assert_eq!(
        moment(&planned["next_billing_at"]).timestamp(),
        date.timestamp()
    );
    shop.time_passes(39 * DAY).await;
    assert_eq!(now(&shop, &active).await["status"], "paused");
    shop.time_passes(DAY).await;
    let third = invoice_becomes(&shop, &active, 3, "invoice_paid").await;
    assert_eq!(moment(&third["period_start"]).timestamp(), date.timestamp());
    assert_eq!(now(&shop, &active).await["status"], "active");
}

#[tokio::test]
async fn every_refusal_of_a_resume() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    on(&shop, "subscriptions_pause", &active).await.ok();
    let resume = |body: Value| on(&shop, "subscriptions_resume", &active).json(&body);
    let bare = shop
        .call("subscriptions_resume")
        .at("subscription_id", super::id(&active));
    let said = bare.json(&json!({})).await.refused(400, "IR_04");
    assert!(said.starts_with("X-Profile-Id"), "{said}");
    let stranger = shop
        .call("subscriptions_resume")
        .header("X-Profile-Id", "pro_none");
    let stranger = stranger.at("subscription_id", super::id(&active));
    stranger.json(&json!({})).await.refused(404, "HE_02");
    let none = call(&shop, "subscriptions_resume").at("subscription_id", "sub_none");
    let said = none.json(&json!({})).await.refused(404, "IR_37");
    assert_eq!(said, "subscription not found for id: sub_none");
    let other = json!({ "profile_name": "second" });
    let other = shop
        .call("business_profiles_create")
        .json(&other)
        .await
        .ok();
    let other = other["profile_id"].as_str().expect("an id");
    let of_other = shop
        .call("subscriptions_resume")
        .header("X-Profile-Id", other);
    let of_other = of_other.at("subscription_id", super::id(&active));
    of_other.json(&json!({})).await.refused(404, "IR_37");
    let at = json!({ "resume_option": "specific_date" });
    let said = resume(at.clone()).await.refused(400, "IR_04");
    assert!(said.starts_with("resume_date"), "{said}");
    let past = json!({ "resume_date": "2020-01-01T00:00:00Z" });
    resume(with(at, past.clone())).await.refused(422, "IR_06");
    resume(past).await.refused(422, "IR_06");
    for (member, word) in [
        ("resume_option", "tomorrow"),
        ("charges_handling", "forget"),
        ("unpaid_invoices_handling", "forget"),
        ("resume_on", "immediately"),
    ] {
        resume(json!({ member: word })).await.refused(400, "IR_06");
    }
    let by_client = shop
        .server
        .wire
        .call("subscriptions_resume")
        .key(&shop.publishable_key);
    let by_client = by_client
        .at("subscription_id", super::id(&active))
        .json(&json!({}));
    by_client.await.refused(401, "IR_01");
    assert_eq!(
        now(&shop, &active).await["status"],
        "paused",
        "nothing has changed"
    );
}

#[tokio::test]
async fn a_charge_may_wait_for_the_next_invoice() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let pause = json!({ "pause_option": "end_of_term" });
    let planned = on(&shop, "subscriptions_pause", &active)
        .json(&pause)
        .await
        .ok();
    assert_eq!(planned["status"], "active");
    assert_eq!(planned["paused_at"], active["next_billing_at"]);
    shop.time_passes(40 * DAY).await;
    until(&shop, &active, |now| now["status"] == "paused").await;
    let resume = json!({ "charges_handling": "add_to_unbilled_charges" });
    on(&shop, "subscriptions_resume", &active)
        .json(&resume)
        .await
        .ok();
    let is_past = |now: &Value| now["current_period_start"] != active["current_period_start"];
    until(&shop, &active, is_past).await;
    assert_eq!(invoices(&shop, &active).await.len(), 1);
    shop.time_passes(31 * DAY).await;
    let second = invoice_becomes(&shop, &active, 2, "invoice_paid").await;
    assert_eq!(second["amount"], 1_980, "two periods");
}

#[tokio::test]
async fn it_is_cancelled_at_once_or_at_the_end() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let cancel = |of: &Value, body: Value| on(&shop, "subscriptions_cancel", of).json(&body);
    let planned = cancel(&active, json!({ "cancel_option": "end_of_term" }))
        .await
        .ok();
    assert_eq!(planned["status"], "active");
    assert_eq!(planned["cancelled_at"], active["next_billing_at"]);
    shop.time_passes(31 * DAY).await;
    let over = until(&shop, &active, |now| now["status"] == "cancelled").await;
    assert_eq!(over["cancelled_at"], active["next_billing_at"]);
    assert_eq!(
        invoices(&shop, &active).await.len(),
        1,
        "no further period is billed"
    );
    let mut refusals = Vec::new();
    for operation in ["cancel", "pause", "resume", "confirm"] {
        let call = on(&shop, &format!("subscriptions_{operation}"), &active);
        let call = match operation {
            "confirm" => call.json(&json!({ "payment_details": pays_with(APPROVED) })),
            _ => call.json(&json!({})),
        };
        refusals.push(call.await.refused(400, "IR_16"));
    }
    insta::assert_json_snapshot!(refusals, @r#"
    [
      "You cannot cancel this subscription because it has status cancelled",
      "You cannot pause this subscription because it has status cancelled",
      "You cannot resume this subscription because it has status cancelled",
      "You cannot confirm this subscription because it has status cancelled"
    ]
    "#);

    // A subscription that was never confirmed can't be paid any more.
    let made = call(&shop, "subscriptions_create")
        .json(&wanted("reader_monthly"))
        .await
        .ok();
    assert_eq!(cancel(&made, json!({})).await.ok()["status"], "cancelled");
    let payment = json!({ "payment_id": made["payment"]["payment_id"] });
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "cancelled");
    assert_eq!(shop.money().captured, 990);
}

#[tokio::test]
async fn it_goes_on_at_once_where_nothing_else_is_said() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    for body in [None, Some(json!({ "resume_option": "immediately" }))] {
        on(&shop, "subscriptions_pause", &active).await.ok();
        let resume = on(&shop, "subscriptions_resume", &active);
        let resume = match &body {
            Some(body) => resume.json(body),
            None => resume,
        };
        assert_eq!(resume.await.ok()["status"], "active", "{body:?}");
    }
}
