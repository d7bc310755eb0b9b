//! What the change of a payment says about the accounts that it was tried with: dynamic routing counts it.

use multirail_kernel::ids::{ConnectorAccountId, ProcessorKey};
use multirail_sdk::connector::UnknownReason;
use multirail_sdk::connector::advice::ErrorCategory;

use crate::payments::payment::{Attempt, Operation, Payment, Progress};

/// What a change of a payment says about one account.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed<'a> {
    /// The attempt that says it, as it is after the change.
    pub attempt: &'a Attempt,
    /// Its authorization.
    pub key: ProcessorKey,
    pub account: ConnectorAccountId,
    /// Why its processor is at fault, where it is.
    pub fault: Option<ErrorCategory>,
    /// Otherwise it was refused, or isn't heard of.
    pub is_approved: bool,
}

/// What is to be counted of a change, of every authorization once: its end, or before that the fact that its processor is at
/// fault, when that fact arrives, not when the payment ends. Credentials that the request brought say nothing about the
/// account's own.
pub fn observed<'a>(before: &Payment, after: &'a Payment) -> Vec<Observed<'a>> {
    let attempts = after.attempts.iter().filter(|it| it.brought.is_none());
    let observed = attempts.filter_map(|attempt| {
        let mut earlier = before.attempts.iter();
        let was = earlier.find(|was| was.number == attempt.number)?;
        observed_of(was, attempt)
    });
    observed.collect()
}

fn observed_of<'a>(was: &Attempt, attempt: &'a Attempt) -> Option<Observed<'a>> {
    let authorization = attempt.authorization.as_ref()?;
    let account = attempt.merchant_connector_id.clone()?;
    if !is_counted(authorization) || is_counted(was.authorization.as_ref()?) {
        return None;
    }
    Some(Observed {
        attempt,
        key: authorization.key.clone(),
        account,
        fault: fault(authorization),
        is_approved: authorization.progress == Progress::Done,
    })
}

/// A processor that doesn't answer serves nobody, whatever is found out later.
fn is_counted(authorization: &Operation) -> bool {
    match authorization.progress {
        Progress::Done | Progress::Declined => true,
        Progress::NeverHappened | Progress::Unknown => fault(authorization).is_some(),
        Progress::Started | Progress::AwaitingCustomer | Progress::Pending => false,
    }
}

/// Why the processor is at fault, if it is.
fn fault(authorization: &Operation) -> Option<ErrorCategory> {
    match authorization.progress {
        // Otherwise it wasn't asked, which is our doing.
        Progress::NeverHappened => authorization
            .is_turned_away
            .then_some(ErrorCategory::ProcessorDowntime),
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
