//! `sdk_authorization`: publishable key and client secret in one text, in its own header.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, card, order, with};
use multirail_conformance::document::operations;
use multirail_conformance::wire::Call;
use serde_json::{Value, json};

use super::{all_wallets, names, shop_with};

/// Returns the authorization from the payment's session.
async fn authorization_of(shop: &Shop, payment: &Value) -> String {
    let session = shop.payer_of(payment).opens_session(&[]).await.ok();
    let data = &session["vault_details"]["vault_data"];
    let text = data["sdk_authorization"].as_str().expect("a text");
    text.to_owned()
}

/// Builds a call with the authorization and without a key.
fn call(shop: &Shop, operation: &str, payment: &Value, authorization: &str) -> Call {
    shop.server
        .wire
        .call(operation)
        .at("payment_id", payment["payment_id"].as_str().expect("an id"))
        .header("authorization", authorization)
}

#[tokio::test]
async fn it_says_what_it_is_made_of() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order(), json!({ "customer_id": "ada" })))
        .await
        .ok();
    let text = authorization_of(&shop, &payment).await;
    let list = String::from_utf8(decoded(&text)).expect("text");
    let secret = payment["client_secret"].as_str().expect("a secret");
    assert_eq!(
        list,
        format!(
            "profile_id={}&publishable_key={}&client_secret={secret}&customer_id=ada",
            shop.profile_id, shop.publishable_key
        )
    );
}

/// The authorization alone is enough to pay.
#[tokio::test]
async fn it_opens_the_same_as_key_and_secret() {
    let shop = shop_with(json!({ "payment_methods_enabled": all_wallets() })).await;
    let payment = shop.creates(order()).await.ok();
    let text = authorization_of(&shop, &payment).await;
    let on = |operation: &str| call(&shop, operation, &payment, &text);
    let read = on("payments_retrieve").await.ok();
    assert_eq!(read["status"], "requires_payment_method");
    let body = json!({ "payment_id": payment["payment_id"], "wallets": ["klarna"] });
    let session = on("payments_session_tokens").json(&body).await.ok();
    assert_eq!(names(&session), ["klarna"]);
    let updated = on("payments_update").json(&card(APPROVED)).await.ok();
    assert_eq!(updated["status"], "requires_confirmation");
    // As a payer's client it can't change the amount.
    let message = on("payments_update")
        .json(&json!({ "amount": 1 }))
        .await
        .refused(422, "IR_06");
    assert!(message.contains("amount"), "{message}");
    let paid = on("payments_confirm").json(&json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn it_opens_its_own_payment_and_no_other() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let other = shop.creates(order()).await.ok();
    let text = authorization_of(&shop, &payment).await;
    call(&shop, "payments_retrieve", &other, &text)
        .await
        .refused(400, "IR_09");
    let body = json!({ "payment_id": other["payment_id"], "wallets": [] });
    call(&shop, "payments_session_tokens", &other, &text)
        .json(&body)
        .await
        .refused(400, "IR_09");
    // If the request repeats the secret, both must be right.
    let retrieve = call(&shop, "payments_retrieve", &payment, &text);
    let secret = |of: &Value| of["client_secret"].as_str().expect("a secret").to_owned();
    retrieve
        .clone()
        .query("client_secret", secret(&payment))
        .await
        .ok();
    retrieve
        .clone()
        .query("client_secret", secret(&other))
        .await
        .refused(400, "IR_09");
    // With an API key, the authorization is ignored.
    retrieve
        .clone()
        .header("api-key", &shop.publishable_key)
        .await
        .refused(400, "IR_04");
    shop.time_passes(910).await;
    retrieve.await.refused(400, "IR_08");
}

/// An authorization belongs to one customer, and fails after the payment moves to another.
#[tokio::test]
async fn it_is_of_one_customer() {
    let shop = Shop::open().await;
    let of_ada = with(order(), json!({ "customer_id": "ada" }));
    let payment = shop.creates(of_ada).await.ok();
    let text = authorization_of(&shop, &payment).await;
    call(&shop, "payments_retrieve", &payment, &text).await.ok();
    let list = String::from_utf8(decoded(&text)).expect("text");
    for (said, is_opened) in [("&customer_id=grace", false), ("", true)] {
        let list = list.replace("&customer_id=ada", said);
        let answer = call(&shop, "payments_retrieve", &payment, &encoded(&list)).await;
        if is_opened {
            answer.ok();
        } else {
            answer.refused(401, "IR_01");
        }
    }
    let of_grace = json!({ "customer_id": "grace" });
    shop.updates(&payment, of_grace).await.ok();
    call(&shop, "payments_retrieve", &payment, &text)
        .await
        .refused(401, "IR_01");
}

#[tokio::test]
async fn it_opens_nothing_that_is_not_a_clients() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let text = authorization_of(&shop, &payment).await;
    for operation in operations() {
        if operation.security.is_empty() || operation.takes("sdk_authorization") {
            continue;
        }
        let call = operation
            .path_parameters()
            .into_iter()
            .fold(shop.server.wire.call(&operation.id), |call, name| {
                call.at(name, "unborn")
            });
        // Operations that only take a user's token say so.
        let code = if operation.security == ["bearer"] {
            "IR_17"
        } else {
            "IR_01"
        };
        call.header("authorization", &text).await.refused(401, code);
    }
}

#[tokio::test]
async fn a_changed_authorization_opens_nothing() {
    let server = multirail_conformance::TestServer::start().await;
    let shop = server.shop("bookshop").await;
    let stranger = server.shop("flower_shop").await;
    let payment = shop.creates(order()).await.ok();
    let secret = payment["client_secret"].as_str().expect("a secret");
    let made = |profile: &str, key: &str, secret: &str| {
        encoded(&format!(
            "profile_id={profile}&publishable_key={key}&client_secret={secret}"
        ))
    };
    let (profile, key) = (shop.profile_id.as_str(), shop.publishable_key.as_str());
    let retrieve = |text: &str| call(&shop, "payments_retrieve", &payment, text);
    retrieve(&made(profile, key, secret)).await.ok();
    for (text, status, code) in [
        (made(profile, key, "nonsense"), 400, "IR_09"),
        (
            made(profile, &stranger.publishable_key, secret),
            400,
            "IR_09",
        ),
        (made(profile, "pk_snd_1", secret), 401, "IR_01"),
        (made(&stranger.profile_id, key, secret), 401, "IR_01"),
        (made(profile, &shop.api_key, secret), 401, "IR_01"),
        (
            encoded(&format!("publishable_key={key}&client_secret={secret}")),
            401,
            "IR_01",
        ),
        (
            format!("Bearer {}", made(profile, key, secret)),
            401,
            "IR_01",
        ),
        (String::new(), 401, "IR_01"),
        ("a".repeat(4_000), 401, "IR_01"),
    ] {
        retrieve(&text).await.refused(status, code);
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes standard base64 by hand, so that the tested code doesn't test itself.
pub(super) fn encoded(text: &str) -> String {
    let mut output = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place > chunk.len() {
                output.push('=');
            } else {
                let index = bits >> (18 - 6 * place) & 63;
                output.push(char::from(ALPHABET[index as usize]));
            }
        }
    }
    output
}

fn decoded(text: &str) -> Vec<u8> {
    let mut output = Vec::new();
    for chunk in text.as_bytes().chunks(4) {
        let digits = chunk.iter().filter(|byte| **byte != b'=');
        let count = digits.clone().count();
        let bits = digits.fold(0u32, |bits, byte| {
            let index = ALPHABET.iter().position(|one| one == byte);
            bits << 6 | index.expect("base64") as u32
        }) << (6 * (4 - count));
        output.extend_from_slice(&bits.to_be_bytes()[1..count]);
    }
    output
}
