//! The reach of a payment's client secret, and refusals of other payments' secrets.

use serde_json::{Value, json};

use crate::bodies::{APPROVED, card, card_to_save, order, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// A secret in the right form that belongs to no payment.
const UNKNOWN_SECRET: &str = "pay_unborn_secret_unborn";

pub(super) async fn separated(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant.call("payments_create").json(&order());
    let own = run.works("an order of one payer", call, &[]).await?;
    let call = merchant.call("payments_create").json(&order());
    let other = run.works("an order of another", call, &[]).await?;
    let secret = |payment: &Value| json!({ "client_secret": payment["client_secret"] });
    let text = |payment: &Value| {
        let text = payment["client_secret"].as_str();
        text.unwrap_or("-").to_owned()
    };
    let by_payer = |call: Call| call.key(&merchant.publishable_key);
    let on = |operation: &str| merchant.on(operation, &own);

    let wrong = by_payer(on("payments_retrieve")).query("client_secret", text(&other));
    run.is_refused("the other's secret", wrong, 400, "IR_09")
        .await;
    let both = on("payments_retrieve").query("client_secret", text(&own));
    run.is_refused("a secret beside the secret key", both, 422, "IR_06")
        .await;
    for (operation, more) in [
        ("payments_update", json!({ "email": "ada@shopper.example" })),
        ("payments_confirm", card(APPROVED)),
        (
            "payments_complete_authorize",
            json!({ "threeds_method_comp_ind": "Y" }),
        ),
    ] {
        let call = || by_payer(on(operation));
        let with_the_others = call().json(&with(secret(&other), more.clone()));
        run.is_refused("the other's secret", with_the_others, 400, "IR_09")
            .await;
        run.is_refused("no secret", call().json(&more), 400, "IR_04")
            .await;
    }
    let body = with(secret(&other), json!({ "wallets": [] }));
    let body = with(body, json!({ "payment_id": own["payment_id"] }));
    let call = by_payer(merchant.call("payments_session_tokens")).json(&body);
    run.is_refused("the other's secret", call, 400, "IR_09")
        .await;
    saved(run, merchant).await
}

/// Payers' saved methods.
async fn saved(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let customer = merchant.call("customers_create").json(&json!({}));
    let customer = run.works("a payer is noted", customer, &[]).await?;
    let customer_id = customer["customer_id"].as_str().unwrap_or("-");
    let call = |operation: &str| {
        let call = merchant.call(operation).key(&merchant.publishable_key);
        call.at("customer_id", customer_id)
    };
    for operation in [
        "account_payment_methods_list",
        "customer_payment_methods_list",
        "payer_payment_methods_list",
    ] {
        run.is_refused("no secret", call(operation), 400, "IR_04")
            .await;
        let of_nobody = call(operation).query("client_secret", UNKNOWN_SECRET);
        run.is_refused("nobody's secret", of_nobody, 400, "IR_09")
            .await;
    }
    let order = with(order(), json!({ "customer_id": customer_id }));
    let made = merchant.call("payments_create").json(&order);
    let theirs = run.works("an order of this payer", made, &[]).await?;
    let another = merchant.call("customers_create").json(&json!({}));
    let another = run.works("another payer is noted", another, &[]).await?;
    let secret = theirs["client_secret"].as_str().unwrap_or("-");
    let another = another["customer_id"].as_str().unwrap_or("-");
    let call = call("customer_payment_methods_list").query("client_secret", secret);
    let call = call.moved("customer_id", another);
    run.is_refused("by the secret of the first", call, 400, "IR_16")
        .await;
    let body = with(json!({ "client_secret": UNKNOWN_SECRET }), card_to_save());
    let call = merchant.call("payment_methods_create");
    let call = call.key(&merchant.publishable_key).json(&body);
    run.is_refused("saved by nobody's secret", call, 400, "IR_09")
        .await;
    let update = merchant.call("payment_methods_update");
    let update = update.at("payment_method_id", "pm_unborn");
    let update = update.json(&json!({ "card": { "nick_name": "late" } }));
    for (call, scenario) in [
        (
            merchant
                .call("payment_methods_create")
                .json(&card_to_save()),
            "saved by no secret",
        ),
        (update, "changed by no secret"),
    ] {
        let call = call.key(&merchant.publishable_key);
        run.is_refused(scenario, call, 400, "IR_04").await;
    }
    Ok(())
}
