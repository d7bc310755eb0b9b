//! Challenges a dispute against a running sandbox: submits a file and a text as evidence, and waits until the simulated
//! processor decides for the merchant.
//!
//! Start the server with `cargo run`, take the secret key from its output, and then run
//! `MULTIRAIL_API_KEY=... cargo run -p multirail-client --example dispute`. `MULTIRAIL_URL` is the server's address, by
//! default `http://127.0.0.1:8080`. The simulated bank takes a few seconds. Only use it with a sandbox, because its card
//! is a test card.

mod sandbox;

use std::process::ExitCode;
use std::time::Duration;

use multirail_client::types::{
    Currency, Dispute, DisputeChallengeRequest, DisputeStatus, EvidenceType, PaymentMethod,
};
use multirail_client::{Client, Error, requests};

/// The simulator's card whose payments are disputed as soon as money was taken.
const DISPUTED_CARD: &str = "4000000000000259";
/// The text that convinces the simulator as evidence.
const CONVINCES: &str = "winning_evidence";
/// The maximum number of checks of the dispute, one in a second.
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

    // The contents of a file. A real program reads it from the disk.
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

/// Waits until the payment's dispute is as wanted, and returns it.
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
    panic!("no event announced the dispute; does the merchant's connector account get notices?")
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
