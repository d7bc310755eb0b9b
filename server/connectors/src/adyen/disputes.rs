//! Reads Adyen's dispute events and the answers to dispute actions. Only the event code is signed.
//! Stage and status therefore follow from the code, except in [`ended`] and [`defended`]; the other
//! members are unsigned text.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    Approval, Decline, DeclineCategory, DisputeAt, DisputeNews, DisputeStage, DisputeStatus,
    Outcome,
};

use super::description::UNITS;
use super::wire::{
    DefenseReason, DefenseReasonsAnswer, DisputeAnswer, DisputeRequest, DisputeServiceResult,
    NotificationRequestItem,
};
use super::{Account, Adyen, map};
use crate::client::Answer;

/// The code of an action that Adyen refuses, which it explains by text only.
const NOT_DONE_CODE: &str = "dispute_not_accepted";
/// The addresses of the dispute API, for tests and live.
const TEST_ADDRESS: &str = "https://ca-test.adyen.com";
const LIVE_ADDRESS: &str = "https://ca-live.adyen.com";
const DISPUTES: &[&str] = &["ca", "services", "DisputeService", "v30"];

/// The dispute events, in their order within a stage and status. If two events have the same time,
/// the later entry wins, and a win overrides an earlier loss. Positions are stored as ranks, so new
/// words go to the end.
const WORDS: &[(&str, DisputeStage, DisputeStatus)] = {
    use DisputeStage::{Arbitration, Dispute, PreArbitration, PreDispute};
    use DisputeStatus::{Cancelled, Challenged, Expired, Lost, Opened, Won};
    &[
        ("REQUEST_FOR_INFORMATION", PreDispute, Opened),
        // The first announces a chargeback, the second reports it.
        ("NOTIFICATION_OF_CHARGEBACK", Dispute, Opened),
        ("CHARGEBACK", Dispute, Opened),
        ("INFORMATION_SUPPLIED", Dispute, Challenged),
        ("DISPUTE_DEFENSE_PERIOD_ENDED", Dispute, Expired),
        // The issuer can still raise a second chargeback, until its deadline.
        ("CHARGEBACK_REVERSED", Dispute, Won),
        ("ISSUER_RESPONSE_TIMEFRAME_EXPIRED", Dispute, Won),
        ("PREARBITRATION_OPEN", PreArbitration, Opened),
        ("PREARBITRATION_OPENED", PreArbitration, Opened),
        ("PREARBITRATION_ISSUER_WITHDRAWN", PreArbitration, Cancelled),
        // The second chargeback takes the money again that the reversal had returned.
        ("PREARBITRATION_LOST", PreArbitration, Lost),
        ("SECOND_CHARGEBACK", PreArbitration, Lost),
        ("ARBITRATION_WON", Arbitration, Won),
        ("SCHEME_ARBITRATION_WON", Arbitration, Won),
        ("ARBITRATION_LOST", Arbitration, Lost),
        ("SCHEME_ARBITRATION_LOST", Arbitration, Lost),
        // The issuer gives up, possibly after its second chargeback.
        ("PREARBITRATION_WON", PreArbitration, Won),
        // The issuer reports fraud; no money has moved. A refund can still prevent a chargeback.
        ("NOTIFICATION_OF_FRAUD", PreDispute, Opened),
    ]
};

/// Returns stage, status and rank of an event, or `None` if the event isn't about a dispute.
pub fn stands(event_code: &str) -> Option<(DisputeStage, DisputeStatus, u8)> {
    let index = WORDS.iter().position(|(word, ..)| *word == event_code)?;
    let (_, stage, status) = WORDS[index];
    Some((stage, status, u8::try_from(index).ok()?))
}

/// Distinguishes an accepted dispute from a missed deadline. Adyen sends the same event for both,
/// and only an unsigned text tells them apart. The money is lost either way.
fn ended(item: &NotificationRequestItem, status: DisputeStatus) -> DisputeStatus {
    let said = item.additional_data.get("disputeStatus");
    match status {
        DisputeStatus::Expired if said.is_some_and(|word| word == "Accepted") => {
            DisputeStatus::Accepted
        }
        DisputeStatus::Opened
        | DisputeStatus::Expired
        | DisputeStatus::Accepted
        | DisputeStatus::Cancelled
        | DisputeStatus::Challenged
        | DisputeStatus::Won
        | DisputeStatus::Lost => status,
    }
}

/// Distinguishes the defense of an inquiry from that of a chargeback. Both have the same event and
/// differ only in the unsigned reason code.
fn defended(item: &NotificationRequestItem, stage: DisputeStage) -> DisputeStage {
    let has = |name: &str| item.additional_data.contains_key(name);
    let is_defense = item.event_code == "INFORMATION_SUPPLIED";
    if is_defense && has("rfiReasonCode") && !has("chargebackReasonCode") {
        DisputeStage::PreDispute
    } else {
        stage
    }
}

/// Returns the state of a dispute after this event, or `None` if it can't be read.
pub fn news(
    item: &NotificationRequestItem,
    (stage, status, rank): (DisputeStage, DisputeStatus, u8),
) -> Option<DisputeNews> {
    let currency = item.amount.currency.parse().ok()?;
    let amount_minor = UNITS.from_processor(item.amount.value, currency)?;
    let additional = |name: &str| item.additional_data.get(name)?.as_str().map(str::to_owned);
    let moment = |text: &str| Timestamp::parse_rfc3339(text).ok();
    let original = item.original_reference.clone();
    Some(DisputeNews {
        reference: item.psp_reference.clone(),
        authorization_reference: original.filter(|reference| !reference.is_empty()),
        // The reference of the payment request.
        authorization_key: ProcessorKey::parse(&item.merchant_reference).ok(),
        stage: defended(item, stage),
        status: ended(item, status),
        processor_status: item.event_code.clone(),
        rank,
        money: Money::new(amount_minor, currency),
        reason: item.reason.clone().filter(|reason| !reason.is_empty()),
        reason_code: additional("chargebackReasonCode"),
        challenge_required_by: additional("defensePeriodEndsAt").and_then(|at| moment(&at)),
        opened_at: None,
        updated_at: item.event_date.as_deref().and_then(moment),
    })
}

/// Returns the outcome of a dispute action.
pub fn answered(answer: Answer) -> Outcome {
    map::of_request(answer, |answer| {
        let answer: DisputeAnswer = answer.json()?;
        Some(outcome(answer.dispute_service_result))
    })
}

/// Reads the reasons with which a dispute can be defended.
///
/// # Errors
/// The outcome of an answer without reasons.
#[expect(
    clippy::result_large_err,
    reason = "the error is the outcome, which is made once for each request"
)]
pub fn reasons(answer: Answer) -> Result<Vec<DefenseReason>, Outcome> {
    let mut reasons = Vec::new();
    match map::of_request(answer, |answer| {
        let answer: DefenseReasonsAnswer = answer.json()?;
        reasons = answer.defense_reasons;
        Some(outcome(answer.dispute_service_result))
    }) {
        Outcome::Done(_) => Ok(reasons),
        other => Err(other),
    }
}

fn outcome(result: DisputeServiceResult) -> Outcome {
    if result.success {
        return Outcome::Done(Approval::default());
    }
    let words = result.error_message;
    Outcome::Declined(Decline {
        code: NOT_DONE_CODE.to_owned(),
        message: words.unwrap_or_else(|| "Adyen gives no reason in words".to_owned()),
        category: Some(DeclineCategory::OperationNotAllowed),
        ..Decline::default()
    })
}

impl Adyen {
    pub(super) async fn ask_of_dispute(
        &self,
        account: &Account<'_>,
        operation: &str,
        body: &DisputeRequest<'_>,
    ) -> Answer {
        let sent = account.write_below(DISPUTES, &[operation], body);
        let address = if account.access.test_mode {
            TEST_ADDRESS
        } else {
            LIVE_ADDRESS
        };
        self.client.send(account.access, address, sent).await
    }
}

impl Account<'_> {
    /// Returns a request about this dispute.
    pub(super) fn about<'a>(&'a self, dispute: &'a DisputeAt) -> DisputeRequest<'a> {
        DisputeRequest {
            dispute_psp_reference: &dispute.reference,
            merchant_account_code: self.merchant(),
            defense_documents: Vec::new(),
            defense_document_type: None,
            defense_reason_code: None,
        }
    }
}
