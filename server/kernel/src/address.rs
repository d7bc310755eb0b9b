//! Payers' addresses, phone numbers and e-mail addresses.

use crate::country::CountryCode;
use crate::record_object::record_object;

record_object! {
    /// An address with the contact data of the person.
    #[derive(Default, Eq)]
    pub struct Address {
    } and maybe {
        address: Place,
        phone: Phone,
        email: String,
    }
}

record_object! {
    #[derive(Default, Eq)]
    pub struct Place {
    } and maybe {
        first_name: String,
        last_name: String,
        line1: String,
        line2: String,
        line3: String,
        city: String,
        state: String,
        zip: String,
        /// The postal code of the place that the goods are sent from.
        origin_zip: String,
        country: CountryCode,
    }
}

record_object! {
    #[derive(Default, Eq)]
    pub struct Phone {
    } and maybe {
        number: String,
        country_code: String,
    }
}

impl Address {
    /// Returns the country of the address.
    pub fn country(&self) -> Option<CountryCode> {
        self.address.as_ref()?.country
    }
}

impl Place {
    /// Returns first and last name as one text, if any is known.
    pub fn full_name(&self) -> Option<String> {
        let parts = [self.first_name.as_deref(), self.last_name.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        Some(parts.join(" ")).filter(|name| !name.is_empty())
    }
}
