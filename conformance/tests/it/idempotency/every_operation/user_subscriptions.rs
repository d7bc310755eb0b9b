//! Requests of a signed-in user about subscriptions.

use multirail_conformance::bodies::{APPROVED, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::case::{Case, differing};
use crate::subscriptions;
use crate::users::Person;

/// Prepares a case of an operation below `/user/subscriptions`.
pub async fn case(shop: &Shop, operation: &str) -> Case {
    let role = "merchant_operator";
    let user = Person::invited(&shop.server, operation, role, &shop.merchant_id).await;
    let on = |of: &Value| -> Call {
        let call = user.call(operation);
        call.at("subscription_id", subscriptions::id(of))
    };
    subscriptions::offered(shop).await;
    match operation {
        // A lower quantity, so that nothing is charged afterwards.
        "user_subscriptions_update" => {
            let three = with(
                subscriptions::wanted_with("reader_monthly", APPROVED),
                json!({ "quantity": 3 }),
            );
            let made = subscriptions::call(shop, "subscriptions_create_and_confirm").json(&three);
            let made = made.await.ok();
            let update = |quantity: i64| {
                let body = json!({ "plan_id": "reader", "item_price_id": "reader_monthly", "quantity": quantity });
                on(&made).json(&body)
            };
            differing("quantity", update, [2, 1])
        }
        "user_subscriptions_pause" | "user_subscriptions_cancel" => {
            let one = subscriptions::subscribed(shop, "reader_monthly").await;
            let other = subscriptions::subscribed(shop, "reader_monthly").await;
            differing("subscription_id", on, [&one, &other])
        }
        "user_subscriptions_resume" => {
            let one = subscriptions::subscribed(shop, "reader_monthly").await;
            let pause = subscriptions::on(shop, "subscriptions_pause", &one);
            pause.await.ok();
            let resume = |year: i32| {
                let date = format!("{year}-01-01T00:00:00Z");
                let body = json!({ "resume_option": "specific_date", "resume_date": date });
                on(&one).json(&body)
            };
            differing("resume_date", resume, [2098, 2099])
        }
        "user_subscriptions_refund_credit" => {
            let one = subscriptions::with_credit_left(shop).await;
            let other = subscriptions::with_credit_left(shop).await;
            differing("subscription_id", on, [&one, &other])
        }
        "user_subscriptions_void_invoice" | "user_subscriptions_collect_invoice" => {
            let open = subscriptions::with_an_open_invoice(shop).await;
            let other = json!({ "id": "sub_other" });
            let invoice = open["invoice"]["id"].as_str().expect("an id");
            let change = |of: &Value| on(of).at("invoice_id", invoice);
            // Only the lists of its subscription show an invoice. Voiding one returns its credit.
            Case {
                is_seen: operation == "user_subscriptions_void_invoice",
                ..differing("subscription_id", change, [&open, &other])
            }
        }
        _ => panic!("{operation} has no case"),
    }
}
