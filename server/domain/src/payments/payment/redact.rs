//! Redaction of a payment's personal data. (Facts 7.6: a customer is redacted)
//!
//! Texts become [`REDACTED`](multirail_kernel::redacted::REDACTED), and other values are removed. Amounts, the card's last
//! digits and the country stay. The merchant's own texts stay too: the description, the metadata and the order.

use std::sync::Arc;

use multirail_kernel::telling::{Telling, redact_text};
use multirail_kernel::unread::UnreadMembers;

use crate::payments::payment::customer::Customer;
use crate::payments::payment::{Attempt, Payment};

impl Payment {
    /// Returns the payment without personal data, or `None` if it has none. Amounts, status and dates stay, and open operations
    /// continue.
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

    /// Returns whether [`redacted`](Self::redacted) would change anything.
    pub fn tells_of_somebody(&self) -> bool {
        self.payer.tells_of_somebody() || self.attempts.iter().any(Attempt::tells_of_somebody)
    }
}

impl Attempt {
    /// Returns whether the attempt's payment method has personal data.
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
