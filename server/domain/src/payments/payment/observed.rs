//! Outcomes of attempts for dynamic routing, taken from a payment's change.

use multirail_kernel::ids::{ConnectorAccountId, ProcessorKey};
use multirail_sdk::connector::UnknownReason;
use multirail_sdk::connector::advice::ErrorCategory;

use crate::payments::payment::{Attempt, Operation, Payment, Progress};

/// The outcome of one account in a payment's change.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed<'a> {
    /// The attempt after the change.
    pub attempt: &'a Attempt,
    /// The key of its authorization.
    pub key: ProcessorKey,
    pub account: ConnectorAccountId,
    /// The fault of its processor, if there is one.
    pub fault: Option<ErrorCategory>,
    /// True if it was approved. Otherwise it was refused, or there was no answer.
    pub is_approved: bool,
}

/// Returns the outcomes in a change, each authorization once. A processor's fault counts when its news arrives, even before the
/// payment ends. Credentials of the request say nothing about the account's own.
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

/// A processor that doesn't answer counts as failed, whatever is learned later.
fn is_counted(authorization: &Operation) -> bool {
    match authorization.progress {
        Progress::Done | Progress::Declined => true,
        Progress::NeverHappened | Progress::Unknown => fault(authorization).is_some(),
        Progress::Started | Progress::AwaitingCustomer | Progress::Pending => false,
    }
}

/// Returns why the processor is at fault, if it is.
fn fault(authorization: &Operation) -> Option<ErrorCategory> {
    match authorization.progress {
        // Otherwise the server itself didn't send the request.
        Progress::NeverHappened => authorization
            .is_turned_away
            .then_some(ErrorCategory::ProcessorDowntime),
        Progress::Unknown => match authorization.unknown? {
            UnknownReason::Timeout
            | UnknownReason::ConnectionLost
            | UnknownReason::ProcessorError
            | UnknownReason::UnreadableAnswer => Some(ErrorCategory::ProcessorDowntime),
            // The server itself is the reason.
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
