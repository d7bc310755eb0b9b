//! Saves a payer's card with a payment, lists it, and pays with it again, against a running sandbox.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example saved_card`. `MULTIRAIL_URL` is the server's address,
//! by default `http://127.0.0.1:8080`. Only use it with a sandbox, because its card is a test card.

mod sandbox;

use std::process::ExitCode;

use multirail_client::types::{
    AcceptanceType, Currency, CustomerAcceptance, CustomerCreateRequest, CustomerPaymentMethod,
    FutureUsage, Payment, PaymentCreateRequest, PaymentMethod, PaymentStatus,
};
use multirail_client::{Client, Error, requests};

const GOOD_CARD: &str = "4111111111111111";
const CODE: &str = "123";

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    let body = CustomerCreateRequest::default();
    let ada = client.customers_create().body(body).send().await?;
    let id = ada.customer_id.as_str();

    let mut first = order(id);
    first.payment_method_data = Some(requests::card(GOOD_CARD, "10", "2035", CODE));
    first.setup_future_usage = Some(FutureUsage::OffSession);
    first.customer_acceptance = Some(CustomerAcceptance {
        acceptance_type: AcceptanceType::Offline,
        accepted_at: None,
        online: None,
    });
    tell(&pay(client, first).await?);

    let method = listed(client, id).await?;
    let mut second = order(id);
    second.payment_token = Some(method.payment_token);
    second.card_cvc = Some(CODE.into());
    tell(&pay(client, second.clone()).await?);

    println!("A token pays until its payment is over. This is an error:");
    match pay(client, second).await {
        Ok(payment) => println!("  unexpected: {}", payment.status),
        Err(error @ Error::Api { .. }) => println!("  {error}"),
        Err(error) => return Err(error),
    }

    let gone = client
        .payment_methods_delete()
        .payment_method_id(&method.payment_method_id)
        .send()
        .await?;
    println!("{} is gone: {}", gone.payment_method_id, gone.deleted);
    assert!(gone.deleted);
    Ok(())
}

fn order(customer_id: &str) -> PaymentCreateRequest {
    let mut body = requests::payment(6540, Currency::Usd);
    body.customer_id = Some(customer_id.to_owned());
    body.confirm = Some(true);
    body.payment_method = Some(PaymentMethod::Card);
    body
}

async fn pay(client: &Client, body: PaymentCreateRequest) -> Result<Payment, Error> {
    let paid = client.payments_create().body(body).send().await?;
    Ok(paid.into_inner())
}

fn tell(paid: &Payment) {
    let method = paid.payment_method_id.as_deref().unwrap_or("nothing saved");
    println!("{} {}: {method}", paid.payment_id, paid.status);
    assert_eq!(paid.status, PaymentStatus::Succeeded);
}

/// Returns the method that was used last.
async fn listed(client: &Client, customer_id: &str) -> Result<CustomerPaymentMethod, Error> {
    let list = client
        .customer_payment_methods_list()
        .customer_id(customer_id);
    let list = list.limit(1).send().await?.into_inner();
    let method = list.customer_payment_methods.into_iter().next();
    let method = method.expect("the payment saved its card");
    let card = method.card.as_ref();
    let digits = card.and_then(|card| card.last4_digits.as_deref());
    println!(
        "{} ends with {}",
        method.payment_method_id,
        digits.unwrap_or("-")
    );
    Ok(method)
}
