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

/// A phone as people write it, and a mail address without a domain that mail is sent to. `connector::contact` of the domain tests what
/// each processor is told of them.
#[tokio::test]
async fn no_payment_fails_over_untidy_contact_data() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let contact = json!({
            "phone": { "number": "(0151) 2345-6789", "country_code": "+49" }, "email": "ada@localhost",
        });
        let given = json!({
            "customer_id": "cus_ada", "name": " ", "email": "ada@localhost", "phone": "call me",
            "phone_country_code": "+49", "billing": contact, "shipping": contact,
        });
        pays_with(shop, given).await;
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
