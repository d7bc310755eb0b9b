//! The wallets of a session, and the account behind each.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{order, with};
use multirail_conformance::wallet_settings::{google_pay, payable};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{all_wallets, names, only, session_of, shop_with};

#[tokio::test]
async fn those_that_the_checkout_can_show() {
    let shop = shop_with(json!({ "payment_methods_enabled": all_wallets() })).await;
    let session = session_of(&shop, json!({}), &["paypal", "klarna", "ideal"]).await;
    assert_eq!(names(&session), ["paypal", "klarna"]);
    let session = session_of(&shop, json!({}), &["open_banking"]).await;
    assert_eq!(names(&session), ["open_banking"]);
}

/// The SDKs of both need the country of the merchant.
#[tokio::test]
async fn apple_and_google_pay_where_somebody_says_the_country() {
    let shop = shop_with(json!({
        "payment_methods_enabled": all_wallets(), "connector_wallets_details": payable(),
    }))
    .await;
    let wallets = ["apple_pay", "google_pay", "paypal"];
    let session = session_of(&shop, json!({}), &wallets).await;
    assert_eq!(names(&session), ["paypal"]);
    let billed = json!({ "billing": { "address": { "country": "DE" } } });
    let session = session_of(&shop, billed, &wallets).await;
    assert_eq!(names(&session), wallets);
    // Another account has the country.
    let another = json!({
        "payment_methods_enabled": only("google_pay"), "business_country": "FR", "connector_label": "in France",
        "connector_wallets_details": payable(),
    });
    shop.connects("pretendpay", another).await.ok();
    let session = session_of(&shop, json!({}), &wallets).await;
    assert_eq!(names(&session), ["google_pay", "paypal"]);
    assert_eq!(session["session_token"][0]["connector"], "pretendpay");
    let profile = json!({ "merchant_business_country": "US" });
    shop.sets_up(profile).await.ok();
    let session = session_of(&shop, json!({}), &wallets).await;
    assert_eq!(names(&session), wallets);
}

/// A wallet is offered only if an account would take it, and always through such an account.
#[tokio::test]
async fn a_wallet_that_a_confirm_would_take() {
    let metadata = json!({ "google_pay": google_pay() });
    let shop = shop_with(json!({
        "payment_methods_enabled": all_wallets(), "metadata": metadata,
    }))
    .await;
    shop.sets_up(json!({ "merchant_business_country": "US" }))
        .await
        .ok();
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    let listed = async || {
        let listed = payer.call("account_payment_methods_list");
        let listed = listed.query("client_secret", &payer.client_secret);
        let methods = listed.await.ok()["payment_methods"].clone();
        let mut methods = methods.as_array().expect("a list").iter();
        let wallets = methods.find(|one| one["payment_method"] == "wallet");
        let types = wallets.expect("PayPal by redirect")["payment_method_types"].as_array();
        let types = types.expect("a list").iter();
        // Other wallets are confirmed by redirect, without a session.
        let tokens = ["apple_pay", "google_pay"];
        let of_sessions = types.filter(|one| {
            tokens
                .iter()
                .any(|kind| one["payment_method_type"] == *kind)
        });
        of_sessions.cloned().collect::<Vec<Value>>()
    };
    let wallets = ["apple_pay", "google_pay", "paypal"];
    let session = payer.opens_session(&wallets).await.ok();
    assert_eq!(names(&session), ["paypal"]);
    assert_eq!(listed().await, Vec::<Value>::new());

    let own = json!({
        "payment_methods_enabled": only("google_pay"), "connector_wallets_details": payable(),
    });
    shop.connects("pretendpay", own).await.ok();
    let session = payer.opens_session(&wallets).await.ok();
    assert_eq!(names(&session), ["google_pay", "paypal"]);
    assert_eq!(session["session_token"][0]["connector"], "pretendpay");
    let types = listed().await;
    assert_eq!(types.len(), 1, "{types:?}");
    let experience = &types[0]["payment_experience"][0];
    assert_eq!(experience["eligible_connectors"], json!(["pretendpay"]));
}

/// A payment that restricts its methods offers only those.
#[tokio::test]
async fn those_that_the_payment_allows() {
    let shop = shop_with(json!({
        "payment_methods_enabled": all_wallets(), "connector_wallets_details": payable(),
    }))
    .await;
    shop.sets_up(json!({ "is_click_to_pay_enabled": true, "merchant_business_country": "US" }))
        .await
        .ok();
    for (allowed, wanted) in [
        (json!(["credit"]), vec!["click_to_pay"]),
        (json!(["google_pay"]), vec!["google_pay"]),
        (json!(["paypal", "klarna"]), vec!["paypal", "klarna"]),
        (json!(["ideal"]), vec![]),
    ] {
        let allows = json!({ "allowed_payment_method_types": allowed });
        let session = session_of(&shop, allows, &[]).await;
        assert_eq!(names(&session), wanted, "{allowed}");
    }
}

/// An account's filters apply to its wallets as they do to its cards.
#[tokio::test]
async fn those_that_the_account_takes_for_the_payment() {
    let shop = Shop::open().await;
    let wallet = |more: Value| {
        let item = json!({ "payment_method": "wallet", "payment_method_types": ["paypal"] });
        json!([with(item, more)])
    };
    let euros = json!({ "type": "enable_only", "list": ["EUR"] });
    let not_germany = json!({ "type": "disable_only", "list": ["DE"] });
    let in_germany = json!({ "billing": { "address": { "country": "DE" } } });
    let in_france = json!({ "billing": { "address": { "country": "FR" } } });
    for (enabled, payment, is_there) in [
        (json!({}), json!({}), true),
        (json!({ "accepted_currencies": euros }), json!({}), false),
        (
            json!({ "accepted_currencies": euros }),
            json!({ "currency": "EUR" }),
            true,
        ),
        (
            json!({ "accepted_countries": not_germany }),
            in_germany,
            false,
        ),
        (
            json!({ "accepted_countries": not_germany }),
            in_france,
            true,
        ),
        (
            json!({ "accepted_countries": not_germany }),
            json!({}),
            true,
        ),
        (json!({ "minimum_amount": 6541 }), json!({}), false),
        (json!({ "minimum_amount": 6540 }), json!({}), true),
        (json!({ "maximum_amount": 6539 }), json!({}), false),
        // The whole amount counts, with shipping.
        (
            json!({ "maximum_amount": 6600 }),
            json!({ "shipping_cost": 100 }),
            false,
        ),
        (
            json!({ "payment_experience": "redirect_to_url" }),
            json!({}),
            false,
        ),
        (
            json!({ "payment_experience": "invoke_sdk_client" }),
            json!({}),
            true,
        ),
    ] {
        let account = json!({ "payment_methods_enabled": wallet(enabled.clone()) });
        shop.reconnects(account).await.ok();
        let session = session_of(&shop, payment.clone(), &[]).await;
        let found = names(&session) == ["paypal"];
        assert_eq!(found, is_there, "{enabled} {payment}");
    }
}

/// A wallet needs settings. The simulator's own settings are used only if the account's list enables the wallet.
#[tokio::test]
async fn those_that_are_configured() {
    let shop = Shop::open().await;
    // Without a list, only configured wallets are offered.
    assert_eq!(names(&session_of(&shop, json!({}), &[]).await), [""; 0]);
    let metadata =
        json!({ "paypal_sdk": { "client_id": "mine" }, "paze": { "client_id": "half" } });
    shop.reconnects(json!({ "metadata": metadata })).await.ok();
    let session = session_of(&shop, json!({}), &[]).await;
    assert_eq!(names(&session), ["paypal"]);
    assert_eq!(session["session_token"][0]["session_token"], "mine");
    // A list without varieties enables all of them.
    let all = json!([{ "payment_method": "pay_later" }, { "payment_method": "wallet" }]);
    shop.reconnects(json!({ "payment_methods_enabled": all }))
        .await
        .ok();
    let session = session_of(&shop, json!({}), &["paypal", "klarna", "open_banking"]).await;
    assert_eq!(names(&session), ["paypal", "klarna"]);

    // Sealed settings win over those in the metadata.
    let sealed = json!({ "paypal_sdk": { "client_id": "sealed" } });
    let account = shop
        .reconnects(json!({
            "connector_wallets_details": sealed, "payment_methods_enabled": only("paypal"),
        }))
        .await
        .ok();
    assert!(!account.to_string().contains("sealed"), "{account}");
    let session = session_of(&shop, json!({}), &[]).await;
    assert_eq!(session["session_token"][0]["session_token"], "sealed");
}

#[tokio::test]
async fn settings_that_cannot_be_read_are_refused() {
    let shop = Shop::open().await;
    for (details, member) in [
        (json!({ "paypal_sdk": { "client": "typo" } }), "paypal_sdk"),
        (
            json!({ "google_pay": { "merchant_info": {} } }),
            "google_pay",
        ),
        (json!({ "google_pay": {} }), "google_pay"),
        (
            json!({ "apple_pay": { "payment_request_data": {} } }),
            "apple_pay",
        ),
        (
            json!({ "apple_pay_combined": { "simplified": {} } }),
            "apple_pay_combined",
        ),
        (
            json!({ "venmo": { "client_id": "x" } }),
            "connector_wallets_details",
        ),
    ] {
        let account = json!({ "connector_wallets_details": details });
        let message = shop.reconnects(account).await.refused(422, "IR_05");
        assert!(message.contains(member), "{message}");
    }
}

/// Two accounts have PayPal. The older one is used, unless the payment's routing prefers the other or the older is
/// disabled.
#[tokio::test]
async fn the_first_account_by_routing_speaks_for_a_wallet() {
    let shop = Shop::open().await;
    let own = |id: &str| {
        json!({
            "payment_methods_enabled": only("paypal"),
            "metadata": { "paypal_sdk": { "client_id": id } },
        })
    };
    shop.reconnects(own("older")).await.ok();
    shop.connects("pretendpay", own("younger")).await.ok();
    let speaks = async |payment: Value| {
        let session = session_of(&shop, payment, &[]).await;
        let tokens = session["session_token"].as_array().expect("a list");
        let mut paypal = tokens.iter().filter(|one| one["wallet_name"] == "paypal");
        let first = paypal.next().map(|one| one["session_token"].clone());
        assert!(paypal.next().is_none(), "twice: {session}");
        first
    };
    assert_eq!(speaks(json!({})).await, Some(json!("older")));
    let routed = json!({ "routing": { "type": "single", "data": { "connector": "pretendpay" } } });
    assert_eq!(speaks(routed).await, Some(json!("younger")));
    let elsewhere = json!({ "routing": { "type": "single", "data": { "connector": "phonypay" } } });
    assert_eq!(speaks(elsewhere).await, None);
    shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(speaks(json!({})).await, Some(json!("younger")));
}

/// If a processor fails to open its session, only its wallet is left out.
#[tokio::test]
async fn a_processor_that_fails_takes_its_wallet_along_and_no_other() {
    let shop = shop_with(json!({ "payment_methods_enabled": all_wallets() })).await;
    let wallets = ["paypal", "klarna", "open_banking"];
    for fault in [
        Fault::LosesRequest,
        Fault::LosesAnswer,
        Fault::FailsBefore(503),
        Fault::AnswersNonsense,
        Fault::Throttles,
    ] {
        shop.next_call_meets(Call::Session, fault.clone());
        shop.next_call_meets(Call::Session, fault.clone());
        let session = session_of(&shop, json!({}), &wallets).await;
        assert_eq!(names(&session), ["paypal"], "{fault:?}");
    }
    let session = session_of(&shop, json!({}), &wallets).await;
    assert_eq!(names(&session), wallets);
    // The processor doesn't know this key.
    let key = json!({ "auth_type": "HeaderKey", "api_key": "refused_key" });
    shop.reconnects(json!({ "connector_account_details": key }))
        .await
        .ok();
    let session = session_of(&shop, json!({}), &wallets).await;
    assert_eq!(names(&session), ["paypal"]);
}
