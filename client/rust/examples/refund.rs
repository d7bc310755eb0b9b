//! Refunds a payment in two parts against a running sandbox, and finds both in the list of refunds.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example refund`.

mod sandbox;

use std::pin::pin;
use std::process::ExitCode;

use futures::TryStreamExt;
use multirail_client::types::{
    Currency, PaymentCreateRequest, PaymentStatus, RefundListRequest, RefundStatus,
};
use multirail_client::{Client, Error, PaysWith, requests};

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    let order = PaymentCreateRequest::new(6540, Currency::Usd)
        .pays_with(requests::card_of("4111111111111111", "10", "2035", "123"))
        .confirm(true);
    let paid = client.payments_create().body(order).send().await?;
    println!("{} paid: {}", paid.payment_id, paid.status);
    assert_eq!(paid.status, PaymentStatus::Succeeded);

    for (amount, reason) in [(2000, "One of two came back"), (4540, "So did the other")] {
        let refund = requests::refund(&paid.payment_id)
            .amount(amount)
            .reason(reason);
        let refund = client.refunds_create().body(refund).send().await?;
        println!("  {} of {amount}: {}", refund.refund_id, refund.status);
        assert_eq!(refund.status, RefundStatus::Succeeded);
    }
    match client
        .refunds_create()
        .body(requests::refund(&paid.payment_id).amount(1))
        .send()
        .await
    {
        Ok(refund) => println!("  unexpected: {}", refund.status),
        Err(error) => println!("  nothing is left to give back: {}", Error::from(error)),
    }

    println!("All refunds of the payment, newest first:");
    let of_payment = RefundListRequest::new().payment_id(&*paid.payment_id);
    let mut refunds = pin!(client.refunds(of_payment));
    let mut back = 0;
    while let Some(refund) = refunds.try_next().await? {
        back += refund.amount;
        println!(
            "  {} {}: {:?}",
            refund.refund_id, refund.amount, refund.reason
        );
    }
    assert_eq!(back, 6540);
    Ok(())
}
