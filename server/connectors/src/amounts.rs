//! Amounts that a processor is sent. How each processor counts stands in its description ([`Units`]).

use multirail_kernel::money::Money;
use multirail_sdk::connector::Units;
use multirail_sdk::wallet::Wallet;

/// What one of the two sides can't write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    #[error("the processor has no unit that is small enough for {0}")]
    Amount(Money),
    /// Routing chooses no account for it: this is for what it doesn't see.
    #[error("this connector has no place for {0} in this form")]
    Instrument(&'static str),
}

impl NotWritable {
    pub const NETWORK_TOKEN: NotWritable = NotWritable::Instrument("network_token");
    /// What another processor keeps, or another account of this one.
    pub const KEPT_ELSEWHERE: NotWritable = NotWritable::Instrument("processor_payment_token");

    /// What a wallet sealed, or gave out, and the connector doesn't know.
    pub fn instrument_of(wallet: Wallet) -> Self {
        NotWritable::Instrument(wallet.as_str())
    }
}

/// Our amount in the processor's units.
///
/// # Errors
/// [`NotWritable`]: routing and the checks of captures and refunds have let nothing through that isn't.
pub fn to_processor(units: &Units, money: Money) -> Result<i64, NotWritable> {
    units.to_processor(money).ok_or(NotWritable::Amount(money))
}

/// An amount that a processor counts in our units. `None` where it is less than nothing.
pub fn counted(amount: i64) -> Option<i64> {
    (amount >= 0).then_some(amount)
}
