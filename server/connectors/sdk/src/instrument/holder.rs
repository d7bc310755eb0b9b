//! The holder of an instrument. This is personal data, stored apart from the data that pays.

use multirail_kernel::address::Address;
use multirail_kernel::telling::{object_tells, redacted_object, redacted_text, text_tells};

use crate::card::CardHolder;

/// The person who holds an instrument. A record of the instrument has these members among its own,
/// or the redacted ones in their place (`record.rs`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstrumentHolder {
    /// The holder of a card or a network token.
    pub card: CardHolder,
    /// The name of a bank account's holder.
    pub account: Option<String>,
    /// Billing address given with the instrument.
    pub billing: Option<Box<Address>>,
}

impl InstrumentHolder {
    /// Returns a holder with nothing but a billing address.
    pub fn at(billing: Option<Box<Address>>) -> InstrumentHolder {
        InstrumentHolder {
            billing,
            ..InstrumentHolder::default()
        }
    }

    /// Returns the redacted holder. It shows which members were set, not their values.
    pub fn redacted(&self) -> InstrumentHolder {
        let InstrumentHolder {
            card,
            account,
            billing,
        } = self;
        InstrumentHolder {
            card: card.redacted(),
            account: redacted_text(account),
            billing: redacted_object(billing),
        }
    }

    /// Checks whether [`redacted`](Self::redacted) removes anything.
    pub fn tells_of_somebody(&self) -> bool {
        let InstrumentHolder {
            card,
            account,
            billing,
        } = self;
        card.tells_of_somebody() || text_tells(account) || object_tells(billing)
    }
}
