//! What may be kept and shown of a card.

use multirail_kernel::unread::UnreadMembers;

use crate::card::Network;

/// A card without its number and code, and without its holder: everything that may rest in clear and be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardDetails {
    pub last4: String,
    /// The first six digits, see [`CardNumber::isin`](crate::card::CardNumber::isin).
    pub isin: Option<String>,
    /// The first eight digits, see [`CardNumber::extended_bin`](crate::card::CardNumber::extended_bin).
    pub extended_bin: Option<String>,
    /// As the caller says, else as the leading digits tell.
    pub network: Option<Network>,
    /// Two digits.
    pub exp_month: String,
    /// Four digits.
    pub exp_year: String,
    pub issuer: Option<String>,
    pub issuing_country: Option<String>,
    /// The caller's word, e.g. `credit`.
    pub card_type: Option<String>,
    pub bank_code: Option<String>,
    pub unread: UnreadMembers,
}

/// What a caller may say about a card beside number, expiry and code. `None` where nothing was said.
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
    /// By all that is kept of number and expiry.
    pub fn is_same_card(&self, other: &CardDetails) -> bool {
        self.last4 == other.last4
            && self.isin == other.isin
            && self.exp_month == other.exp_month
            && self.exp_year == other.exp_year
    }
}
