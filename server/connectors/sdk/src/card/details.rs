//! What may be kept and shown of a card.

use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::card::{CardNumber, Expiry, Network};

/// A card without its number and code: everything that may rest in clear and be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardDetails {
    pub last4: String,
    /// The first six digits, see [`CardNumber::isin`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isin: Option<String>,
    /// The first eight digits, see [`CardNumber::extended_bin`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extended_bin: Option<String>,
    /// As the caller says, else as the leading digits tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
    /// Two digits.
    pub exp_month: String,
    /// Four digits.
    pub exp_year: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuing_country: Option<String>,
    /// The caller's word, e.g. `credit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nick_name: Option<String>,
    #[serde(flatten)]
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

    /// What the number and the caller tell.
    pub fn of(number: &CardNumber, expiry: Expiry, given: GivenCardDetails) -> Self {
        CardDetails {
            last4: number.last4().to_owned(),
            isin: number.isin().map(str::to_owned),
            extended_bin: number.extended_bin().map(str::to_owned),
            network: given.network.or_else(|| number.network()),
            exp_month: expiry.month_text(),
            exp_year: expiry.year_text(),
            holder_name: given.holder_name,
            issuer: given.issuer,
            issuing_country: given.issuing_country,
            card_type: given.card_type,
            bank_code: given.bank_code,
            nick_name: given.nick_name,
            unread: UnreadMembers::default(),
        }
    }
}
