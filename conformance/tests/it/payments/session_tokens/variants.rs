//! Each wallet's own members.

use insta::assert_json_snapshot;
use serde_json::json;

use super::{all_wallets, names, session_of, shop_with};

/// In a sandbox every button can be tried: the simulated processor has a session for each wallet that an account names.
#[tokio::test]
async fn the_simulated_processor_has_them_all() {
    let shop = shop_with(json!({ "payment_methods_enabled": all_wallets() })).await;
    shop.sets_up(json!({ "is_click_to_pay_enabled": true }))
        .await
        .ok();
    let more = json!({ "payment_id": "pay_of_all_wallets", "email": "ada@example.com" });
    let session = session_of(&shop, more, &[]).await;
    assert_eq!(
        names(&session),
        [
            "apple_pay",
            "google_pay",
            "samsung_pay",
            "paypal",
            "klarna",
            "amazon_pay",
            "paze",
            "click_to_pay",
            "open_banking"
        ]
    );
    assert_json_snapshot!(session["session_token"], @"");
}
