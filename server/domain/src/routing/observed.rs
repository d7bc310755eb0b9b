//! What the change of a payment says about the accounts that it was tried with: dynamic routing counts it.

use crate::connector::UnknownReason;
use crate::error_mapping::ErrorCategory;
use crate::ids::{ConnectorAccountId, ProcessorKey};
use crate::payment::{Attempt, Operation, Payment, Progress};

/// What a change of a payment says about one account.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed<'a> {
    /// The attempt that says it, as it is after the change.
    pub attempt: &'a Attempt,
    /// Its authorization.
    pub key: ProcessorKey,
    pub account: ConnectorAccountId,
    /// Why its processor is at fault, where that is new.
    pub fault: Option<ErrorCategory>,
    /// It is decided, and whether it was approved.
    pub approved: Option<bool>,
}

/// What is to be counted of a change: of every authorization its end once, and the first fact that its processor is at
/// fault, when that fact arrives, not when the payment ends.
pub fn observed<'a>(before: &Payment, after: &'a Payment) -> Vec<Observed<'a>> {
    let attempts = after.attempts.iter();
    let observed = attempts.filter_map(|attempt| {
        let mut earlier = before.attempts.iter();
        let was = earlier.find(|was| was.number == attempt.number)?;
        observed_of(was, attempt)
    });
    observed.collect()
}

fn observed_of<'a>(was: &Attempt, attempt: &'a Attempt) -> Option<Observed<'a>> {
    let was = was.authorization.as_ref()?.progress;
    let authorization = attempt.authorization.as_ref()?;
    let account = attempt.merchant_connector_id.clone()?;
    let now = authorization.progress;
    if was == now {
        return None;
    }
    let approved = (is_decided(now) && !is_decided(was)).then(|| now == Progress::Done);
    let was_at_fault = is_decided(was) || was == Progress::Unknown;
    let fault = fault(authorization).filter(|_| !was_at_fault);
    if approved.is_none() && fault.is_none() {
        return None;
    }
    Some(Observed {
        attempt,
        key: authorization.key.clone(),
        account,
        fault,
        approved,
    })
}

fn is_decided(progress: Progress) -> bool {
    match progress {
        Progress::Done | Progress::Declined | Progress::NeverHappened => true,
        Progress::Started | Progress::AwaitingCustomer | Progress::Pending | Progress::Unknown => {
            false
        }
    }
}

/// Why the processor is at fault, if it is.
fn fault(authorization: &Operation) -> Option<ErrorCategory> {
    match authorization.progress {
        Progress::NeverHappened => Some(ErrorCategory::ProcessorDowntime),
        Progress::Unknown => match authorization.unknown? {
            UnknownReason::Timeout
            | UnknownReason::ConnectionLost
            | UnknownReason::ProcessorError
            | UnknownReason::UnreadableAnswer => Some(ErrorCategory::ProcessorDowntime),
            // That was us.
            UnknownReason::CredentialsGone | UnknownReason::Interrupted => None,
        },
        Progress::Declined => {
            let advice = authorization.decline.as_ref()?.advice.as_deref()?;
            advice
                .error_category
                .filter(|category| category.is_the_processors())
        }
        Progress::Started | Progress::AwaitingCustomer | Progress::Pending | Progress::Done => None,
    }
}
