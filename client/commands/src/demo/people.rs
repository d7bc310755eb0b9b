//! The customers of the demo.

use multirail_client::types::{
    Address, AddressDetails, CountryCode, Currency, CustomerCreateRequest,
};

/// A customer, and the currency in which the shop sells to them.
#[derive(Debug, PartialEq)]
pub(super) struct Person {
    pub(super) first_name: &'static str,
    pub(super) last_name: &'static str,
    city: &'static str,
    zip: &'static str,
    country: CountryCode,
    pub(super) currency: Currency,
}

pub(super) static ADA: Person = Person {
    first_name: "Ada",
    last_name: "Okafor",
    city: "Leeds",
    zip: "LS1 4DY",
    country: CountryCode::Gb,
    currency: Currency::Gbp,
};
pub(super) static ELIN: Person = Person {
    first_name: "Elin",
    last_name: "Berg",
    city: "Uppsala",
    zip: "753 10",
    country: CountryCode::Se,
    currency: Currency::Sek,
};
pub(super) static GRACE: Person = Person {
    first_name: "Grace",
    last_name: "Miller",
    city: "Portland",
    zip: "97205",
    country: CountryCode::Us,
    currency: Currency::Usd,
};
pub(super) static JAN: Person = Person {
    first_name: "Jan",
    last_name: "de Vries",
    city: "Utrecht",
    zip: "3511 AA",
    country: CountryCode::Nl,
    currency: Currency::Eur,
};
pub(super) static LENA: Person = Person {
    first_name: "Lena",
    last_name: "Vogt",
    city: "Kassel",
    zip: "34117",
    country: CountryCode::De,
    currency: Currency::Eur,
};
pub(super) static LUIS: Person = Person {
    first_name: "Luis",
    last_name: "Herrera",
    city: "Puebla",
    zip: "72000",
    country: CountryCode::Mx,
    currency: Currency::Mxn,
};
pub(super) static MARIA: Person = Person {
    first_name: "Maria",
    last_name: "Souza",
    city: "Recife",
    zip: "50010-000",
    country: CountryCode::Br,
    currency: Currency::Brl,
};
pub(super) static TARO: Person = Person {
    first_name: "Taro",
    last_name: "Mori",
    city: "Nagoya",
    zip: "460-0008",
    country: CountryCode::Jp,
    currency: Currency::Jpy,
};

/// All customers.
pub(super) static PEOPLE: [&Person; 8] = [&ADA, &ELIN, &GRACE, &JAN, &LENA, &LUIS, &MARIA, &TARO];

/// The customers who subscribe.
pub(super) static SUBSCRIBERS: [&Person; 2] = [&ADA, &GRACE];

impl Person {
    /// Returns the customer's id within the demo of this seed.
    pub(super) fn customer_id(&self, seed: u64) -> String {
        format!("demo_{seed}_{}", self.first_name.to_ascii_lowercase())
    }

    pub(super) fn name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
    }

    pub(super) fn email(&self) -> String {
        format!("{}@example.com", self.first_name.to_ascii_lowercase())
    }

    pub(super) fn customer(&self, seed: u64) -> CustomerCreateRequest {
        CustomerCreateRequest::new()
            .customer_id(self.customer_id(seed))
            .name(self.name())
            .email(self.email())
            .address(self.address_details())
    }

    /// Returns the address to which bills go.
    pub(super) fn billing(&self) -> Address {
        Address::new()
            .address(self.address_details())
            .email(self.email())
    }

    fn address_details(&self) -> AddressDetails {
        AddressDetails::new()
            .first_name(self.first_name)
            .last_name(self.last_name)
            .line1("1 Market Street")
            .city(self.city)
            .zip(self.zip)
            .country(self.country.clone())
    }
}
