//! The payer's view: the publishable key and the client secret. (Specification 5, 8)

use multirail_conformance::bodies::{APPROVED, card, order, order_with, with};
use multirail_conformance::document::{document, operation, operations};
use multirail_conformance::{Shop, shop};
use serde_json::{Value, json};

use super::standing;

#[tokio::test]
async fn a_payer_pays() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    assert_eq!(
        standing(&payer.retrieves().await.ok()).0,
        "requires_payment_method"
    );
    assert_eq!(
        standing(&payer.updates(card(APPROVED)).await.ok()).0,
        "requires_confirmation"
    );
    let body = json!({ "billing": { "address": { "city": "Lagos" } }, "email": "ada@example.com" });
    let paid = payer.confirms(body).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(
        shop.retrieves(&payment).await.ok()["email"],
        "ada@example.com"
    );
}

#[tokio::test]
async fn without_the_secret_nothing_opens() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    for call in [
        payer.call("payments_retrieve"),
        payer.call("payments_update").json(&json!({})),
        payer.call("payments_confirm").json(&card(APPROVED)),
    ] {
        assert!(call.await.refused(400, "IR_04").contains("client_secret"));
    }
}

#[tokio::test]
async fn another_secret_opens_nothing() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let other = shop.creates(order()).await.ok();
    let id = multirail_conformance::shop::id(&payment);
    let guessed = format!("{id}_secret_aaaaaaaaaaaaaaaaaaaa");
    for secret in [
        &guessed,
        other["client_secret"].as_str().expect("a secret"),
        "nonsense",
        "",
    ] {
        let payer = shop.payer_of(&payment).holding(secret);
        payer.retrieves().await.refused(400, "IR_09");
        payer.updates(json!({})).await.refused(400, "IR_09");
        payer.confirms(card(APPROVED)).await.refused(400, "IR_09");
    }
    assert_eq!(shop.retrieves(&payment).await.ok(), payment);
}

#[tokio::test]
async fn the_secret_is_asked_before_the_state() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order_with(APPROVED), json!({ "confirm": true })))
        .await
        .ok();
    let payer = shop.payer_of(&payment);
    payer
        .holding("nonsense")
        .confirms(json!({}))
        .await
        .refused(400, "IR_09");
    payer.confirms(json!({})).await.refused(400, "IR_16");
}

#[tokio::test]
async fn the_secret_lapses() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    shop.time_passes(890).await;
    payer.retrieves().await.ok();
    shop.time_passes(20).await;
    payer.retrieves().await.refused(400, "IR_08");
    payer.updates(json!({})).await.refused(400, "IR_08");
    payer.confirms(card(APPROVED)).await.refused(400, "IR_08");
    let paid = shop.confirms(&payment, card(APPROVED)).await.ok();
    assert_eq!(paid["status"], "succeeded", "the secret key still works");
}

#[tokio::test]
async fn a_secret_key_does_not_take_a_client_secret() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let secret = payment["client_secret"].as_str().expect("a secret");
    let body = json!({ "client_secret": secret });
    for call in [
        shop.confirms(&payment, body.clone()),
        shop.updates(&payment, body.clone()),
        shop.retrieves(&payment).query("client_secret", secret),
    ] {
        assert!(call.await.refused(422, "IR_06").contains("client_secret"));
    }
}

#[tokio::test]
async fn a_payer_sends_only_what_is_a_payers_to_send() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    for id in ["payments_update", "payments_confirm"] {
        let operation = operation(id);
        let allowed = operation
            .client_members
            .as_ref()
            .expect("a client operation");
        let component = operation.request.as_deref().expect("a body");
        let members = document()["components"]["schemas"][component]["properties"]
            .as_object()
            .expect("members");
        let mut refused = 0;
        for (name, schema) in members.iter().filter(|(name, _)| !allowed.contains(name)) {
            let body = json!({ "client_secret": payer.client_secret, name: sample(schema) });
            let message = payer.call(id).json(&body).await.refused(422, "IR_06");
            assert!(message.contains(name.as_str()), "{id} {name}: {message}");
            refused += 1;
        }
        assert!(refused > 40, "{id}: {refused}");
    }
    assert_eq!(shop.retrieves(&payment).await.ok(), payment);
}

/// Returns a value that the schema accepts.
fn sample(schema: &Value) -> Value {
    let target = schema["$ref"]
        .as_str()
        .or_else(|| schema["allOf"][0]["$ref"].as_str())
        .or_else(|| schema["anyOf"][0]["$ref"].as_str());
    if let Some(name) = target.and_then(|target| target.rsplit('/').next()) {
        return sample(&document()["components"]["schemas"][name]);
    }
    if let Some(word) = schema["enum"].as_array().and_then(|words| words.first()) {
        return word.clone();
    }
    match schema["type"].as_str() {
        Some("string") if schema["format"] == "date-time" => json!("2026-01-05T10:11:12Z"),
        Some("string") => json!("abcdef"),
        Some("integer" | "number") => json!(1000),
        Some("boolean") => json!(true),
        Some("array") => json!([sample(&schema["items"])]),
        Some("object") => {
            let required = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            required
                .map(|name| (name.to_owned(), sample(&schema["properties"][name])))
                .collect()
        }
        _ => json!({}),
    }
}

#[tokio::test]
async fn the_payers_view_of_a_payment() {
    let shop = Shop::open().await;
    let private = json!({ "metadata": { "margin": 40 }, "connector_metadata": { "a": 1 }, "feature_metadata": { "b": 2 } });
    let payment = shop.creates(with(order_with(APPROVED), private)).await.ok();
    let payer = shop.payer_of(&payment);
    let paid = payer.confirms(json!({})).await.ok();
    for hidden in [
        "metadata",
        "connector_metadata",
        "feature_metadata",
        "attempts",
        "merchant_connector_id",
        "connector_label",
    ] {
        assert_eq!(
            paid[hidden],
            json!(null),
            "{hidden} is between merchant and processor"
        );
    }
    let call = payer
        .retrieves()
        .query("expand_attempts", true)
        .query("force_sync", true);
    assert_eq!(call.await.ok()["attempts"], json!(null));
    for shown in [
        "payment_id",
        "status",
        "amount",
        "currency",
        "client_secret",
        "amount_received",
    ] {
        assert_ne!(paid[shown], json!(null), "{shown}");
    }
    assert_eq!(
        shop.retrieves(&payment).await.ok()["metadata"],
        json!({ "margin": 40 })
    );
}

#[tokio::test]
async fn a_publishable_key_opens_nothing_else() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    for id in [
        "payments_create",
        "payments_capture",
        "payments_cancel",
        "payments_list",
        "payments_filter",
    ] {
        payer.call(id).await.refused(401, "IR_01");
    }
    let stranger = shop.server.shop("flower_shop").await;
    let call = payer.retrieves().key(&stranger.publishable_key);
    call.await.refused(400, "IR_09");
}

/// Every page of the shop shows the publishable key, so that key alone doesn't reveal whether a payment exists.
#[tokio::test]
async fn without_the_secret_a_payment_is_as_good_as_none() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let paid = with(order_with(APPROVED), json!({ "confirm": true }));
    let paid = shop.creates(paid).await.ok();
    let known = shop::id(&payment);
    let secret = payment["client_secret"].as_str().expect("a secret");
    let mut tried = 0;
    for operation in operations() {
        if !operation.takes("publishable_key") || !operation.id.starts_with("payments_") {
            continue;
        }
        let asks = |id: &str, secret: &str| {
            let call = shop.server.wire.call(&operation.id);
            let call = call.key(&shop.publishable_key).at("payment_id", id);
            let body = match operation.id.as_str() {
                "payments_session_tokens" => {
                    json!({ "payment_id": id, "wallets": [], "client_secret": secret })
                }
                _ => json!({ "client_secret": secret }),
            };
            match operation.request {
                Some(_) => call.json(&body),
                None => call.query("client_secret", secret),
            }
        };
        let wrong = format!("{known}_secret_{}", "0".repeat(20));
        let told = asks(known, &wrong).await.refused(400, "IR_09");
        for (id, secret) in [
            ("pay_unborn", wrong.as_str()),
            ("pay_unborn", secret),
            (shop::id(&paid), secret),
        ] {
            let other = asks(id, secret).await.refused(400, "IR_09");
            assert_eq!(other, told, "{}: {id}", operation.id);
        }
        tried += 1;
    }
    assert!(tried >= 5, "{tried}");
}

#[tokio::test]
async fn a_browser_may_read_the_answer() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    let answer = payer
        .retrieves()
        .header("origin", "https://shop.example")
        .await;
    assert!(answer.header("access-control-allow-origin").is_some());
    let path = format!("/payments/{}/confirm", payer.payment_id);
    let preflight = shop
        .wire
        .request(reqwest::Method::OPTIONS, &path)
        .header("origin", "https://shop.example")
        .header("access-control-request-method", "POST")
        .await;
    assert_eq!(preflight.status, 204);
    assert!(
        preflight
            .header("access-control-allow-headers")
            .is_some_and(|names| names.contains("api-key"))
    );
    let merchants_own = shop.retrieves(&payment).await;
    assert!(
        merchants_own
            .header("access-control-allow-origin")
            .is_none(),
        "nobody asked"
    );
}
