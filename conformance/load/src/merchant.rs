//! The merchant whose payments are measured: an account, a key, one connector account.

use std::io;

use serde_json::{Value, json};

use crate::connection::Connection;
use crate::requests::once;

/// Returns a connector account of the simulator.
pub fn simulated() -> Value {
    json!({
        "connector_type": "payment_processor",
        "connector_name": "fauxpay",
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "load" },
        "test_mode": true,
    })
}

/// A merchant account that was opened.
pub struct Merchant {
    pub merchant_id: String,
    /// The account's secret key.
    pub key: String,
    pub profile_id: String,
    /// The id of its connector account.
    pub merchant_connector_id: String,
}

/// Opens a merchant account of this name at the server at `address`, with this connector account. Successes are announced
/// to `webhook_url`, if there is one.
///
/// # Errors
/// Fails when the server can't be reached or refuses; the text has its answer.
pub async fn open(
    address: &str,
    admin_key: &str,
    merchant_id: &str,
    connector: &Value,
    webhook_url: Option<&str>,
) -> io::Result<Merchant> {
    let mut desk = Connection::open(address).await?;
    let told = webhook_url.map(|url| json!({ "webhook_url": url }));
    let account = json!({
        "merchant_id": merchant_id,
        "merchant_name": "Load",
        "webhook_details": told,
    });
    let path = "/accounts".to_owned();
    asks(&mut desk, &path, address, admin_key, account).await?;
    let path = format!("/api_keys/{merchant_id}");
    let key = asks(
        &mut desk,
        &path,
        address,
        admin_key,
        json!({ "name": "load", "expiration": "never" }),
    )
    .await?;
    let key = key["api_key"].as_str().unwrap_or_default().to_owned();
    let path = format!("/account/{merchant_id}/connectors");
    let account = asks(&mut desk, &path, address, &key, connector.clone()).await?;
    let text = |member: &str| account[member].as_str().unwrap_or_default().to_owned();
    Ok(Merchant {
        merchant_id: merchant_id.to_owned(),
        profile_id: text("profile_id"),
        merchant_connector_id: text("merchant_connector_id"),
        key,
    })
}

/// Accounts of a merchant whose payments are routed by rules.
const ACCOUNTS: usize = 20;
/// Rules that are evaluated; the last one matches.
const RULES: usize = 50;

/// Sets up routing for a merchant: more accounts of the simulator, and rules of which the last matches.
///
/// # Errors
/// Fails when the server can't be reached or refuses.
pub async fn is_routed(address: &str, merchant: &Merchant) -> io::Result<()> {
    let mut desk = Connection::open(address).await?;
    let Merchant {
        merchant_id,
        key,
        profile_id,
        merchant_connector_id,
    } = merchant;
    let path = format!("/account/{merchant_id}/connectors");
    for number in 1..ACCOUNTS {
        let mut account = simulated();
        account["connector_label"] = json!(format!("load_{number}"));
        asks(&mut desk, &path, address, key, account).await?;
    }
    let choice = json!({ "type": "priority", "data": [
        { "connector": "fauxpay", "merchant_connector_id": merchant_connector_id },
    ] });
    let rule = |number: usize| {
        // Payments of the load program have the amount 6540.
        let least = if number + 1 == RULES {
            1
        } else {
            1_000_000 + number
        };
        let condition = json!({
            "lhs": "amount", "comparison": "greater_than", "metadata": {},
            "value": { "type": "number", "value": least },
        });
        json!({
            "name": format!("rule_{number}"), "connectorSelection": choice,
            "statements": [{ "condition": [condition] }],
        })
    };
    let rules: Vec<Value> = (0..RULES).map(rule).collect();
    let body = json!({
        "name": "Fifty rules", "description": "What the load program routes by", "profile_id": profile_id,
        "algorithm": { "type": "advanced", "data": {
            "defaultSelection": choice, "rules": rules, "metadata": {},
        } },
    });
    let made = asks(&mut desk, "/routing", address, key, body).await?;
    let routing_id = made["id"].as_str().unwrap_or_default();
    let path = format!("/routing/{routing_id}/activate");
    asks(&mut desk, &path, address, key, json!({})).await?;
    Ok(())
}

async fn asks(
    desk: &mut Connection,
    path: &str,
    address: &str,
    key: &str,
    body: Value,
) -> io::Result<Value> {
    let answer = desk
        .exchange(&once("POST", path, address, key, Some(body)))
        .await?;
    if answer.status != 200 {
        let said = String::from_utf8_lossy(answer.body);
        return Err(io::Error::other(format!(
            "POST {path}: {} {said}",
            answer.status
        )));
    }
    serde_json::from_slice(answer.body).map_err(io::Error::other)
}
