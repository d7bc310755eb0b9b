//! The shop's catalogue.

use multirail_conformance::Shop;
use serde_json::{Value, json};

use crate::billing::{makes, opens};

/// Creates a reader for 9.90 euros a month, with variants, and a customer for it.
pub async fn offers(shop: &Shop) {
    let ada = json!({ "customer_id": "ada", "email": "ada@shopper.example" });
    let made = shop.call("customers_create").json(&ada).await;
    assert!(
        made.status == 200 || made.body["code"] == "IR_12",
        "{made:?}"
    );
    opens(shop).await;
    let made = makes(shop, "product_id", "reading", json!({ "name": "Reading" }));
    made.await.ok();
    for (plan, name) in [("reader", "Reader"), ("reader_plus", "Reader Plus")] {
        let item = json!({ "product_id": "reading", "name": name });
        makes(shop, "item_id", plan, item).await.ok();
    }
    let monthly = |amount: i64| price("reader", amount, json!({ "interval": "month" }));
    let prices = [
        ("reader_monthly", monthly(990)),
        (
            "reader_daily",
            price("reader", 100, json!({ "interval": "day" })),
        ),
        (
            "reader_trial",
            price(
                "reader",
                990,
                json!({ "interval": "month", "trial_period": 14 }),
            ),
        ),
        (
            "reader_once",
            price("reader", 9_900, json!({ "interval": null })),
        ),
        (
            "reader_plus_monthly",
            price("reader_plus", 1_990, json!({ "interval": "month" })),
        ),
        (
            "reader_plus_yearly",
            price("reader_plus", 19_900, json!({ "interval": "year" })),
        ),
    ];
    for (id, more) in prices {
        makes(shop, "item_price_id", id, more).await.ok();
    }
    makes(shop, "coupon_code", "TENTH", json!({})).await.ok();
}

fn price(plan: &str, amount: i64, more: Value) -> Value {
    let price = json!({ "item_id": plan, "amount": amount, "time_zone": null, "taxes": null });
    multirail_conformance::bodies::with(price, more)
}
