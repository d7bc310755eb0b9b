//! Charges with tokens that a processor keeps and this service didn't save: `recurring_details` of type
//! `processor_payment_token`.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order, paid_with, with};
use serde_json::{Value, json};

use super::charge::{agrees, initiation};
use super::known;

/// Members that charge a token through an account.
fn charge(token: &Value, account: &str) -> Value {
    let data = json!({ "processor_payment_token": token, "merchant_connector_id": account });
    let charge = json!({
        "off_session": true,
        "recurring_details": { "type": "processor_payment_token", "data": data },
    });
    with(order(), charge)
}

fn at_once(charge: Value) -> Value {
    with(charge, json!({ "confirm": true }))
}

/// Opens a shop, and returns a token that its processor keeps.
async fn shop_and_token() -> (Shop, Value) {
    let shop = Shop::open().await;
    let first = agrees(&shop, "ada", APPROVED).await;
    let token = first["connector_mandate_id"].clone();
    assert!(token.is_string());
    (shop, token)
}

#[tokio::test]
async fn it_is_charged_through_its_account_and_no_other() {
    let (shop, token) = shop_and_token().await;
    let account = shop.connector_account_id.clone();
    shop.connects("pretendpay", json!({})).await.ok();
    // The merchant vouches for the payer's consent.
    let more = json!({ "mit_category": "recurring" });
    let paid = shop.creates(at_once(with(charge(&token, &account), more)));
    let paid = paid.await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["connector"], "fauxpay");
    assert_eq!(paid["merchant_connector_id"], account);
    assert_eq!(paid["payment_method"], "card");
    assert_eq!(paid["payment_method_data"]["card"], Value::Null);
    assert_eq!(paid["connector_mandate_id"], token);
    assert_eq!(paid["payment_method_id"], Value::Null);
    let told = initiation(&shop, &paid);
    assert_eq!(told["mandate"], json!({ "connector_mandate_id": token }));
    let refund = json!({ "payment_id": paid["payment_id"], "amount": 1000 });
    let refund = shop.call("refunds_create").json(&refund).await.ok();
    assert_eq!(refund["status"], "succeeded");
    let elsewhere = json!({ "connector": ["pretendpay"] });
    shop.creates(at_once(with(charge(&token, &account), elsewhere)))
        .await
        .refused(400, "IR_39");
}

#[tokio::test]
async fn it_waits_for_the_confirm_and_gives_way_to_what_is_named_later() {
    let (shop, token) = shop_and_token().await;
    let account = shop.connector_account_id.clone();
    let waiting = shop.creates(charge(&token, &account)).await.ok();
    assert_eq!(waiting["status"], "requires_confirmation");
    let message = shop.payer_of(&waiting).confirms(json!({}));
    let message = message.await.refused(400, "IR_16");
    assert!(message.contains("secret key"), "{message}");
    let paid = shop.confirms(&waiting, json!({})).await.ok();
    assert_eq!(
        (&paid["status"], &paid["connector_mandate_id"]),
        (&json!("succeeded"), &token)
    );
    let other = shop.creates(charge(&token, &account)).await.ok();
    let updated = shop.updates(&other, json!({ "description": "the rent" }));
    assert_eq!(updated.await.ok()["status"], "requires_confirmation");
    let card = paid_with(APPROVED);
    let card =
        json!({ "payment_method": "card", "payment_method_data": card["payment_method_data"] });
    let paid = shop.confirms(&other, card).await.ok();
    assert_eq!(paid["payment_method_data"]["card"]["last4"], "1111");
    assert_eq!(paid["connector_mandate_id"], Value::Null);
}

#[tokio::test]
async fn members_of_the_create_wait_for_the_confirm_too() {
    let (shop, token) = shop_and_token().await;
    let account = shop.connector_account_id.clone();
    let address = json!({ "city": "Lagos", "country": "NG", "line1": "1 Marina", "zip": "101221" });
    let more = json!({
        "payment_method": "card", "payment_method_type": "debit",
        "payment_method_data": { "billing": { "address": address } },
    });
    let waiting = shop
        .creates(with(charge(&token, &account), more))
        .await
        .ok();
    assert_eq!(waiting["payment_method_type"], "debit");
    let described = shop.updates(&waiting, json!({ "description": "the rent" }));
    described.await.ok();
    let paid = shop.confirms(&waiting, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["payment_method_type"], "debit");
    let billing = &paid["payment_method_data"]["billing"]["address"];
    for (name, said) in address.as_object().expect("an address") {
        assert_eq!(&billing[name], said, "{name}");
    }
    // Members of the confirm win over stored ones.
    let waiting = shop.creates(charge(&token, &account)).await.ok();
    let credit = json!({ "payment_method": "card", "payment_method_type": "credit" });
    let paid = shop.confirms(&waiting, credit).await.ok();
    assert_eq!(paid["payment_method_type"], "credit");
}

#[tokio::test]
async fn contradictory_members_are_refused() {
    let (shop, token) = shop_and_token().await;
    known(&shop, "grace").await;
    let account = shop.connector_account_id.clone();
    let good = charge(&token, &account);
    let data = |more: Value| {
        with(
            good.clone(),
            json!({ "recurring_details": { "data": more } }),
        )
    };
    let without_account = json!({
        "recurring_details": { "type": "processor_payment_token", "data": { "processor_payment_token": token } },
    });
    let credentials = json!({ "merchant_connector_details": {
        "creds_identifier": "mine",
        "encoded_data": { "connector_account_details": { "auth_type": "HeaderKey", "api_key": "another key" } },
    } });
    let card = paid_with(APPROVED);
    let card =
        json!({ "payment_method": "card", "payment_method_data": card["payment_method_data"] });
    let saved = json!({
        "setup_future_usage": "off_session", "customer_id": "grace",
        "customer_acceptance": { "acceptance_type": "offline" },
    });
    let table = [
        (
            "with the payer",
            with(good.clone(), json!({ "off_session": false })),
            400,
            "IR_16",
        ),
        (
            "no account",
            with(
                with(order(), json!({ "off_session": true })),
                without_account,
            ),
            400,
            "IR_06",
        ),
        (
            "a stranger",
            data(json!({ "card_number": APPROVED })),
            400,
            "IR_06",
        ),
        (
            "an empty token",
            data(json!({ "processor_payment_token": "" })),
            400,
            "IR_06",
        ),
        (
            "a long token",
            data(json!({ "processor_payment_token": "t".repeat(256) })),
            400,
            "IR_06",
        ),
        (
            "no such account",
            data(json!({ "merchant_connector_id": "mca_unknown" })),
            404,
            "HE_02",
        ),
        ("two", with(good.clone(), card), 422, "IR_06"),
        (
            "a code",
            with(good.clone(), json!({ "card_cvc": "123" })),
            422,
            "IR_06",
        ),
        (
            "other credentials",
            with(good.clone(), credentials),
            400,
            "IR_16",
        ),
        (
            "nothing to pay",
            with(good.clone(), json!({ "amount": 0 })),
            400,
            "IR_16",
        ),
        ("to be saved", with(good.clone(), saved), 400, "IR_16"),
        (
            "3-D Secure",
            with(good.clone(), json!({ "authentication_type": "three_ds" })),
            400,
            "IR_16",
        ),
    ];
    for (name, body, status, code) in table {
        let answer = shop.creates(at_once(body)).await;
        let message = answer.refused(status, code);
        assert!(!message.contains("kept_"), "{name}: {message}");
    }
    // The processor refuses tokens that it doesn't know.
    let unknown = data(json!({ "processor_payment_token": "kept_nowhere" }));
    let failed = shop.creates(at_once(unknown)).await.ok();
    assert_eq!(failed["status"], "failed");
    let stranger = shop.server.shop("flower_shop").await;
    stranger.creates(at_once(good)).await.refused(404, "HE_02");
}
