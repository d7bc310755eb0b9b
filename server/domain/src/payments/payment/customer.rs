//! The customer as the merchant describes him with a payment.

use multirail_kernel::ids::CustomerId;
use multirail_kernel::record_object::record_object;
use multirail_sdk::charge::Document;

record_object! {
    /// A payer in the merchant's books.
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

/// How a customer is called and reached. A request may say each of these at its top or inside `customer`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contact<'a> {
    pub name: Option<&'a str>,
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub phone_country_code: Option<&'a str>,
}

impl<'a> Contact<'a> {
    /// What is said here, and what `other` says where nothing is.
    pub fn or(self, other: Contact<'a>) -> Contact<'a> {
        Contact {
            name: self.name.or(other.name),
            email: self.email.or(other.email),
            phone: self.phone.or(other.phone),
            phone_country_code: self.phone_country_code.or(other.phone_country_code),
        }
    }

    /// The first member that both say, and differently.
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
    /// Whether there is more than the id.
    pub(crate) fn tells_something(&self) -> bool {
        self.contact() != Contact::default()
            || self.tax_registration_id.is_some()
            || self.document.is_some()
    }

    /// The same customer with what is known of him where nothing was said.
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

    /// How this one is called and reached.
    pub fn contact(&self) -> Contact<'_> {
        Contact {
            name: self.name.as_deref(),
            email: self.email.as_deref(),
            phone: self.phone.as_deref(),
            phone_country_code: self.phone_country_code.as_deref(),
        }
    }
}
