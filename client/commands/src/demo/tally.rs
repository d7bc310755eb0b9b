//! Counts the sales of the demo.

/// The number of objects that were made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) payments: usize,
    pub(super) refunds: usize,
    pub(super) disputes: usize,
}

impl Tally {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            payments: self.payments + other.payments,
            refunds: self.refunds + other.refunds,
            disputes: self.disputes + other.disputes,
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.payments == 0 && self.refunds == 0 && self.disputes == 0
    }

    pub(super) fn text(self) -> String {
        let (payments, refunds, disputes) = (self.payments, self.refunds, self.disputes);
        format!("{payments} new payments, {refunds} refunds, {disputes} disputes")
    }
}
