//! Events of disputes.

use chrono::TimeDelta;
use multirail_client::requests;
use multirail_client::types::{Dispute, DisputeStatus, Payment, PaymentStatus};

use super::stage::{AMOUNT, Stage, check_status, done, is_as_wanted, until};
use crate::failure::Failure;

/// The card whose payments are disputed once money was captured.
pub(crate) const DISPUTED: &str = "4000000000000259";
/// The last digits of an amount decide the dispute. With these the payer's bank waits for the merchant.
const WAITS: i64 = 0;
const EXPIRES: i64 = 14;
const IS_CANCELLED: i64 = 15;
/// Texts of a challenge. The words in two of them decide the dispute.
const UNDECIDED: &str = "two paperbacks, received and signed for";
pub(crate) const WINS: &str = "winning_evidence";
pub(crate) const LOSES: &str = "losing_evidence";
/// The longest time from a payment to its dispute, which of a returned debit is some days.
const LONGEST_WAIT: TimeDelta = TimeDelta::days(30);

pub(super) async fn opened(stage: &mut Stage<'_>) -> Result<(), Failure> {
    open(stage, WAITS).await.map(drop)
}

pub(super) async fn expired(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let (payment, dispute) = open(stage, EXPIRES).await?;
    becomes(stage, &payment, &dispute, &DisputeStatus::DisputeExpired).await
}

pub(super) async fn cancelled(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let (payment, dispute) = open(stage, IS_CANCELLED).await?;
    becomes(stage, &payment, &dispute, &DisputeStatus::DisputeCancelled).await
}

pub(super) async fn accepted(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let (_, dispute) = open(stage, WAITS).await?;
    accept(stage, &dispute).await
}

pub(super) async fn challenged(stage: &mut Stage<'_>) -> Result<(), Failure> {
    challenge(stage, UNDECIDED).await.map(drop)
}

pub(super) async fn won(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let (payment, dispute) = challenge(stage, WINS).await?;
    becomes(stage, &payment, &dispute, &DisputeStatus::DisputeWon).await
}

pub(super) async fn lost(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let (payment, dispute) = challenge(stage, LOSES).await?;
    becomes(stage, &payment, &dispute, &DisputeStatus::DisputeLost).await
}

/// Pays an amount with these last digits, and waits for its dispute.
async fn open(stage: &mut Stage<'_>, digits: i64) -> Result<(Payment, Dispute), Failure> {
    let amount = AMOUNT - AMOUNT % 100 + digits;
    let payment = stage.pays(DISPUTED, |order| order.amount(amount)).await?;
    check_status(&payment, &PaymentStatus::Succeeded)?;
    let dispute = find(stage, &payment, |_| true).await?;
    stage.made("dispute", &dispute.dispute_id)?;
    Ok((payment, dispute))
}

/// Challenges a dispute with a text that decides it.
async fn challenge(stage: &mut Stage<'_>, text: &str) -> Result<(Payment, Dispute), Failure> {
    let (payment, dispute) = open(stage, WAITS).await?;
    let challenged = answer(stage, &dispute, text).await?;
    Ok((payment, challenged))
}

/// Accepts a dispute.
pub(crate) async fn accept(stage: &Stage<'_>, dispute: &Dispute) -> Result<(), Failure> {
    let call = stage.client.disputes_accept();
    let call = call.dispute_id(&dispute.dispute_id);
    let accepted = done("the acceptance", call.send().await)?;
    has_status(&accepted, &DisputeStatus::DisputeAccepted)
}

/// Answers a dispute with a text that decides it.
pub(crate) async fn answer(
    stage: &Stage<'_>,
    dispute: &Dispute,
    text: &str,
) -> Result<Dispute, Failure> {
    let body = requests::challenge(&dispute.dispute_id).uncategorized_text(text);
    let call = stage.client.disputes_challenge().body(body);
    let challenged = done("the challenge", call.send().await)?.into_inner();
    has_status(&challenged, &DisputeStatus::DisputeChallenged)?;
    Ok(challenged)
}

/// Waits until a dispute has this status.
pub(super) async fn becomes(
    stage: &Stage<'_>,
    payment: &Payment,
    dispute: &Dispute,
    wanted: &DisputeStatus,
) -> Result<(), Failure> {
    let is_it =
        |one: &Dispute| one.dispute_id == dispute.dispute_id && one.dispute_status == *wanted;
    find(stage, payment, is_it).await.map(drop)
}

/// Fetches the payment's disputes from its processor until one fits. Without this the server would wait for the
/// processor's notice, which not every account gets.
pub(crate) async fn find(
    stage: &Stage<'_>,
    payment: &Payment,
    fits: impl Fn(&Dispute) -> bool,
) -> Result<Dispute, Failure> {
    let (Some(account), Some(created)) = (&payment.merchant_connector_id, payment.created) else {
        let incomplete = "the payment names no connector account and no time";
        return Err(Failure::Unexpected(incomplete.to_owned()));
    };
    let (from, till) = (created - TimeDelta::hours(1), created + LONGEST_WAIT);
    until("the dispute", async || {
        let call = stage.client.disputes_fetch().merchant_connector_id(account);
        let call = call.fetch_from(from).fetch_till(till);
        let fetched = done("the look for disputes", call.send().await)?;
        let mut disputes = fetched.into_inner().into_iter();
        Ok(disputes.find(|one| one.payment_id == payment.payment_id && fits(one)))
    })
    .await
}

fn has_status(dispute: &Dispute, wanted: &DisputeStatus) -> Result<(), Failure> {
    is_as_wanted(
        "dispute",
        &dispute.dispute_id,
        &dispute.dispute_status,
        wanted,
    )
}
