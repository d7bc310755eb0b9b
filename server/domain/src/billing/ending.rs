//! A term that ends before its time: paused or cancelled within it.

use super::charge::{Charged, ReturnOption, Returned};
use super::term::Term;
use crate::timestamp::Timestamp;

/// What such an end comes to. `returned` belongs on an invoice without charges, which puts it on the customer's credit, or
/// on the last invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The term, which ends at that moment.
    pub term: Term,
    pub kept: Vec<Charged>,
    pub returned: Vec<Returned>,
}

/// Ends the term at this moment. A pause gives back what isn't used ([`ReturnOption::Prorate`]): a subscription that is resumed
/// begins a new term, which is charged as a whole, so that what is left of the old one would be paid twice. A cancellation
/// gives back what its caller says.
pub fn end_early(term: &Term, charged: &[Charged], at: Timestamp, how: ReturnOption) -> Ending {
    let (kept, returned): (Vec<_>, Vec<_>) =
        charged.iter().map(|charged| charged.split(at, how)).unzip();
    Ending {
        term: term.cut(at),
        kept: kept.into_iter().flatten().collect(),
        returned: returned.into_iter().flatten().collect(),
    }
}
