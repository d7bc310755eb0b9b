//! Notices that processors send.

mod brought;
mod door;
mod inbox;
mod outcomes;
pub(crate) mod sent;
mod taken_back;

use multirail_conformance::notice::{SECRET, signed, webhook_details};
use multirail_conformance::patience::until;
use multirail_conformance::{Call, Shop};
use serde_json::Value;

/// Opens a shop whose connector account has a secret for notices.
pub(crate) async fn shop_with_notice_secret() -> Shop {
    let shop = Shop::open().await;
    shop.reconnects(webhook_details()).await.ok();
    shop
}

/// Builds a call of the notice endpoint of the shop's account.
pub(crate) fn door(shop: &Shop) -> Call {
    door_of(shop, &shop.merchant_id, &shop.connector_account_id)
}

/// Builds a call of the notice endpoint of this account of this merchant.
fn door_of(shop: &Shop, merchant_id: &str, account: &str) -> Call {
    let call = shop.server.wire.call("notices_receive");
    call.at("merchant_id", merchant_id)
        .at("connector_account", account)
}

/// Sends a signed notice to the shop.
pub(crate) fn tells(shop: &Shop, notice: &Value) -> Call {
    signed(door(shop), SECRET, notice)
}

/// Returns the processor key of the only operation without an answer.
pub(crate) async fn open_key(shop: &Shop) -> String {
    let open = shop
        .server
        .operator("unresolved_operations_list")
        .await
        .ok();
    let [one] = open.as_array().expect("a list").as_slice() else {
        panic!("not one: {open}");
    };
    one["processor_key"].as_str().expect("a key").to_owned()
}

/// Waits until the last notice has this status, and returns it.
pub(crate) async fn last_notice(shop: &Shop, status: &str) -> Value {
    let all = until(
        format!("the last notice is {status}"),
        async || shop.server.operator("notices_list").await.ok(),
        |all| all[0]["status"] == status,
    );
    all.await[0].clone()
}
