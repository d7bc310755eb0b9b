//! Disputes: opened and updated by notices, listed, accepted.

mod accept;
mod accounts;
pub(crate) mod evidence;
mod list;
mod notices;
mod rows;
mod simulated;

use multirail_conformance::bodies::{DISPUTED, paid_with};
use multirail_conformance::notice::{SECRET, disputed, signed, webhook_details};
use multirail_conformance::patience::until;
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Opens a shop whose connector account has a secret for notices.
pub async fn shop_with_notice_secret() -> Shop {
    let shop = Shop::open().await;
    shop.reconnects(webhook_details()).await.ok();
    shop
}

/// Creates a payment of 65.40 with the card for disputes.
async fn paid(shop: &Shop) -> Value {
    shop.creates(paid_with(DISPUTED)).await.ok()
}

/// Sends a notice of the processor about this payment's dispute.
async fn tells(shop: &Shop, notice: &Value) {
    tells_as(shop, &shop.connector_account_id, notice).await;
}

/// Sends the notice to this account.
async fn tells_as(shop: &Shop, account: &str, notice: &Value) {
    let door = shop.server.wire.call("notices_receive");
    let door = door
        .at("merchant_id", &shop.merchant_id)
        .at("connector_account", account);
    signed(door, SECRET, notice).await.ok();
}

/// Opens a dispute of a payment at this stage and status.
pub(crate) async fn raised(shop: &Shop, payment: &Value, stage: &str, status: &str) -> Value {
    tells(shop, &disputed(payment, stage, status)).await;
    stands(shop, payment, stage, status).await
}

/// Waits until the payment's dispute has this stage and status.
pub async fn stands(shop: &Shop, payment: &Value, stage: &str, status: &str) -> Value {
    let id = payment["payment_id"].as_str().expect("an id");
    let listed = shop.call("disputes_list").query("payment_id", id);
    let listed = until(
        format!("{stage} {status}"),
        async || listed.clone().await.ok(),
        |listed| listed[0]["dispute_stage"] == stage && listed[0]["dispute_status"] == status,
    );
    listed.await[0].clone()
}

/// Builds a challenge with this text.
pub(crate) fn challenges(shop: &Shop, dispute: &Value, item: &str, text: &str) -> Call {
    let body = json!({ "dispute_id": dispute["dispute_id"], item: text });
    shop.call("disputes_challenge").json(&body)
}

/// Builds a call of an operation on this dispute.
pub(crate) fn on(shop: &Shop, operation: &str, dispute: &Value) -> Call {
    shop.call(operation).at("dispute_id", dispute_id(dispute))
}

pub(crate) fn dispute_id(dispute: &Value) -> &str {
    dispute["dispute_id"].as_str().expect("an id")
}
