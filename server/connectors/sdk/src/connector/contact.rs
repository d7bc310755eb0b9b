//! Contact data in the form that processors accept. Processors decline a whole payment because of a
//! blank, a phone number in national form or an e-mail domain without a dot. Unusable contact data
//! is therefore not sent.

use std::net::{IpAddr, SocketAddr};

use crate::connector::details::{Address, Descriptor, Payer, Phone, Place};

/// The longest city name that every processor accepts.
const LONGEST_CITY: usize = 50;
/// The longest address line that every processor accepts.
const LONGEST_LINE: usize = 200;
/// The longest e-mail address. (RFC 5321)
const LONGEST_EMAIL: usize = 254;
/// The number of digits of a phone number with its country code. (ITU-T E.164)
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

/// The longest number with country code. A longer text probably contains the country code twice.
const LONGEST_WITH_COUNTRY: usize = 13;

/// Country calling codes of two digits. Codes that begin with 1 or 7 have one digit; all others
/// have three.
const TWO_DIGITS: [&str; 43] = [
    "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47",
    "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65",
    "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95",
];
/// Iran's code, which also has two digits.
const IRAN: &str = "98";
/// Italy, San Marino and Vatican, where a leading zero belongs to the number.
const KEEP_ZERO: [&str; 3] = ["39", "378", "379"];

/// Returns the payer without contact data that a processor might refuse.
pub fn usable_payer(payer: Payer) -> Payer {
    let (phone_country_code, phone) = match &payer.phone {
        Some(number) => usable_phone(payer.phone_country_code.as_deref(), Some(number)).unzip(),
        None => (said(payer.phone_country_code), None),
    };
    Payer {
        customer_id: payer.customer_id,
        connector_customer_id: payer.connector_customer_id,
        name: said(payer.name),
        email: payer.email.and_then(usable_email),
        phone,
        phone_country_code,
        tax_registration_id: said(payer.tax_registration_id),
        document: payer.document,
        billing: payer.billing.map(usable_address),
        shipping: payer.shipping.map(usable_address),
    }
}

/// Returns the descriptor without blank parts.
pub fn usable_descriptor(descriptor: Descriptor) -> Descriptor {
    Descriptor {
        text: said(descriptor.text),
        prefix: said(descriptor.prefix),
        suffix: said(descriptor.suffix),
        name: said(descriptor.name),
        city: said(descriptor.city),
        phone: said(descriptor.phone),
        reference: said(descriptor.reference),
    }
}

/// Returns the payer's IP address without a port: the first one, where proxies have made a list.
pub fn usable_ip(text: &str) -> Option<String> {
    text.split(',').find_map(|part| {
        let part = part.trim();
        let bare = part.trim_start_matches('[').trim_end_matches(']');
        let address = bare.parse::<IpAddr>().ok();
        let address = address.or_else(|| part.parse::<SocketAddr>().ok().map(|with| with.ip()));
        address.map(|address| address.to_canonical().to_string())
    })
}

fn usable_address(address: Address) -> Address {
    let Address {
        address,
        phone,
        email,
        unread,
    } = address;
    let phone = phone.and_then(|given| {
        let (code, number) = usable_phone(given.country_code.as_deref(), given.number.as_deref())?;
        Some(Phone {
            number: Some(number),
            country_code: Some(code),
            unread: given.unread,
        })
    });
    Address {
        address: address.map(usable_place),
        phone,
        email: email.and_then(usable_email),
        unread,
    }
}

fn usable_place(place: Place) -> Place {
    let line = |line: Option<String>, longest| {
        said(line).map(|line| line.chars().take(longest).collect::<String>())
    };
    Place {
        first_name: said(place.first_name),
        last_name: said(place.last_name),
        line1: line(place.line1, LONGEST_LINE),
        line2: line(place.line2, LONGEST_LINE),
        line3: line(place.line3, LONGEST_LINE),
        city: line(place.city, LONGEST_CITY).map(|city| city.trim_end().to_owned()),
        state: said(place.state),
        zip: said(place.zip),
        origin_zip: said(place.origin_zip),
        country: place.country,
        unread: place.unread,
    }
}

fn said(text: Option<String>) -> Option<String> {
    let text = text?;
    let trimmed = text.trim();
    if trimmed.len() == text.len() {
        return (!text.is_empty()).then_some(text);
    }
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// Checks whether processors accept the e-mail address.
pub fn is_usable_email(text: &str) -> bool {
    usable_email(text.to_owned()).is_some()
}

/// Returns the trimmed address, if its domain contains a dot.
fn usable_email(text: String) -> Option<String> {
    let text = said(Some(text))?;
    let (local, domain) = text.rsplit_once('@')?;
    let has_dot = domain
        .split_once('.')
        .is_some_and(|(name, rest)| !name.is_empty() && !rest.is_empty());
    let is_clean = !text.chars().any(|c| c.is_whitespace() || c.is_control());
    let is_usable = has_dot
        && is_clean
        && !local.is_empty()
        && !local.contains('@')
        && !domain.ends_with('.')
        && !domain.contains("..");
    (is_usable && text.len() <= LONGEST_EMAIL).then_some(text)
}

/// Returns the country code with its plus sign and the national number, together E.164. `None`
/// where the country is unknown.
fn usable_phone(country_code: Option<&str>, number: Option<&str>) -> Option<(String, String)> {
    let number = number?.trim().replace("(0)", "");
    let is_phone = number.chars().all(|c| {
        c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '.' | '/' | '+' | '\u{a0}')
    });
    if !is_phone {
        return None;
    }
    let digits = digits(&number);
    let whole = if number.starts_with('+') {
        Some(digits.as_str())
    } else {
        digits.strip_prefix("00")
    };
    let (code, national) = match whole {
        Some(whole) => apart(whole)?,
        None => {
            let code = self::digits(country_code?);
            let code = code.trim_start_matches('0').to_owned();
            (code, digits)
        }
    };
    let keeps_zero = KEEP_ZERO.contains(&code.as_str());
    let national = match national.strip_prefix('0') {
        Some(rest) if !keeps_zero => rest.to_owned(),
        Some(_) | None => national,
    };
    // Some callers repeat the country code in the number, which makes the number too long.
    let national = match national.strip_prefix(code.as_str()) {
        Some(rest) if code.len() + national.len() > LONGEST_WITH_COUNTRY => rest.to_owned(),
        Some(_) | None => national,
    };
    let is_number = (1..=4).contains(&code.len())
        && national.len() >= 4
        && PHONE_DIGITS.contains(&(code.len() + national.len()));
    is_number.then(|| (format!("+{code}"), national))
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Splits a number into country code and national number.
fn apart(whole: &str) -> Option<(String, String)> {
    let length = match whole.get(..2)? {
        two if two.starts_with(['1', '7']) => 1,
        two if TWO_DIGITS.contains(&two) || two == IRAN => 2,
        _ => 3,
    };
    let (code, rest) = whole.split_at_checked(length)?;
    Some((code.to_owned(), rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_with_their_country() {
        let table = [
            (Some("+49"), "0151 2345-6789", Some("+4915123456789")),
            (Some("49"), "(0151) 23456789", Some("+4915123456789")),
            (Some("0049"), "15123456789", Some("+4915123456789")),
            (None, "+49 (0)151 23456789", Some("+4915123456789")),
            (Some("+1"), "+49 151 23456789", Some("+4915123456789")),
            (None, "0049 151 23456789", Some("+4915123456789")),
            (Some("+1"), "415-555-0100", Some("+14155550100")),
            (None, "+1 415 555 0100", Some("+14155550100")),
            (None, "+380 44 123 4567", Some("+380441234567")),
            (Some("+39"), "06 1234 5678", Some("+390612345678")),
            (Some("+49"), "4915123456789", Some("+4915123456789")),
            (None, "415-555-0100", None),
            (Some("+1"), "call me", None),
            (Some("+1"), "415-555-0100 ext 7", None),
            (Some("+1"), "12", None),
            (Some("+49"), "123456789012345678", None),
            (Some(" "), "4155550100", None),
        ];
        for (code, number, expected) in table {
            let written = usable_phone(code, Some(number)).map(|(code, rest)| code + &rest);
            assert_eq!(written.as_deref(), expected, "{code:?} {number}");
        }
        assert_eq!(usable_phone(Some("+1"), None), None);
    }

    #[test]
    fn addresses_of_mail_and_of_the_internet() {
        let mail = |text: &str| usable_email(text.to_owned());
        assert_eq!(
            mail(" ada@example.com "),
            Some("ada@example.com".to_owned())
        );
        for text in [
            "ada@localhost",
            "ada@.com",
            "ada@example.",
            "a da@example.com",
            "@a.b",
            "ada",
            "a@b@c.d",
            "a@b..c",
            " ",
        ] {
            assert_eq!(mail(text), None, "{text}");
        }
        let table = [
            ("203.0.113.7", Some("203.0.113.7")),
            (" 203.0.113.7 , 10.0.0.1", Some("203.0.113.7")),
            ("203.0.113.7:4711", Some("203.0.113.7")),
            ("[2001:db8::1]:443", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("::ffff:203.0.113.7", Some("203.0.113.7")),
            ("unknown, 203.0.113.7", Some("203.0.113.7")),
            ("unknown", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(usable_ip(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn blanks_are_left_out_and_long_lines_cut() {
        let text = |text: &str| Some(text.to_owned());
        let place = usable_place(Place {
            first_name: text("  "),
            last_name: text(" Lovelace "),
            line2: text(&"x".repeat(300)),
            city: text(&"Å".repeat(80)),
            ..Place::default()
        });
        assert_eq!(place.first_name, None);
        assert_eq!(place.last_name.as_deref(), Some("Lovelace"));
        assert_eq!(place.line2, text(&"x".repeat(200)));
        assert_eq!(place.city, text(&"Å".repeat(50)));
    }
}
