//! A customer who is made along with a payment.

use crate::customer::{Customer, Personal};
use crate::ids::CustomerId;
use crate::payment::Payment;
use crate::payment::customer::Contact;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

impl Customer {
    /// The customer of whom nothing is known but what a payment says.
    pub fn of_payment(payment: &Payment, customer_id: CustomerId, now: Timestamp) -> Self {
        let Contact {
            name,
            email,
            phone,
            phone_country_code,
        } = payment.particulars.contact();
        let inside = payment.particulars.customer.as_deref();
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
