//! A change of plan within a term: unused time is credited, and the new plan is charged from now on.

use multirail_kernel::timestamp::Timestamp;

use super::BillingError;
use super::charge::{Charge, Charged, ReturnOption, Returned};
use super::price::Price;
use super::term::{Term, TermKind};

/// The result of a change of plan. Everything except `term` and `kept` belongs on an invoice that is made at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The term after the change.
    pub term: Term,
    pub charges: Vec<Charge>,
    pub returned: Vec<Returned>,
    /// Earlier charges that remain charged.
    pub kept: Vec<Charged>,
}

/// Changes the plan to another price at this moment.
///
/// If both prices have the same interval and time zone, the term stays and its remaining part is charged. Otherwise a
/// new term begins now and is charged in full. During a trial only the price changes; a different interval applies to
/// the periods after the trial.
///
/// # Errors
/// [`BillingError::NoInterval`] for a one-time price, and the errors of [`Charge::for_term`].
pub fn change_plan(
    term: &Term,
    charged: &[Charged],
    to: &Price,
    name: &str,
    quantity: u32,
    at: Timestamp,
) -> Result<Change, BillingError> {
    let interval = to.interval.ok_or(BillingError::NoInterval)?;
    if term.kind == TermKind::Trial && term.period.contains(at) {
        let mut term = term.clone();
        term.schedule.interval = interval;
        term.schedule.zone = to.zone.clone();
        return Ok(Change {
            term,
            charges: Vec::new(),
            returned: Vec::new(),
            kept: charged.to_vec(),
        });
    }
    let (mut kept, mut returned) = (Vec::new(), Vec::new());
    for charged in charged {
        let (stays, back) = charged.split(at, ReturnOption::Prorate);
        kept.extend(stays);
        returned.extend(back);
    }
    let same_calendar = interval == term.schedule.interval && to.zone == term.schedule.zone;
    let goes_on = same_calendar && term.period.contains(at);
    let (term, charges) = if goes_on {
        let rest = Charge::for_rest(to, name, quantity, &term.period, at)?;
        (term.clone(), rest.into_iter().collect())
    } else {
        let term = term.restart(at, interval, to.zone.clone())?;
        let whole = Charge::for_term(to, name, quantity, &term)?;
        (term, vec![whole])
    };
    Ok(Change {
        term,
        charges,
        returned,
        kept,
    })
}
