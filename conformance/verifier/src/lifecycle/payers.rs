//! Payments with the payer's participation.

use std::time::Instant;

use serde_json::json;

use crate::bodies::{APPROVED, DEVICE_DATA, THREE_DS, card, order, order_with, with};
use crate::browser::Browser;
use crate::run::{Merchant, Run, Stop};

/// Opens a page of the simulated processor, and presses a button there. The payer comes back with a payment that succeeded.
pub(super) async fn presses(
    run: &mut Run,
    start: &str,
    button: &str,
    scenario: &str,
) -> Result<(), Stop> {
    let started = Instant::now();
    let browser = Browser::new(&run.wire);
    let pressed = async {
        let page = browser.opens_here(start).await?;
        let end = browser.presses(&page, button).await?;
        let is_back = end.url.as_str().starts_with("https://shop.example/thanks?");
        match end.query_value("status").as_deref() {
            Some("succeeded") if is_back => Ok(()),
            _ => Err(format!("the payer ended at {}: {}", end.url, end.html)),
        }
    };
    let result = pressed.await;
    let operation = "payments_confirm".to_owned();
    run.file(operation, scenario, started.elapsed(), result)
}

pub(super) async fn three_d_secure(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = with(
        order_with(THREE_DS),
        json!({ "confirm": true, "authentication_type": "three_ds", "return_url": "https://shop.example/thanks" }),
    );
    let wanted = [
        ("/status", json!("requires_customer_action")),
        ("/next_action/type", json!("redirect_to_url")),
    ];
    let call = merchant.call("payments_create").json(&body);
    let payment = run.works("the payer is asked", call, &wanted).await?;
    let start = payment["next_action"]["redirect_to_url"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    presses(run, &start, "Approve", "the payer approves and comes back").await?;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/next_action", json!(null)),
    ];
    run.works(
        "approved",
        merchant.on("payments_retrieve", &payment),
        &wanted,
    )
    .await?;
    Ok(())
}

pub(super) async fn with_device_data(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = with(order_with(DEVICE_DATA), json!({ "confirm": true }));
    let wanted = [
        ("/status", json!("requires_customer_action")),
        ("/next_action/type", json!("three_ds_invoke")),
    ];
    let call = merchant.call("payments_create").json(&body);
    let payment = run.works("device data are wanted", call, &wanted).await?;
    let complete = merchant
        .on("payments_complete_authorize", &payment)
        .json(&json!({ "threeds_method_comp_ind": "Y" }));
    let wanted = [("/status", json!("succeeded"))];
    run.works("they were collected", complete.clone(), &wanted)
        .await?;
    run.is_refused("collected twice", complete, 400, "IR_16")
        .await;
    Ok(())
}

pub(super) async fn by_link(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let asked =
        json!({ "payment_link": true, "payment_link_config": { "seller_name": "The bookshop" } });
    let call = merchant.call("payments_create");
    let call = call.json(&with(order(), asked));
    let payment = run.works("an order with a link", call, &[]).await?;
    let link = payment["payment_link"]["link"].as_str().unwrap_or_default();
    let started = Instant::now();
    let shown = Browser::new(&run.wire).opens_here(link).await;
    let result = shown.and_then(|page| {
        let is_form = page.html.contains("cc-number") && page.html.contains("The bookshop");
        let told = (page.status == 200 && is_form).then_some(());
        told.ok_or_else(|| format!("{link} answered {}: {}", page.status, page.html))
    });
    run.file(
        "payments_create".to_owned(),
        "the payer follows the link",
        started.elapsed(),
        result,
    )?;
    let body = with(
        json!({ "client_secret": payment["client_secret"] }),
        card(APPROVED),
    );
    let call = merchant.on("payments_confirm", &payment);
    let call = call.key(&merchant.publishable_key).json(&body);
    let wanted = [("/status", json!("succeeded"))];
    run.works("the page pays", call, &wanted).await?;
    let colourless = json!({ "payment_link": true, "payment_link_config": { "theme": "red" } });
    let call = merchant.call("payments_create");
    let call = call.json(&with(order(), colourless));
    run.is_refused("a colour that is none", call, 422, "IR_05")
        .await;
    Ok(())
}

pub(super) async fn from_the_payers_side(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant.call("payments_create").json(&order());
    let payment = run.works("an order for a payer", call, &[]).await?;
    let secret = payment["client_secret"].clone();
    let client = |operation| {
        merchant
            .on(operation, &payment)
            .key(&merchant.publishable_key)
    };
    run.is_refused(
        "without the client secret",
        client("payments_retrieve"),
        400,
        "IR_04",
    )
    .await;
    let body = json!({ "client_secret": secret, "amount": 1 });
    run.is_refused(
        "a payer sets the price",
        client("payments_update").json(&body),
        422,
        "IR_06",
    )
    .await;
    let body =
        json!({ "payment_id": payment["payment_id"], "client_secret": secret, "wallets": [] });
    let call = client("payments_session_tokens").json(&body);
    let wanted = [("/vault_details/vault_type", json!("internal_vault"))];
    let session = run
        .works("a checkout asks for wallets", call, &wanted)
        .await?;
    let authorization = &session["vault_details"]["vault_data"]["sdk_authorization"];
    let call = merchant.on("payments_retrieve", &payment).without_key();
    let call = call.header("authorization", authorization.as_str().unwrap_or_default());
    run.works("key and secret in one text", call, &[]).await?;
    let body = with(json!({ "client_secret": secret }), card(APPROVED));
    let call = client("payments_confirm").json(&body);
    run.works("a payer pays", call, &[("/status", json!("succeeded"))])
        .await?;
    run.is_refused("a payer captures", client("payments_capture"), 401, "IR_01")
        .await;
    Ok(())
}
