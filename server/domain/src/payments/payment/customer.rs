//! The customer data that a merchant sends with a payment.

use multirail_kernel::ids::CustomerId;
use multirail_kernel::record_object::record_object;
use multirail_sdk::charge::Document;

record_object! {
    /// The customer data of a payment.
    #[derive(Eq)]
    pub struct Customer {
        id: CustomerId,
    } and maybe {
        name: String,
        email: String,
        phone: String,
        phone_country_code: String,
        tax_registration_id: String,
        #[serde(rename = "document_details")]
        document: Document,
    }
}

/// A customer's name and contact data. A request may have each member at its top or inside `customer`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contact<'a> {
    pub name: Option<&'a str>,
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub phone_country_code: Option<&'a str>,
}

impl<'a> Contact<'a> {
    /// Returns this data, completed with members of `other`.
    pub fn or(self, other: Contact<'a>) -> Contact<'a> {
        Contact {
            name: self.name.or(other.name),
            email: self.email.or(other.email),
            phone: self.phone.or(other.phone),
            phone_country_code: self.phone_country_code.or(other.phone_country_code),
        }
    }

    /// Returns the first member in which both differ.
    pub(crate) fn contradiction(self, other: Contact<'_>) -> Option<&'static str> {
        let pairs = [
            ("name", self.name, other.name),
            ("email", self.email, other.email),
            ("phone", self.phone, other.phone),
            (
                "phone_country_code",
                self.phone_country_code,
                other.phone_country_code,
            ),
        ];
        pairs
            .into_iter()
            .find(|(_, one, other)| one.is_some() && other.is_some() && one != other)
            .map(|(member, ..)| member)
    }
}

impl Customer {
    /// Returns whether there are members besides the id.
    pub(crate) fn tells_something(&self) -> bool {
        self.contact() != Contact::default()
            || self.tax_registration_id.is_some()
            || self.document.is_some()
    }

    /// Returns this customer, completed with stored members.
    pub(crate) fn completed(self, known: Customer) -> Customer {
        Customer {
            id: self.id,
            name: self.name.or(known.name),
            email: self.email.or(known.email),
            phone: self.phone.or(known.phone),
            phone_country_code: self.phone_country_code.or(known.phone_country_code),
            tax_registration_id: self.tax_registration_id.or(known.tax_registration_id),
            document: self.document.or(known.document),
            unread: self.unread,
        }
    }

    /// Returns the customer's name and contact data.
    pub fn contact(&self) -> Contact<'_> {
        Contact {
            name: self.name.as_deref(),
            email: self.email.as_deref(),
            phone: self.phone.as_deref(),
            phone_country_code: self.phone_country_code.as_deref(),
        }
    }
}
