//! The details of a card that may be stored and shown.

use multirail_kernel::unread::UnreadMembers;

use crate::card::Network;

/// A card without its number, code and holder. All of it may be stored unencrypted and shown in
/// answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardDetails {
    pub last4: String,
    /// The first six digits, see [`CardNumber::isin`](crate::card::CardNumber::isin).
    pub isin: Option<String>,
    /// The first eight digits, see
    /// [`CardNumber::extended_bin`](crate::card::CardNumber::extended_bin).
    pub extended_bin: Option<String>,
    /// The caller's network, or else the network of the leading digits.
    pub network: Option<Network>,
    /// Two digits.
    pub exp_month: String,
    /// Four digits.
    pub exp_year: String,
    pub issuer: Option<String>,
    pub issuing_country: Option<String>,
    /// The type that the caller states, e.g. `credit`.
    pub card_type: Option<String>,
    pub bank_code: Option<String>,
    pub unread: UnreadMembers,
}

/// The optional details of a card that a caller may state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenCardDetails {
    pub holder_name: Option<String>,
    pub network: Option<Network>,
    pub issuer: Option<String>,
    pub issuing_country: Option<String>,
    pub card_type: Option<String>,
    pub bank_code: Option<String>,
    pub nick_name: Option<String>,
}

impl CardDetails {
    /// Checks whether both cards have the same number and expiry, as far as the details show them.
    pub fn is_same_card(&self, other: &CardDetails) -> bool {
        self.last4 == other.last4
            && self.isin == other.isin
            && self.exp_month == other.exp_month
            && self.exp_year == other.exp_year
    }
}
