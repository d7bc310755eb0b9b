//! Contact data of real shops: each processor gets what it accepts, and no payment fails because of the rest.

use multirail_conformance::bodies::with;
use multirail_peers::CardThat;
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::{ProductionShop, browser};

/// An address with a long town, two long lines, and a blank name.
fn place() -> Value {
    json!({ "address": {
        "first_name": "  ", "last_name": " Okafor ", "line1": "Hauptstr. 1", "line2": "x".repeat(200),
        "line3": "y".repeat(200), "city": "Llanfair".repeat(20), "zip": "10115", "country": "DE",
    } })
}

/// Pays with this data, which the merchant reads back unchanged.
async fn pays_with(shop: &mut ProductionShop, given: Value) {
    let several = json!({ "ip_address": "203.0.113.7, 10.0.0.1" });
    let browser = json!({ "browser_info": with(browser(), several) });
    let paid = shop
        .pays(CardThat::IsApproved, with(browser, given.clone()))
        .await;
    shop.notes("paid", &paid);
    for place in ["billing", "shipping"] {
        assert_eq!(paid[place], given[place]);
    }
}

#[tokio::test]
async fn long_lines_are_cut() {
    let told = of_each(async |shop: &mut ProductionShop| {
        pays_with(shop, json!({ "billing": place(), "shipping": place() })).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      paid: succeeded, 6540 received
    checkout
      paid: succeeded, 6540 received
    stripe
      paid: succeeded, 6540 received
    ");
}

/// Collects members of a request, at any depth, that hold phones, e-mail addresses or IP addresses.
fn contact_in(told: &Value, path: &str, found: &mut Vec<String>) {
    if let Value::Object(members) = told {
        for (name, value) in members {
            contact_in(value, &format!("{path}/{name}"), found);
        }
        return;
    }
    let words = ["phone", "mail", "ip"];
    if path
        .split('/')
        .any(|name| words.iter().any(|word| name.to_lowercase().ends_with(word)))
    {
        found.push(format!("{path} {told}"));
    }
}

/// A phone as people write it, an e-mail address without a mail domain, and the addresses that a proxy adds.
#[tokio::test]
async fn a_processor_gets_the_data_that_it_accepts() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let contact = json!({
            "phone": { "number": "(0151) 2345-6789", "country_code": "+49" }, "email": "ada@localhost",
        });
        let given = json!({
            "customer_id": "cus_ada", "name": " ", "email": "ada@localhost", "phone": "call me",
            "phone_country_code": "+49", "billing": contact, "shipping": contact,
        });
        pays_with(shop, given).await;
        let mut found = Vec::new();
        contact_in(&shop.peer.last_body(), "", &mut found);
        for line in found {
            shop.writes(line);
        }
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      paid: succeeded, 6540 received
      /shopperIP "203.0.113.7"
    checkout
      paid: succeeded, 6540 received
      /source/phone/country_code "+49"
      /source/phone/number "15123456789"
      /payment_ip "203.0.113.7"
    stripe
      paid: succeeded, 6540 received
      /payment_method_data/billing_details/phone "+4915123456789"
    "#);
}
