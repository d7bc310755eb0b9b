//! Forgetting who paid. (Facts 7.6: a customer is redacted)
//!
//! What tells of the payer is replaced by the word [`REDACTED`] where it is a text, and gone where it is none. What was paid,
//! with which card's last digits and in which country, stays, and so does what the merchant wrote down in words of its own: the
//! description, the metadata, the order.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::address::{Address, Phone, Place};
use crate::consent::{Consent, OnlineConsent};
use crate::payment::customer::Customer;
use crate::payment::{Attempt, Instrument, InstrumentDetails, Particulars, Payment};
use crate::redacted::REDACTED;
use crate::redacted::{Redacted, WriteRedacted};
use crate::unread::UnreadMembers;

impl Payment {
    /// The payment that tells of nobody; nothing where it told of nobody already. Money, status and dates stay: what was
    /// asked of a processor goes on as before.
    pub fn redacted(&self) -> Option<Payment> {
        if !self.tells_of_somebody() {
            return None;
        }
        let mut payment = self.clone();
        Arc::make_mut(&mut payment.particulars).redact();
        let instruments = payment.attempts.iter_mut();
        let instruments = instruments.filter_map(|attempt| attempt.instrument.as_mut());
        instruments.for_each(Instrument::redact);
        Some(payment)
    }

    /// Whether [`redacted`](Self::redacted) takes anything from it.
    pub fn tells_of_somebody(&self) -> bool {
        self.particulars.tells_of_somebody() || self.attempts.iter().any(Attempt::tells_of_somebody)
    }
}

impl Attempt {
    /// The same of what it is to be paid with.
    pub fn tells_of_somebody(&self) -> bool {
        let instrument = self.instrument.as_ref();
        instrument.is_some_and(Instrument::tells_of_somebody)
    }
}

impl Particulars {
    fn redact(&mut self) {
        for said in [
            &mut self.name,
            &mut self.email,
            &mut self.phone,
            &mut self.phone_country_code,
        ] {
            redact_text(said);
        }
        redact_object(&mut self.customer);
        redact_object(&mut self.billing);
        redact_object(&mut self.shipping);
        self.browser = None;
        redact_object(&mut self.consent);
    }

    fn tells_of_somebody(&self) -> bool {
        let texts = [
            &self.name,
            &self.email,
            &self.phone,
            &self.phone_country_code,
        ];
        texts.into_iter().any(text_tells)
            || self.browser.is_some()
            || object_tells(&self.customer)
            || object_tells(&self.billing)
            || object_tells(&self.shipping)
            || object_tells(&self.consent)
    }
}

impl Instrument {
    fn redact(&mut self) {
        match &mut self.details {
            InstrumentDetails::Card(card) | InstrumentDetails::NetworkToken(card) => {
                redact_text(&mut card.holder_name);
                redact_text(&mut card.nick_name);
            }
            // The words of a wallet, and the id of an account, tell of nobody.
            InstrumentDetails::Wallet(_) | InstrumentDetails::Kept(_) => {}
        }
        redact_object(&mut self.billing);
    }

    fn tells_of_somebody(&self) -> bool {
        let details_tell = match &self.details {
            InstrumentDetails::Card(card) | InstrumentDetails::NetworkToken(card) => {
                text_tells(&card.holder_name) || text_tells(&card.nick_name)
            }
            InstrumentDetails::Wallet(_) | InstrumentDetails::Kept(_) => false,
        };
        details_tell || object_tells(&self.billing)
    }
}

fn redact_text(said: &mut Option<String>) {
    if said.is_some() {
        *said = Some(REDACTED.to_owned());
    }
}

fn redact_object<T: Telling>(said: &mut Option<Box<T>>) {
    if let Some(object) = said {
        object.redact();
    }
}

fn text_tells(said: &Option<String>) -> bool {
    said.as_deref().is_some_and(|text| text != REDACTED)
}

/// An object that tells of the payer.
pub(crate) trait Telling: Clone + PartialEq {
    /// Leaves of it what tells of nobody.
    fn redact(&mut self);

    /// It, telling of nobody.
    fn redacted(&self) -> Self {
        let mut redacted = self.clone();
        redacted.redact();
        redacted
    }
}

/// Writes such an object: `=> (serialize_with = "redact::object")`.
pub(crate) fn object<T, S>(said: &Option<Box<T>>, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Telling + Serialize,
    S: Serializer,
{
    let redacted = said.as_deref().map(T::redacted);
    redacted.serialize(serializer)
}

/// Writes the particulars of a payment: `=> (serialize_with = "redact::particulars")`.
pub(super) fn particulars<S: Serializer>(
    particulars: &Particulars,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    particulars.write_redacted(serializer)
}

/// Writes an instrument as its family: `=> (serialize_with = "redact::details")`.
pub(super) fn details<S: Serializer>(
    details: &InstrumentDetails,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (index, family, card) = match details {
        InstrumentDetails::Card(card) => (0, "card", card),
        InstrumentDetails::NetworkToken(card) => (1, "network_token", card),
        InstrumentDetails::Wallet(_) | InstrumentDetails::Kept(_) => {
            return details.serialize(serializer);
        }
    };
    serializer.serialize_newtype_variant("InstrumentDetails", index, family, &Redacted(card))
}

fn object_tells<T: Telling>(said: &Option<Box<T>>) -> bool {
    said.as_deref()
        .is_some_and(|object| object.redacted() != *object)
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

impl Telling for Address {
    fn redact(&mut self) {
        let Address {
            address,
            phone,
            email,
            unread,
        } = self;
        if let Some(place) = address {
            redact_place(place);
        }
        if let Some(Phone {
            number,
            country_code,
            unread,
        }) = phone
        {
            redact_text(number);
            redact_text(country_code);
            *unread = UnreadMembers::default();
        }
        redact_text(email);
        *unread = UnreadMembers::default();
    }
}

fn redact_place(place: &mut Place) {
    let Place {
        first_name,
        last_name,
        line1,
        line2,
        line3,
        city,
        state,
        zip,
        // The merchant's own.
        origin_zip: _,
        country: _,
        unread,
    } = place;
    for said in [first_name, last_name, line1, line2, line3, city, state, zip] {
        redact_text(said);
    }
    *unread = UnreadMembers::default();
}

/// That there was consent, and when, stays.
impl Telling for Consent {
    fn redact(&mut self) {
        let Consent {
            kind: _,
            accepted_at: _,
            online,
            unread: _,
        } = self;
        if let Some(OnlineConsent {
            ip_address,
            user_agent,
            unread,
        }) = online
        {
            redact_text(ip_address);
            redact_text(user_agent);
            *unread = UnreadMembers::default();
        }
    }
}
