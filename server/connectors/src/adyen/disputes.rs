//! Reads Adyen's dispute events and the answers to dispute actions. Only the event code is signed.
//! Stage and status therefore follow from the code, except in [`ended`], [`defended`] and
//! [`returned`]; the other members are unsigned text.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    Approval, Decline, DeclineCategory, DisputeAt, DisputeNews, DisputeStage, DisputeStatus,
    Outcome,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::description::UNITS;
use super::generated::wire::{
    DefenseReason, DefenseReasonsResponse, DisputeItem, DisputeItemPaymentMethod, DisputeItemType,
    DisputeQuestion, DisputeResponse, DisputeServiceResult,
};
use super::{Account, Adyen, map};
use crate::client::Answer;

/// The event of a chargeback, which is lost at once if it returns a debit.
const RETURN: &str = "CHARGEBACK";

/// The code of an action that Adyen refuses, which it explains by text only.
const NOT_DONE_CODE: &str = "dispute_not_accepted";
/// The addresses of the dispute API, for tests and live.
const TEST_ADDRESS: &str = "https://ca-test.adyen.com";
const LIVE_ADDRESS: &str = "https://ca-live.adyen.com";
const DISPUTES: &[&str] = &["ca", "services", "DisputeService", "v30"];

/// Distinguishes an accepted dispute from a missed deadline. Adyen sends the same event for both,
/// and only an unsigned text tells them apart. The money is lost either way.
fn ended(item: &DisputeItem, status: DisputeStatus) -> DisputeStatus {
    let is_accepted = additional(item, "disputeStatus") == Some("Accepted");
    match status == DisputeStatus::Expired && is_accepted {
        true => DisputeStatus::Accepted,
        false => status,
    }
}

/// Distinguishes the defense of an inquiry from that of a chargeback. Both have the same event and
/// differ only in the unsigned reason code.
fn defended(item: &DisputeItem, event: DisputeItemType, stage: DisputeStage) -> DisputeStage {
    let has = |name: &str| additional(item, name).is_some();
    let is_defense = event == DisputeItemType::InformationSupplied;
    if is_defense && has("rfiReasonCode") && !has("chargebackReasonCode") {
        DisputeStage::PreDispute
    } else {
        stage
    }
}

/// Tells the return of a debit from other chargebacks. Both have the same event and differ only in
/// the unsigned method of the payment. No scheme lets a merchant answer a return.
fn returned(item: &DisputeItem, event: DisputeItemType, status: DisputeStatus) -> DisputeStatus {
    let method = item.payment_method.as_deref();
    let is_debit = match method.map(DisputeItemPaymentMethod::read) {
        Some(
            DisputeItemPaymentMethod::Ach
            | DisputeItemPaymentMethod::DirectdebitGb
            | DisputeItemPaymentMethod::Sepadirectdebit,
        ) => true,
        Some(DisputeItemPaymentMethod::Visa | DisputeItemPaymentMethod::Unknown) | None => false,
    };
    match event == DisputeItemType::Chargeback && is_debit {
        true => DisputeStatus::Lost,
        false => status,
    }
}

/// Returns the beginning of a dispute whose only notice tells its end: that of a returned debit.
pub fn beginning(news: &DisputeNews) -> Option<DisputeNews> {
    let is_return = news.processor_status == RETURN && news.status == DisputeStatus::Lost;
    is_return.then(|| DisputeNews {
        status: DisputeStatus::Opened,
        ..news.clone()
    })
}

fn additional<'a>(item: &'a DisputeItem, name: &str) -> Option<&'a str> {
    item.additional_data.as_ref()?.get(name)?.as_str()
}

/// Returns the state of a dispute after this event, or `None` if it can't be read. If two events have
/// the same time, the one that stands later in `peer.yaml` wins, and a win overrides an earlier loss.
pub fn news(
    item: &Map<String, Value>,
    event: DisputeItemType,
    (stage, status): (DisputeStage, DisputeStatus),
) -> Option<DisputeNews> {
    let item = DisputeItem::deserialize(item).ok()?;
    let currency = item.amount.currency.parse().ok()?;
    let amount_minor = UNITS.from_processor(item.amount.value, currency)?;
    let moment = |text: &str| Timestamp::parse_rfc3339(text).ok();
    let original = item.original_reference.clone();
    Some(DisputeNews {
        authorization_reference: original.filter(|reference| !reference.is_empty()),
        // The reference of the payment request.
        authorization_key: ProcessorKey::parse(&item.merchant_reference).ok(),
        stage: defended(&item, event, stage),
        status: returned(&item, event, ended(&item, status)),
        rank: event as u8,
        money: Money::new(amount_minor, currency),
        reason_code: additional(&item, "chargebackReasonCode").map(str::to_owned),
        challenge_required_by: additional(&item, "defensePeriodEndsAt").and_then(moment),
        opened_at: None,
        updated_at: item.event_date.as_deref().and_then(moment),
        reference: item.psp_reference,
        processor_status: item.event_code,
        reason: item.reason.filter(|reason| !reason.is_empty()),
    })
}

/// Returns the outcome of a dispute action.
pub fn answered(answer: Answer) -> Outcome {
    map::of_request(answer, |answer| {
        let answer: DisputeResponse = answer.json()?;
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
        let answer: DefenseReasonsResponse = answer.json()?;
        reasons = answer.defense_reasons.unwrap_or_default();
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
        body: &(impl Serialize + Sync),
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
    pub(super) fn about<'a>(&'a self, dispute: &'a DisputeAt) -> DisputeQuestion<'a> {
        DisputeQuestion {
            dispute_psp_reference: dispute.reference.as_str().into(),
            merchant_account_code: self.merchant().into(),
        }
    }
}
