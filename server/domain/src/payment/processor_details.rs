//! What a processor is told of a payment beside its money, put together from the terms and the merchant's notes. The
//! notes have passed the contract's schema, so what doesn't read here isn't there.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::connector::details::{
    Authentication, Descriptor, Details, Document, Initiation, Order, Payer,
};
use crate::notes::find;
use crate::payment::{Attempt, Payment};

/// `billing_descriptor`.
#[derive(Default, Deserialize)]
struct BillingDescriptor {
    name: Option<String>,
    city: Option<String>,
    phone: Option<String>,
    statement_descriptor: Option<String>,
    statement_descriptor_suffix: Option<String>,
    reference: Option<String>,
}

/// What `customer` has and no member beside it.
#[derive(Default, Deserialize)]
struct Customer {
    tax_registration_id: Option<String>,
    document_details: Option<Document>,
}

impl Payment {
    /// What goes with the attempt's authorization.
    pub fn details(&self, attempt: &Attempt) -> Details {
        let terms = &self.terms;
        let connector = attempt.connector.as_deref().unwrap_or_default();
        let for_connectors = find(&self.notes, "connector_metadata");
        Details {
            description: self.note("description"),
            descriptor: self.descriptor(),
            authentication: Authentication {
                wanted: Some(terms.authentication_type),
                force_challenge: self.note("force_3ds_challenge"),
                exemption: self.note("psd2_sca_exemption_type"),
                device_data_collected: self.note("threeds_method_comp_ind"),
                browser: self.note("browser_info"),
            },
            initiation: Initiation {
                channel: self.note("payment_channel"),
                off_session: self.note("off_session"),
                is_stored_credential: self.note("is_stored_credential"),
                future_usage: terms
                    .setup_future_usage
                    .as_deref()
                    .and_then(|word| word.parse().ok()),
                consent: self.note("customer_acceptance"),
            },
            order: self.order(),
            payer: self.payer(attempt),
            installments: self.note("installment_data"),
            takes_less: terms.enable_partial_authorization == Some(true),
            connector_metadata: for_connectors
                .and_then(|members| members.get(connector))
                .cloned(),
        }
    }

    /// The line on the payer's statement. The parts in `billing_descriptor` win over the members beside it.
    pub fn descriptor(&self) -> Descriptor {
        let parts: BillingDescriptor = self.note("billing_descriptor").unwrap_or_default();
        let beside = |member: &str| self.note(member);
        Descriptor {
            text: parts
                .statement_descriptor
                .or_else(|| beside("statement_descriptor_name")),
            prefix: None,
            suffix: parts
                .statement_descriptor_suffix
                .or_else(|| beside("statement_descriptor_suffix")),
            name: parts.name,
            city: parts.city,
            phone: parts.phone,
            reference: parts.reference,
        }
    }

    /// A member that may stand at the top of a request or inside `customer`.
    pub fn of_customer(&self, member: &str) -> Option<&str> {
        let inside = || find(&self.notes, "customer")?.get(member);
        let given = find(&self.notes, member).or_else(inside)?;
        given.as_str()
    }

    fn order(&self) -> Order {
        let terms = &self.terms;
        let surcharge = terms.surcharge.as_ref();
        Order {
            reference: self.note("merchant_order_reference_id"),
            date: self.note("order_date"),
            shipping_cost: terms.shipping_cost,
            shipping_amount_tax: self.note("shipping_amount_tax"),
            order_tax_amount: terms.order_tax_amount,
            surcharge_amount: surcharge.map(|surcharge| surcharge.amount),
            surcharge_tax_amount: surcharge.and_then(|surcharge| surcharge.tax_amount),
            discount_amount: self.note("discount_amount"),
            duty_amount: self.note("duty_amount"),
            tax_status: self.note("tax_status"),
            items: self.note("order_details").unwrap_or_default(),
        }
    }

    fn payer(&self, attempt: &Attempt) -> Payer {
        let customer: Customer = self.note("customer").unwrap_or_default();
        let twin = |member: &str| self.of_customer(member).map(str::to_owned);
        let own = attempt.instrument.as_ref().and_then(|i| i.billing.as_ref());
        Payer {
            customer_id: self.terms.customer_id.as_ref().map(ToString::to_string),
            name: twin("name"),
            email: twin("email"),
            phone: twin("phone"),
            phone_country_code: twin("phone_country_code"),
            tax_registration_id: customer.tax_registration_id,
            document: customer.document_details,
            billing: own
                .and_then(|own| Deserialize::deserialize(own).ok())
                .or_else(|| self.note("billing")),
            shipping: self.note("shipping"),
        }
    }

    fn note<T: DeserializeOwned>(&self, member: &str) -> Option<T> {
        T::deserialize(find(&self.notes, member)?).ok()
    }
}
