//! Computes the first invoice of a new subscription. The estimate uses the same computation and stores nothing.

use multirail_kernel::timestamp::Timestamp;

use super::BillingError;
use super::calendar::Schedule;
use super::charge::Charge;
use super::chargeable::Chargeable;
use super::coupon::AppliedCoupon;
use super::invoice::{Billed, InvoiceDraft};
use super::price::Price;
use super::term::Term;

/// The first term of a subscription and its invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Absent for a one-time payment.
    pub term: Option<Term>,
    pub billed: Billed,
}

/// Computes what `quantity` pieces at this price cost when the subscription begins at `start`: a trial, the first
/// period or the one-time payment.
///
/// # Errors
/// The errors of [`InvoiceDraft::compute`], and [`BillingError::BeyondCalendar`].
pub fn open(
    price: &Price,
    name: &str,
    quantity: u32,
    coupon: Option<&AppliedCoupon>,
    credit_minor: i64,
    start: Timestamp,
) -> Result<Opening, BillingError> {
    open_chargeable(
        price,
        name,
        quantity,
        coupon,
        credit_minor,
        start,
        Chargeable::ANY,
    )
}

/// Computes the same as [`open`] for processors that can't charge every amount.
///
/// # Errors
/// The same as [`open`].
pub fn open_chargeable(
    price: &Price,
    name: &str,
    quantity: u32,
    coupon: Option<&AppliedCoupon>,
    credit_minor: i64,
    start: Timestamp,
    chargeable: Chargeable,
) -> Result<Opening, BillingError> {
    let zone = price.zone.clone();
    let term = match price.interval {
        None => None,
        Some(interval) if price.trial_days > 0 => {
            Some(Term::trial(start, price.trial_days, interval, zone)?)
        }
        Some(interval) => Some(Term::first(Schedule::new(start, interval, zone))?),
    };
    let charge = match &term {
        None => Charge::for_single_payment(price, name, quantity, start)?,
        Some(term) => Charge::for_term(price, name, quantity, term)?,
    };
    let draft = InvoiceDraft {
        currency: price.currency,
        charges: vec![charge],
        returned: Vec::new(),
        coupon: coupon.filter(|coupon| coupon.applies(start)),
        credit_minor,
        carried_minor: 0,
        chargeable,
    };
    Ok(Opening {
        term,
        billed: draft.compute()?,
    })
}
