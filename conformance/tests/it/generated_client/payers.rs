//! Calls of payers' programs, and their answers.

use multirail_client::{Connection, Error, requests, types};
use multirail_conformance::bodies::{THREE_DS, order, with};
use multirail_conformance::wallet_settings::google_key;
use multirail_conformance::{Browser, Shop};
use serde_json::json;

use super::typed;

#[tokio::test]
async fn a_link_that_payers_can_be_sent() {
    let shop = Shop::open().await;
    let body = typed(with(order(), json!({ "payment_link": true })));
    let made = shop.client().payments_create().body(body).send().await;
    let link = made.expect("created").into_inner().payment_link;
    let address = link.expect("a link").link;
    let page = Browser::new(&shop.wire).opens(&address).await;
    assert!(page.expect("a page").html.contains("$65.40"));
}

#[tokio::test]
async fn a_checkout_asks_for_wallets() {
    let shop = Shop::open().await;
    let enabled = json!([{
        "payment_method": "wallet", "payment_method_types": ["google_pay", "paypal"],
    }]);
    let delayed = json!({ "google_pay": {
        "delayed_session_token": true, "payment_decryption": google_key(),
    } });
    shop.reconnects(json!({
        "payment_methods_enabled": enabled, "connector_wallets_details": delayed,
    }))
    .await
    .ok();
    let payment = shop.creates(order()).await.ok();
    let authorization = payment["sdk_authorization"].as_str().expect("a text");
    let checkout = Connection::new(shop.url())
        .sdk_authorization(authorization)
        .build()
        .expect("a client");
    let body = types::SessionTokensRequest {
        payment_id: multirail_conformance::shop::id(&payment).to_owned(),
        wallets: Vec::new(),
        client_secret: None,
        merchant_connector_details: None,
    };
    let session = checkout.payments_session_tokens().body(body).send().await;
    let session = session.expect("a session").into_inner();
    // Both forms of Google Pay are one variant here. Members of the other form are absent.
    let [
        types::SessionToken::GooglePay {
            delayed_session_token: true,
            merchant_info: None,
            ..
        },
        types::SessionToken::Paypal { session_token, .. },
    ] = session.session_token.as_slice()
    else {
        panic!("two wallets: {session:?}");
    };
    assert_eq!(session_token, "sandbox_client");
    let types::VaultDetails::InternalVault(own) = session.vault_details else {
        panic!("this service's own vault");
    };
    assert_eq!(own.sdk_authorization, authorization);
}

#[tokio::test]
async fn a_payers_program_pays() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let secret = payment["client_secret"]
        .as_str()
        .expect("a secret")
        .to_owned();
    let payer = Connection::new(shop.url())
        .publishable_key(shop.publishable_key.as_str())
        .build()
        .expect("a client");
    let id = multirail_conformance::shop::id(&payment);
    let confirm = types::PaymentConfirmRequest {
        payment_method: Some(types::PaymentMethod::Card),
        payment_method_data: Some(requests::card(THREE_DS, "10", "2035", "123")),
        client_secret: Some(secret.clone()),
        ..Default::default()
    };
    let asked = payer
        .payments_confirm()
        .payment_id(id)
        .body(confirm)
        .send()
        .await
        .expect("confirmed")
        .into_inner();
    assert_eq!(asked.status, types::PaymentStatus::RequiresCustomerAction);
    let action = asked.next_action.expect("something to do");
    assert_eq!(action.type_, types::NextActionType::RedirectToUrl);
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(&action.redirect_to_url.expect("an address"))
        .await
        .expect("a page");
    browser
        .presses(&page, "Approve")
        .await
        .expect("the last page");
    let read = payer
        .payments_retrieve()
        .payment_id(id)
        .client_secret(secret.as_str())
        .send()
        .await
        .expect("read");
    assert_eq!(read.status, types::PaymentStatus::Succeeded);
    let stranger = payer
        .payments_retrieve()
        .payment_id(id)
        .client_secret("nonsense")
        .send()
        .await;
    let error = stranger
        .map(|_| ())
        .map_err(Error::from)
        .expect_err("another secret");
    assert_eq!(error.code(), Some("IR_09"));
}
