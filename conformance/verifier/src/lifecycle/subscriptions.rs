//! A customer's subscription.

use serde_json::{Value, json};

use crate::bodies::{APPROVED, card, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// Builds the merchant's call about its profile, which our own engine already bills.
fn ask(merchant: &Merchant, operation: &str) -> Call {
    let call = merchant.call(operation);
    call.header("X-Profile-Id", &merchant.profile_id)
}

fn on(merchant: &Merchant, operation: &str, subscription: &Value) -> Call {
    let id = subscription["id"].as_str().unwrap_or("-");
    ask(merchant, operation).at("subscription_id", id)
}

/// Payment details with the payer's consent.
fn pays() -> Value {
    let consent = json!({ "acceptance_type": "online", "online": { "user_agent": "Browser/1.0" } });
    with(card(APPROVED), json!({ "customer_acceptance": consent }))
}

pub(super) async fn billed(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    for (list, body) in [
        (
            "products",
            json!({ "product_id": "reading", "name": "Reading" }),
        ),
        (
            "items",
            json!({ "item_id": "reader", "product_id": "reading", "item_type": "plan", "name": "Reader" }),
        ),
        (
            "item_prices",
            json!({ "item_price_id": "reader-monthly", "item_id": "reader", "amount": 990, "currency": "USD", "interval": "month" }),
        ),
        (
            "item_prices",
            json!({ "item_price_id": "reader-yearly", "item_id": "reader", "amount": 9900, "currency": "USD", "interval": "year" }),
        ),
    ] {
        let call = ask(merchant, &format!("subscription_{list}_create")).json(&body);
        run.works("something to subscribe to", call, &[]).await?;
    }
    let reader = json!({ "customer_id": "reader" });
    let call = merchant.call("customers_create").json(&reader);
    run.works("somebody who wants it", call, &[]).await?;
    let wanted = |more: Value| {
        let details = with(
            json!({ "return_url": "https://merchant.example/thanks" }),
            more,
        );
        json!({ "item_price_id": "reader-monthly", "customer_id": "reader", "payment_details": details })
    };

    let call = merchant
        .call("subscriptions_create")
        .json(&wanted(json!({})));
    run.is_refused("of no profile", call, 400, "IR_04").await;
    let call = ask(merchant, "subscriptions_create").json(&wanted(json!({})));
    let is = [
        ("/status", json!("created")),
        ("/invoice/status", json!("invoice_created")),
    ];
    let made = run.works("it is made", call, &is).await?;
    let confirm = json!({ "payment_details": pays() });
    let confirms = || on(merchant, "subscriptions_confirm", &made).json(&confirm);
    let is = [
        ("/status", json!("active")),
        ("/invoice/status", json!("invoice_paid")),
        ("/payment/status", json!("succeeded")),
    ];
    let active = run.works("its payer pays", confirms(), &is).await?;
    run.is_refused("twice", confirms(), 409, "IR_16").await;
    let call = on(merchant, "subscriptions_retrieve", &made);
    run.works("it remembers", call, &is).await?;
    let resume = |body: Value| on(merchant, "subscriptions_resume", &made).json(&body);
    run.is_refused("what is not paused", resume(json!({})), 400, "IR_16")
        .await;
    for (operation, option, date) in [
        ("subscriptions_pause", "pause_option", "pause_at"),
        ("subscriptions_cancel", "cancel_option", "cancel_at"),
    ] {
        let dateless = json!({ option: "specific_date" });
        let call = on(merchant, operation, &made).json(&dateless);
        run.is_refused("on no date", call, 400, "IR_04").await;
        let past = json!({ option: "specific_date", date: "2020-01-01T00:00:00Z" });
        let call = on(merchant, operation, &made).json(&past);
        run.is_refused("in the past", call, 422, "IR_06").await;
    }
    let call = on(merchant, "subscriptions_pause", &made);
    run.works("it is paused", call, &[("/status", json!("paused"))])
        .await?;
    let dateless = json!({ "resume_option": "specific_date" });
    run.is_refused("resumed on no date", resume(dateless), 400, "IR_04")
        .await;
    let later = json!({ "resume_option": "specific_date", "resume_date": "2099-01-01T00:00:00Z" });
    let is = [
        ("/status", json!("paused")),
        ("/next_billing_at", json!("2099-01-01T00:00:00.000Z")),
    ];
    run.works("resumed later", resume(later), &is).await?;
    run.works("or now", resume(json!({})), &[("/status", json!("active"))])
        .await?;

    let named = json!({ "merchant_reference_id": "the other" });
    let call = ask(merchant, "subscriptions_create_and_confirm");
    let call = call.json(&with(wanted(pays()), named.clone()));
    let is = [("/status", json!("active")), ("/plan_id", json!("reader"))];
    let other = run.works("another one, paid at once", call, &is).await?;
    for (operation, body) in [
        ("subscriptions_create", wanted(json!({}))),
        ("subscriptions_create_and_confirm", wanted(pays())),
    ] {
        let call = ask(merchant, operation).json(&with(body.clone(), named.clone()));
        run.is_refused("of the same name", call, 400, "HE_01").await;
        let elsewhere = json!({ "plan_id": "gold" });
        let call = ask(merchant, operation).json(&with(body, elsewhere));
        run.is_refused("at the price of another plan", call, 422, "IR_06")
            .await;
    }
    let elsewhere = json!({ "plan_id": "gold", "item_price_id": "reader-yearly" });
    let call = on(merchant, "subscriptions_update", &other).json(&elsewhere);
    run.is_refused("at the price of another plan", call, 422, "IR_06")
        .await;
    let yearly = json!({ "plan_id": "reader", "item_price_id": "reader-yearly" });
    let call = on(merchant, "subscriptions_update", &other).json(&yearly);
    let is = [("/item_price_id", json!("reader-yearly"))];
    run.works("a year instead", call, &is).await?;
    let call = on(merchant, "subscriptions_list_invoices", &other);
    let is = [("/0/number", json!(2)), ("/1/number", json!(1))];
    run.works("which is billed", call, &is).await?;
    let first = active["invoice"]["id"].as_str().unwrap_or("-");
    let invoice = |operation: &str| on(merchant, operation, &made).at("invoice_id", first);
    let is = [("/status", json!("invoice_paid")), ("/amount", json!(990))];
    let call = invoice("subscriptions_retrieve_invoice");
    run.works("an invoice", call, &is).await?;
    for operation in [
        "subscriptions_void_invoice",
        "subscriptions_collect_invoice",
    ] {
        let call = invoice(operation);
        run.is_refused("that is paid", call, 400, "IR_16").await;
    }
    let call = on(merchant, "subscriptions_refund_credit", &made);
    run.is_refused("it goes on", call, 400, "IR_16").await;
    for subscription in [&made, &other] {
        let call = on(merchant, "subscriptions_cancel", subscription);
        let is = [("/status", json!("cancelled"))];
        run.works("enough", call, &is).await?;
        for operation in ["subscriptions_cancel", "subscriptions_pause"] {
            let call = on(merchant, operation, subscription);
            run.is_refused("it is over", call, 400, "IR_16").await;
        }
        let call = on(merchant, "subscriptions_update", subscription).json(&yearly);
        run.is_refused("it is over", call, 400, "IR_16").await;
        let call = on(merchant, "subscriptions_confirm", subscription).json(&confirm);
        run.is_refused("it is over", call, 400, "IR_16").await;
    }
    let call = ask(merchant, "subscriptions_list");
    let is = [
        ("/0/status", json!("cancelled")),
        ("/1/status", json!("cancelled")),
    ];
    run.works("both are listed", call, &is).await?;
    Ok(())
}
