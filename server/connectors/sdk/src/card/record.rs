//! The record of a card.
//!
//! This file lists the members of a card and its holder under the names, and in the order, in which
//! every version stores them.

use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize, Serializer};

use crate::card::{CardDetails, CardHolder, CardNumber, Expiry, GivenCardDetails, Network};

/// A card's details and its holder, which a record stores in one object.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "ReadCard")]
pub struct CardRecord {
    pub details: CardDetails,
    pub holder: CardHolder,
}

impl CardRecord {
    /// Creates the record from the number and the details that the caller states.
    pub fn new(number: &CardNumber, expiry: Expiry, given: GivenCardDetails) -> Self {
        let GivenCardDetails {
            holder_name,
            network,
            issuer,
            issuing_country,
            card_type,
            bank_code,
            nick_name,
        } = given;
        CardRecord {
            details: CardDetails {
                last4: number.last4().to_owned(),
                isin: number.isin().map(str::to_owned),
                extended_bin: number.extended_bin().map(str::to_owned),
                network: network.or_else(|| number.network()),
                exp_month: expiry.month_text(),
                exp_year: expiry.year_text(),
                issuer,
                issuing_country,
                card_type,
                bank_code,
                unread: UnreadMembers::default(),
            },
            holder: CardHolder {
                name: holder_name,
                nick_name,
            },
        }
    }
}

impl Serialize for CardRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenCard::new(&self.details, &self.holder).serialize(serializer)
    }
}

/// Declares the record twice: as it is read, and as it is written without copying. The compiler
/// reports a member of [`CardDetails`] or [`CardHolder`] that is missing here.
macro_rules! card_record {
    ($(
        details { $($(#[$meta:meta])* $member:ident: $type:ty,)* }
        holder { $($(#[$holder_meta:meta])* $holder:ident: $holder_type:ty,)* }
    )+) => {
        #[derive(Deserialize)]
        struct ReadCard {
            $(
                $($(#[$meta])* $member: $type,)*
                $($(#[$holder_meta])* $holder: $holder_type,)*
            )+
            #[serde(flatten)]
            unread: UnreadMembers,
        }

        /// The record with its holder, as it is written.
        #[derive(Serialize)]
        pub struct WrittenCard<'a> {
            $(
                $($(#[$meta])* $member: &'a $type,)*
                $($(#[$holder_meta])* $holder: &'a $holder_type,)*
            )+
            #[serde(flatten)]
            unread: &'a UnreadMembers,
        }

        impl From<ReadCard> for CardRecord {
            fn from(read: ReadCard) -> Self {
                let ReadCard { $($($member,)* $($holder,)*)+ unread } = read;
                CardRecord {
                    details: CardDetails { $($($member,)*)+ unread },
                    holder: CardHolder { $($($holder,)*)+ },
                }
            }
        }

        impl<'a> WrittenCard<'a> {
            pub fn new(details: &'a CardDetails, holder: &'a CardHolder) -> Self {
                let CardDetails { $($($member,)*)+ unread } = details;
                let CardHolder { $($($holder,)*)+ } = holder;
                WrittenCard { $($($member,)* $($holder,)*)+ unread }
            }
        }
    };
}

card_record! {
    details {
        last4: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        isin: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        extended_bin: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        network: Option<Network>,
        exp_month: String,
        exp_year: String,
    }
    holder {
        #[serde(rename = "holder_name", default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    }
    details {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issuer: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issuing_country: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card_type: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bank_code: Option<String>,
    }
    holder {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nick_name: Option<String>,
    }
}
