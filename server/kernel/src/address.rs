//! Payers' addresses, phone numbers and e-mail addresses.

use std::borrow::Cow;

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

    /// Returns the address that goes with an instrument: its `own`, completed by the payment's. Where the two are kept apart, the
    /// payment's never counts.
    pub fn of_instrument<'a>(
        own: Option<&'a Address>,
        known: Option<&'a Address>,
        is_apart: bool,
    ) -> Option<Cow<'a, Address>> {
        let known = known.filter(|_| !is_apart);
        match (own, known) {
            (Some(own), Some(known)) => Some(Cow::Owned(own.clone().completed(known))),
            (only, other) => only.or(other).map(Cow::Borrowed),
        }
    }

    /// Takes each member that is unset from `known`.
    fn completed(self, known: &Address) -> Address {
        let place = match (self.address, &known.address) {
            (Some(own), Some(known)) => Some(own.completed(known)),
            (own, known) => own.or_else(|| known.clone()),
        };
        let phone = match (self.phone, &known.phone) {
            (Some(own), Some(known)) => Some(own.completed(known)),
            (own, known) => own.or_else(|| known.clone()),
        };
        Address {
            address: place,
            phone,
            email: self.email.or_else(|| known.email.clone()),
            unread: self.unread,
        }
    }
}

impl Phone {
    /// Takes each member that is unset from `known`. The country code of another number is never taken.
    fn completed(self, known: &Phone) -> Phone {
        if self.number.is_some() && known.number.is_some() && self.number != known.number {
            return self;
        }
        Phone {
            number: self.number.or_else(|| known.number.clone()),
            country_code: self.country_code.or_else(|| known.country_code.clone()),
            unread: self.unread,
        }
    }
}

impl Place {
    /// Takes each member that is unset from `known`.
    fn completed(self, known: &Place) -> Place {
        let text = |own: Option<String>, known: &Option<String>| own.or_else(|| known.clone());
        Place {
            first_name: text(self.first_name, &known.first_name),
            last_name: text(self.last_name, &known.last_name),
            line1: text(self.line1, &known.line1),
            line2: text(self.line2, &known.line2),
            line3: text(self.line3, &known.line3),
            city: text(self.city, &known.city),
            state: text(self.state, &known.state),
            zip: text(self.zip, &known.zip),
            origin_zip: text(self.origin_zip, &known.origin_zip),
            country: self.country.or(known.country),
            unread: self.unread,
        }
    }

    /// Returns first and last name as one text, if any is known.
    pub fn full_name(&self) -> Option<String> {
        let parts = [self.first_name.as_deref(), self.last_name.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        Some(parts.join(" ")).filter(|name| !name.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(place: Place, phone: Option<Phone>, email: Option<&str>) -> Address {
        Address {
            address: Some(place),
            phone,
            email: email.map(str::to_owned),
            ..Address::default()
        }
    }

    fn phone(number: Option<&str>, country_code: Option<&str>) -> Phone {
        Phone {
            number: number.map(str::to_owned),
            country_code: country_code.map(str::to_owned),
            ..Phone::default()
        }
    }

    fn named(first: Option<&str>, last: Option<&str>, line1: Option<&str>) -> Place {
        Place {
            first_name: first.map(str::to_owned),
            last_name: last.map(str::to_owned),
            line1: line1.map(str::to_owned),
            ..Place::default()
        }
    }

    #[test]
    fn members_that_are_given_win_and_the_others_stay() {
        let known = address(
            named(Some("Ada"), Some("Okafor"), Some("Prinsengracht 1")),
            Some(phone(Some("12345678"), Some("+31"))),
            Some("ada@example.com"),
        );
        let own = address(
            named(None, Some("Byron"), None),
            Some(phone(None, Some("+44"))),
            None,
        );
        let both = Address::of_instrument(Some(&own), Some(&known), false).expect("an address");
        let whole = address(
            named(Some("Ada"), Some("Byron"), Some("Prinsengracht 1")),
            Some(phone(Some("12345678"), Some("+44"))),
            Some("ada@example.com"),
        );
        assert_eq!(*both, whole);
        let empty = Address::default();
        assert_eq!(empty.completed(&known), known);
    }

    #[test]
    fn one_address_stays_as_it_is() {
        let only = address(named(Some("Ada"), None, None), None, None);
        for (own, known) in [(Some(&only), None), (None, Some(&only))] {
            assert_eq!(
                Address::of_instrument(own, known, false).as_deref(),
                Some(&only)
            );
        }
        assert_eq!(Address::of_instrument(None, None, false), None);
    }

    #[test]
    fn an_address_that_is_kept_apart_goes_with_no_instrument() {
        let own = address(named(None, Some("Byron"), None), None, None);
        let known = address(named(Some("Ada"), Some("Okafor"), None), None, None);
        let apart = |own| Address::of_instrument(own, Some(&known), true);
        assert_eq!(apart(Some(&own)).as_deref(), Some(&own));
        assert_eq!(apart(None), None);
        let both = Address::of_instrument(Some(&own), Some(&known), false);
        let both = both.expect("an address").into_owned();
        assert_eq!(both, own.completed(&known));
    }

    #[test]
    fn a_number_never_gets_the_country_code_of_another() {
        let known = phone(Some("12345678"), Some("+31"));
        let other = phone(Some("+44 20 7946 0000"), None);
        assert_eq!(other.clone().completed(&known), other);
        let same = phone(Some("12345678"), None);
        assert_eq!(same.completed(&known), known);
    }
}
