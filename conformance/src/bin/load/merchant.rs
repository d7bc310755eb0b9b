//! The merchant whose payments are measured: an account, a key, one connector account.

use std::io;

use serde_json::{Value, json};

use crate::connection::Connection;
use crate::requests::once;

/// A connector account of the simulator.
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
    /// Its secret key.
    pub key: String,
    pub profile_id: String,
    /// Of its connector account.
    pub merchant_connector_id: String,
}

/// Opens a merchant account of this name at the server at `address`, whose payments this connector account takes, told of
/// successes at `webhook_url` if there is one.
///
/// # Errors
/// A server that can't be reached or refuses; the text says what it answered.
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
