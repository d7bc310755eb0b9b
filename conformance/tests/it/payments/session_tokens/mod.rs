//! The session with which a checkout decides which wallet buttons to show. (Specification 4.3)

mod apple_pay;
mod apple_pay_kit;
mod authorization;
mod brought;
mod google_pay;
mod others;
mod refused;
mod variants;
mod vaults;
mod which;

use multirail_conformance::Shop;
use multirail_conformance::bodies::{order, with};
use serde_json::{Value, json};

/// Account settings with which a simulated processor has a session for every wallet.
fn all_wallets() -> Value {
    json!([
        {
            "payment_method": "wallet",
            "payment_method_types": [
                "apple_pay", "google_pay", "samsung_pay", "paypal", "amazon_pay", "paze"
            ],
            "payment_experience": "invoke_sdk_client",
        },
        { "payment_method": "pay_later", "payment_method_types": ["klarna"] },
        { "payment_method": "open_banking", "payment_method_types": ["open_banking_pis"] },
        { "payment_method": "card", "payment_method_types": ["credit", "debit"] },
    ])
}

/// Account settings for this wallet alone.
fn only(wallet: &str) -> Value {
    json!([{ "payment_method": "wallet", "payment_method_types": [wallet] }])
}

/// Opens a shop whose account has these settings.
async fn shop_with(account: Value) -> Shop {
    let shop = Shop::open().await;
    shop.reconnects(account).await.ok();
    shop
}

/// Opens the session of a new order.
async fn session_of(shop: &Shop, more: Value, wallets: &[&str]) -> Value {
    let payment = shop.creates(with(order(), more)).await.ok();
    shop.payer_of(&payment).opens_session(wallets).await.ok()
}

/// Returns the wallets of a session in order.
fn names(session: &Value) -> Vec<&str> {
    let tokens = session["session_token"].as_array().expect("a list");
    let names = tokens.iter().map(|token| token["wallet_name"].as_str());
    names.map(|name| name.expect("a name")).collect()
}

/// Returns the token of the account's only wallet, with these settings.
async fn token_from(shop: &Shop, wallet: &str, settings: Value, payment: Value) -> Value {
    shop.reconnects(json!({
        "payment_methods_enabled": only(wallet), "connector_wallets_details": settings,
    }))
    .await
    .ok();
    let session = session_of(shop, payment, &[wallet]).await;
    assert_eq!(names(&session), [wallet]);
    session["session_token"][0].clone()
}
