//! Refused wallet data: members that don't fit, unreadable keys, and worthless proofs.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use multirail_wallet_mint::MerchantKey;
use multirail_wallet_mint::google::Google;
use serde_json::{Value, json};

use super::{
    RECIPIENT, by_apple, by_google, by_network_token, google_message, google_settings,
    in_ten_minutes, opens, pays, sealed,
};

#[tokio::test]
async fn contradictory_members_are_refused() {
    let shop = Shop::open().await;
    let torn = |more: Value| with(by_network_token(APPROVED), more);
    let inside =
        |member: Value| torn(json!({ "payment_method_data": { "network_token": member } }));
    let table = [
        (
            torn(json!({ "payment_method": "card", "payment_method_type": "credit" })),
            422,
            "IR_06",
        ),
        (
            torn(json!({ "payment_method_type": "apple_pay" })),
            422,
            "IR_06",
        ),
        (
            inside(json!({ "network_token": "4111111111111112" })),
            400,
            "IR_06",
        ),
        (inside(json!({ "token_exp_year": "20" })), 400, "IR_16"),
        (inside(json!({ "token_cryptogram": "" })), 400, "IR_16"),
        (inside(json!({ "eci": "x" })), 400, "IR_16"),
        (
            with(
                by_google(json!({ "token": "t" })),
                json!({ "payment_method_type": "apple_pay" }),
            ),
            422,
            "IR_06",
        ),
        (by_google(json!({})), 400, "IR_04"),
        (by_apple("t"), 400, "IR_20"),
    ];
    for (body, status, code) in table {
        pays(&shop, body).await.refused(status, code);
    }
    // A refusal names the member as the caller named it.
    let wrong = [
        ("network_token", "4111111111111112"),
        ("token_exp_month", "13"),
        ("token_exp_year", "20"),
        ("token_cryptogram", "!!"),
        ("eci", "x"),
    ];
    for (member, value) in wrong {
        let refusal = pays(&shop, inside(json!({ member: value }))).await;
        assert_eq!(refusal.status, 400, "{member}");
        let message = refusal.message();
        let named = format!("payment_method_data.network_token.{member}");
        assert!(message.contains(&named), "{message}");
    }
    let key = json!({ "google_pay": with(
        google_settings(&Google::new(), &MerchantKey::generate()),
        json!({ "payment_decryption": { "recipient_id": null } }),
    ) });
    shop.reconnects(json!({ "connector_wallets_details": key }))
        .await
        .refused(422, "IR_05");
}

/// A merchant's wrong key is refused when the account is saved. Otherwise payers' tokens would be blamed.
#[tokio::test]
async fn a_key_that_cannot_be_read_is_refused() {
    let shop = Shop::open().await;
    let roots = Google::new().root_signing_keys();
    let root = |more: Value| json!([roots[0].clone(), with(roots[0].clone(), more)]);
    let none_of_ours = json!([with(roots[0].clone(), json!({ "protocolVersion": "ECv1" }))]);
    for (member, value, named) in [
        ("private_key", json!("zzz"), "private_key"),
        ("recipient_id", json!("foo"), "recipient_id"),
        ("recipient_id", json!("merchant:"), "recipient_id"),
        (
            "root_signing_keys",
            root(json!({ "keyValue": "zz" })),
            "root_signing_keys[1].keyValue",
        ),
        (
            "root_signing_keys",
            root(json!({ "keyExpiration": "soon" })),
            "root_signing_keys[1].keyExpiration",
        ),
        ("root_signing_keys", none_of_ours, "root_signing_keys"),
    ] {
        let key = json!({ "payment_decryption": { member: value } });
        let settings = google_settings(&Google::new(), &MerchantKey::generate());
        let details = json!({ "connector_wallets_details": { "google_pay": with(settings, key) } });
        let named = format!("connector_wallets_details.google_pay.payment_decryption.{named} ");
        no_account_has(&shop, details, &named).await;
    }
}

/// Checks that neither an existing account nor a new one accepts these details.
pub async fn no_account_has(shop: &Shop, details: Value, named: &str) {
    for call in [
        shop.reconnects(details.clone()),
        shop.connects("pretendpay", details),
    ] {
        let message = call.await.refused(422, "IR_05");
        assert!(message.starts_with(named), "{message}");
    }
}

/// A cryptogram must not be empty, sealed or not.
#[tokio::test]
async fn a_cryptogram_that_is_none_proves_nothing() {
    let (google, merchant) = (Google::new(), MerchantKey::generate());
    let shop = Shop::open().await;
    opens(&shop, &google, &merchant).await;
    for cryptogram in ["", "!!"] {
        let torn = json!({ "paymentMethodDetails": { "cryptogram": cryptogram } });
        let message = with(google_message(APPROVED, "CRYPTOGRAM_3DS"), torn);
        let token = google.seal(&merchant, RECIPIENT, &message, in_ten_minutes());
        let message = pays(&shop, sealed(token)).await.refused(400, "IR_16");
        assert!(message.contains("cryptogram"), "{message}");
    }
}
