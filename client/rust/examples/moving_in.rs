//! Charges payers who agreed before the merchant used this service: by a processor's token, and by a card with the
//! network's reference to its first payment.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example moving_in`.

mod sandbox;

use std::process::ExitCode;

use multirail_client::types::{
    AcceptanceType, Currency, CustomerAcceptance, CustomerCreateRequest, FutureUsage,
    PaymentCreateRequest, PaymentStatus,
};
use multirail_client::{Client, Error, Instrument, KeptElsewhere, PaysWith, SeriesCard, requests};

const CARD: &str = "4111111111111111";

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    // This payment stands for one that another system took, of which the merchant has the records.
    let ada = client.customers_create().body(CustomerCreateRequest::new());
    let agreed = PaymentCreateRequest::new(6540, Currency::Usd)
        .customer_id(&*ada.send().await?.customer_id)
        .pays_with(requests::card_of(CARD, "10", "2035", "123"))
        .setup_future_usage(FutureUsage::OffSession)
        .customer_acceptance(CustomerAcceptance::new(AcceptanceType::Offline))
        .confirm(true);
    let agreed = client.payments_create().body(agreed).send().await?;
    let token = agreed.connector_mandate_id.clone().expect("a token");
    let account = agreed.merchant_connector_id.clone().expect("its account");
    let reference = agreed.network_transaction_id.clone().expect("a reference");

    let kept = KeptElsewhere::new(token, account);
    charges(client, "what the processor keeps", kept).await?;
    let card = SeriesCard::new(CARD, "10", "2035", reference);
    charges(client, "a card of the merchant's own store", card).await
}

async fn charges(client: &Client, by: &str, with: impl Into<Instrument>) -> Result<(), Error> {
    let charge = PaymentCreateRequest::new(1999, Currency::Usd)
        .pays_with(with)
        .confirm(true);
    let charged = client.payments_create().body(charge).send().await?;
    println!("{} by {by}: {}", charged.payment_id, charged.status);
    assert_eq!(charged.status, PaymentStatus::Succeeded);
    Ok(())
}
