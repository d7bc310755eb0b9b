//! Forgetting who paid. (Facts 7.6: a customer is redacted)
//!
//! What tells of the payer is replaced by the word [`REDACTED`] where it is a text, and gone where it is none. What was paid,
//! with which card's last digits and in which country, stays, and so does what the merchant wrote down in words of its own: the
//! description, the metadata, the order.

use std::sync::Arc;

use serde_json::Value;

use crate::address::{Address, Phone, Place};
use crate::card::CardDetails;
use crate::customer::REDACTED;
use crate::payment::consent::{Consent, OnlineConsent};
use crate::payment::customer::Customer;
use crate::payment::{Attempt, InstrumentDetails, Particulars, Payment};
use crate::secret::SecretText;
use crate::unread::UnreadMembers;

impl Payment {
    /// The payment that tells of nobody; nothing where it told of nobody already. Money, status and dates stay: what was
    /// asked of a processor goes on as before.
    pub fn redacted(&self) -> Option<Payment> {
        let mut payment = self.clone();
        Arc::make_mut(&mut payment.particulars).redact();
        payment.attempts.iter_mut().for_each(Attempt::redact);
        (payment != *self).then_some(payment)
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
        if let Some(customer) = &mut self.customer {
            redact_customer(customer);
        }
        for address in [&mut self.billing, &mut self.shipping]
            .into_iter()
            .flatten()
        {
            redact_address(address);
        }
        self.browser = None;
        if let Some(consent) = &mut self.consent {
            redact_consent(consent);
        }
    }
}

impl Attempt {
    fn redact(&mut self) {
        let Some(instrument) = &mut self.instrument else {
            return;
        };
        match &mut instrument.details {
            InstrumentDetails::Card(card) | InstrumentDetails::NetworkToken(card) => {
                redact_card(card);
            }
            // The words of a wallet, and the id of an account, tell of nobody.
            InstrumentDetails::Wallet(_) | InstrumentDetails::Kept(_) => {}
        }
        if let Some(address) = &mut instrument.billing {
            redact_address(address);
        }
    }
}

fn redact_text(said: &mut Option<String>) {
    if said.is_some() {
        *said = Some(REDACTED.to_owned());
    }
}

fn redact_customer(customer: &mut Customer) {
    let Customer {
        id: _,
        name,
        email,
        phone,
        phone_country_code,
        tax_registration_id,
        document,
        unread,
    } = customer;
    for said in [name, email, phone, phone_country_code, tax_registration_id] {
        redact_text(said);
    }
    *document = None;
    *unread = UnreadMembers::default();
}

fn redact_address(address: &mut Address) {
    let Address {
        address,
        phone,
        email,
        unread,
    } = address;
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
fn redact_consent(consent: &mut Consent) {
    let Consent {
        kind: _,
        accepted_at: _,
        online,
        unread: _,
    } = consent;
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

fn redact_card(card: &mut CardDetails) {
    redact_text(&mut card.holder_name);
    redact_text(&mut card.nick_name);
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
