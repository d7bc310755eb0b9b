//! Creates a mandate, charges it without the payer, and revokes it, against a running sandbox.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example mandate`.

mod sandbox;

use std::pin::pin;
use std::process::ExitCode;

use futures::TryStreamExt;
use multirail_client::types::{
    AcceptanceType, Currency, CustomerAcceptance, CustomerCreateRequest, MandateData,
    MandateLimits, MandateStatus, MandateType, PaymentCreateRequest, PaymentStatus,
};
use multirail_client::{Client, Error, Instrument, PaysWith, requests};

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    let customer = client
        .customers_create()
        .body(CustomerCreateRequest::new())
        .send()
        .await?;
    let permits = MandateData::new()
        .mandate_type(
            MandateType::new().multi_use(MandateLimits::new().amount(6540).currency(Currency::Usd)),
        )
        .customer_acceptance(CustomerAcceptance::new(AcceptanceType::Offline));
    let order = PaymentCreateRequest::new(6540, Currency::Usd)
        .customer_id(&*customer.customer_id)
        .mandate_data(permits)
        .pays_with(requests::card_of("4111111111111111", "10", "2035", "123"))
        .confirm(true);
    let paid = client.payments_create().body(order).send().await?;
    let mandate_id = paid.mandate_id.clone().unwrap_or_default();
    println!(
        "{} paid: {}, with the mandate {mandate_id}",
        paid.payment_id, paid.status
    );

    let charge = PaymentCreateRequest::new(1999, Currency::Usd)
        .customer_id(&*customer.customer_id)
        .pays_with(Instrument::Mandate {
            mandate_id: mandate_id.clone(),
        })
        .confirm(true);
    let charged = client.payments_create().body(charge.clone()).send().await?;
    println!(
        "{} charged without the payer: {}",
        charged.payment_id, charged.status
    );
    assert_eq!(charged.status, PaymentStatus::Succeeded);

    let call = client
        .customer_mandates_list()
        .customer_id(&customer.customer_id);
    let mut mandates = pin!(call.stream());
    while let Some(mandate) = mandates.try_next().await? {
        println!("  {} is {}", mandate.mandate_id, mandate.status);
    }
    let revoked = client
        .mandates_revoke()
        .mandate_id(&mandate_id)
        .send()
        .await?;
    println!("taken back: {}", revoked.status);
    assert_eq!(revoked.status, MandateStatus::Revoked);
    match client.payments_create().body(charge).send().await {
        Ok(charged) => println!("unexpected: {}", charged.status),
        Err(error) => println!("and charged no more: {}", Error::from(error)),
    }
    Ok(())
}
