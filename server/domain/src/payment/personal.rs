//! What of a payment tells who paid, apart from what was paid: so that it can rest elsewhere, or sealed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::payment::{Attempt, Instrument, Particulars, Payment};
use crate::unread::UnreadMembers;

/// All that [`Payment::redacted`] takes from a payment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaymentPersonal {
    /// Only the members that tell of the payer. Members of a later version come among the payment's own and go with those.
    #[serde(rename = "notes")]
    pub particulars: Particulars,
    /// Those that tell of the payer, the oldest attempt first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instruments: Vec<AttemptInstrument>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What an attempt was to be paid with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptInstrument {
    pub attempt: u32,
    pub instrument: Instrument,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Payment {
    /// The payment that tells of nobody, and what it takes to tell again who paid; nothing where it tells of nobody.
    pub fn parted(&self) -> Option<(Payment, PaymentPersonal)> {
        let redacted = self.redacted()?;
        let attempts = self.attempts.iter().zip(&redacted.attempts);
        let telling = attempts.filter(|(own, redacted)| own.instrument != redacted.instrument);
        let instruments = telling.filter_map(|(own, _)| {
            let instrument = own.instrument.clone()?;
            Some(AttemptInstrument {
                attempt: own.number,
                instrument,
                unread: UnreadMembers::default(),
            })
        });
        let personal = PaymentPersonal {
            particulars: self.particulars.telling(),
            instruments: instruments.collect(),
            unread: UnreadMembers::default(),
        };
        Some((redacted, personal))
    }

    /// Whether this payment tells of the payer what it told `before`, which was found parted: what was stored of him then is still
    /// right. What else is compared changes as rarely.
    pub fn tells_as(&self, before: &Payment) -> bool {
        let mut attempts = self.attempts.iter().zip(&before.attempts);
        before.rests_apart
            && self.terms.customer_id == before.terms.customer_id
            && self.particulars == before.particulars
            && self.attempts.len() == before.attempts.len()
            && attempts.all(|(now, then)| now.instrument == then.instrument)
    }

    /// The reverse of [`parted`](Self::parted).
    pub fn put_back(&mut self, personal: PaymentPersonal) {
        self.rests_apart = true;
        Arc::make_mut(&mut self.particulars).merge(personal.particulars);
        for given in personal.instruments {
            let of_it = |attempt: &&mut Attempt| attempt.number == given.attempt;
            if let Some(attempt) = self.attempts.iter_mut().find(of_it) {
                attempt.instrument = Some(given.instrument);
            }
        }
    }
}

impl Particulars {
    /// What tells of the payer.
    fn telling(&self) -> Particulars {
        Particulars {
            customer: self.customer.clone(),
            name: self.name.clone(),
            email: self.email.clone(),
            phone: self.phone.clone(),
            phone_country_code: self.phone_country_code.clone(),
            billing: self.billing.clone(),
            shipping: self.shipping.clone(),
            browser: self.browser.clone(),
            consent: self.consent.clone(),
            ..Particulars::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::payment::Particulars;

    #[test]
    fn what_was_taken_out_is_put_back() {
        let said = Particulars {
            name: Some("Ada".to_owned()),
            description: Some("Two books".to_owned()),
            ..Particulars::default()
        };
        let telling = said.telling();
        assert_eq!(telling.name.as_deref(), Some("Ada"));
        assert_eq!(telling.description, None, "the merchant's own words");
        let mut left = Particulars {
            name: Some("Redacted".to_owned()),
            ..said.clone()
        };
        left.merge(telling);
        assert_eq!(left, said);
    }
}
