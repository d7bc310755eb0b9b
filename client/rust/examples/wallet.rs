//! Pays by wallet: creates the data that a checkout needs for the buttons of Google Pay and Apple Pay, and confirms
//! with the token that a wallet returns. Also pays by a network token.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example wallet`.

mod sandbox;

use std::process::ExitCode;

use multirail_client::types::*;
use multirail_client::{Error, Instrument, PaysWith};
use sandbox::Shop;
use serde_json::json;

const CRYPTOGRAM: &str = "AgAAAAAAAIR8CQrXcIhbQAAAAAA=";

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run_in_shop(run).await
}

async fn run(shop: &Shop) -> Result<(), Error> {
    let wallets = PaymentMethodEnabledRequest::new(PaymentMethod::Wallet)
        .payment_method_types([json!("google_pay"), json!("apple_pay")]);
    let network = PaymentMethodEnabledRequest::new(PaymentMethod::NetworkToken);
    shop.connects(ConnectorName::Fauxpay, |account| {
        account.payment_methods_enabled([wallets, network])
    })
    .await?;

    let order = PaymentCreateRequest::new(6540, Currency::Usd);
    let payment = shop.client.payments_create().body(order).send().await?;
    let browser = shop.payer(payment.sdk_authorization.as_deref().expect("one"));
    let asks = SessionTokensRequest::new(&*payment.payment_id, []);
    let session = browser.payments_session_tokens().body(asks).send().await?;
    // A wallet encrypts for the owner of a key. This account has no key, so there are no buttons.
    println!("{} buttons to show", session.session_token.len());
    assert!(session.session_token.is_empty());

    // The merchant has decrypted this data. Encrypted data goes into `token`, for an account with the key.
    let opened = GooglePayTokenData::new()
        .application_primary_account_number("4111111111111111")
        .card_exp_month("10")
        .card_exp_year("2035")
        .cryptogram(CRYPTOGRAM)
        .eci_indicator("05");
    let card = GooglePayInfo::new("VISA", "1111");
    let google = GooglePayRequest::new("CARD", "Visa 1111", card, opened);
    let confirm = PaymentConfirmRequest::new().pays_with(google);
    let call = shop.client.payments_confirm();
    let call = call.payment_id(&payment.payment_id).body(confirm);
    let paid = call.send().await?;
    println!("{} by Google Pay: {}", paid.payment_id, paid.status);
    assert_eq!(paid.status, PaymentStatus::Succeeded);

    let number = NetworkTokenRequest::new("4111111111111111", "10", "2035", CRYPTOGRAM);
    let paid = pays(shop, number).await?;
    println!(
        "{} by a number of a network: {}",
        paid.payment_id, paid.status
    );
    assert_eq!(paid.status, PaymentStatus::Succeeded);

    // Apple Pay encrypts for the owner of the key, which this account doesn't have.
    let card = ApplePayMethod::new("Visa 1111", "Visa", "credit");
    let sealed = ApplePayRequest::new("sealed", card, "5f1c");
    let refused = pays(shop, sealed).await.expect_err("nobody can open it");
    println!("by Apple Pay, without a key: {refused}");
    assert_eq!(refused.code(), Some("IR_20"));
    Ok(())
}

async fn pays(shop: &Shop, by: impl Into<Instrument>) -> Result<Payment, Error> {
    let order = PaymentCreateRequest::new(6540, Currency::Usd);
    let order = order.pays_with(by).confirm(true);
    let paid = shop.client.payments_create().body(order).send().await?;
    Ok(paid.into_inner())
}
