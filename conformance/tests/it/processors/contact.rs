//! Contact data as shops have it: each processor is told what it can use, and no payment fails over the rest.

use multirail_conformance::bodies::with;
use multirail_peers::CardThat;
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::{ProductionShop, browser};

/// A name of blanks, a long town, two long lines, a phone as people write it, and a mail address without a domain that mail is
/// sent to.
fn place() -> Value {
    json!({
        "address": {
            "first_name": "  ", "last_name": " Okafor ", "line1": "Hauptstr. 1", "line2": "x".repeat(200),
            "line3": "y".repeat(200), "city": "Llanfair".repeat(20), "zip": "10115", "country": "DE",
        },
        "phone": { "number": "(0151) 2345-6789", "country_code": "+49" },
        "email": "ada@localhost",
    })
}

#[tokio::test]
async fn what_a_processor_can_not_use_is_cut_or_left_out() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let several = json!({ "ip_address": "203.0.113.7, 10.0.0.1" });
        let body = json!({
            "customer_id": "cus_ada", "name": " ", "email": "ada@localhost",
            "phone": "call me", "phone_country_code": "+49",
            "billing": place(), "shipping": place(), "browser_info": with(browser(), several),
        });
        let paid = shop.pays(CardThat::IsApproved, body).await;
        shop.notes("with contact data", &paid);
        // The merchant reads what was given.
        assert_eq!(paid["billing"], place());
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      with contact data: succeeded, 6540 received
    checkout
      with contact data: succeeded, 6540 received
    stripe
      with contact data: succeeded, 6540 received
    ");
}
