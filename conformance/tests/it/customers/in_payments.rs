//! The customer in payments: created by the first payment, reused by the next one, a guest if none is named.

use multirail_conformance::bodies::{APPROVED, DECLINED, card, order, order_with, paid_with, with};
use multirail_conformance::{Shop, shop};
use serde_json::{Value, json};

use super::{TELLING, ada, creates, on, updates};
use crate::servers::site::{Site, closed};
use crate::servers::stored::forgets_customers;

/// Returns the payer's data in a payment.
fn payer_data(payment: &Value) -> Value {
    json!({
        "customer_id": payment["customer_id"],
        "customer": payment["customer"],
        "name": payment["name"],
        "email": payment["email"],
        "phone": payment["phone"],
    })
}

fn customer(shop: &Shop, id: &str) -> multirail_conformance::Call {
    shop.call("customers_retrieve").at("customer_id", id)
}

#[tokio::test]
async fn a_missing_one_is_created_from_the_payment() {
    let shop = Shop::open().await;
    let said = json!({
        "name": "Grace Hopper", "email": "grace@shopper.example",
        "customer": { "id": "grace", "phone": "2025550177", "phone_country_code": "+1", "tax_registration_id": "T-1",
            "document_details": { "document_type": "CPF", "document_number": "123" } },
        "billing": { "address": { "city": "Arlington" } }, "metadata": { "order": 1 },
    });
    let payment = shop.creates(with(order(), said)).await.ok();
    let made = customer(&shop, "grace").await.ok();
    insta::assert_json_snapshot!(super::undated(made), @r#"
    {
      "name": "Grace Hopper",
      "email": "grace@shopper.example",
      "phone": "2025550177",
      "phone_country_code": "+1",
      "description": null,
      "address": null,
      "tax_registration_id": "T-1",
      "metadata": null,
      "default_payment_method_id": null
    }
    "#);
    insta::assert_json_snapshot!(payer_data(&payment), @r#"
    {
      "customer_id": "grace",
      "customer": {
        "id": "grace",
        "name": "Grace Hopper",
        "email": "grace@shopper.example",
        "phone": "2025550177",
        "phone_country_code": "+1",
        "customer_document_details": {
          "document_type": "CPF",
          "document_number": "123"
        }
      },
      "name": "Grace Hopper",
      "email": "grace@shopper.example",
      "phone": "2025550177"
    }
    "#);
    assert_eq!(
        payer_data(&shop.retrieves(&payment).await.ok()),
        payer_data(&payment)
    );
    // A second payment creates no second customer and doesn't change the first one.
    let other = json!({ "customer_id": "grace", "name": "Amazing Grace" });
    let other = shop.creates(with(order(), other)).await.ok();
    assert_eq!(other["name"], "Amazing Grace");
    assert_eq!(customer(&shop, "grace").await.ok()["name"], "Grace Hopper");
    let list = shop.call("customers_list").await.ok();
    assert_eq!(list.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn one_that_is_there_need_not_be_described_again() {
    let shop = Shop::open().await;
    let known = creates(&shop, ada()).await.ok();
    let by_id = json!({ "customer_id": "ada" });
    let payment = shop.creates(with(paid_with(APPROVED), by_id.clone())).await;
    let payment = payment.ok();
    insta::assert_json_snapshot!(payer_data(&payment), @r#"
    {
      "customer_id": "ada",
      "customer": {
        "id": "ada",
        "name": "Ada Okafor",
        "email": "Ada@Shopper.Example",
        "phone": "(202) 555-0132",
        "phone_country_code": "+1",
        "customer_document_details": null
      },
      "name": "Ada Okafor",
      "email": "Ada@Shopper.Example",
      "phone": "(202) 555-0132"
    }
    "#);
    // Payer data in the payment overrides the customer's, for this payment only.
    let said =
        json!({ "email": "work@shopper.example", "customer": { "id": "ada", "phone": "1" } });
    let second = shop
        .creates(with(order_with(APPROVED), with(by_id, said)))
        .await;
    let second = second.ok();
    insta::assert_json_snapshot!(payer_data(&second), @r#"
    {
      "customer_id": "ada",
      "customer": {
        "id": "ada",
        "name": "Ada Okafor",
        "email": "work@shopper.example",
        "phone": "1",
        "phone_country_code": null,
        "customer_document_details": null
      },
      "name": "Ada Okafor",
      "email": "work@shopper.example",
      "phone": "1"
    }
    "#);
    assert_eq!(on(&shop, "customers_retrieve", &known).await.ok(), known);
    updates(&shop, &known, json!({ "name": "Ada Lovelace" }))
        .await
        .ok();
    for payment in [payment, second] {
        assert_eq!(
            payer_data(&shop.retrieves(&payment).await.ok()),
            payer_data(&payment)
        );
    }
    let of_ada = shop.call("payments_list").query("customer_id", "ada");
    assert_eq!(of_ada.await.ok()["size"], 2);
    let filter = json!({ "customer_id": "ada" });
    let of_ada = shop.call("payments_filter").json(&filter).await.ok();
    assert_eq!(of_ada["total_count"], 2);
}

#[tokio::test]
async fn an_update_or_a_confirm_may_name_one() {
    let shop = Shop::open().await;
    creates(&shop, ada()).await.ok();
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    assert_eq!(payment["customer"], json!(null), "a guest's");
    let named = shop.updates(&payment, json!({ "customer_id": "ada" }));
    assert_eq!(named.await.ok()["name"], "Ada Okafor");
    // The former customer's data doesn't pass to the next one.
    let other = json!({ "customer": { "id": "grace", "email": "grace@shopper.example" } });
    let other = with(card(APPROVED), other);
    let renamed = shop.confirms(&payment, other).await.ok();
    assert_eq!(renamed["status"], "succeeded");
    insta::assert_json_snapshot!(payer_data(&renamed), @r#"
    {
      "customer_id": "grace",
      "customer": {
        "id": "grace",
        "name": null,
        "email": "grace@shopper.example",
        "phone": null,
        "phone_country_code": null,
        "customer_document_details": null
      },
      "name": null,
      "email": "grace@shopper.example",
      "phone": null
    }
    "#);
    let made = customer(&shop, "grace").await.ok();
    assert_eq!(made["email"], "grace@shopper.example");
}

#[tokio::test]
async fn a_former_customers_data_leaves_the_payment() {
    let shop = Shop::open().await;
    let made = creates(&shop, ada()).await.ok();
    let said = json!({
        "customer_id": "ada", "name": "Ada Okafor", "email": "ada@shopper.example",
        "phone": "555-0132", "phone_country_code": "+1",
    });
    let payment = shop.creates(with(order_with(APPROVED), said)).await.ok();
    let other = json!({ "customer_id": "grace", "phone": "7" });
    let renamed = shop.updates(&payment, other).await.ok();
    insta::assert_json_snapshot!(payer_data(&renamed), @r#"
    {
      "customer_id": "grace",
      "customer": {
        "id": "grace",
        "name": null,
        "email": null,
        "phone": "7",
        "phone_country_code": null,
        "customer_document_details": null
      },
      "name": null,
      "email": null,
      "phone": "7"
    }
    "#);
    assert_eq!(
        customer(&shop, "grace").await.ok()["name"],
        json!(null),
        "the customer has no name either"
    );
    // Redacting the former customer doesn't touch this payment, and needn't.
    on(&shop, "customers_delete", &made).await.ok();
    let text = payer_data(&shop.retrieves(&payment).await.ok()).to_string();
    for telling in TELLING {
        assert!(!text.contains(telling), "{telling}: {text}");
    }
    // Naming the same customer again keeps the data.
    let same = shop.updates(&payment, json!({ "customer_id": "grace" }));
    assert_eq!(payer_data(&same.await.ok()), payer_data(&renamed));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_is_older_than_customers_creates_its_customer() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let named = |id: &str, name: &str| {
        let said = json!({ "customer_id": id, "name": name });
        shop.creates(with(order_with(APPROVED), said))
    };
    let to_update = named("ada", "Ada Okafor").await.ok();
    let to_confirm = named("grace", "Grace Hopper").await.ok();
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    forgets_customers(&site.folder("one"));
    let shop = shop.opens_at(site.server("one").await);
    for id in ["ada", "grace"] {
        customer(&shop, id).await.refused(404, "HE_02");
    }
    let updated = shop.updates(&to_update, json!({ "description": "Two books" }));
    assert_eq!(updated.await.ok()["customer_id"], "ada");
    assert_eq!(customer(&shop, "ada").await.ok()["name"], "Ada Okafor");
    let confirmed = shop.confirms(&to_confirm, json!({})).await.ok();
    assert_eq!(confirmed["status"], "succeeded");
    assert_eq!(customer(&shop, "grace").await.ok()["name"], "Grace Hopper");
}

#[tokio::test]
async fn guests_create_no_customer() {
    let shop = Shop::open().await;
    let guest = json!({ "name": "Somebody", "email": "somebody@shopper.example", "phone": "1" });
    let payment = shop.creates(with(paid_with(APPROVED), guest)).await.ok();
    insta::assert_json_snapshot!(payer_data(&payment), @r#"
    {
      "customer_id": null,
      "customer": {
        "id": null,
        "name": "Somebody",
        "email": "somebody@shopper.example",
        "phone": "1",
        "phone_country_code": null,
        "customer_document_details": null
      },
      "name": "Somebody",
      "email": "somebody@shopper.example",
      "phone": "1"
    }
    "#);
    assert_eq!(shop.call("customers_list").await.ok(), json!([]));
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let mut told = String::new();
    for said in [
        json!({ "customer_id": "list" }),
        json!({ "customer_id": "a b" }),
        json!({ "customer": { "name": "Ada" } }),
        json!({ "customer_id": "ada", "customer": { "id": "grace" } }),
        json!({ "name": "Ada", "customer": { "id": "ada", "name": "Grace" } }),
        json!({ "email": "a@b", "customer": { "id": "ada", "email": "b@a" } }),
        json!({ "phone": "1", "customer": { "id": "ada", "phone": "2" } }),
        json!({ "phone_country_code": "+1", "customer": { "id": "ada", "phone_country_code": "+2" } }),
        json!({ "setup_future_usage": "on_session" }),
        json!({ "customer_id": "ada", "amount": -1 }),
    ] {
        let answer = shop.creates(with(order(), said)).await;
        let code = answer.body["code"].as_str().unwrap_or("-");
        told.push_str(&format!("{} {code} {}\n", answer.status, answer.message()));
    }
    insta::assert_snapshot!(told, @r"
    422 IR_05 customer_id is not in the expected form: an id that is not a word of our own paths, such as list
    422 IR_05 `customer_id` must be of the form `^ *[A-Za-z0-9_-]+ *$`.
    400 IR_04 Missing required parameter: customer.id
    400 IR_16 customer_id is given twice, at the top and inside customer, with different values
    400 IR_16 name is given twice, at the top and inside customer, with different values
    400 IR_16 email is given twice, at the top and inside customer, with different values
    400 IR_16 phone is given twice, at the top and inside customer, with different values
    400 IR_16 phone_country_code is given twice, at the top and inside customer, with different values
    400 IR_16 setup_future_usage needs a customer_id: an instrument is kept for somebody
    400 IR_06 `amount` must be at least 0.
    ");
    assert_eq!(
        shop.call("customers_list").await.ok(),
        json!([]),
        "nobody was made"
    );
}

#[tokio::test]
async fn a_decline_makes_one_all_the_same_and_a_taken_id_does_not() {
    let shop = Shop::open().await;
    let named = |id: &str| json!({ "customer_id": id, "payment_id": "order_1" });
    let declined = shop.creates(with(paid_with(DECLINED), named("ada"))).await;
    assert_eq!(declined.ok()["status"], "failed");
    let again = shop
        .creates(with(paid_with(APPROVED), named("grace")))
        .await;
    again.refused(400, "HE_01");
    customer(&shop, "ada").await.ok();
    customer(&shop, "grace").await.refused(404, "HE_02");
}

#[tokio::test]
async fn many_concurrent_first_payments_create_one_customer() {
    let shop = Shop::open().await;
    let calls: Vec<_> = (0..8)
        .map(|n| {
            let said = json!({ "customer_id": "ada", "name": format!("Ada {n}") });
            tokio::spawn(shop.creates(with(paid_with(APPROVED), said)).send())
        })
        .collect();
    for call in calls {
        let answer = call.await.expect("an answer").expect("an answer");
        assert_eq!(answer.ok()["status"], "succeeded");
    }
    let list = shop.call("customers_list").await.ok();
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    let name = list[0]["name"].as_str().expect("a name");
    assert!(name.starts_with("Ada "), "one of them: {name}");
}

#[tokio::test]
async fn nothing_is_paid_for_a_redacted_customer() {
    let shop = Shop::open().await;
    let by_id = json!({ "customer_id": "ada" });
    let waiting = shop
        .creates(with(order_with(APPROVED), by_id.clone()))
        .await;
    let waiting = waiting.ok();
    let manual = with(by_id.clone(), json!({ "capture_method": "manual" }));
    let held = shop.creates(with(paid_with(APPROVED), manual)).await.ok();
    let of_a_guest = shop.creates(order_with(APPROVED)).await.ok();
    on(&shop, "customers_delete", &by_id).await.ok();
    for call in [
        shop.creates(with(order(), by_id.clone())),
        shop.creates(with(paid_with(APPROVED), by_id.clone())),
        shop.creates(with(order(), json!({ "customer": { "id": "ada" } }))),
        shop.updates(&waiting, json!({ "amount": 1 })),
        shop.updates(&waiting, json!({ "confirm": true })),
        shop.confirms(&waiting, json!({})),
        shop.updates(&of_a_guest, by_id.clone()),
        shop.confirms(&of_a_guest, by_id.clone()),
    ] {
        call.await.refused(400, "IR_11");
    }
    // The payment has its card or lost it; that depends on a worker.
    let left = shop.retrieves(&waiting).await.ok();
    let is_unpaid = ["requires_confirmation", "requires_payment_method"]
        .iter()
        .any(|status| left["status"] == *status);
    assert!(is_unpaid, "{left:#}");
    assert_eq!(left["amount"], waiting["amount"]);
    // Payments that a processor already authorized go on.
    let captured = shop.captures(&held, json!({})).await.ok();
    assert_eq!(captured["status"], "succeeded");
    shop.refunds(&held, json!({ "amount": 100 })).await.ok();
    let cancelled = shop.cancels(&waiting, json!({})).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    // Other customers' payments aren't affected.
    let other = json!({ "customer_id": "grace" });
    shop.confirms(&of_a_guest, other).await.ok();
    assert_eq!(shop::id(&waiting), shop::id(&cancelled));
}
