//! The payer of a payment: personal data, which is stored apart from the rest of the payment.

use multirail_kernel::address::Address;
use multirail_kernel::record_object::record_object;
use multirail_kernel::telling::{object_tells, redacted_object, redacted_text, text_tells};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::browser::Browser;
use multirail_sdk::consent::{Consent, ConsentKind};

use crate::payments::payment::customer::{Contact, Customer};
use crate::payments::payment::particulars::keep_said;

record_object! {
    /// The person who pays: name, addresses, device and consent. A payment's record has these members, or their redacted forms,
    /// among its particulars (`record.rs`).
    #[derive(Default)]
    pub struct PayerDetails {
    } and maybe {
        customer: Box<Customer>,
        name: String,
        email: String,
        phone: String,
        phone_country_code: String,
        billing: Box<Address>,
        shipping: Box<Address>,
        #[serde(rename = "browser_info")]
        browser: Box<Browser>,
        #[serde(rename = "customer_acceptance")]
        consent: Box<Consent>,
        /// The consent that the payer gave when the account to debit was saved. It isn't a consent to this payment.
        #[serde(rename = "saved_customer_acceptance")]
        saved_consent: Box<Consent>,
    }
}

impl PayerDetails {
    /// Applies an update. A member that is present replaces the stored one as a whole.
    pub(crate) fn merge(&mut self, given: PayerDetails) {
        let unread = keep_said!(PayerDetails given over self:
            customer, name, email, phone, phone_country_code, billing, shipping, browser, consent, saved_consent;
            unread
        );
        self.unread.append(unread);
    }

    /// Completes the browser's data with those that it shows by itself.
    pub(crate) fn add_browser(&mut self, shown: Option<Box<Browser>>) {
        let Some(shown) = shown else { return };
        self.browser = Some(match self.browser.take() {
            Some(said) => Box::new(said.completed(*shown)),
            None => shown,
        });
    }

    /// Completes a consent that the payer gave on a page with the payer's request: its time, its address and its browser.
    pub(crate) fn complete_consent(&mut self, shown: &Browser, now: Timestamp) {
        let Some(consent) = &mut self.consent else {
            return;
        };
        match consent.kind {
            ConsentKind::Offline => return,
            ConsentKind::Online => {}
        }
        let accepted_at = &mut consent.accepted_at;
        accepted_at.get_or_insert_with(|| now.to_string());
        let online = consent.online.get_or_insert_default();
        let complete = |known: &mut Option<String>, shown: &Option<String>| {
            if known.is_none() {
                known.clone_from(shown);
            }
        };
        complete(&mut online.ip_address, &shown.ip_address);
        complete(&mut online.user_agent, &shown.user_agent);
    }

    /// Returns the customer's name and contact data from the top of the request and from `customer`; the top has precedence.
    pub fn contact(&self) -> Contact<'_> {
        self.contact_at_top().or(self.contact_of_customer())
    }

    /// Returns the member that differs between the top and `customer`.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        let inside = self.contact_of_customer();
        self.contact_at_top().contradiction(inside)
    }

    fn contact_at_top(&self) -> Contact<'_> {
        Contact {
            name: self.name.as_deref(),
            email: self.email.as_deref(),
            phone: self.phone.as_deref(),
            phone_country_code: self.phone_country_code.as_deref(),
        }
    }

    fn contact_of_customer(&self) -> Contact<'_> {
        let customer = self.customer.as_deref();
        customer.map(Customer::contact).unwrap_or_default()
    }

    /// Returns the redacted form: it shows which members were present, but not their values.
    pub fn redacted(&self) -> PayerDetails {
        let PayerDetails {
            customer,
            name,
            email,
            phone,
            phone_country_code,
            billing,
            shipping,
            browser: _,
            consent,
            saved_consent: _,
            unread: _,
        } = self;
        PayerDetails {
            customer: redacted_object(customer),
            name: redacted_text(name),
            email: redacted_text(email),
            phone: redacted_text(phone),
            phone_country_code: redacted_text(phone_country_code),
            billing: redacted_object(billing),
            shipping: redacted_object(shipping),
            browser: None,
            consent: redacted_object(consent),
            saved_consent: None,
            unread: UnreadMembers::NONE,
        }
    }

    /// Returns whether [`redacted`](Self::redacted) would change anything.
    pub fn tells_of_somebody(&self) -> bool {
        let PayerDetails {
            customer,
            name,
            email,
            phone,
            phone_country_code,
            billing,
            shipping,
            browser,
            consent,
            saved_consent,
            unread,
        } = self;
        let texts = [name, email, phone, phone_country_code];
        texts.into_iter().any(text_tells)
            || browser.is_some()
            || saved_consent.is_some()
            || !unread.is_empty()
            || object_tells(customer)
            || object_tells(billing)
            || object_tells(shipping)
            || object_tells(consent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(consent: &str) -> String {
        let consent = serde_json::from_str(consent).expect("a consent");
        let mut payer = PayerDetails {
            consent: Some(consent),
            ..PayerDetails::default()
        };
        let shown = Browser {
            ip_address: Some("192.0.2.7".to_owned()),
            user_agent: Some("Browser/1.0".to_owned()),
            ..Browser::default()
        };
        payer.complete_consent(&shown, Timestamp::EPOCH);
        serde_json::to_string(&payer.consent).expect("an object of texts")
    }

    #[test]
    fn a_consent_on_a_page_gets_what_its_request_shows() {
        insta::assert_snapshot!(completed(r#"{"acceptance_type":"online"}"#), @r#"{"acceptance_type":"online","accepted_at":"1970-01-01T00:00:00.000Z","online":{"ip_address":"192.0.2.7","user_agent":"Browser/1.0"}}"#);
        let whole = r#"{"acceptance_type":"online","accepted_at":"2026-01-05T10:11:12.345Z","online":{"ip_address":"198.51.100.1","user_agent":"Other/2.0"}}"#;
        assert_eq!(completed(whole), whole);
        let offline = r#"{"acceptance_type":"offline"}"#;
        assert_eq!(completed(offline), offline);
    }
}
