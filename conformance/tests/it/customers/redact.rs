//! `DELETE /customers/{customer_id}` redacts the customer.

use multirail_conformance::bodies::{APPROVED, order, paid_with, with, without};
use multirail_conformance::patience::until_found;
use multirail_conformance::{Receiver, Shop};
use serde_json::{Value, json};

use super::{TELLING, ada, creates, on, undated, updates};

#[tokio::test]
async fn nothing_of_a_redacted_customer_can_be_read_any_more() {
    let shop = Shop::open().await;
    let made = creates(&shop, ada()).await.ok();
    let deleted = on(&shop, "customers_delete", &made).await.ok();
    insta::assert_json_snapshot!(deleted, @r#"
    {
      "customer_id": "ada",
      "customer_deleted": true,
      "address_deleted": true,
      "payment_methods_deleted": true
    }
    "#);
    for operation in ["customers_retrieve", "customers_update", "customers_delete"] {
        let message = on(&shop, operation, &made).await.refused(400, "IR_11");
        assert_eq!(message, "the customer has been redacted already");
    }
    updates(&shop, &made, json!({ "name": "Ada" }))
        .await
        .refused(400, "IR_11");
    let list = shop.call("customers_list").await.ok();
    let text = list.to_string();
    for telling in TELLING {
        assert!(!text.contains(telling), "{telling}: {text}");
    }
    insta::assert_json_snapshot!(undated(list[0].clone()), @r#"
    {
      "name": "Redacted",
      "email": "Redacted",
      "phone": "Redacted",
      "phone_country_code": "Redacted",
      "description": "Redacted",
      "address": null,
      "tax_registration_id": "Redacted",
      "metadata": null,
      "default_payment_method_id": null
    }
    "#);
}

/// Returns a payment with all personal data that a payment can hold.
pub fn telling(id: &str) -> Value {
    let address = json!({
        "address": {
            "first_name": "Ada", "last_name": "Okafor", "line1": "12 Analytical Row", "line2": "Analytical", "line3": "Left",
            "city": "London", "state": "Greater London", "zip": "W1J 7NT", "country": "GB",
        },
        "phone": { "number": "555-0132", "country_code": "+1" },
        "email": "ada@shopper.example",
    });
    let said = json!({
        "payment_id": id,
        "customer": {
            "id": "ada", "name": "Ada Okafor", "email": "ada@shopper.example", "phone": "555-0132", "phone_country_code": "+1",
            "tax_registration_id": "GB123456789",
            "document_details": { "document_type": "CPF", "document_number": "DOC-77" },
        },
        "billing": address, "shipping": address,
        "browser_info": { "ip_address": "192.0.2.77", "user_agent": "Telling/1.0", "screen_width": 1024 },
        "customer_acceptance": {
            "acceptance_type": "online", "online": { "ip_address": "192.0.2.77", "user_agent": "Telling/1.0" },
        },
        "payment_method_data": { "billing": address, "card": { "nick_name": "Ada's own" } },
        "description": "Two books", "metadata": { "order": 17 },
    });
    with(paid_with(APPROVED), said)
}

/// Texts that identify the payer.
pub const OF_THE_PAYER: &[&str] = &[
    "Okafor",
    "shopper.example",
    "555-0132",
    "Analytical",
    "London",
    // With the space, which random text never has; three letters sometimes occur in random text.
    "W1J 7NT",
    "DOC-77",
    "GB123456789",
    "192.0.2.77",
    "Telling",
    "Ada's",
];

/// Returns everything that can be read of the shop's payments.
pub async fn readable(shop: &Shop) -> String {
    let mut all = String::new();
    let listed = shop.call("payments_list").query("limit", 100).await.ok();
    for payment in listed["data"].as_array().expect("payments") {
        let read = shop.retrieves(payment).query("expand_attempts", true);
        all += &read.await.ok().to_string();
        let search = json!({ "object_id": payment["payment_id"] });
        let events = shop
            .operator("events_list")
            .at("merchant_id", &shop.merchant_id);
        let events = events.json(&search).await.ok();
        for event in events["events"].as_array().expect("events") {
            let attempts = shop
                .operator("events_attempts")
                .at("merchant_id", &shop.merchant_id)
                .at("event_id", event["event_id"].as_str().expect("an id"));
            all += &attempts.await.ok().to_string();
        }
    }
    all + &listed.to_string()
}

/// Returns the texts in an answer that identify the payer.
pub fn tells(text: &str) -> Vec<&'static str> {
    let telling = OF_THE_PAYER.iter().copied();
    telling.filter(|telling| text.contains(telling)).collect()
}

/// Waits until no answer identifies the payer.
async fn is_forgotten(shop: &Shop) -> String {
    until_found("nothing tells of the payer", async || {
        let text = readable(shop).await;
        match tells(&text).as_slice() {
            [] => Ok(text),
            telling => Err(format!("{telling:?} in {text}")),
        }
    })
    .await
}

#[tokio::test]
async fn payments_and_their_events_forget_who_paid() {
    let shop = Shop::open().await;
    let receiver = Receiver::open().await;
    shop.sets_up(json!({ "webhook_details": { "webhook_url": receiver.url() } }))
        .await
        .ok();
    // More payments than one batch of the worker.
    let mut payments = Vec::new();
    for n in 0..60 {
        let body = if n == 0 {
            telling("order_0")
        } else {
            with(
                order(),
                json!({ "payment_id": format!("order_{n}"), "customer": { "id": "ada", "name": "Ada Okafor" } }),
            )
        };
        payments.push(shop.creates(body).await.ok());
    }
    let of_grace = json!({
        "customer": { "id": "grace", "name": "Grace" }, "payment_id": "of_grace",
        "payment_method_data": { "card": { "card_holder_name": "Grace" } },
    });
    let of_grace = shop.creates(with(paid_with(APPROVED), of_grace)).await.ok();
    receiver.has(2).await;
    let before = readable(&shop).await;
    let unsaid: Vec<_> = OF_THE_PAYER
        .iter()
        .filter(|telling| !before.contains(**telling))
        .collect();
    // These members go only to processors, or are never answered.
    assert_eq!(unsaid, [&"GB123456789", &"Ada's"]);
    on(&shop, "customers_delete", &json!({ "customer_id": "ada" }))
        .await
        .ok();
    is_forgotten(&shop).await;
    let now = shop.retrieves(&payments[0]).await.ok();
    let telling = json!({
        "payment_id": now["payment_id"], "status": now["status"], "amount_received": now["amount_received"],
        "customer_id": now["customer_id"], "customer": now["customer"], "email": now["email"],
        "billing": now["billing"], "browser_info": now["browser_info"], "description": now["description"],
        "metadata": now["metadata"], "payment_method_data": now["payment_method_data"],
    });
    insta::assert_json_snapshot!(telling, @r#"
    {
      "payment_id": "order_0",
      "status": "succeeded",
      "amount_received": 6540,
      "customer_id": "ada",
      "customer": {
        "id": "ada",
        "name": "Redacted",
        "email": "Redacted",
        "phone": "Redacted",
        "phone_country_code": "Redacted",
        "customer_document_details": null
      },
      "email": "Redacted",
      "billing": {
        "address": {
          "first_name": "Redacted",
          "last_name": "Redacted",
          "line1": "Redacted",
          "line2": "Redacted",
          "line3": "Redacted",
          "city": "Redacted",
          "state": "Redacted",
          "zip": "Redacted",
          "country": "GB"
        },
        "phone": {
          "number": "Redacted",
          "country_code": "Redacted"
        },
        "email": "Redacted"
      },
      "browser_info": null,
      "description": "Two books",
      "metadata": {
        "order": 17
      },
      "payment_method_data": {
        "card": {
          "last4": "1111",
          "card_type": null,
          "card_network": "Visa",
          "card_issuer": null,
          "card_issuing_country": null,
          "card_isin": "411111",
          "card_extended_bin": "41111111",
          "card_exp_month": "10",
          "card_exp_year": "2035",
          "card_holder_name": "Redacted",
          "payment_checks": null,
          "authentication_data": null,
          "auth_code": "006540"
        },
        "billing": {
          "address": {
            "first_name": "Redacted",
            "last_name": "Redacted",
            "line1": "Redacted",
            "line2": "Redacted",
            "line3": "Redacted",
            "city": "Redacted",
            "state": "Redacted",
            "zip": "Redacted",
            "country": "GB"
          },
          "phone": {
            "number": "Redacted",
            "country_code": "Redacted"
          },
          "email": "Redacted"
        }
      }
    }
    "#);
    assert_eq!(
        now["updated"], payments[0]["updated"],
        "nothing of the payment happened"
    );
    // The other customer's payment is unchanged.
    let told = without(of_grace.clone(), "ephemeral_key");
    assert_eq!(shop.retrieves(&of_grace).await.ok(), told);
    // Later refunds still work.
    let refund = shop.refunds(&payments[0], json!({})).await.ok();
    assert_eq!(refund["status"], "succeeded");
}
