//! The difference between a story and a processor's answer.

use std::fmt;

use multirail_kernel::money::Money;
use multirail_sdk::connector::{Approval, Decline, Finding, Outcome};

/// A processor's answer that a story didn't expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub expected: String,
    pub got: String,
}

impl Difference {
    pub(super) fn new(expected: impl Into<String>, got: impl Into<String>) -> Self {
        Difference {
            expected: expected.into(),
            got: got.into(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

/// Describes an outcome in a few words. Neither instruments nor addresses of payers' pages are among them.
pub fn described(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done(Approval {
            amount_minor: Some(amount),
            currency: Some(currency),
            ..
        }) => format!("done for {amount} {currency} in minor units"),
        Outcome::Done(_) => "done".to_owned(),
        Outcome::CustomerMustAct { .. } => "a step of the payer".to_owned(),
        Outcome::DeviceDataNeeded { .. } => "a collection of device data".to_owned(),
        Outcome::Declined(decline) => refusal(decline),
        Outcome::Pending { .. } => "a later decision".to_owned(),
        Outcome::NeverHappened { reason, .. } => format!("no request: {reason}"),
        Outcome::Unknown(reason) => format!("no answer that can be trusted ({reason})"),
    }
}

fn refusal(decline: &Decline) -> String {
    format!("declined ({}: {})", decline.code, decline.message)
}

/// Describes the result of a look-up.
pub(super) fn finding(finding: &Finding) -> String {
    match finding {
        Finding::Outcome(outcome) => described(outcome),
        Finding::Absent { reason } => format!("nothing found ({reason})"),
    }
}

/// Returns the approval of an operation over this amount. An unreported amount counts as the requested one.
pub(super) fn done_for(outcome: Outcome, money: Money) -> Result<Approval, Difference> {
    let expected = || format!("done for {money}");
    let got = described(&outcome);
    let Outcome::Done(approval) = outcome else {
        return Err(Difference::new(expected(), got));
    };
    let amount = approval.amount_minor.unwrap_or(money.amount_minor);
    let mut currency = approval.currency.iter();
    let is_other = currency.any(|currency| currency != money.currency.as_str());
    if amount != money.amount_minor || is_other {
        return Err(Difference::new(expected(), got));
    }
    Ok(approval)
}

/// Returns the refusal of a card.
///
/// # Errors
/// Every other outcome.
pub fn refused_for_good(outcome: Outcome) -> Result<Decline, Difference> {
    match outcome {
        Outcome::Declined(decline) => Ok(decline),
        other => Err(Difference::new("declined", described(&other))),
    }
}
