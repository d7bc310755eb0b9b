//! Saving a method by paying: what is saved, when, and what isn't.

use multirail_conformance::bodies::{
    APPROVED, DECLINED, HELD, PENDING, THREE_DS, UNKNOWN, card, order_with, paid_with, with,
    without,
};
use multirail_conformance::{Browser, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{card_of, known, listed, saved_for, shown};

fn saving(number: &str, usage: &str) -> Value {
    with(
        with(paid_with(number), saved_for(usage)),
        json!({ "customer_id": "ada" }),
    )
}

/// One customer's consent doesn't count for another.
#[tokio::test]
async fn a_consent_stays_with_who_gave_it() {
    let shop = Shop::open().await;
    let begun = without(saving(APPROVED, "off_session"), "confirm");
    let payment = shop.creates(begun).await.ok();
    let grace = json!({ "customer_id": "grace" });
    shop.updates(&payment, grace).await.ok();
    let message = shop.confirms(&payment, card(APPROVED)).await;
    let message = message.refused(400, "IR_04");
    assert!(message.contains("customer_acceptance"), "{message}");
    assert_eq!(listed(&shop, "grace").await, Vec::<Value>::new());
}

/// The payment's address completes the card's, unless the profile keeps them apart.
#[tokio::test]
async fn a_card_is_saved_with_its_own_address() {
    let shop = Shop::open().await;
    let saved = async |customer: &str| {
        let addresses = json!({
            "customer_id": customer,
            "billing": { "address": { "city": "Delft", "zip": "2611" } },
            "payment_method_data": { "billing": { "address": { "city": "Leiden" } } },
        });
        let body = with(saving(APPROVED, "on_session"), addresses);
        shop.creates(body).await.ok();
        let methods = listed(&shop, customer).await;
        let address = &methods[0]["billing"]["address"];
        [address["city"].clone(), address["zip"].clone()]
    };
    assert_eq!(saved("ada").await, [json!("Leiden"), json!("2611")]);
    let apart = json!({ "use_billing_as_payment_method_billing": false });
    shop.sets_up(apart).await.ok();
    assert_eq!(saved("grace").await, [json!("Leiden"), Value::Null]);
}

#[tokio::test]
async fn a_card_is_saved_once_it_is_charged_or_authorized() {
    let shop = Shop::open().await;
    for (usage, more) in [
        ("off_session", json!({})),
        ("on_session", json!({ "capture_method": "manual" })),
    ] {
        let customer =
            json!({ "customer_id": usage, "billing": { "address": { "city": "Lagos" } } });
        let paid = shop
            .creates(with(with(saving(APPROVED, usage), customer), more))
            .await
            .ok();
        let methods = listed(&shop, usage).await;
        assert_eq!(methods.len(), 1, "{usage}");
        assert_eq!(paid["payment_method_id"], methods[0]["payment_method_id"]);
        assert_eq!(paid["payment_method_status"], "active");
        assert_eq!(paid["card_discovery"], "manual");
        assert_eq!(paid["payment_token"], Value::Null);
        let read = shop.retrieves(&paid).await.ok();
        assert_eq!(read["payment_method_id"], paid["payment_method_id"]);
        assert_eq!(methods[0]["recurring_enabled"], usage == "off_session");
        let of = json!({ "customer_id": "[usage]", "recurring_enabled": "[usage]" });
        insta::allow_duplicates! {
            insta::assert_json_snapshot!(with(shown(&methods[0]), of), @r#"
            {
              "payment_token": "[payment_token]",
              "payment_method_id": "[payment_method_id]",
              "customer_id": "[usage]",
              "payment_method": "card",
              "payment_method_type": "credit",
              "payment_method_issuer": null,
              "payment_method_issuer_code": null,
              "requires_cvv": true,
              "default_payment_method_set": true,
              "recurring_enabled": "[usage]",
              "installment_payment_enabled": false,
              "payment_experience": [
                "redirect_to_url"
              ],
              "card": {
                "saved_to_locker": true,
                "scheme": "Visa",
                "issuer_country": null,
                "issuer_country_code": null,
                "last4_digits": "1111",
                "expiry_month": "10",
                "expiry_year": "2035",
                "card_token": null,
                "card_holder_name": "Ada Okafor",
                "card_fingerprint": "[fingerprint]",
                "nick_name": null,
                "card_network": "Visa",
                "card_isin": "411111",
                "card_issuer": null,
                "card_type": null
              },
              "metadata": null,
              "created": "[created]",
              "last_used_at": "[last_used_at]",
              "bank_transfer": null,
              "bank": null,
              "surcharge_details": null,
              "billing": {
                "address": {
                  "city": "Lagos"
                }
              }
            }
            "#);
        }
    }
}

#[tokio::test]
async fn with_the_payer_there_no_consent_is_needed_and_without_it_is() {
    let shop = Shop::open().await;
    let without_consent = |usage| without(saving(APPROVED, usage), "customer_acceptance");
    shop.creates(without_consent("on_session")).await.ok();
    assert_eq!(listed(&shop, "ada").await.len(), 1);
    let message = shop
        .creates(without_consent("off_session"))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("customer_acceptance"), "{message}");
    // The consent may come from the payer, with the confirm.
    let waits = with(
        without_consent("off_session"),
        json!({ "confirm": false, "customer_id": "grace" }),
    );
    let payment = shop.creates(waits).await.ok();
    let payer = shop.payer_of(&payment);
    payer.confirms(json!({})).await.refused(400, "IR_04");
    let consent = json!({ "customer_acceptance": saved_for("off_session")["customer_acceptance"] });
    let paid = payer.confirms(consent).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(listed(&shop, "grace").await.len(), 1);
    let guest = with(paid_with(APPROVED), saved_for("on_session"));
    shop.creates(guest).await.refused(400, "IR_16");
}

#[tokio::test]
async fn a_payment_that_fails_saves_nothing() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let declined = shop.creates(saving(DECLINED, "on_session")).await.ok();
    assert_eq!(declined["status"], "failed");
    assert_eq!(declined["payment_method_id"], Value::Null);
    let unknown = shop.creates(saving(UNKNOWN, "on_session")).await.ok();
    assert_eq!(unknown["status"], "processing");
    let found = shop.asks_about(&unknown).await.ok();
    assert_eq!(found["status"], "failed", "it never happened");
    let plain = with(paid_with(APPROVED), json!({ "customer_id": "ada" }));
    shop.creates(plain).await.ok();
    assert!(listed(&shop, "ada").await.is_empty());
}

#[tokio::test]
async fn an_outcome_that_is_known_later_saves_the_card_then() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let pending = shop.creates(saving(PENDING, "on_session")).await.ok();
    assert_eq!(pending["status"], "processing");
    assert!(listed(&shop, "ada").await.is_empty(), "not yet");
    shop.asks_about(&pending).await.ok();
    assert_eq!(listed(&shop, "ada").await.len(), 1);

    let lost = with(
        saving(APPROVED, "on_session"),
        json!({ "customer_id": "grace" }),
    );
    shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
    let lost = shop.creates(lost).await.ok();
    assert_eq!(lost["status"], "processing");
    shop.asks_about(&lost).await.ok();
    assert_eq!(listed(&shop, "grace").await.len(), 1);

    let held = with(saving(HELD, "on_session"), json!({ "customer_id": "held" }));
    let held = shop.creates(held).await.ok();
    assert_eq!(held["status"], "requires_merchant_action");
    assert!(
        listed(&shop, "held").await.is_empty(),
        "the merchant decides"
    );
    shop.approves(&held).await.ok();
    assert_eq!(listed(&shop, "held").await.len(), 1);
}

#[tokio::test]
async fn a_payer_who_approves_saves_and_one_who_leaves_does_not() {
    let shop = Shop::open().await;
    for (customer, decision, count) in [("ada", "Approve", 1), ("grace", "Reject", 0)] {
        let more = json!({ "customer_id": customer, "return_url": "https://shop.example/back" });
        let payment = shop
            .creates(with(saving(THREE_DS, "off_session"), more))
            .await
            .ok();
        assert_eq!(payment["status"], "requires_customer_action");
        assert!(listed(&shop, customer).await.is_empty());
        decide(&shop, &payment, decision).await;
        shop.asks_about(&payment).await.ok();
        assert_eq!(listed(&shop, customer).await.len(), count, "{decision}");
    }
    let more = json!({ "customer_id": "gives_up", "return_url": "https://shop.example/back" });
    let payment = shop
        .creates(with(saving(THREE_DS, "off_session"), more))
        .await
        .ok();
    shop.cancels(&payment, json!({})).await.ok();
    assert!(listed(&shop, "gives_up").await.is_empty());
}

/// Opens the processor's page as a browser would, and decides there.
async fn decide(shop: &Shop, payment: &Value, button: &str) {
    let start = payment["next_action"]["redirect_to_url"].as_str();
    let browser = Browser::new(&shop.wire);
    let page = browser.opens(start.expect("an address")).await;
    let page = page.expect("the processor's page");
    browser.presses(&page, button).await.expect("the way back");
}

#[tokio::test]
async fn a_card_that_is_saved_already_is_renewed() {
    let shop = Shop::open().await;
    let first = json!({ "payment_method_data": { "card": { "nick_name": "mine", "card_exp_year": "2031" } } });
    shop.creates(with(saving(APPROVED, "on_session"), first))
        .await
        .ok();
    shop.time_passes(60).await;
    let before = listed(&shop, "ada").await.remove(0);
    shop.creates(saving(APPROVED, "on_session")).await.ok();
    let after = listed(&shop, "ada").await;
    assert_eq!(after.len(), 1);
    assert_eq!(after[0]["payment_method_id"], before["payment_method_id"]);
    assert_eq!(after[0]["card"]["expiry_year"], "2035");
    assert_eq!(after[0]["card"]["nick_name"], "mine");
    assert_eq!(after[0]["created"], before["created"]);
    assert!(after[0]["last_used_at"].as_str() > before["last_used_at"].as_str());
    // A declined payment with another expiry doesn't renew the card.
    shop.next_call_meets(ScriptedCall::Authorize, Fault::FailsBefore(500));
    let other = json!({ "payment_method_data": { "card": { "card_exp_year": "2040" } } });
    let failed = shop
        .creates(with(saving(APPROVED, "on_session"), other))
        .await
        .ok();
    shop.asks_about(&failed).await.ok();
    assert_eq!(listed(&shop, "ada").await[0]["card"]["expiry_year"], "2035");
}

/// A payment that waits for its payer has older card data than a later save, so it doesn't overwrite that.
#[tokio::test]
async fn a_payment_that_waited_takes_nothing_of_its_card_back() {
    let shop = Shop::open().await;
    let old = json!({
        "customer_id": "ada", "return_url": "https://shop.example/back",
        "payment_method_data": {
            "card": { "card_exp_month": "01", "card_exp_year": "2030", "card_holder_name": "Old Name", "nick_name": "old" },
        },
    });
    let waits = with(saving(THREE_DS, "on_session"), old);
    let renewed = json!({ "card": { "card_exp_month": "12", "card_exp_year": "2039", "card_holder_name": "New Name" } });
    for (customer, nick_name, stays) in [("ada", Some("new"), "new"), ("grace", None, "old")] {
        known(&shop, customer).await;
        let of = json!({ "customer_id": customer });
        let payment = shop.creates(with(waits.clone(), of)).await.ok();
        shop.time_passes(60).await;
        let nick_name = nick_name.map(|name| json!({ "card": { "nick_name": name } }));
        let again = with(card_of(customer, THREE_DS), renewed.clone());
        let again = with(again, nick_name.unwrap_or_else(|| json!({})));
        shop.call("payment_methods_create").json(&again).await.ok();
        decide(&shop, &payment, "Approve").await;
        let paid = shop.asks_about(&payment).await.ok();
        assert_eq!(paid["status"], "succeeded");
        let methods = listed(&shop, customer).await;
        assert_eq!(methods.len(), 1);
        let card = &methods[0]["card"];
        assert_eq!(
            [
                &card["expiry_month"],
                &card["expiry_year"],
                &card["card_holder_name"],
                &card["nick_name"]
            ],
            ["12", "2039", "New Name", stays],
            "{customer}"
        );
        // A payment that begins later has newer data, and renews the card.
        let later = with(
            saving(THREE_DS, "on_session"),
            json!({ "customer_id": customer }),
        );
        let later = with(later, json!({ "return_url": "https://shop.example/back" }));
        let payment = shop.creates(later).await.ok();
        decide(&shop, &payment, "Approve").await;
        shop.asks_about(&payment).await.ok();
        let card = &listed(&shop, customer).await[0]["card"];
        assert_eq!(
            [&card["expiry_year"], &card["card_holder_name"]],
            ["2035", "Ada Okafor"]
        );
    }
}

#[tokio::test]
async fn a_card_given_at_create_is_saved_by_its_confirm() {
    let shop = Shop::open().await;
    let body = with(
        with(order_with(APPROVED), saved_for("off_session")),
        json!({ "customer_id": "ada" }),
    );
    let payment = shop.creates(body).await.ok();
    assert!(listed(&shop, "ada").await.is_empty());
    let paid = shop.confirms(&payment, json!({})).await.ok();
    let methods = listed(&shop, "ada").await;
    assert_eq!(paid["payment_method_id"], methods[0]["payment_method_id"]);
    assert_eq!(methods[0]["default_payment_method_set"], true);
}
