//! Errors of the billing computation.

use multirail_kernel::money::MAX_AMOUNT_MINOR;
use multirail_kernel::refusal::Refusal;

/// The reason why a computation failed. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BillingError {
    /// The date lies outside the calendar.
    #[error("the billing period would end beyond the calendar")]
    BeyondCalendar,
    /// An invoice is charged as one payment and can't exceed the limit of a payment.
    #[error(
        "quantity is too large for item_price_id: an invoice may be at most {MAX_AMOUNT_MINOR} in minor units"
    )]
    TooLarge,
    /// An invoice can't have amounts in two currencies.
    #[error("an invoice has one currency")]
    OtherCurrency,
    /// A price without an interval has no periods.
    #[error("a price for a single payment has no billing periods")]
    NoInterval,
}

impl From<BillingError> for Refusal {
    fn from(error: BillingError) -> Self {
        Refusal::precondition(error.to_string())
    }
}
