//! Forgetting who paid. (Facts 7.6: a customer is redacted)
//!
//! What tells of the payer is replaced by the word [`REDACTED`] where it is a text, and gone where it is none. What was paid,
//! with which card's last digits and in which country, stays, and so does what the merchant wrote down in words of its own: the
//! description, the metadata, the order.

use std::sync::Arc;

use serde_json::Value;

use crate::address::{Address, Phone, Place};
use crate::customer::REDACTED;
use crate::payment::consent::{Consent, OnlineConsent};
use crate::payment::customer::Customer;
use crate::payment::{Attempt, Instrument, InstrumentDetails, Particulars, Payment};
use crate::secret::SecretText;
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

/// The members of an answered payment, and of an answered mandate, that tell of the payer.
const TELLING: [&str; 12] = [
    "/name",
    "/email",
    "/phone",
    "/customer",
    "/billing",
    "/shipping",
    "/payment_method_data/billing",
    "/payment_method_data/card/card_holder_name",
    "/mandate_data/customer_acceptance/online",
    // Of a mandate.
    "/card/card_holder_name",
    "/card/nick_name",
    "/customer_acceptance/online",
];
/// Those that are objects of which nothing can be kept.
const GONE: [&str; 2] = ["/browser_info", "/customer/customer_document_details"];
/// What is kept of the others.
const KEPT: [&str; 3] = ["id", "country", "origin_zip"];

/// The body of an event of a payment ([`Envelope`](crate::webhook::Envelope)), so that it tells of nobody; nothing where it told
/// of nobody already.
///
/// # Errors
/// A body that isn't JSON.
pub fn redacted_event(body: &SecretText) -> serde_json::Result<Option<SecretText>> {
    let mut body: Value = serde_json::from_str(body.expose())?;
    let told = body
        .pointer_mut("/content/object")
        .is_some_and(redact_answer);
    Ok(told.then(|| SecretText::new(body.to_string())))
}

/// Redacts a payment as it was answered once. Answers whether it told of anybody.
fn redact_answer(payment: &mut Value) -> bool {
    let mut told = false;
    for path in GONE {
        if let Some(member) = payment.pointer_mut(path) {
            told |= !member.take().is_null();
        }
    }
    for path in TELLING {
        told |= payment.pointer_mut(path).is_some_and(redact_value);
    }
    told
}

/// Replaces every text, at any depth, and takes out everything else that says something.
fn redact_value(value: &mut Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => {
            let told = text != REDACTED;
            REDACTED.clone_into(text);
            told
        }
        Value::Object(members) => {
            let mut told = false;
            for (name, value) in members {
                told |= !KEPT.contains(&name.as_str()) && redact_value(value);
            }
            told
        }
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            *value = Value::Null;
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_tells_of_nobody_any_more() {
        let mut answer = json!({
            "payment_id": "pay_1", "amount": 6540, "name": "Ada", "email": null, "phone": "1",
            "customer_id": "cus_ada", "description": "Two books", "metadata": {"email": "kept"},
            "customer": {"id": "cus_ada", "name": "Ada", "customer_document_details": {"document_number": "1"}},
            "billing": {"address": {"line1": "1 Row", "country": "GB", "zip": "1"}, "phone": {"number": "1"}, "email": null},
            "browser_info": {"screen_width": 1024, "ip_address": "192.0.2.1"},
            "payment_method_data": {"card": {"last4": "1111", "card_holder_name": "Ada"}, "billing": {"email": "a@b"}},
        });
        assert!(redact_answer(&mut answer));
        insta::assert_json_snapshot!(answer, @r#"
        {
          "payment_id": "pay_1",
          "amount": 6540,
          "name": "Redacted",
          "email": null,
          "phone": "Redacted",
          "customer_id": "cus_ada",
          "description": "Two books",
          "metadata": {
            "email": "kept"
          },
          "customer": {
            "id": "cus_ada",
            "name": "Redacted",
            "customer_document_details": null
          },
          "billing": {
            "address": {
              "line1": "Redacted",
              "country": "GB",
              "zip": "Redacted"
            },
            "phone": {
              "number": "Redacted"
            },
            "email": null
          },
          "browser_info": null,
          "payment_method_data": {
            "card": {
              "last4": "1111",
              "card_holder_name": "Redacted"
            },
            "billing": {
              "email": "Redacted"
            }
          }
        }
        "#);
        assert!(!redact_answer(&mut answer), "it tells of nobody now");
    }
}
