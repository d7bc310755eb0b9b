//! Mandates.

use serde_json::{Value, json};

use crate::bodies::{APPROVED, order, paid_with, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

fn on(merchant: &Merchant, operation: &str, mandate: &Value) -> Call {
    let id = mandate["mandate_id"].as_str().unwrap_or("-");
    merchant.call(operation).at("mandate_id", id)
}

pub(super) async fn permitted_and_taken_back(
    run: &mut Run,
    merchant: &Merchant,
) -> Result<(), Stop> {
    let customer = merchant.call("customers_create").json(&json!({}));
    let customer = run.works("a payer is noted", customer, &[]).await?;
    let customer_id = customer["customer_id"].as_str().unwrap_or("-");
    let of_customer = json!({ "customer_id": customer_id });
    let permits = json!({ "mandate_data": {
        "mandate_type": { "multi_use": { "amount": 6540, "currency": "USD" } },
        "customer_acceptance": { "acceptance_type": "offline" },
    } });
    let body = with(with(paid_with(APPROVED), permits), of_customer.clone());
    let call = merchant.call("payments_create").json(&body);
    let wanted = [("/status", json!("succeeded"))];
    let paid = run
        .works("a payer pays, and permits more", call, &wanted)
        .await?;

    let wanted = [
        ("/status", json!("active")),
        ("/payment_method_id", paid["payment_method_id"].clone()),
        ("/card/last4_digits", json!("1111")),
        ("/customer_acceptance/acceptance_type", json!("offline")),
    ];
    let call = on(merchant, "mandates_retrieve", &paid);
    let mandate = run.works("there is a mandate", call, &wanted).await?;

    let charge =
        json!({ "confirm": true, "off_session": true, "mandate_id": mandate["mandate_id"] });
    let charge = with(with(order(), charge), of_customer.clone());
    let call = merchant.call("payments_create").json(&charge);
    let wanted = [
        ("/status", json!("succeeded")),
        ("/mandate_id", mandate["mandate_id"].clone()),
    ];
    run.works("it is charged without the payer", call, &wanted)
        .await?;
    let more = with(charge.clone(), json!({ "amount": 6541 }));
    let call = merchant.call("payments_create").json(&more);
    run.is_refused("for more than that", call, 400, "HE_03")
        .await;

    let in_euros = with(charge.clone(), json!({ "currency": "EUR" }));
    let call = merchant.call("payments_create").json(&in_euros);
    run.is_refused("in another currency", call, 400, "IR_46")
        .await;
    let euros = with(order(), json!({ "currency": "EUR" }));
    let call = merchant.call("payments_create");
    let call = call.json(&with(euros, of_customer.clone()));
    let open = run.works("an order in euros", call, &[]).await?;
    let by_it = json!({ "off_session": true, "mandate_id": mandate["mandate_id"] });
    let call = merchant.on("payments_confirm", &open).json(&by_it);
    run.is_refused("which it doesn't pay", call, 400, "IR_46")
        .await;

    let wanted = [("/0/mandate_id", mandate["mandate_id"].clone())];
    let call = merchant.call("mandates_list");
    let call = call.query("customer_id", customer_id);
    run.works("it is listed", call, &wanted).await?;
    let call = merchant.call("customer_mandates_list");
    let call = call.at("customer_id", customer_id);
    run.works("with its customer, too", call, &wanted).await?;

    let call = merchant.call("customers_delete");
    let call = call.at("customer_id", customer_id);
    run.is_refused("who is not forgotten while it stands", call, 400, "IR_10")
        .await;
    let call = on(merchant, "mandates_revoke", &mandate);
    let wanted = [("/status", json!("revoked"))];
    run.works("it is taken back", call.clone(), &wanted).await?;
    run.is_refused("taken back twice", call, 400, "HE_03").await;
    let call = merchant.call("payments_create").json(&charge);
    run.is_refused("and charged no more", call, 400, "HE_03")
        .await;
    Ok(())
}
