//! Removes personal data from a stored object. (Facts 7.6: a customer is redacted)

use crate::address::{Address, Phone, Place};
use crate::redacted::REDACTED;
use crate::unread::UnreadMembers;

/// An object with personal data.
pub trait Telling: Clone + PartialEq {
    /// Removes the personal data.
    fn redact(&mut self);

    /// Returns a redacted copy.
    fn redacted(&self) -> Self {
        let mut redacted = self.clone();
        redacted.redact();
        redacted
    }
}

pub fn redact_text(said: &mut Option<String>) {
    if said.is_some() {
        *said = Some(REDACTED.to_owned());
    }
}

pub fn redacted_text(said: &Option<String>) -> Option<String> {
    said.as_ref().map(|_| REDACTED.to_owned())
}

pub fn redacted_object<T: Telling>(said: &Option<Box<T>>) -> Option<Box<T>> {
    said.as_deref().map(|object| Box::new(object.redacted()))
}

pub fn text_tells(said: &Option<String>) -> bool {
    said.as_deref().is_some_and(|text| text != REDACTED)
}

pub fn object_tells<T: Telling>(said: &Option<Box<T>>) -> bool {
    said.as_deref()
        .is_some_and(|object| object.redacted() != *object)
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
        // The merchant's own postal code.
        origin_zip: _,
        country: _,
        unread,
    } = place;
    for said in [first_name, last_name, line1, line2, line3, city, state, zip] {
        redact_text(said);
    }
    *unread = UnreadMembers::default();
}
