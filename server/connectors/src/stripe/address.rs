//! The payer's names, addresses and phone numbers in Stripe's requests.

use multirail_sdk::connector::details::{Address, Details};

use super::generated::wire::{self, BillingDetails, Shipping, ShippingMust};
use crate::text::{Text, said};

/// Returns the billing details, with the card's holder before other names.
pub fn billing<'a>(holder: Option<&'a str>, details: &'a Details) -> Option<BillingDetails<'a>> {
    let payer = &details.payer;
    let billing = payer.billing.as_ref();
    let name = || billing.and_then(name_of).map(Text::from);
    let own_name = || payer.name.as_deref().map(Text::from);
    let email = billing.and_then(|billing| billing.email.as_deref());
    let own_phone = || {
        let code = payer.phone_country_code.as_deref();
        payer.phone.as_deref().map(|number| phone(code, number))
    };
    let billing_details = BillingDetails {
        name: holder.map(Text::from).or_else(name).or_else(own_name),
        email: email.or(payer.email.as_deref()).map(Text::from),
        phone: billing
            .and_then(phone_of)
            .or_else(own_phone)
            .map(Text::from),
        address: billing.and_then(|billing| address(billing).unless_empty()),
    };
    billing_details.unless_empty()
}

/// Returns the address of the goods, if it has a name, which Stripe requires.
pub fn shipping(details: &Details) -> Option<Shipping<'_>> {
    let to = details.payer.shipping.as_ref()?;
    to.address.as_ref()?;
    let own = || details.payer.name.clone();
    let must = ShippingMust {
        name: Text::from(name_of(to).or_else(own)?),
        address: address(to),
    };
    Some(Shipping {
        phone: phone_of(to).map(Text::from),
        ..Shipping::with(must)
    })
}

fn name_of(to: &Address) -> Option<String> {
    let place = to.address.as_ref()?;
    let parts = [place.first_name.as_deref(), place.last_name.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn phone_of(to: &Address) -> Option<String> {
    let given = to.phone.as_ref()?;
    let number = given.number.as_deref()?;
    Some(phone(given.country_code.as_deref(), number))
}

fn phone(country_code: Option<&str>, number: &str) -> String {
    format!("{}{number}", country_code.unwrap_or_default())
}

fn address(of: &Address) -> wire::Address<'_> {
    let Some(place) = &of.address else {
        return wire::Address::empty();
    };
    wire::Address {
        line1: place.line1.as_deref().map(Text::from),
        // Stripe has two address lines.
        line2: joined(&place.line2, &place.line3).map(Text::from),
        city: place.city.as_deref().map(Text::from),
        state: place.state.as_deref().map(Text::from),
        postal_code: place.zip.as_deref().map(Text::from),
        country: place
            .country
            .map(|country| Text::from(country.as_str().to_owned())),
    }
}

/// Joins two lines.
fn joined(one: &Option<String>, other: &Option<String>) -> Option<String> {
    let lines: Vec<&str> = [said(one), said(other)].into_iter().flatten().collect();
    (!lines.is_empty()).then(|| lines.join(", "))
}
