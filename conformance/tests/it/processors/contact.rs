//! Contact data as shops have it: each processor is told what it can use, and no payment fails over the rest.

use multirail_conformance::bodies::with;
use multirail_peers::CardThat;
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::{ProductionShop, browser};

/// A long town and two long lines, and a name of blanks.
fn place() -> Value {
    json!({ "address": {
        "first_name": "  ", "last_name": " Okafor ", "line1": "Hauptstr. 1", "line2": "x".repeat(200),
        "line3": "y".repeat(200), "city": "Llanfair".repeat(20), "zip": "10115", "country": "DE",
    } })
}

/// Pays with what is given, which the merchant reads as it was given.
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

/// The members of a request, at any depth, whose names say that they are phones, addresses of mail or of the internet.
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

/// A phone as people write it, a mail address without a domain that mail is sent to, and the addresses that a proxy adds.
#[tokio::test]
async fn a_processor_is_told_what_it_can_use() {
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
