//! Disputes: raised and moved by notices, listed, accepted.

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

/// A shop whose account at the processor has a secret for notices.
pub async fn told_shop() -> Shop {
    let shop = Shop::open().await;
    shop.reconnects(webhook_details()).await.ok();
    shop
}

/// A payment of 65.40 with the card that is known for disputes.
async fn paid(shop: &Shop) -> Value {
    shop.creates(paid_with(DISPUTED)).await.ok()
}

/// The processor tells how the dispute of this payment stands.
async fn tells(shop: &Shop, notice: &Value) {
    tells_as(shop, &shop.connector_account_id, notice).await;
}

/// The same through this account.
async fn tells_as(shop: &Shop, account: &str, notice: &Value) {
    let door = shop.server.wire.call("notices_receive");
    let door = door
        .at("merchant_id", &shop.merchant_id)
        .at("connector_account", account);
    signed(door, SECRET, notice).await.ok();
}

/// The dispute of a payment, raised in this way.
pub(crate) async fn raised(shop: &Shop, payment: &Value, stage: &str, status: &str) -> Value {
    tells(shop, &disputed(payment, stage, status)).await;
    stands(shop, payment, stage, status).await
}

/// The dispute of a payment, as soon as it stands so.
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

/// A challenge with this text.
pub(crate) fn challenges(shop: &Shop, dispute: &Value, item: &str, text: &str) -> Call {
    let body = json!({ "dispute_id": dispute["dispute_id"], item: text });
    shop.call("disputes_challenge").json(&body)
}

/// An operation on this dispute.
pub(crate) fn on(shop: &Shop, operation: &str, dispute: &Value) -> Call {
    shop.call(operation).at("dispute_id", dispute_id(dispute))
}

pub(crate) fn dispute_id(dispute: &Value) -> &str {
    dispute["dispute_id"].as_str().expect("an id")
}
