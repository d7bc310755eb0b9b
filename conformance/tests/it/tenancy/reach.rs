//! The reach of keys other than a merchant's secret key: of a platform, a payer's client, a payer, the operator.

use multirail_conformance::bodies::{APPROVED, order, with, without};
use multirail_conformance::document::operations;
use multirail_conformance::shop::refund_id;
use multirail_conformance::{Call, Shop};
use serde_json::json;

use super::Street;
use crate::customers;
use crate::disputes::dispute_id;
use crate::mandates;
use crate::payment_methods::{self, card_of, method_id};
use crate::platforms::Hall;

/// Tries every operation for platforms on a merchant of another platform.
#[tokio::test]
async fn a_platform_reaches_merchants_connected_to_it_only() {
    let street = Street::open().await;
    let server = &street.bookshop.server;
    let arcade = Hall::open(server, "arcade").await;
    let mut tried = 0;
    for operation in operations().iter().filter(|one| one.for_platforms) {
        let florist = &street.florist;
        let call = florist
            .call(&operation.id)
            .at("payment_id", &street.payment_id)
            .at("refund_id", refund_id(&street.refund))
            .at("dispute_id", dispute_id(&street.dispute))
            .at("customer_id", customers::id(&street.customer))
            .at("mandate_id", mandates::id(&street.mandate))
            .at("payment_method_id", method_id(&street.method))
            .at("merchant_connector_id", &florist.connector_account_id);
        let call = match operation.request {
            Some(_) => call.json(&json!({})),
            None => call,
        };
        for (platform, merchant_id) in [(&street.hall, "florist"), (&arcade, "bookshop")] {
            let refused = platform.acts(merchant_id, call.clone()).await;
            refused.refused(401, "IR_44");
        }
        // Without the header the platform calls for itself, and has none of these objects.
        let alone = call.key(&street.hall.platform.api_key).await;
        let told = [
            &street.payment_id,
            refund_id(&street.refund),
            "ada@shopper.example",
        ];
        let tells = told.iter().find(|told| alone.text.contains(**told));
        // The log of the platform's own requests has the ids that the platform asked for.
        let is_own_log = operation.id == "request_log_list";
        assert!(
            tells.is_none() || alone.status >= 400 || is_own_log,
            "{}: {}",
            operation.id,
            alone.text
        );
        tried += 1;
    }
    assert!(tried >= 40, "{tried}");
    let untouched = json!({ "payment_id": street.payment_id });
    let untouched = street.florist.retrieves(&untouched).await.ok();
    assert_eq!(untouched["status"], "requires_confirmation");
}

/// A payer's client with a valid call but another shop's key.
#[tokio::test]
async fn a_payers_client_reaches_payments_of_its_keys_merchant_only() {
    let street = Street::open().await;
    let of_ada = with(order(), json!({ "customer_id": "ada" }));
    let payment = street.florist.creates(of_ada).await.ok();
    let (id, secret) = (&payment["payment_id"], &payment["client_secret"]);
    let mut tried = 0;
    for operation in operations()
        .iter()
        .filter(|one| one.takes("publishable_key"))
    {
        let call = |shop: &Shop| {
            let call = shop.server.wire.call(&operation.id);
            let call = call
                .key(&shop.publishable_key)
                .at("payment_method_id", method_id(&street.method))
                .at("customer_id", "ada")
                .at("payment_id", id.as_str().expect("an id"));
            let body = match operation.id.as_str() {
                "payments_session_tokens" => json!({ "payment_id": id, "wallets": [] }),
                "payment_methods_create" => without(card_of("ada", APPROVED), "customer_id"),
                "payment_methods_update" => json!({ "card": { "nick_name": "mine" } }),
                _ => json!({}),
            };
            match operation.request {
                Some(_) => call.json(&with(body, json!({ "client_secret": secret }))),
                None => call.query("client_secret", secret.as_str().expect("a secret")),
            }
        };
        call(&street.bookshop).await.refused(400, "IR_09");
        let own = call(&street.florist).await;
        assert_ne!(own.status, 404, "{}", operation.id);
        tried += 1;
    }
    assert!(tried >= 8, "{tried}");
}

/// Tries every operation for payers with the secrets of another customer, and of another merchant's customer. No
/// answer reveals the customer's data, and nothing changes.
#[tokio::test]
async fn a_payer_reaches_only_their_own_objects() {
    let street = Street::open().await;
    let Street {
        bookshop,
        florist,
        method,
        ..
    } = &street;
    let of = |customer: &str| with(order(), json!({ "customer_id": customer }));
    let payment = florist.creates(of("ada")).await.ok();
    let id = multirail_conformance::shop::id(&payment);
    let hers = [id, method_id(method), "ada@shopper.example"];
    let own_secret = payment["client_secret"].as_str().expect("a secret");
    let others = [
        (florist, florist.creates(of("grace")).await.ok()),
        (florist, florist.creates(order()).await.ok()),
        (bookshop, bookshop.creates(of("ada")).await.ok()),
    ];
    let mut tried = 0;
    for (shop, other) in &others {
        let text = |name: &str| other[name].as_str().map(str::to_owned);
        let authorization = text("sdk_authorization").expect("an authorization");
        let secret = text("client_secret").expect("a secret");
        let app = other["ephemeral_key"]["secret"].as_str();
        for operation in operations() {
            let call = || {
                let call = florist.server.wire.call(&operation.id);
                call.at("payment_id", id)
                    .at("payment_method_id", method_id(method))
                    .at("customer_id", "ada")
            };
            let body = match operation.id.as_str() {
                "payments_session_tokens" => json!({ "payment_id": id, "wallets": [] }),
                "payment_methods_create" => card_of("ada", APPROVED),
                "payment_methods_update" => json!({ "card": { "nick_name": "mine" } }),
                _ => json!({}),
            };
            let said = |call: Call, secret: Option<&str>| {
                let secrets = secret.map(|secret| json!({ "client_secret": secret }));
                match (&operation.request, secret) {
                    (Some(_), _) => call.json(&with(body.clone(), secrets.unwrap_or(json!({})))),
                    (None, Some(secret)) => call.query("client_secret", secret),
                    (None, None) => call,
                }
            };
            let mut calls = Vec::new();
            if operation.takes("sdk_authorization") {
                calls.push(said(call().header("authorization", &authorization), None));
            }
            if operation.takes("publishable_key") {
                let by_client = call().key(&shop.publishable_key);
                calls.push(said(by_client.clone(), Some(&secret)));
                if shop.merchant_id != florist.merchant_id {
                    calls.push(said(by_client, Some(own_secret)));
                }
            }
            if let Some(key) = app.filter(|_| operation.takes("ephemeral_key")) {
                calls.push(said(call().key(key), None));
            }
            for call in calls {
                let answer = call.await;
                let tells = hers.iter().find(|told| answer.text.contains(**told));
                // A refusal may repeat members of its request.
                let is_told = tells.is_some() && answer.status < 400;
                assert!(
                    !is_told,
                    "{} tells {tells:?}: {}",
                    operation.id, answer.text
                );
                tried += 1;
            }
        }
    }
    assert!(tried >= 40, "{tried}");
    let left = florist.retrieves(&payment).await.ok();
    assert_eq!(left["status"], "requires_payment_method");
    let kept = payment_methods::on(florist, "payment_methods_retrieve", method);
    assert_eq!(kept.await.ok(), *method);
}

#[tokio::test]
async fn the_operator_reads_keys_under_their_own_merchant_only() {
    let street = Street::open().await;
    let server = &street.bookshop.server;
    let keys = server
        .operator("api_keys_list")
        .at("merchant_id", "florist")
        .await
        .ok();
    let key_id = keys[0]["key_id"].as_str().expect("an id");
    for operation in ["api_keys_retrieve", "api_keys_update", "api_keys_revoke"] {
        let call = server
            .operator(operation)
            .at("merchant_id", "bookshop")
            .at("key_id", key_id);
        call.await.refused(404, "HE_02");
    }
    server
        .operator("api_keys_retrieve")
        .at("merchant_id", "florist")
        .at("key_id", key_id)
        .await
        .ok();
    for operation in ["business_profiles_retrieve", "business_profiles_update"] {
        let call = server
            .operator(operation)
            .at("account_id", "bookshop")
            .at("profile_id", &street.florist.profile_id);
        call.await.refused(404, "HE_02");
    }
    let foreign = server
        .operator("connector_accounts_delete")
        .at("account_id", "bookshop")
        .at(
            "merchant_connector_id",
            &street.florist.connector_account_id,
        );
    foreign.await.refused(404, "HE_02");
}
