//! Customers.

use serde_json::{Value, json};

use crate::bodies::{APPROVED, card, card_to_save, order, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

fn on(merchant: &Merchant, operation: &str, customer: &Value) -> Call {
    let id = customer["customer_id"].as_str().unwrap_or("-");
    merchant.call(operation).at("customer_id", id)
}

pub(super) async fn known_and_forgotten(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let ada = json!({
        "name": "Ada Example", "email": "ada@shopper.example", "phone": "2025550132",
        "address": { "line1": "12 Analytical Row", "country": "GB" }, "metadata": { "loyalty": "gold" },
    });
    let call = merchant.call("customers_create").json(&ada);
    let wanted = [
        ("/email", ada["email"].clone()),
        ("/address/country", json!("GB")),
        ("/default_payment_method_id", json!(null)),
    ];
    let ada = run.works("a payer is noted", call, &wanted).await?;
    let again = json!({ "customer_id": ada["customer_id"] });
    let again = merchant.call("customers_create").json(&again);
    run.is_refused("the same payer again", again, 400, "IR_12")
        .await;
    let change = json!({ "description": "Reads mathematics" });
    let call = on(merchant, "customers_update", &ada).json(&change);
    let wanted = [
        ("/description", change["description"].clone()),
        ("/name", ada["name"].clone()),
    ];
    run.works("more is noted", call, &wanted).await?;
    let call = on(merchant, "customers_retrieve", &ada);
    run.works("the payer is remembered", call, &wanted).await?;
    let call = merchant.call("customers_list");
    let call = call.query("email", "ADA@shopper.example");
    let wanted = [("/0/customer_id", ada["customer_id"].clone())];
    run.works("and found by the address", call, &wanted).await?;
    let of_ada = json!({ "customer_id": ada["customer_id"] });
    let call = merchant.call("payments_create");
    let call = call.json(&with(order(), of_ada.clone()));
    let ordered = run.works("who orders something", call, &[]).await?;
    let call = on(merchant, "customers_delete", &ada);
    let wanted = [
        ("/customer_deleted", json!(true)),
        ("/address_deleted", json!(true)),
        ("/payment_methods_deleted", json!(true)),
    ];
    run.works("the payer is forgotten", call, &wanted).await?;
    for operation in [
        "customers_retrieve",
        "customers_delete",
        "customer_mandates_list",
        "customer_payment_methods_list",
    ] {
        let call = on(merchant, operation, &ada);
        run.is_refused("for good", call, 400, "IR_11").await;
    }
    let call = on(merchant, "customers_update", &ada).json(&change);
    run.is_refused("nothing is noted any more", call, 400, "IR_11")
        .await;
    let call = on(merchant, "payment_methods_set_default", &ada);
    let call = call.at("payment_method_id", "unborn");
    run.is_refused("without a card", call, 400, "IR_11").await;
    let call = merchant.call("payment_methods_create");
    let call = call.json(&with(card_to_save(), of_ada.clone()));
    run.is_refused("nor a new one", call, 400, "IR_11").await;
    let call = merchant.on("payments_confirm", &ordered);
    run.is_refused("who pays no more", call.json(&card(APPROVED)), 400, "IR_11")
        .await;
    if run.facts.publishable_key {
        let secret = ordered["client_secret"].as_str().unwrap_or("-");
        let call = merchant.call("payer_payment_methods_list");
        let call = call.key(&merchant.publishable_key);
        let call = call.query("client_secret", secret);
        run.is_refused("nor sees anything", call, 400, "IR_11")
            .await;
    }
    let call = merchant.call("ephemeral_keys_create").json(&of_ada);
    run.is_refused("without a key", call, 400, "IR_11").await;
    let call = merchant.call("payments_create");
    let call = call.json(&with(order(), of_ada.clone()));
    run.is_refused("who orders no more", call, 400, "IR_11")
        .await;
    let call = merchant.call("payments_create").json(&order());
    let open = run.works("an order of nobody", call, &[]).await?;
    let call = merchant.on("payments_update", &open).json(&of_ada);
    run.is_refused("nor takes one over", call, 400, "IR_11")
        .await;
    let call = merchant.call("customers_list");
    let wanted = [("/0/name", json!("Redacted")), ("/0/address", json!(null))];
    let call = call.query("customer_id", ada["customer_id"].as_str().unwrap_or("-"));
    run.works("nothing of the payer is left", call, &wanted)
        .await?;
    Ok(())
}
