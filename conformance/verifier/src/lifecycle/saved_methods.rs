//! Saved cards, and payments with them.

use serde_json::{Value, json};

use crate::bodies::{APPROVED, order, paid_with, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

fn on(merchant: &Merchant, operation: &str, method: &Value) -> Call {
    let id = method["payment_method_id"].as_str().unwrap_or("-");
    merchant.call(operation).at("payment_method_id", id)
}

pub(super) async fn saved_and_paid_with(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let customer = merchant.call("customers_create").json(&json!({}));
    let customer = run.works("a payer is noted", customer, &[]).await?;
    let customer_id = customer["customer_id"].as_str().unwrap_or("-");
    let of_customer = json!({ "customer_id": customer_id });
    let kept = json!({
        "setup_future_usage": "off_session", "customer_acceptance": { "acceptance_type": "offline" },
    });
    let body = with(with(paid_with(APPROVED), kept), of_customer.clone());
    let call = merchant.call("payments_create").json(&body);
    let wanted = [
        ("/status", json!("succeeded")),
        ("/payment_method_status", json!("active")),
        ("/card_discovery", json!("manual")),
    ];
    let paid = run
        .works("a payer pays, and has the card saved", call, &wanted)
        .await?;

    let lists = || {
        let call = merchant.call("customer_payment_methods_list");
        call.at("customer_id", customer_id)
    };
    let wanted = [
        (
            "/customer_payment_methods/0/payment_method_id",
            paid["payment_method_id"].clone(),
        ),
        (
            "/customer_payment_methods/0/card/last4_digits",
            json!("1111"),
        ),
        (
            "/customer_payment_methods/0/default_payment_method_set",
            json!(true),
        ),
        ("/is_guest_customer", json!(null)),
    ];
    let listed = run.works("it is listed", lists(), &wanted).await?;
    let method = listed["customer_payment_methods"][0].clone();
    let by_token = json!({
        "confirm": true, "payment_method": "card", "payment_token": method["payment_token"], "card_cvc": "123",
    });
    let again = with(with(order(), by_token), of_customer.clone());
    let call = || merchant.call("payments_create").json(&again);
    let wanted = [
        ("/status", json!("succeeded")),
        ("/payment_method_id", method["payment_method_id"].clone()),
        ("/card_discovery", json!("saved_card")),
    ];
    run.works("the payer pays again, by its token", call(), &wanted)
        .await?;
    run.is_refused(
        "a token pays until its payment is over",
        call(),
        422,
        "IR_29",
    )
    .await;

    let order = with(order(), of_customer.clone());
    let call = merchant.call("payments_create").json(&order);
    let open = run.works("the payer comes back", call, &[]).await?;
    let call = run.wire.call("payer_payment_methods_list");
    let call = call.key(&merchant.publishable_key);
    let call = call.query(
        "client_secret",
        open["client_secret"].as_str().unwrap_or("-"),
    );
    let wanted = [
        (
            "/customer_payment_methods/0/payment_method_id",
            method["payment_method_id"].clone(),
        ),
        ("/is_guest_customer", json!(false)),
    ];
    run.works("and sees the card", call, &wanted).await?;

    let call = merchant.call("account_payment_methods_list");
    let call = call.query(
        "client_secret",
        open["client_secret"].as_str().unwrap_or("-"),
    );
    let wanted = [
        ("/currency", json!("USD")),
        ("/payment_methods/0/payment_method", json!("card")),
        (
            "/payment_methods/0/payment_method_types/0/payment_method_type",
            json!("credit"),
        ),
    ];
    run.works("what else there is to pay with", call, &wanted)
        .await?;

    let second = json!({
        "payment_method": "card", "customer_id": customer_id,
        "card": { "card_number": "4242424242424242", "card_exp_month": "10", "card_exp_year": "35" },
    });
    let call = merchant.call("payment_methods_create").json(&second);
    let wanted = [
        ("/customer_id", json!(customer_id)),
        ("/card/last4_digits", json!("4242")),
        ("/card/saved_to_locker", json!(true)),
    ];
    let second = run
        .works("another card is saved without a payment", call, &wanted)
        .await?;
    let named = json!({ "card": { "nick_name": "the other one" } });
    let call = on(merchant, "payment_methods_update", &second).json(&named);
    let wanted = [("/card/nick_name", json!("the other one"))];
    run.works("it gets a name", call, &wanted).await?;
    let call = on(merchant, "payment_methods_retrieve", &second);
    run.works("which it keeps", call, &wanted).await?;

    let call = merchant.call("ephemeral_keys_create").json(&of_customer);
    let wanted = [("/customer_id", json!(customer_id))];
    let key = run
        .works("the payer's app gets a key", call, &wanted)
        .await?;
    let by_key = |call: Call| call.key(key["secret"].as_str().unwrap_or("-"));
    let chosen = on(merchant, "payment_methods_set_default", &second);
    let chosen = by_key(chosen.at("customer_id", customer_id));
    let stranger = merchant.call("customers_create").json(&json!({}));
    let stranger = run.works("another payer is noted", stranger, &[]).await?;
    for operation in [
        "customers_retrieve",
        "customer_payment_methods_list",
        "payment_methods_set_default",
    ] {
        let call = by_key(on(merchant, operation, &second));
        let call = call.at(
            "customer_id",
            stranger["customer_id"].as_str().unwrap_or("-"),
        );
        run.is_refused("of whom it opens nothing", call, 401, "IR_15")
            .await;
    }
    let wanted = [(
        "/default_payment_method_id",
        second["payment_method_id"].clone(),
    )];
    run.works("and chooses the other card with it", chosen, &wanted)
        .await?;
    let call = by_key(on(merchant, "payment_methods_delete", &method));
    run.works("and deletes the first", call, &[("/deleted", json!(true))])
        .await?;
    let call = on(merchant, "payment_methods_retrieve", &method);
    run.is_refused("which is gone", call, 404, "HE_02").await;
    let wanted = [
        (
            "/customer_payment_methods/0/card/last4_digits",
            json!("4242"),
        ),
        (
            "/customer_payment_methods/0/default_payment_method_set",
            json!(true),
        ),
    ];
    run.works("the other is left", by_key(lists()), &wanted)
        .await?;
    let account = json!({
        "customer_id": customer_id, "payment_method": "bank_transfer",
        "bank_transfer": { "iban": "DE89370400440532013000", "account_holder_name": "Ada Okafor" },
    });
    let call = merchant.call("payment_methods_create").json(&account);
    let wanted = [("/payment_method_type", json!("sepa_bank_transfer"))];
    let account = run
        .works("an account to pay out to is saved", call, &wanted)
        .await?;
    let call = on(merchant, "payment_methods_update", &account).json(&named);
    run.is_refused("as if it were a card", call, 422, "IR_06")
        .await;
    Ok(())
}
