//! A payment's customer: created with the payment, or known before.

use std::sync::Arc;

use multirail_kernel::ids::CustomerId;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::customers::customer::{Customer, Personal};
use crate::payments::payment::Payment;
use crate::payments::payment::customer::{Contact, Customer as Payer};

impl Customer {
    /// Creates a customer from the payment's data.
    pub fn of_payment(payment: &Payment, customer_id: CustomerId, now: Timestamp) -> Self {
        let Contact {
            name,
            email,
            phone,
            phone_country_code,
        } = payment.payer.contact();
        let inside = payment.payer.customer.as_deref();
        let tax_registration_id = inside.and_then(|said| said.tax_registration_id.clone());
        let personal = Personal {
            name: name.map(str::to_owned),
            email: email.map(str::to_owned),
            phone: phone.map(str::to_owned),
            phone_country_code: phone_country_code.map(str::to_owned),
            description: None,
            address: None,
            tax_registration_id,
            metadata: None,
            unread: UnreadMembers::default(),
        };
        Customer::create(payment.merchant_id.clone(), customer_id, personal, now)
    }
}

impl Payment {
    /// Completes the payment's data with the stored customer's. From then on they belong to the payment: later changes of the
    /// customer don't reach it.
    pub fn know(&mut self, customer: &Customer) {
        let said = self.payer.contact();
        let known = &customer.personal;
        let inside = self.payer.customer.as_deref();
        let said_tax_id = inside.and_then(|inside| inside.tax_registration_id.as_ref());
        let unsaid = |said: Option<&str>, known: &Option<String>| match said {
            None => known.clone(),
            Some(_) => None,
        };
        let unsaid = Payer {
            id: customer.customer_id.clone(),
            name: unsaid(said.name, &known.name),
            email: unsaid(said.email, &known.email),
            phone: unsaid(said.phone, &known.phone),
            // A country code belongs to the number that came with it.
            phone_country_code: unsaid(
                said.phone_country_code.or(said.phone),
                &known.phone_country_code,
            ),
            tax_registration_id: unsaid(
                said_tax_id.map(String::as_str),
                &known.tax_registration_id,
            ),
            document: None,
            unread: UnreadMembers::default(),
        };
        if unsaid.tells_something() {
            let customer = &mut Arc::make_mut(&mut self.payer).customer;
            *customer = Some(match customer.take() {
                None => Box::new(unsaid),
                Some(said) => Box::new(said.completed(unsaid)),
            });
        }
    }
}
