//! Defends a payment against a running sandbox: its payer claims the money back, a file and a text are handed in as evidence, and
//! the simulated processor decides for the merchant.
//!
//! Start the server with `cargo run`, take the secret key from what it prints, and then
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example dispute`. `MULTIRAIL_URL` is the server's address,
//! `http://127.0.0.1:8080` unless set. It takes a few seconds, as long as the simulated bank thinks. Don't point it at anything
//! but a sandbox: its card is a test card.

mod sandbox;

use std::process::ExitCode;
use std::time::Duration;

use multirail_client::types::{
    Currency, Dispute, DisputeChallengeRequest, DisputeStatus, EvidenceType, PaymentMethod,
};
use multirail_client::{Client, Error, requests};

/// The simulator's card whose payments are disputed as soon as money was taken.
const DISPUTED_CARD: &str = "4000000000000259";
/// The simulator's word for evidence that convinces.
const CONVINCES: &str = "winning_evidence";
/// How often it is looked whether the processor has said something, once a second.
const LOOKS: u32 = 60;

#[tokio::main]
async fn main() -> ExitCode {
    sandbox::run(run).await
}

async fn run(client: &Client) -> Result<(), Error> {
    let mut body = requests::payment(6540, Currency::Usd);
    body.confirm = Some(true);
    body.payment_method = Some(PaymentMethod::Card);
    body.payment_method_data = Some(requests::card(DISPUTED_CARD, "10", "2035", "123"));
    let paid = client.payments_create().body(body).send().await?;
    println!("{}: {}", paid.payment_id, paid.status);

    let dispute = dispute_once(client, &paid.payment_id, |_| true).await?;
    tell(&dispute);

    // The contents of a file; a real one is read from the disk.
    let receipt = b"%PDF-1.7 two paperbacks, received and signed for".to_vec();
    let file = client
        .disputes_attach()
        .dispute_id(&dispute.dispute_id)
        .evidence_type(EvidenceType::Receipt)
        .body(receipt)
        .send()
        .await?;
    println!("attached {}", file.file_id);
    let body = DisputeChallengeRequest {
        uncategorized_text: Some(CONVINCES.to_owned()),
        ..requests::challenge(&dispute.dispute_id)
    };
    let challenged = client.disputes_challenge().body(body).send().await?;
    tell(&challenged);

    let is_decided = |dispute: &Dispute| dispute.dispute_status != DisputeStatus::DisputeChallenged;
    let decided = dispute_once(client, &paid.payment_id, is_decided).await?;
    tell(&decided);
    assert_eq!(decided.dispute_status, DisputeStatus::DisputeWon);
    Ok(())
}

/// The payment's dispute, as soon as it is as it is wanted.
async fn dispute_once(
    client: &Client,
    payment_id: &str,
    is_wanted: impl Fn(&Dispute) -> bool,
) -> Result<Dispute, Error> {
    for _ in 0..LOOKS {
        let listed = client.disputes_list().payment_id(payment_id).send().await?;
        if let Some(dispute) = listed.into_inner().into_iter().find(&is_wanted) {
            return Ok(dispute);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("nothing was told of it; does the merchant's connector account hear notices?")
}

fn tell(dispute: &Dispute) {
    println!(
        "{}: {} of {} {}, {}",
        dispute.dispute_id,
        dispute.dispute_stage,
        dispute.amount,
        dispute.currency,
        dispute.dispute_status
    );
}
