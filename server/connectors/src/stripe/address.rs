//! The payer's names, addresses and phone numbers in Stripe's requests.

use multirail_sdk::connector::details::{Address, Details};

use super::wire;
use crate::text::said;

/// Returns the billing details, with the card's holder before other names.
pub fn billing(holder: Option<String>, details: &Details) -> wire::BillingDetails {
    let payer = &details.payer;
    let billing = payer.billing.as_ref();
    let name = || billing.and_then(name_of).or_else(|| payer.name.clone());
    let email = billing.and_then(|billing| billing.email.clone());
    let own_phone = || {
        let code = payer.phone_country_code.as_deref();
        payer.phone.as_deref().map(|number| phone(code, number))
    };
    wire::BillingDetails {
        name: holder.or_else(name),
        email: email.or_else(|| payer.email.clone()),
        phone: billing.and_then(phone_of).or_else(own_phone),
        address: billing.map(address),
    }
}

/// Returns the address of the goods, if it has a name.
pub fn shipping(details: &Details) -> Option<wire::Shipping> {
    let to = details.payer.shipping.as_ref()?;
    to.address.as_ref()?;
    // Stripe requires a name in addresses.
    let name = name_of(to).or_else(|| details.payer.name.clone())?;
    Some(wire::Shipping {
        name,
        phone: phone_of(to),
        address: address(to),
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

fn address(of: &Address) -> wire::Address {
    let Some(place) = &of.address else {
        return wire::Address::default();
    };
    wire::Address {
        line1: place.line1.clone(),
        // Stripe has two address lines.
        line2: joined(&place.line2, &place.line3),
        city: place.city.clone(),
        state: place.state.clone(),
        postal_code: place.zip.clone(),
        country: place.country.map(|country| country.as_str().to_owned()),
    }
}

/// Joins two lines.
fn joined(one: &Option<String>, other: &Option<String>) -> Option<String> {
    let lines: Vec<&str> = [said(one), said(other)].into_iter().flatten().collect();
    (!lines.is_empty()).then(|| lines.join(", "))
}
