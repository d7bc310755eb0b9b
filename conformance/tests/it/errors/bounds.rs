//! Bounds of the document that rules judge: the server enforces each one, and names the member that breaks it.

use multirail_conformance::bodies::{card, order, paid_with, with};
use multirail_conformance::document::{document, operation, operations};
use multirail_conformance::wire::Call;
use multirail_conformance::{Shop, shop};
use serde_json::{Map, Value, json};

use crate::billing;
use crate::subscriptions;
use crate::users::Person;

const MARK: &str = "x-multirail-judged-by-rules";

/// A payment that can be refunded.
const PAID: &str = "paid";

/// A value that breaks one bound, and the path of names that leads to it.
struct Breach {
    path: Vec<String>,
    bound: String,
    value: Value,
}

#[tokio::test]
async fn every_bound_that_rules_judge_is_enforced() {
    let shop = Shop::open().await;
    let created = shop.creates(order()).await.ok();
    let authorized = shop
        .creates(with(
            with(order(), card("4242424242424242")),
            json!({ "confirm": true, "capture_method": "manual", "request_incremental_authorization": true }),
        ))
        .await
        .ok();
    let paid = json!({ "payment_id": PAID });
    shop.creates(with(paid_with("4242424242424242"), paid))
        .await
        .ok();
    let account = &shop.connector_account_id;
    let customer = json!({ "customer_id": "cus_bounds" });
    shop.call("customers_create").json(&customer).await.ok();
    let saved = shop
        .call("payment_methods_create")
        .json(&base("payment_methods_create"))
        .await
        .ok();
    let method = saved["payment_method_id"].as_str().expect("an id");
    subscriptions::offers(&shop).await;
    let wanted = subscriptions::wanted("reader_monthly");
    let subscribed = subscriptions::call(&shop, "subscriptions_create").json(&wanted);
    let subscribed = subscribed.await.ok();
    let person = Person::invited(&shop.server, "ada", "org_admin", &shop.merchant_id).await;
    let issued = shop.server.operator("api_keys_create");
    let issued = issued.at("merchant_id", &shop.merchant_id);
    let issued = issued.json(&base("api_keys_create")).await.ok();
    let key = issued["key_id"].as_str().expect("an id");
    let mut told = Vec::new();
    for operation in operations() {
        let (query, body) = (query_breaches(&operation.id), body_breaches(&operation.id));
        let payment = match operation.id.as_str() {
            "payments_capture"
            | "payments_incremental_authorization"
            | "user_payments_capture"
            | "user_payments_incremental_authorization" => &authorized,
            _ => &created,
        };
        let call = |id: &str| {
            let call = if id.starts_with("subscriptions_") {
                subscriptions::on(&shop, id, &subscribed)
            } else if operation.takes("api_key") {
                shop.call(id)
            } else if operation.security == ["bearer"] {
                let call = person.call(id);
                call.at("subscription_id", subscriptions::id(&subscribed))
            } else {
                shop.server
                    .operator(id)
                    .at("merchant_id", &shop.merchant_id)
                    .at("account_id", &shop.merchant_id)
            };
            let call = match id {
                "api_keys_update" => call.at("key_id", key),
                _ if id.starts_with("subscription_") => billing::for_profile(&shop, call),
                _ => call,
            };
            fill(
                call,
                id,
                shop::id(payment),
                &shop.profile_id,
                account,
                method,
            )
        };
        for breach in query {
            let name = &breach.path[0];
            let text = breach
                .value
                .as_str()
                .map_or_else(|| breach.value.to_string(), str::to_owned);
            let message = refusal(call(&operation.id).query(name, text), &breach).await;
            told.push(format!(
                "{} ?{name} {}: {message}",
                operation.id, breach.bound
            ));
        }
        for breach in body {
            let mut base = base(&operation.id);
            if breach.path[0] == "payment_method_data" && base["card"].is_object() {
                base["payment_method_data"] = json!({ "card": base["card"].take() });
            }
            if breach.path.iter().any(|name| name == "bancontact_card") {
                base = by_bancontact(base);
            }
            if operation.id == "routing_create" {
                base["profile_id"] = json!(shop.profile_id);
            }
            if breach.path[0] == "surcharge_details" {
                base["surcharge_details"] = json!({ "surcharge_amount": 0 });
            }
            let sent = with(base, nested(&breach.path, &breach.value));
            let message = refusal(call(&operation.id).json(&sent), &breach).await;
            told.push(format!(
                "{} {} {}: {message}",
                operation.id,
                breach.path.join("."),
                breach.bound
            ));
        }
    }
    let unkept: Vec<_> = told
        .iter()
        .filter(|line| line.contains("NOT REFUSED BY NAME"))
        .collect();
    assert!(unkept.is_empty(), "{unkept:#?}");
    insta::assert_snapshot!(told.join("\n"));
}

fn fill(call: Call, id: &str, payment: &str, profile: &str, account: &str, method: &str) -> Call {
    let mut call = call;
    for name in operation(id).path_parameters() {
        call = match name {
            "payment_id" => call.at(name, payment),
            "organization_id" => call.at(name, "org_none"),
            "profile_id" => call.at(name, profile),
            "merchant_connector_id" => call.at(name, account),
            "customer_id" => call.at(name, "cus_none"),
            "key_id" => call.at(name, "snd_none"),
            "event_id" => call.at(name, "evt_none"),
            "payment_method_id" => call.at(name, method),
            "routing_id" => call.at(name, "routing_none"),
            "webhook_endpoint_id" => call.at(name, "whe_none"),
            _ => call,
        };
    }
    call
}

/// Returns the refusal of a call, which must name the broken bound.
async fn refusal(call: Call, breach: &Breach) -> String {
    let answer = call.await;
    let (status, message) = (answer.status, answer.message());
    let name = breach.path.last().map(String::as_str).unwrap_or_default();
    if !(400..500).contains(&status) || !message.contains(name) {
        return format!("{status} NOT REFUSED BY NAME {message}");
    }
    let code = answer.body["code"].as_str().unwrap_or_default();
    format!("{status} {code} {message}")
}

/// Pays with the same card through Bancontact. Its number comes with the confirm.
fn by_bancontact(mut base: Value) -> Value {
    let is_subscription = base["payment_details"].is_object();
    let paying = match is_subscription {
        true => &mut base["payment_details"],
        false => &mut base,
    };
    let card = paying["payment_method_data"]["card"].take();
    paying["payment_method"] = json!("bank_redirect");
    paying["payment_method_type"] = json!("bancontact_card");
    paying["payment_method_data"] = json!({ "bank_redirect": { "bancontact_card": {
        "card_number": card["card_number"],
        "card_exp_month": card["card_exp_month"],
        "card_exp_year": card["card_exp_year"],
    } } });
    base
}

/// Returns a body that the operation accepts.
fn base(id: &str) -> Value {
    match id {
        "payments_create" | "payments_update" | "payments_confirm" => {
            with(order(), card("4242424242424242"))
        }
        "subscriptions_create_and_confirm" => {
            subscriptions::wanted_with("reader_monthly", "4242424242424242")
        }
        "subscriptions_confirm" => {
            json!({ "payment_details": subscriptions::pays_with("4242424242424242") })
        }
        "user_payments_create" => json!({ "amount": 6540, "currency": "EUR" }),
        "saved_views_create" => json!({ "query": "group=failed" }),
        "refunds_create" => json!({ "payment_id": PAID }),
        "payment_methods_create" => json!({
            "payment_method": "card",
            "customer_id": "cus_bounds",
            "card": { "card_number": "4242424242424242", "card_exp_month": "10", "card_exp_year": "35" },
        }),
        "api_keys_create" => json!({ "name": "till", "expiration": "never" }),
        "routing_create" => json!({
            "name": "Day",
            "description": "",
            "algorithm": { "type": "single", "data": { "connector": "fauxpay" } },
        }),
        "subscription_items_create" => {
            json!({ "item_id": "paper", "product_id": "reading", "item_type": "plan" })
        }
        "subscription_coupons_create" => json!({
            "coupon_code": "SPRING", "discount_basis_points": 1000, "duration": "once",
        }),
        "merchant_accounts_create" => json!({ "merchant_id": "bakery" }),
        "connector_accounts_create" => json!({
            "connector_type": "payment_processor",
            "connector_name": "fauxpay",
            "connector_account_details": { "auth_type": "HeaderKey", "api_key": "simulator-key" },
        }),
        "connector_accounts_update" => json!({ "connector_type": "payment_processor" }),
        "dynamic_routing_elimination_create" => {
            json!({ "decision_engine_configs": { "threshold": 0.35 } })
        }
        _ => json!({}),
    }
}

fn nested(path: &[String], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |inner, name| {
        let mut object = Map::new();
        object.insert(name.clone(), inner);
        Value::Object(object)
    })
}

fn query_breaches(id: &str) -> Vec<Breach> {
    let operation = operation(id);
    let item = &document()["paths"][&operation.path];
    let own = &item[operation.method.as_str().to_ascii_lowercase()]["parameters"];
    let mut breaches = Vec::new();
    for parameter in own.as_array().into_iter().flatten() {
        if parameter["in"] == "query" {
            let name = parameter["name"].as_str().unwrap_or_default().to_owned();
            collect(&parameter["schema"], &mut vec![name], &mut breaches);
        }
    }
    breaches
}

fn body_breaches(id: &str) -> Vec<Breach> {
    let mut breaches = Vec::new();
    if let Some(name) = &operation(id).request {
        let schema = &document()["components"]["schemas"][name];
        collect(schema, &mut Vec::new(), &mut breaches);
    }
    breaches
}

fn collect(schema: &'static Value, path: &mut Vec<String>, breaches: &mut Vec<Breach>) {
    let schema = resolved(schema);
    for bound in schema[MARK].as_array().into_iter().flatten() {
        let bound = bound.as_str().unwrap_or_default();
        breaches.push(Breach {
            path: path.clone(),
            bound: bound.to_owned(),
            value: breaking(schema, bound),
        });
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        collect(member, path, breaches);
        path.pop();
    }
}

fn resolved(schema: &'static Value) -> &'static Value {
    let target = ["/$ref", "/allOf/0/$ref", "/anyOf/0/$ref"]
        .iter()
        .find_map(|place| schema.pointer(place)?.as_str()?.rsplit('/').next());
    target.map_or(schema, |name| {
        resolved(&document()["components"]["schemas"][name])
    })
}

/// Returns a value on the wrong side of the bound.
fn breaking(schema: &Value, bound: &str) -> Value {
    let limit = schema[bound].as_i64().unwrap_or_default();
    let long = |length: i64| "1".repeat(usize::try_from(length).unwrap_or_default());
    match bound {
        "minimum" => json!(limit - 1),
        "maximum" => json!(limit + 1),
        "minLength" => json!(long(limit - 1)),
        "maxLength" => json!(long(limit + 1)),
        "maxProperties" => {
            let names = 0..=limit;
            names.map(|n| (format!("x-{n}"), json!("1"))).collect()
        }
        "pattern" => json!("b a/d\u{1f}!"),
        other => panic!("there is no way here to break a {other}"),
    }
}
