//! Forgetting who paid. (Facts 7.6: a customer is redacted)
//!
//! What tells of the payer is replaced by the word [`REDACTED`](multirail_kernel::redacted::REDACTED) where it is a text, and gone where it is none. What was paid,
//! with which card's last digits and in which country, stays, and so does what the merchant wrote down in words of its own: the
//! description, the metadata, the order.

use std::sync::Arc;

use multirail_kernel::telling::{Telling, redact_text};
use multirail_kernel::unread::UnreadMembers;

use crate::payments::payment::customer::Customer;
use crate::payments::payment::{Attempt, Payment};

impl Payment {
    /// The payment that tells of nobody; nothing where it told of nobody already. Money, status and dates stay: what was
    /// asked of a processor goes on as before.
    pub fn redacted(&self) -> Option<Payment> {
        if !self.tells_of_somebody() {
            return None;
        }
        let mut payment = self.clone();
        payment.payer = Arc::new(self.payer.redacted());
        let instruments = payment.attempts.iter_mut();
        let instruments = instruments.filter_map(|attempt| attempt.instrument.as_mut());
        instruments.for_each(|instrument| instrument.holder = instrument.holder.redacted());
        Some(payment)
    }

    /// Whether [`redacted`](Self::redacted) takes anything from it.
    pub fn tells_of_somebody(&self) -> bool {
        self.payer.tells_of_somebody() || self.attempts.iter().any(Attempt::tells_of_somebody)
    }
}

impl Attempt {
    /// The same of what it is to be paid with.
    pub fn tells_of_somebody(&self) -> bool {
        let instrument = self.instrument.as_ref();
        instrument.is_some_and(|instrument| instrument.holder.tells_of_somebody())
    }
}

impl Telling for Customer {
    fn redact(&mut self) {
        let Customer {
            id: _,
            name,
            email,
            phone,
            phone_country_code,
            tax_registration_id,
            document,
            unread,
        } = self;
        for said in [name, email, phone, phone_country_code, tax_registration_id] {
            redact_text(said);
        }
        *document = None;
        *unread = UnreadMembers::default();
    }
}
