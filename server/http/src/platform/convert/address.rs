//! Addresses and phone numbers, wire to domain and back.

use multirail_kernel::address::{Address, Phone, Place};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_types as types;

use super::words::{ToWire, maybe_word};

/// Reads an optional address in `member`.
pub fn maybe_address(
    address: Option<types::Address>,
    member: &str,
) -> Result<Option<Box<Address>>, Refusal> {
    let Some(types::Address {
        address,
        phone: phone_number,
        email,
    }) = address
    else {
        return Ok(None);
    };
    Ok(Some(Box::new(Address {
        address: address
            .map(|address| postal_address(address, &format!("{member}.address")))
            .transpose()?,
        phone: phone_number.map(phone),
        email,
        unread: UnreadMembers::default(),
    })))
}

pub fn address_answer(address: Box<Address>) -> types::Address {
    let Address {
        address,
        phone,
        email,
        unread: _,
    } = *address;
    types::Address {
        address: address.map(postal_address_answer),
        phone: phone.map(phone_answer),
        email,
    }
}

/// Reads an address in `member`.
///
/// # Errors
/// A country that this version doesn't know.
pub fn postal_address(address: types::AddressDetails, member: &str) -> Result<Place, Refusal> {
    let types::AddressDetails {
        first_name,
        last_name,
        line1,
        line2,
        line3,
        city,
        state,
        zip,
        origin_zip,
        country,
    } = address;
    Ok(Place {
        first_name,
        last_name,
        line1,
        line2,
        line3,
        city,
        state,
        zip,
        origin_zip,
        country: maybe_word(country, &format!("{member}.country"))?,
        unread: UnreadMembers::default(),
    })
}

pub fn postal_address_answer(address: Place) -> types::AddressDetails {
    types::AddressDetails {
        first_name: address.first_name,
        last_name: address.last_name,
        line1: address.line1,
        line2: address.line2,
        line3: address.line3,
        city: address.city,
        state: address.state,
        zip: address.zip,
        country: address.country.map(|country| country.to_wire()),
        origin_zip: address.origin_zip,
    }
}

fn phone(phone: types::Phone) -> Phone {
    let types::Phone {
        number,
        country_code,
    } = phone;
    Phone {
        number,
        country_code,
        unread: UnreadMembers::default(),
    }
}

fn phone_answer(phone: Phone) -> types::Phone {
    let Phone {
        number,
        country_code,
        unread: _,
    } = phone;
    types::Phone {
        number,
        country_code,
    }
}
