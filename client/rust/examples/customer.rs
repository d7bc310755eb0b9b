//! Makes two payments of a customer against a running sandbox, finds the customer by e-mail address, and deletes them.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example customer`. `MULTIRAIL_URL` is the server's address, by
//! default `http://127.0.0.1:8080`. Only use it with a sandbox, because its card is a test card.

mod sandbox;

use std::process::ExitCode;
use std::time::Duration;

use multirail_client::types::{Currency, CustomerCreateRequest, Payment, PaymentMethod};
use multirail_client::{Client, Error, requests};

const GOOD_CARD: &str = "4111111111111111";
const EMAIL: &str = "ada@shopper.example";
/// The maximum number of checks whether the payments are redacted, ten in a second.
const LOOKS: u32 = 100;

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    let body = CustomerCreateRequest {
        name: Some("Ada Example".to_owned()),
        email: Some(EMAIL.to_owned()),
        ..CustomerCreateRequest::default()
    };
    let ada = client.customers_create().body(body).send().await?;
    println!("{} is {}", ada.customer_id, shown(&ada.name));

    let mut last = None;
    for _ in 0..2 {
        let paid = pay(client, &ada.customer_id).await?;
        println!(
            "  {} by {}: {}",
            paid.payment_id,
            shown(&paid.name),
            paid.status
        );
        last = Some(paid.payment_id);
    }

    let found = client.customers_list().email(EMAIL).send().await?;
    println!("found by the address: {}", found.len());
    assert!(found.iter().any(|one| one.customer_id == ada.customer_id));

    let id = &ada.customer_id;
    let gone = client.customers_delete().customer_id(id).send().await?;
    println!(
        "{} is forgotten: {}",
        gone.customer_id, gone.customer_deleted
    );
    if let Some(payment_id) = last {
        let payment = once_forgotten(client, &payment_id).await?;
        println!("  {payment_id} was paid by {}", shown(&payment.name));
        assert_eq!(payment.name.as_deref(), Some("Redacted"));
    }

    println!("Nothing is paid for this customer any more. This is an error:");
    match pay(client, id).await {
        Ok(payment) => println!("  unexpected: {}", payment.status),
        Err(error @ Error::Api { .. }) => println!("  {error}"),
        Err(error) => return Err(error),
    }
    Ok(())
}

async fn pay(client: &Client, customer_id: &str) -> Result<Payment, Error> {
    let mut body = requests::payment(6540, Currency::Usd);
    body.customer_id = Some(customer_id.to_owned());
    body.confirm = Some(true);
    body.payment_method = Some(PaymentMethod::Card);
    body.payment_method_data = Some(requests::card(GOOD_CARD, "10", "2035", "123"));
    let paid = client.payments_create().body(body).send().await?;
    Ok(paid.into_inner())
}

/// Returns the payment once it is redacted, or unredacted after ten seconds.
async fn once_forgotten(client: &Client, payment_id: &str) -> Result<Payment, Error> {
    let mut looks = 0;
    loop {
        let payment = client.payments_retrieve().payment_id(payment_id).send();
        let payment = payment.await?.into_inner();
        looks += 1;
        if payment.name.as_deref() == Some("Redacted") || looks == LOOKS {
            return Ok(payment);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn shown(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or("somebody")
}
