//! Examples of customers. Every struct is written out, so that a new member has to be shown here.

use multirail_domain::customers::customer::{Customer, CustomerStatus, Personal};
use multirail_kernel::address::Place;
use multirail_kernel::ids::CustomerId;
use multirail_kernel::unread::UnreadMembers;
use serde_json::json;

use super::payment::{merchant_id, moment, object};

/// One in each status.
pub(super) fn customers() -> Vec<Customer> {
    let customer = |status| Customer {
        merchant_id: merchant_id(),
        customer_id: CustomerId::parse("cus_example").expect("an id"),
        version: 3,
        status,
        default_payment_method_id: None,
        personal: Personal::default(),
        created_at: moment(1),
        modified_at: moment(2),
        unread: UnreadMembers::default(),
    };
    vec![
        customer(CustomerStatus::Active),
        customer(CustomerStatus::Redacted),
    ]
}

/// One with every member set, and one with none.
pub(super) fn personal() -> Vec<Personal> {
    let text = |text: &str| Some(text.to_owned());
    let known = Personal {
        name: text("Ada Example"),
        email: text("ada@shopper.example"),
        phone: text("2025550132"),
        phone_country_code: text("+1"),
        description: text("Reads mathematics"),
        address: Some(Box::new(Place {
            first_name: text("Ada"),
            last_name: text("Example"),
            line1: text("12 Analytical Row"),
            line2: text("Second floor"),
            line3: text("Left"),
            city: text("London"),
            state: text("Greater London"),
            zip: text("W1J 7NT"),
            origin_zip: text("W1J 7NU"),
            country: Some("GB".parse().expect("a country")),
            unread: UnreadMembers::default(),
        })),
        tax_registration_id: text("GB123456789"),
        metadata: Some(object(json!({"loyalty": "gold"}))),
        unread: UnreadMembers::default(),
    };
    vec![known, Personal::default()]
}
