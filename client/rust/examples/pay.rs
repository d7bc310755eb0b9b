//! Pays against a running sandbox: a card that works and a card that is declined, a capture in two parts, and a payment
//! link. Another authorization is raised, captured and voided.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example pay`. `MULTIRAIL_URL` is the server's address, by
//! default `http://127.0.0.1:8080`. Only use it with a sandbox, because its cards are test cards.

mod sandbox;

use std::process::ExitCode;

use multirail_client::types::{
    CaptureMethod, Currency, Payment, PaymentCancelPostCaptureRequest, PaymentCaptureRequest,
    PaymentConfirmRequest, PaymentIncrementalAuthorizationRequest, PaymentMethod, PaymentStatus,
};
use multirail_client::{Client, Error, requests};

const GOOD_CARD: &str = "4111111111111111";
const DECLINED_CARD: &str = "5105105105105100";

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    println!("A card that works:");
    let paid = pay(client, GOOD_CARD, CaptureMethod::Automatic).await?;
    println!(
        "  {} received: {}\n",
        dollars(paid.amount_received),
        paid.status
    );

    assert_eq!(paid.status, PaymentStatus::Succeeded);

    println!("A card that is declined. That is an answer, not an error:");
    let declined = pay(client, DECLINED_CARD, CaptureMethod::Automatic).await?;
    assert_eq!(declined.status, PaymentStatus::Failed);
    let code = declined.error_code.as_deref().unwrap_or("no code");
    let message = declined.error_message.as_deref();
    println!(
        "  because: {} ({code})\n",
        message.unwrap_or("no reason given")
    );

    println!("Authorized now, captured in two parts:");
    let held = pay(client, GOOD_CARD, CaptureMethod::ManualMultiple).await?;
    for part in [4000, 2540] {
        let payment = capture(client, &held.payment_id, part).await?;
        println!(
            "  captured {}: {}, {} received, {} left",
            dollars(Some(part)),
            payment.status,
            dollars(payment.amount_received),
            dollars(Some(payment.amount_capturable)),
        );
    }

    println!("\nA third part, which nobody authorized. This is an error:");
    match capture(client, &held.payment_id, 1).await {
        Ok(payment) => println!("  unexpected: {}", payment.status),
        Err(error @ Error::Api { .. }) => println!("  {error}"),
        Err(error) => return Err(error),
    }

    println!("\nA second night: the authorization is raised, captured, and voided after all:");
    raise_capture_and_void(client).await?;

    println!("\nA link, for a payer to open:");
    let mut body = requests::payment(6540, Currency::Usd);
    body.payment_link = Some(true);
    let linked = client.payments_create().body(body).send().await?;
    let link = linked.payment_link.as_ref().expect("a link");
    println!("  {}", link.link);
    Ok(())
}

async fn raise_capture_and_void(client: &Client) -> Result<(), Error> {
    let mut body = requests::payment(6540, Currency::Usd);
    body.capture_method = Some(CaptureMethod::Manual);
    body.request_incremental_authorization = Some(true);
    body.confirm = Some(true);
    body.payment_method = Some(PaymentMethod::Card);
    body.payment_method_data = Some(requests::card(GOOD_CARD, "10", "2035", "123"));
    let held = client.payments_create().body(body).send().await?;
    let body = PaymentIncrementalAuthorizationRequest {
        amount: 13080,
        reason: Some("A second night".to_owned()),
    };
    let raised = client
        .payments_incremental_authorization()
        .payment_id(&held.payment_id)
        .body(body)
        .send()
        .await?;
    println!(
        "  raised to {}: {}",
        dollars(Some(raised.amount)),
        raised.status
    );
    let taken = capture(client, &held.payment_id, 13080).await?;
    println!(
        "  {} received: {}",
        dollars(taken.amount_received),
        taken.status
    );
    let body = PaymentCancelPostCaptureRequest {
        cancellation_reason: Some("The guest never came".to_owned()),
        ..PaymentCancelPostCaptureRequest::default()
    };
    let voided = client
        .payments_cancel_post_capture()
        .payment_id(&held.payment_id)
        .body(body)
        .send()
        .await?;
    println!(
        "  {} received: {}",
        dollars(voided.amount_received),
        voided.status
    );
    assert_eq!(voided.status, PaymentStatus::CancelledPostCapture);
    Ok(())
}

/// Creates a payment of 65.40 dollars and confirms it with the card.
async fn pay(
    client: &Client,
    card_number: &str,
    capture_method: CaptureMethod,
) -> Result<Payment, Error> {
    let mut body = requests::payment(6540, Currency::Usd);
    body.capture_method = Some(capture_method);
    let payment = client.payments_create().body(body).send().await?;
    println!("  {} created: {}", payment.payment_id, payment.status);

    let body = PaymentConfirmRequest {
        payment_method: Some(PaymentMethod::Card),
        payment_method_data: Some(requests::card(card_number, "10", "2035", "123")),
        ..PaymentConfirmRequest::default()
    };
    let payment = client
        .payments_confirm()
        .payment_id(&payment.payment_id)
        .body(body)
        .send()
        .await?;
    println!("  {} confirmed: {}", payment.payment_id, payment.status);
    Ok(payment.into_inner())
}

async fn capture(client: &Client, payment_id: &str, amount: i64) -> Result<Payment, Error> {
    let body = PaymentCaptureRequest {
        amount_to_capture: Some(amount),
        ..PaymentCaptureRequest::default()
    };
    Ok(client
        .payments_capture()
        .payment_id(payment_id)
        .body(body)
        .send()
        .await?
        .into_inner())
}

fn dollars(cents: Option<i64>) -> String {
    let cents = cents.unwrap_or(0);
    format!("{}.{:02} USD", cents / 100, cents % 100)
}
