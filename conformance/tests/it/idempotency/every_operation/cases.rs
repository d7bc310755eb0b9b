//! A request for each operation, and a different one for the same operation.

use multirail_conformance::bodies::{
    APPROVED, DEVICE_DATA, DISPUTED, HELD, card, order, order_with, paid_with, with,
};
use multirail_conformance::notice::webhook_details;
use multirail_conformance::{Shop, shop};
use serde_json::{Value, json};

use super::case::{Case, differing};
use super::user_subscriptions;
use crate::events::endpoints::added;
use crate::payments::authorized;
use crate::users::Person;
use crate::{
    billing, customers, disputes, mandates, payment_methods as saved_methods, routing,
    subscriptions,
};

/// Prepares a case of an operation that only users call.
async fn of_user(shop: &Shop, operation: &str) -> Case {
    let role = "merchant_operator";
    let user = Person::invited(&shop.server, operation, role, &shop.merchant_id).await;
    let create = async |number: &str| {
        let more = json!({
            "capture_method": "manual", "confirm": true, "request_incremental_authorization": true,
        });
        shop.creates(with(order_with(number), more)).await.ok()
    };
    let on = |payment: &Value| user.call(operation).at("payment_id", shop::id(payment));
    match operation {
        "user_payments_create" => {
            let create = |amount: i64| {
                let body = json!({ "amount": amount, "currency": "EUR" });
                user.call(operation).json(&body)
            };
            differing("amount", create, [6540, 6541])
        }
        "user_payments_capture" => {
            let payment = create(APPROVED).await;
            let capture = |amount: i64| on(&payment).json(&json!({ "amount_to_capture": amount }));
            differing("amount_to_capture", capture, [1000, 1001])
        }
        "user_payments_cancel" => {
            let payment = create(APPROVED).await;
            let cancel =
                |reason: &str| on(&payment).json(&json!({ "cancellation_reason": reason }));
            differing("cancellation_reason", cancel, ["duplicate", "sold out"])
        }
        "user_payments_incremental_authorization" => {
            let payment = create(APPROVED).await;
            let raise = |amount: i64| on(&payment).json(&json!({ "amount": amount }));
            differing("amount", raise, [7000, 8000])
        }
        "user_payments_approve" | "user_payments_reject" => {
            let (one, other) = (create(HELD).await, create(HELD).await);
            differing("payment_id", on, [&one, &other])
        }
        _ => panic!("{operation} has no case"),
    }
}

/// Prepares the objects that the operation needs, without a key.
pub async fn prepare(shop: &Shop, operation: &str) -> Case {
    let on_profile = |profile_id: &str| shop.call(operation).at("profile_id", profile_id);
    match operation {
        "payments_create" => {
            let create = |amount: i64| {
                let more = json!({ "amount": amount, "confirm": true });
                shop.creates(with(order_with(APPROVED), more))
            };
            differing("amount", create, [6540, 6541])
        }
        "payments_update" => {
            let payment = shop.creates(order()).await.ok();
            let update = |amount: i64| shop.updates(&payment, json!({ "amount": amount }));
            differing("amount", update, [7000, 7001])
        }
        "payments_confirm" => {
            let payment = shop.creates(order()).await.ok();
            let number = "payment_method_data.card.card_number";
            let confirm = |number: &str| shop.confirms(&payment, card(number));
            differing(number, confirm, [APPROVED, "4242424242424242"])
        }
        "payments_capture" => {
            let payment = authorized(shop, "manual_multiple").await;
            let capture =
                |amount: i64| shop.captures(&payment, json!({ "amount_to_capture": amount }));
            differing("amount_to_capture", capture, [1000, 1001])
        }
        "payments_incremental_authorization" => {
            let order = with(
                order_with(APPROVED),
                json!({
                    "capture_method": "manual", "confirm": true, "request_incremental_authorization": true,
                }),
            );
            let payment = shop.creates(order).await.ok();
            let raise = |amount: i64| shop.raises(&payment, amount);
            differing("amount", raise, [7000, 8000])
        }
        "payments_cancel" => {
            let payment = authorized(shop, "manual").await;
            let cancel =
                |reason: &str| shop.cancels(&payment, json!({ "cancellation_reason": reason }));
            differing("cancellation_reason", cancel, ["duplicate", "sold out"])
        }
        "payments_complete_authorize" => {
            let payment = shop.creates(paid_with(DEVICE_DATA)).await.ok();
            let complete = |collected: &str| {
                shop.completes(&payment, json!({ "threeds_method_comp_ind": collected }))
            };
            differing("threeds_method_comp_ind", complete, ["Y", "N"])
        }
        "payments_approve" | "payments_reject" => {
            let one = shop.creates(paid_with(HELD)).await.ok();
            let other = shop.creates(paid_with(HELD)).await.ok();
            let decide = |payment: &Value| shop.call(operation).at("payment_id", shop::id(payment));
            differing("payment_id", decide, [&one, &other])
        }
        "payments_cancel_post_capture" => {
            let payment = shop.creates(paid_with(APPROVED)).await.ok();
            let cancel = |reason: &str| {
                let body = json!({ "cancellation_reason": reason });
                shop.cancels_post_capture(&payment, body)
            };
            differing("cancellation_reason", cancel, ["duplicate", "sold out"])
        }
        "payments_update_metadata" => {
            let payment = authorized(shop, "manual").await;
            let update = |shelf: i64| shop.updates_metadata(&payment, json!({ "shelf": shelf }));
            differing("metadata.shelf", update, [4, 5])
        }
        _ if operation.starts_with("user_payments_") => of_user(shop, operation).await,
        _ if operation.starts_with("user_subscriptions_") => {
            user_subscriptions::case(shop, operation).await
        }
        "refunds_create" => {
            let payment = shop.creates(paid_with(APPROVED)).await.ok();
            let refund = |amount: i64| shop.refunds(&payment, json!({ "amount": amount }));
            differing("amount", refund, [1000, 1001])
        }
        "refunds_update" => {
            let payment = shop.creates(paid_with(APPROVED)).await.ok();
            let refund = shop.refunds(&payment, json!({})).await.ok();
            let update = |reason: &str| shop.updates_refund(&refund, json!({ "reason": reason }));
            differing("reason", update, ["damaged", "late"])
        }
        "customers_create" => {
            let create = |name: &str| shop.call(operation).json(&json!({ "name": name }));
            differing("name", create, ["Ada", "Grace"])
        }
        "customers_update" => {
            let customer = shop.call("customers_create").await.ok();
            let update = |name: &str| customers::updates(shop, &customer, json!({ "name": name }));
            differing("name", update, ["Ada", "Grace"])
        }
        "payment_methods_create" => {
            customer(shop).await;
            let create = |number: &str| saved_methods::saves(shop, "ada", number);
            differing(
                "card.card_number",
                create,
                ["4111111145551142", "5454545454545454"],
            )
        }
        "payment_methods_update" => {
            customer(shop).await;
            let saved = saved_methods::saves(shop, "ada", HELD).await.ok();
            let update = |name: &str| {
                let body = json!({ "card": { "nick_name": name } });
                saved_methods::on(shop, operation, &saved).json(&body)
            };
            differing("card.nick_name", update, ["mine", "yours"])
        }
        "payment_methods_set_default" => {
            customer(shop).await;
            let mut saved = Vec::new();
            for number in [APPROVED, DISPUTED, HELD] {
                saved.push(saved_methods::saves(shop, "ada", number).await.ok());
            }
            let choose = |method: &Value| {
                saved_methods::on(shop, operation, method).at("customer_id", "ada")
            };
            differing("payment_method_id", choose, [&saved[1], &saved[2]])
        }
        "mandates_revoke" => {
            let mut made = Vec::new();
            for _ in 0..2 {
                made.push(mandates::made(shop, mandates::once()).await);
            }
            let revoke = |mandate: &Value| mandates::on(shop, operation, mandate);
            differing("mandate_id", revoke, [&made[0], &made[1]])
        }
        "subscription_products_create" => {
            billing::sells(shop).await;
            let create = |name: &str| billing::asks(shop, operation).json(&json!({ "name": name }));
            differing("name", create, ["The magazine", "The paper"])
        }
        "subscription_items_create" => {
            billing::sells(shop).await;
            let create = |name: &str| {
                billing::asks(shop, operation)
                    .json(&json!({ "product_id": "magazine", "item_type": "plan", "name": name }))
            };
            differing("name", create, ["Silver", "Bronze"])
        }
        "subscription_item_prices_create" => {
            billing::sells(shop).await;
            let create = |name: &str| {
                billing::asks(shop, operation)
                    .json(&json!({ "item_id": "gold", "amount": 1, "currency": name }))
            };
            differing("currency", create, ["EUR", "USD"])
        }
        "subscription_coupons_create" => {
            billing::sells(shop).await;
            let create = |name: &str| {
                billing::asks(shop, operation).json(&json!({ "coupon_code": "OTHER", "name": name, "discount_amount": 5, "currency": "EUR", "duration": "once" }))
            };
            differing("name", create, ["Other", "Another"])
        }
        "subscription_products_archive"
        | "subscription_items_archive"
        | "subscription_item_prices_archive"
        | "subscription_coupons_archive" => {
            billing::sells(shop).await;
            let member = billing::MEMBERS
                .into_iter()
                .find(|member| operation.contains(&format!("_{}_", billing::list(member))))
                .expect("an entry");
            for id in ["spare-1", "spare-2"] {
                billing::makes(shop, member, id, json!({})).await.ok();
            }
            let archive = |id: &str| billing::asks(shop, operation).at(member, id);
            differing(member, archive, ["spare-1", "spare-2"])
        }
        "subscriptions_create" | "subscriptions_create_and_confirm" => {
            subscriptions::offered(shop).await;
            let create = |reference: &str| {
                let mut body = match operation {
                    "subscriptions_create" => subscriptions::wanted("reader_monthly"),
                    _ => subscriptions::wanted_with("reader_monthly", APPROVED),
                };
                body["merchant_reference_id"] = json!(format!("{operation} {reference}"));
                subscriptions::call(shop, operation).json(&body)
            };
            differing("merchant_reference_id", create, ["one", "other"])
        }
        "subscriptions_confirm" => {
            subscriptions::offered(shop).await;
            let body = subscriptions::wanted("reader_monthly");
            let made = subscriptions::call(shop, "subscriptions_create").json(&body);
            let made = made.await.ok();
            let confirm = |number: &str| {
                let body = json!({ "payment_details": subscriptions::pays_with(number) });
                subscriptions::on(shop, operation, &made).json(&body)
            };
            let member = "payment_details.payment_method_data.card.card_number";
            differing(member, confirm, [APPROVED, "5454545454545454"])
        }
        // A lower quantity, so that nothing is charged afterwards.
        "subscriptions_update" => {
            subscriptions::offered(shop).await;
            let three = with(
                subscriptions::wanted_with("reader_monthly", APPROVED),
                json!({ "quantity": 3 }),
            );
            let made = subscriptions::call(shop, "subscriptions_create_and_confirm").json(&three);
            let made = made.await.ok();
            let update = |quantity: i64| {
                let body = json!({ "plan_id": "reader", "item_price_id": "reader_monthly", "quantity": quantity });
                subscriptions::on(shop, operation, &made).json(&body)
            };
            differing("quantity", update, [2, 1])
        }
        "subscriptions_pause" | "subscriptions_cancel" => {
            subscriptions::offered(shop).await;
            let one = subscriptions::subscribed(shop, "reader_monthly").await;
            let other = subscriptions::subscribed(shop, "reader_monthly").await;
            let change = |of: &Value| subscriptions::on(shop, operation, of);
            differing("subscription_id", change, [&one, &other])
        }
        "subscriptions_refund_credit" => {
            subscriptions::offered(shop).await;
            let one = subscriptions::with_credit_left(shop).await;
            let other = subscriptions::with_credit_left(shop).await;
            let change = |of: &Value| subscriptions::on(shop, operation, of);
            differing("subscription_id", change, [&one, &other])
        }
        "subscriptions_resume" => {
            subscriptions::offered(shop).await;
            let one = subscriptions::subscribed(shop, "reader_monthly").await;
            let pause = subscriptions::on(shop, "subscriptions_pause", &one);
            pause.await.ok();
            let resume = |year: i32| {
                let date = format!("{year}-01-01T00:00:00Z");
                let body = json!({ "resume_option": "specific_date", "resume_date": date });
                subscriptions::on(shop, operation, &one).json(&body)
            };
            differing("resume_date", resume, [2098, 2099])
        }
        "subscriptions_void_invoice" | "subscriptions_collect_invoice" => {
            subscriptions::offered(shop).await;
            let open = subscriptions::with_an_open_invoice(shop).await;
            let change = |id: &str| {
                let invoice = open["invoice"]["id"].as_str().expect("an id");
                let call = subscriptions::call(shop, operation).at("invoice_id", invoice);
                call.at("subscription_id", id)
            };
            // Only the lists of its subscription show an invoice. Voiding one returns its credit.
            let ids = [subscriptions::id(&open), "sub_other"];
            Case {
                is_seen: operation == "subscriptions_void_invoice",
                ..differing("subscription_id", change, ids)
            }
        }
        "routing_create" => {
            let create = |name: &str| {
                routing::creates_with(shop, routing::single("fauxpay"), json!({ "name": name }))
            };
            differing("name", create, ["By day", "By night"])
        }
        "routing_activate" => {
            let one = routing::creates(shop, routing::single("fauxpay"))
                .await
                .ok();
            let other = routing::creates(shop, routing::single("fauxpay"))
                .await
                .ok();
            let activate = |of: &Value| routing::on(shop, operation, of);
            differing("routing_id", activate, [&one, &other])
        }
        "dynamic_routing_elimination_create" => {
            let create = |threshold: f64| {
                let config = json!({ "decision_engine_configs": { "threshold": threshold } });
                on_profile(&shop.profile_id).json(&config)
            };
            let member = "decision_engine_configs.threshold";
            differing(member, create, [0.25, 0.5])
        }
        "dynamic_routing_success_based_create" => {
            let create = |percent: f64| {
                let config = json!({ "config": { "exploration_percent": percent } });
                on_profile(&shop.profile_id).json(&config)
            };
            differing("config.exploration_percent", create, [5.0, 10.0])
        }
        // The effect shows only in the routing of payments.
        "dynamic_routing_set_volume_split" => Case {
            is_seen: false,
            ..differing(
                "query",
                |split: i64| on_profile(&shop.profile_id).query("split", split),
                [20, 30],
            )
        },
        // A configuration exists already, so the effect shows only in the routing of payments.
        "dynamic_routing_elimination_toggle" | "dynamic_routing_success_based_toggle" => Case {
            is_seen: false,
            ..differing(
                "query",
                |enable: &str| on_profile(&shop.profile_id).query("enable", enable),
                ["metrics", "dynamic_connector_selection"],
            )
        },
        "routing_deactivate" => {
            let decides = shop.call("routing_active").await.ok();
            if decides["records"] == json!([]) {
                routing::routes_by(shop, routing::single("fauxpay")).await;
            }
            let deactivate = |profile_id: &str| {
                shop.call(operation)
                    .json(&json!({ "profile_id": profile_id }))
            };
            differing("profile_id", deactivate, [&shop.profile_id, "pro_other"])
        }
        "routing_default_update" | "routing_default_update_of_profile" => {
            let accounts = shop.call("routing_default_retrieve").await.ok();
            let mut accounts = accounts.as_array().expect("accounts").clone();
            if accounts.len() < 2 {
                let more = json!({ "connector_label": "for routing" });
                shop.connects("adyen_test", more).await.ok();
                let listed = shop.call("routing_default_retrieve").await.ok();
                accounts = listed.as_array().expect("accounts").clone();
            }
            accounts.reverse();
            let reorder = |account: &str| {
                let mut accounts = accounts.clone();
                accounts[0]["merchant_connector_id"] = json!(account);
                on_profile(&shop.profile_id).json(&json!({ "connectors": accounts }))
            };
            let first = accounts[0]["merchant_connector_id"]
                .as_str()
                .expect("an id");
            let member = "connectors[0].merchant_connector_id";
            differing(member, reorder, [first, "mca_other"])
        }
        "disputes_accept" => {
            shop.reconnects(webhook_details()).await.ok();
            let mut raised = Vec::new();
            for _ in 0..2 {
                let payment = shop.creates(paid_with(DISPUTED)).await.ok();
                raised.push(disputes::raised(shop, &payment, "dispute", "dispute_opened").await);
            }
            let [one, other] = [&raised[0], &raised[1]];
            differing(
                "dispute_id",
                |of| disputes::on(shop, operation, of),
                [one, other],
            )
        }
        "disputes_challenge" => {
            shop.reconnects(webhook_details()).await.ok();
            let payment = shop.creates(paid_with(DISPUTED)).await.ok();
            let dispute = disputes::raised(shop, &payment, "dispute", "dispute_opened").await;
            let challenge =
                |name: &str| disputes::challenges(shop, &dispute, "customer_name", name);
            differing("customer_name", challenge, ["Ada", "Grace"])
        }
        "connector_accounts_create" => {
            let create =
                |label: &str| shop.connects("fauxpay", json!({ "connector_label": label }));
            differing("connector_label", create, ["second", "third"])
        }
        "connector_accounts_update" => {
            let update = |label: &str| shop.reconnects(json!({ "connector_label": label }));
            differing("connector_label", update, ["first", "main"])
        }
        "business_profiles_create" => {
            let create = |name: &str| shop.call(operation).json(&json!({ "profile_name": name }));
            differing("profile_name", create, ["second", "third"])
        }
        "business_profiles_update" => {
            let update = |seconds: i64| shop.sets_up(json!({ "session_expiry": seconds }));
            differing("session_expiry", update, [3600, 600])
        }
        "business_profiles_rotate_webhook_secret" => {
            let rotate = |seconds: i64| {
                let body = json!({ "previous_valid_for_seconds": seconds });
                on_profile(&shop.profile_id).json(&body)
            };
            differing("previous_valid_for_seconds", rotate, [3600, 3601])
        }
        // Nothing is paused here, so the effect shows only in the answer.
        "business_profiles_resume_webhook_delivery" => Case {
            is_seen: false,
            ..differing("profile_id", on_profile, [&shop.profile_id, "pro_other"])
        },
        "webhook_endpoints_create" => {
            let create = |name: &str| {
                let url = format!("https://{name}.example/hooks");
                on_profile(&shop.profile_id).json(&json!({ "webhook_url": url }))
            };
            differing("webhook_url", create, ["books", "tea"])
        }
        "webhook_endpoints_update" | "webhook_endpoints_replay" => {
            let made = added(shop, "https://books.example/hooks", json!({})).await;
            let id = made["webhook_endpoint_id"].as_str().expect("an id");
            let on = || on_profile(&shop.profile_id).at("webhook_endpoint_id", id);
            let change = |number: u32| match operation {
                "webhook_endpoints_update" => {
                    on().json(&json!({ "description": format!("Note {number}") }))
                }
                _ => on().json(&json!({ "created_after": format!("202{number}-01-01T00:00:00Z") })),
            };
            let member = match operation {
                "webhook_endpoints_update" => "description",
                _ => "created_after",
            };
            // The replay only counts.
            Case {
                is_seen: operation == "webhook_endpoints_update",
                ..differing(member, change, [5, 6])
            }
        }
        _ => panic!(
            "{operation} takes an Idempotency-Key: say here what is sent to it, and what would be another request"
        ),
    }
}

/// Creates the customer who saves methods.
async fn customer(shop: &Shop) {
    let ada = json!({ "customer_id": "ada" });
    let made = shop.call("customers_create").json(&ada).await;
    assert!(
        made.status == 200 || made.body["code"] == "IR_12",
        "{made:?}"
    );
}
