//! Addresses of payers: where they live, and how they are reached.

use crate::country::CountryCode;
use crate::record_object::record_object;

record_object! {
    /// An address with who lives there.
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
        /// Where the goods come from.
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
    /// The country that it lies in.
    pub fn country(&self) -> Option<CountryCode> {
        self.address.as_ref()?.country
    }
}
