//! Amounts in requests to a processor. The processor's units are in its description ([`Units`]).

use multirail_kernel::money::Money;
use multirail_sdk::bank_account::BankAccount;
use multirail_sdk::connector::Units;
use multirail_sdk::payer_method::PayerData;
use multirail_sdk::wallet::Wallet;

/// A value that the processor's API can't express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    #[error("the processor has no unit that is small enough for {0}")]
    Amount(Money),
    /// An instrument that the processor can't charge. Routing excludes such accounts; this is the
    /// safeguard.
    #[error("this connector has no place for {0} in this form")]
    Instrument(&'static str),
    /// A debit without a consent of its payer. A processor must not store a consent that nobody gave.
    #[error("a debit by {0} needs the payer's consent, and none is stored")]
    NoConsent(&'static str),
    #[error("a debit by {0} needs the payer, who confirms the account at the processor")]
    PayerIsAway(&'static str),
}

impl NotWritable {
    pub const NETWORK_TOKEN: NotWritable = NotWritable::Instrument("network_token");
    /// An instrument that is stored at another processor, or in another account of this one.
    pub const KEPT_ELSEWHERE: NotWritable = NotWritable::Instrument("processor_payment_token");

    /// Returns the error for a payer's method that the connector doesn't offer.
    pub fn payer_method(payer: &PayerData) -> Self {
        NotWritable::Instrument(payer.method.kind.as_str())
    }

    /// Returns the error for a debit that the connector doesn't offer.
    pub fn debit(account: &BankAccount) -> Self {
        NotWritable::Instrument(debited_as(account))
    }

    /// Returns the error for a debit without a consent of its payer.
    pub fn no_consent(account: &BankAccount) -> Self {
        NotWritable::NoConsent(debited_as(account))
    }

    /// Returns the error for a debit that its payer would have to confirm.
    pub fn payer_is_away(account: &BankAccount) -> Self {
        NotWritable::PayerIsAway(debited_as(account))
    }

    /// Returns the error for a wallet's token that the connector doesn't know.
    pub fn instrument_of(wallet: Wallet) -> Self {
        NotWritable::Instrument(wallet.as_str())
    }
}

fn debited_as(account: &BankAccount) -> &'static str {
    let kind = account.scheme.debited_as();
    kind.map_or("bank_debit", |kind| kind.as_str())
}

/// Converts our amount to the processor's units.
///
/// # Errors
/// [`NotWritable`]: routing and the checks of captures and refunds exclude such amounts.
pub fn to_processor(units: &Units, money: Money) -> Result<i64, NotWritable> {
    units.to_processor(money).ok_or(NotWritable::Amount(money))
}

/// Returns an amount of a processor that counts in our units, or `None` if it is negative.
pub fn counted(amount: i64) -> Option<i64> {
    (amount >= 0).then_some(amount)
}
