//! The data of a payment that a processor receives besides amounts, built from terms and particulars.

use std::borrow::Cow;

use multirail_sdk::connector::contact::{usable_descriptor, usable_ip, usable_payer};
use multirail_sdk::connector::details::{
    Authentication, Browser, Consent, Descriptor, Details, Initiation, Order, Payer,
};

use crate::payments::payment::{Attempt, Payment};

impl Payment {
    /// Returns the data sent with the attempt's authorization.
    pub fn details(&self, attempt: &Attempt) -> Details {
        let terms = &self.terms;
        let said = &self.particulars;
        let connector = attempt.connector.as_deref().unwrap_or_default();
        let for_connectors = said.connector_metadata.as_ref();
        Details {
            description: said.description.clone(),
            descriptor: self.descriptor(),
            authentication: Authentication {
                wanted: Some(self.authentication_type(attempt)),
                force_challenge: self.forces_challenge(attempt),
                exemption: said.sca_exemption,
                device_data_collected: said.device_data_collected,
                browser: self.payer.browser.as_deref().map(|browser| Browser {
                    ip_address: browser.ip_address.as_deref().and_then(usable_ip),
                    ..browser.clone()
                }),
            },
            initiation: Initiation {
                channel: said.payment_channel.clone(),
                off_session: said.off_session,
                // A saved card always counts as a stored credential, whatever the merchant says.
                is_stored_credential: match attempt.pays_with_saved_method() {
                    true => Some(true),
                    false => said.is_stored_credential,
                },
                mit_category: said.mit_category,
                network_transaction_id: attempt
                    .recurring
                    .as_deref()
                    .and_then(|recurring| recurring.network_transaction_id.clone()),
                mandate: attempt.charged_mandate().cloned(),
                future_usage: terms.setup_future_usage,
                consent: self.consent(attempt).cloned(),
            },
            order: self.order(),
            payer: usable_payer(self.payer(attempt)),
            installments: said.installment_data.as_deref().cloned(),
            takes_less: terms.enable_partial_authorization == Some(true),
            may_be_raised: attempt.may_be_raised == Some(true),
            stands_longer: self.asks_longer(attempt),
            may_be_exceeded: self.asks_for_more(attempt),
            category_code: attempt.wishes.category_code.clone(),
            payment_id: Some(self.payment_id.to_string()),
            metadata: self.metadata_as_texts(),
            connector_metadata: for_connectors
                .and_then(|members| members.get(connector))
                .cloned(),
        }
    }

    /// Returns the line on the payer's statement. Members of `billing_descriptor` have precedence over the older ones.
    pub fn descriptor(&self) -> Descriptor {
        let said = &self.particulars;
        let parts = said.billing_descriptor.as_deref();
        let parts = parts.cloned().unwrap_or_default();
        usable_descriptor(Descriptor {
            text: parts
                .statement_descriptor
                .or_else(|| said.statement_descriptor_name.clone()),
            prefix: None,
            suffix: parts
                .statement_descriptor_suffix
                .or_else(|| said.statement_descriptor_suffix.clone()),
            name: parts.name,
            city: parts.city,
            phone: parts.phone,
            reference: parts.reference,
        })
    }

    /// Returns the payer's consent to this payment, or the one that was saved with the attempt's method.
    fn consent(&self, attempt: &Attempt) -> Option<&Consent> {
        let saved = self.payer.saved_consent.as_deref();
        let saved = saved.filter(|_| attempt.pays_with_saved_method());
        self.payer.consent.as_deref().or(saved)
    }

    fn order(&self) -> Order {
        let terms = &self.terms;
        let said = &self.particulars;
        let surcharge = terms.surcharge.as_ref();
        Order {
            reference: said.order_reference.clone(),
            date: said.order_date.clone(),
            shipping_cost: terms.shipping_cost,
            shipping_amount_tax: said.shipping_amount_tax,
            order_tax_amount: terms.order_tax_amount,
            surcharge_amount: surcharge.map(|surcharge| surcharge.amount),
            surcharge_tax_amount: surcharge.and_then(|surcharge| surcharge.tax_amount),
            discount_amount: said.discount_amount,
            duty_amount: said.duty_amount,
            tax_status: said.tax_status,
            items: said.order_items.clone().unwrap_or_default(),
        }
    }

    fn payer(&self, attempt: &Attempt) -> Payer {
        let said = &self.payer;
        let customer = said.customer.as_deref();
        let contact = said.contact();
        let text = |text: Option<&str>| text.map(str::to_owned);
        Payer {
            customer_id: self.terms.customer_id.as_ref().map(ToString::to_string),
            connector_customer_id: None,
            name: text(contact.name),
            email: text(contact.email),
            phone: text(contact.phone),
            phone_country_code: text(contact.phone_country_code),
            tax_registration_id: customer.and_then(|c| c.tax_registration_id.clone()),
            document: customer.and_then(|c| c.document.clone()),
            billing: self.facts_of(attempt).payer_address().map(Cow::into_owned),
            shipping: said.shipping.as_deref().cloned(),
        }
    }
}
