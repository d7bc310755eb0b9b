//! Card checks, and the behaviour of each test card of the simulator.

use multirail_conformance::bodies::{
    APPROVED, THREE_DS, card, order, order_with, paid_with, with, without,
};
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

use super::standing;

fn changed(member: &str, value: Value) -> Value {
    with(
        order_with(APPROVED),
        json!({ "payment_method_data": { "card": { member: value } } }),
    )
}

#[tokio::test]
async fn every_test_card() {
    let shop = Shop::open().await;
    let mut table = String::new();
    for number in [
        "4111111111111111",
        "4242424242424242",
        "5555555555554444",
        "38000000000006",
        "378282246310005",
        "6011111111111117",
        "4000000000000259",
        "5105105105105100",
        "4000000000000002",
        "4000000000009995",
        "4000000000009987",
        "4000000000009979",
        "4000003800000446",
        "4000000000000341",
        "4000000000000119",
        "4000000000000069",
        "4000000000000127",
        "4000000000000994",
    ] {
        let payment = shop
            .creates(with(order_with(number), json!({ "confirm": true })))
            .await
            .ok();
        let (network, code, message) = (
            &payment["payment_method_data"]["card"]["card_network"],
            &payment["error_code"],
            &payment["error_message"],
        );
        let words = [&payment["status"], network, code, message];
        let words: Vec<&str> = words
            .iter()
            .map(|word| word.as_str().unwrap_or("-"))
            .collect();
        table.push_str(&format!("{number:16} {}\n", words.join(" | ")));
    }
    insta::assert_snapshot!(table, @r"
    4111111111111111 succeeded | Visa | - | -
    4242424242424242 succeeded | Visa | - | -
    5555555555554444 succeeded | Mastercard | - | -
    38000000000006   succeeded | DinersClub | - | -
    378282246310005  succeeded | AmericanExpress | - | -
    6011111111111117 succeeded | Discover | - | -
    4000000000000259 succeeded | Visa | - | -
    5105105105105100 failed | Mastercard | DC_08 | Payment declined: Card declined
    4000000000000002 failed | Visa | DC_08 | Payment declined: Card declined
    4000000000009995 failed | Visa | DC_08 | Payment declined: Internal Server Error from Connector, Please try again later
    4000000000009987 failed | Visa | DC_08 | Payment declined: Lost card
    4000000000009979 failed | Visa | DC_08 | Payment declined: Stolen card
    4000003800000446 requires_customer_action | Visa | - | -
    4000000000000341 processing | Visa | - | -
    4000000000000119 processing | Visa | outcome_unknown | the processor has trouble of its own; this ends when it answers a question about it or tells unasked what it did
    4000000000000069 failed | Visa | DC_08 | Payment declined: Expired card
    4000000000000127 failed | Visa | DC_08 | Payment declined: Incorrect card code
    4000000000000994 failed | Visa | DC_04 | Card not supported. Please use test cards
    ");
}

#[tokio::test]
async fn the_issuers_answer_is_passed_on() {
    let shop = Shop::open().await;
    let at_once = json!({ "confirm": true });
    let lost = shop
        .creates(with(order_with("4000000000009987"), at_once))
        .await
        .ok();
    assert_eq!(
        (&lost["issuer_error_code"], &lost["issuer_error_message"]),
        (&json!("41"), &json!("Lost card"))
    );
    let advice =
        json!({ "name": "Visa", "advice_code": "03", "advice_message": "Do not try again" });
    assert_eq!(
        lost["error_details"]["issuer_details"],
        json!({ "code": "41", "message": "Lost card", "network_details": advice })
    );
}

#[tokio::test]
async fn the_merchant_can_read_the_data_of_an_approval() {
    let shop = Shop::open().await;
    let card = |payment: &Value| payment["payment_method_data"]["card"].clone();
    let paid = shop.creates(paid_with(APPROVED)).await.ok();
    assert_eq!(card(&paid)["auth_code"], "006540");
    assert_eq!(card(&paid)["authentication_data"], json!(null));
    let seen = shop.payer_of(&paid).retrieves().await.ok();
    assert_eq!(card(&seen)["auth_code"], json!(null));
    assert_eq!(card(&seen)["last4"], "1111");

    let at_once = json!({ "confirm": true, "return_url": "https://shop.example/thanks" });
    let asked = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
    assert_eq!(card(&asked)["auth_code"], json!(null));
    let browser = Browser::new(&shop.wire);
    let address = asked["next_action"]["redirect_to_url"].as_str();
    let page = browser.opens(address.expect("an address")).await;
    let page = page.expect("a page");
    browser.presses(&page, "Approve").await.expect("the end");
    let paid = shop.retrieves(&asked).await.ok();
    assert_eq!(card(&paid)["auth_code"], "006540");
    assert_eq!(
        card(&paid)["authentication_data"],
        json!({
            "authentication_flow": "challenge", "electronic_commerce_indicator": "05",
            "result": "authenticated", "version": "2.2.0",
        })
    );
}

#[tokio::test]
async fn an_approval_by_the_payer_is_not_the_issuers() {
    let shop = Shop::open().await;
    let at_once = json!({ "confirm": true });
    let asked = shop
        .creates(with(order_with("4000008400001629"), at_once))
        .await
        .ok();
    assert_eq!(asked["status"], "requires_customer_action");
    assert!(asked["error_code"].is_null());
    let books = shop.processor().ledger().authorizations().expect("a list");
    let token = books[0].page_token.as_deref().expect("a page");
    shop.processor().decide(token, true).expect("decided");
    let failed = shop.asks_about(&asked).await.ok();
    assert_eq!(standing(&failed), ("failed", 0, 0));
    assert_eq!(failed["error_message"], "Payment declined: Card declined");
}

#[tokio::test]
async fn a_card_whose_captures_are_refused() {
    let shop = Shop::open().await;
    let held = json!({ "confirm": true, "capture_method": "manual" });
    let payment = shop
        .creates(with(order_with("4000000000000614"), held.clone()))
        .await
        .ok();
    let refused = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&refused), ("requires_capture", 6540, 0));
    assert_eq!(
        standing(&shop.cancels(&payment, json!({})).await.ok()),
        ("cancelled", 0, 0)
    );
    let payment = shop
        .creates(with(order_with("4000000000000622"), held))
        .await
        .ok();
    let gone = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&gone), ("failed", 0, 0));
    assert_eq!(gone["error_code"], "DC_13");
}

#[tokio::test]
async fn one_card_is_approved_at_one_processor_only() {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    let at = |connector: &str| json!({ "confirm": true, "connector": [connector] });
    let approved = shop
        .creates(with(order_with("4000000000009995"), at("stripe_test")))
        .await
        .ok();
    assert_eq!(
        (approved["status"].as_str(), approved["connector"].as_str()),
        (Some("succeeded"), Some("stripe_test"))
    );
    let declined = shop
        .creates(with(order_with("4000000000009995"), at("fauxpay")))
        .await
        .ok();
    assert_eq!(declined["status"], "failed");
}

#[tokio::test]
async fn numbers_that_are_none() {
    let shop = Shop::open().await;
    for number in [
        "4111111111111112",
        "4111",
        "41111111111111111111111",
        "4111-1111-1111-111x",
        "",
    ] {
        let message = shop
            .creates(changed("card_number", json!(number)))
            .await
            .refused(400, "IR_06");
        assert!(
            message.contains("payment_method_data.card.card_number"),
            "{message}"
        );
        assert!(
            number.is_empty() || !message.contains(number),
            "the number is not repeated: {message}"
        );
    }
}

#[tokio::test]
async fn expiry() {
    let shop = Shop::open().await;
    let refusals = [
        ("card_exp_month", json!("ab"), "IR_07"),
        ("card_exp_month", json!("13"), "IR_16"),
        ("card_exp_month", json!("00"), "IR_16"),
        ("card_exp_year", json!("x035"), "IR_07"),
        ("card_exp_year", json!("2020"), "IR_16"),
        ("card_exp_year", json!("20"), "IR_16"),
    ];
    for (member, value, code) in refusals {
        shop.creates(changed(member, value.clone()))
            .await
            .refused(400, code);
    }
    let two_digits = shop
        .creates(changed("card_exp_year", json!("35")))
        .await
        .ok();
    assert_eq!(two_digits["status"], "requires_confirmation");
    assert_eq!(
        shop.confirms(&two_digits, json!({})).await.ok()["status"],
        "succeeded"
    );
}

#[tokio::test]
async fn codes() {
    let shop = Shop::open().await;
    for code in ["12", "12345", "12a", ""] {
        shop.creates(changed("card_cvc", json!(code)))
            .await
            .refused(400, "IR_16");
    }
    assert_eq!(
        shop.creates(changed("card_cvc", json!("1234"))).await.ok()["status"],
        "requires_confirmation"
    );
}

#[tokio::test]
async fn members_that_belong_together() {
    let shop = Shop::open().await;
    let full = order_with(APPROVED);
    for path in ["card_number", "card_exp_month", "card_exp_year", "card_cvc"] {
        let path = format!("payment_method_data.card.{path}");
        let message = shop
            .creates(without(full.clone(), &path))
            .await
            .refused(400, "IR_04");
        assert!(message.contains(&path), "{message}");
    }
    let message = shop
        .creates(without(full.clone(), "payment_method"))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("payment_method"), "{message}");
    let message = shop
        .creates(without(full.clone(), "payment_method_data"))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("payment_method_data"), "{message}");
    let without_type = shop
        .creates(without(full.clone(), "payment_method_type"))
        .await
        .ok();
    assert_eq!(
        without_type["status"], "requires_confirmation",
        "a card needs no variety"
    );
    let message = shop.creates(with(
        order(),
        json!({ "payment_method": "wallet", "payment_method_data": { "wallet": {} } }),
    ));
    assert!(
        message
            .await
            .refused(400, "IR_04")
            .contains("payment_method_type")
    );
    // A known wallet is refused for its missing data.
    for wallet in ["google_pay", "apple_pay"] {
        let empty = json!({
            "payment_method": "wallet", "payment_method_type": wallet, "payment_method_data": { "wallet": {} },
        });
        let message = shop.creates(with(order(), empty)).await;
        let message = message.refused(400, "IR_04");
        let member = format!("payment_method_data.wallet.{wallet}");
        assert!(message.contains(&member), "{message}");
    }
}

#[tokio::test]
async fn members_that_dont_fit_together() {
    let shop = Shop::open().await;
    let torn = with(
        order_with(APPROVED),
        json!({ "payment_method_type": "klarna" }),
    );
    shop.creates(torn).await.refused(422, "IR_06");
    let torn = with(
        order(),
        json!({ "payment_method": "card", "payment_method_data": { "wallet": {} } }),
    );
    shop.creates(torn).await.refused(422, "IR_06");
}

#[tokio::test]
async fn a_forged_token() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let body = json!({ "payment_method": "card", "payment_token": "token_made_up" });
    shop.confirms(&payment, body).await.refused(422, "IR_29");
}

#[tokio::test]
async fn a_card_given_at_create_waits_for_its_confirm() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
}

#[tokio::test]
async fn a_card_does_not_wait_longer_than_its_session() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.time_passes(901).await;
    shop.confirms(&payment, json!({}))
        .await
        .refused(422, "IR_06");
    let paid = shop.confirms(&payment, card(APPROVED)).await.ok();
    assert_eq!(
        paid["status"], "succeeded",
        "the secret key still confirms, with the card given again"
    );
}
