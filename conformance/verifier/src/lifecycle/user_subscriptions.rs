//! The subscriptions and the catalogue of the merchant account, looked after by a signed-in user.

use serde_json::{Value, json};

use super::team::{asks, joined};
use crate::bodies::{APPROVED, card, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// Builds a user's call about a subscription.
fn on(run: &Run, signed_in: &Value, operation: &str, subscription: &Value) -> Call {
    let id = subscription["id"].as_str().unwrap_or("-");
    asks(run, signed_in, operation).at("subscription_id", id)
}

/// Lets an operator act on a subscription, and a viewer read it.
pub(super) async fn looked_after(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let (operator, _) = joined(run, "merchant_operator", &merchant.id, "hamilton").await?;
    let active = subscribed(run, merchant).await?;
    found(run, &operator, &active).await?;
    changed(run, &operator, &active).await?;
    settled(run, &operator, &active).await?;
    ended(run, &operator, &active).await?;
    let (viewer, _) = joined(run, "merchant_view_only", &merchant.id, "germain").await?;
    let wanted = [("/status", json!("cancelled"))];
    let call = on(run, &viewer, "user_subscriptions_retrieve", &active);
    run.works("a viewer reads it", call, &wanted).await?;
    let call = on(run, &viewer, "user_subscriptions_cancel", &active);
    run.is_refused("and cancels nothing", call, 403, "IR_22")
        .await;
    let call = asks(run, &viewer, "subscription_products_list");
    let call = call.header("X-Profile-Id", &merchant.profile_id);
    run.works("the catalogue is read too", call, &[]).await?;
    let call = asks(run, &viewer, "subscription_products_create");
    let call = call.header("X-Profile-Id", &merchant.profile_id);
    let call = call.json(&json!({ "name": "A new product" }));
    run.is_refused("but not extended", call, 403, "IR_22").await;
    Ok(())
}

/// Creates a subscription that is paid at once, with the merchant's key.
async fn subscribed(run: &mut Run, merchant: &Merchant) -> Result<Value, Stop> {
    let consent = json!({ "acceptance_type": "online", "online": { "user_agent": "Browser/1.0" } });
    let details = with(card(APPROVED), json!({ "customer_acceptance": consent }));
    let back = json!({ "return_url": "https://merchant.example/thanks" });
    let body = json!({
        "item_price_id": "reader-monthly", "customer_id": "reader", "payment_details": with(back, details),
    });
    let call = merchant.call("subscriptions_create_and_confirm");
    let call = call.header("X-Profile-Id", &merchant.profile_id);
    let wanted = [("/status", json!("active"))];
    run.works("somebody subscribes", call.json(&body), &wanted)
        .await
}

/// Lists and retrieves the subscription and its invoice.
async fn found(run: &mut Run, operator: &Value, active: &Value) -> Result<(), Stop> {
    let list = asks(run, operator, "user_subscriptions_list");
    let wanted = [("/0/id", active["id"].clone())];
    let call = list.clone().query("status", "active");
    run.works("the operator finds it", call, &wanted).await?;
    let call = list.clone().query("limit", 101);
    run.is_refused("on no longer page", call, 422, "IR_06")
        .await;
    let call = list.query("status", "gone");
    run.is_refused("by no other word", call, 400, "IR_06").await;
    let wanted = [
        ("/invoice/status", json!("invoice_paid")),
        ("/client_secret", json!("")),
    ];
    let call = on(run, operator, "user_subscriptions_retrieve", active);
    run.works("its secret stays hidden", call.clone(), &wanted)
        .await?;
    let call = call.moved("subscription_id", "sub_unborn");
    run.is_refused("nobody's is read", call, 404, "IR_37").await;
    let list = on(run, operator, "user_subscriptions_list_invoices", active);
    let wanted = [("/0/number", json!(1)), ("/0/invoice_link", json!(""))];
    run.works("its first invoice", list.clone(), &wanted)
        .await?;
    let call = list.clone().query("limit", 101);
    run.is_refused("on no longer page", call, 422, "IR_06")
        .await;
    let call = list.moved("subscription_id", "sub_unborn");
    run.is_refused("nobody has invoices", call, 404, "IR_37")
        .await;
    Ok(())
}

/// Estimates a change of the price, and then makes it.
async fn changed(run: &mut Run, operator: &Value, active: &Value) -> Result<(), Stop> {
    let estimate = on(run, operator, "user_subscriptions_estimate", active);
    let update = on(run, operator, "user_subscriptions_update", active);
    for (plan, price, quantity, status, code) in [
        ("gold", "reader-yearly", 1, 422, "IR_06"),
        ("reader", "none", 1, 404, "HE_02"),
        ("reader", "reader-yearly", 999_999, 422, "IR_05"),
        ("gold", "gold-monthly", 1, 400, "IR_16"),
    ] {
        let call = estimate.clone().query("plan_id", plan);
        let call = call
            .query("item_price_id", price)
            .query("quantity", quantity);
        run.is_refused("an estimate of that", call, status, code)
            .await;
        let body = json!({ "plan_id": plan, "item_price_id": price, "quantity": quantity });
        let call = update.clone().json(&body);
        run.is_refused("a change to that", call, status, code).await;
    }
    let call = estimate.clone().query("plan_id", "reader");
    run.is_refused("an estimate of no price", call.clone(), 400, "IR_04")
        .await;
    let yearly = call.query("item_price_id", "reader-yearly");
    let call = yearly.clone().moved("subscription_id", "sub_unborn");
    run.is_refused("of nobody's subscription", call, 404, "IR_37")
        .await;
    let call = yearly.clone().query("color", "red");
    run.is_refused("of another colour", call, 400, "IR_06")
        .await;
    let wanted = [("/item_price_id", json!("reader-yearly"))];
    run.works("what a year costs", yearly, &wanted).await?;
    let body = json!({ "plan_id": "reader", "item_price_id": "reader-yearly" });
    let call = update.json(&body);
    run.works("a year instead", call.clone(), &wanted).await?;
    let call = call.moved("subscription_id", "sub_unborn");
    run.is_refused("for nobody", call, 404, "IR_37").await;
    Ok(())
}

/// Tries to settle what is settled, and to refund credit that later invoices use.
async fn settled(run: &mut Run, operator: &Value, active: &Value) -> Result<(), Stop> {
    let invoice = active["invoice"]["id"].as_str().unwrap_or("-");
    for operation in [
        "user_subscriptions_void_invoice",
        "user_subscriptions_collect_invoice",
    ] {
        let call = on(run, operator, operation, active).at("invoice_id", invoice);
        run.is_refused("an invoice that is paid", call.clone(), 400, "IR_16")
            .await;
        let other = call.clone().moved("invoice_id", "invoice_unborn");
        run.is_refused("another invoice", other, 404, "HE_02").await;
        let nobodys = call.moved("subscription_id", "sub_unborn");
        run.is_refused("nobody's invoice", nobodys, 404, "IR_37")
            .await;
    }
    let call = on(run, operator, "user_subscriptions_refund_credit", active);
    run.is_refused("it goes on", call.clone(), 400, "IR_16")
        .await;
    let nobodys = call.moved("subscription_id", "sub_unborn");
    run.is_refused("nobody's credit", nobodys, 404, "IR_37")
        .await;
    Ok(())
}

/// Pauses, resumes and cancels the subscription.
async fn ended(run: &mut Run, operator: &Value, active: &Value) -> Result<(), Stop> {
    for (operation, option, date, status) in [
        (
            "user_subscriptions_pause",
            "pause_option",
            "pause_at",
            "paused",
        ),
        (
            "user_subscriptions_resume",
            "resume_option",
            "resume_date",
            "active",
        ),
        (
            "user_subscriptions_cancel",
            "cancel_option",
            "cancel_at",
            "cancelled",
        ),
    ] {
        let call = on(run, operator, operation, active);
        let dateless = call.clone().json(&json!({ option: "specific_date" }));
        run.is_refused("on no date", dateless, 400, "IR_04").await;
        let past = json!({ option: "specific_date", date: "2020-01-01T00:00:00Z" });
        run.is_refused("in the past", call.clone().json(&past), 422, "IR_06")
            .await;
        let nobodys = call.clone().moved("subscription_id", "sub_unborn");
        run.is_refused("of nobody", nobodys, 404, "IR_37").await;
        run.works(
            "by the operator",
            call.clone(),
            &[("/status", json!(status))],
        )
        .await?;
        run.is_refused("and only once", call, 400, "IR_16").await;
    }
    Ok(())
}
