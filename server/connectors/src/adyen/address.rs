//! Addresses in Adyen's form. Adyen separates house number and street, and accepts only complete
//! addresses.

use multirail_sdk::connector::details::Place;

use super::generated::wire::{
    BillingAddress, BillingAddressMust, DeliveryAddress, DeliveryAddressMust,
};
use crate::text::{Text, said};

/// The house number of an address without one.
const NO_NUMBER: &str = "N/A";
/// Countries for which Adyen requires the state.
const WITH_STATES: [&str; 3] = ["BR", "CA", "US"];

/// Returns the address, if it is complete.
pub fn written(place: &Place) -> Option<BillingAddress<'_>> {
    let country = place.country?.as_str();
    let state = said(&place.state).filter(|state| state.len() >= 2);
    let state = state.and_then(Text::whole);
    if WITH_STATES.contains(&country) && state.is_none() {
        return None;
    }
    let zip = said(&place.zip)?;
    let postal_code = match country {
        // Adyen accepts only the five digits of a ZIP code.
        "US" => zip.split('-').next().unwrap_or(zip),
        _ => zip,
    };
    let line = said(&place.line1)?;
    let (number, street) = apart(line).unwrap_or((NO_NUMBER, line));
    let further = [said(&place.line2), said(&place.line3)];
    let street: Vec<&str> = [street]
        .into_iter()
        .chain(further.into_iter().flatten())
        .collect();
    Some(BillingAddress {
        state_or_province: state,
        ..BillingAddress::with(BillingAddressMust {
            street: Text::cut(street.join(", ")),
            house_number_or_name: Text::cut(number),
            city: Text::cut(said(&place.city).unwrap_or(NO_NUMBER)),
            postal_code: Text::whole(postal_code)?,
            country: country.into(),
        })
    })
}

/// Returns the address with the recipient.
pub fn delivery(place: &Place) -> Option<DeliveryAddress<'_>> {
    let written = written(place)?;
    Some(DeliveryAddress {
        first_name: said(&place.first_name).map(Text::from),
        last_name: said(&place.last_name).map(Text::from),
        state_or_province: written.state_or_province,
        ..DeliveryAddress::with(DeliveryAddressMust {
            street: written.street,
            house_number_or_name: written.house_number_or_name,
            city: written.city,
            postal_code: written.postal_code,
            country: written.country,
        })
    })
}

/// Splits a line into house number and street. The number is the first or the last word.
fn apart(line: &str) -> Option<(&str, &str)> {
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    if let Some((first, rest)) = line.split_once(' ')
        && is_number(first)
    {
        return Some((first, rest.trim()));
    }
    let (rest, last) = line.rsplit_once(' ')?;
    is_number(last).then(|| (last, rest.trim().trim_end_matches(',')))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn json(place: &Place) -> Value {
        let written = written(place).expect("an address");
        serde_json::to_value(written).expect("JSON")
    }

    fn place(line1: &str, zip: &str, state: Option<&str>, country: &str) -> Place {
        Place {
            line1: Some(line1.to_owned()),
            city: Some("Springfield".to_owned()),
            zip: Some(zip.to_owned()),
            state: state.map(str::to_owned),
            country: country.parse().ok(),
            ..Place::default()
        }
    }

    #[test]
    fn the_number_is_found_before_or_behind_the_street() {
        let table = [
            ("1467 Harrison Street", "1467 | Harrison Street"),
            (
                "Simon Carmiggeltstraat 6-50",
                "6-50 | Simon Carmiggeltstraat",
            ),
            ("Via Roma, 12b", "12b | Via Roma"),
            ("The Old Mill", "N/A | The Old Mill"),
            ("Mill", "N/A | Mill"),
        ];
        for (line, expected) in table {
            let place = place(line, "1011DJ", None, "NL");
            let written = json(&place);
            let member = |name: &str| written[name].as_str().unwrap_or_default().to_owned();
            let shown = format!("{} | {}", member("houseNumberOrName"), member("street"));
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn an_address_is_sent_whole_or_not_at_all() {
        let american = place("1 Main St", "94105-1234", Some("CA"), "US");
        assert_eq!(json(&american)["postalCode"], "94105");
        for (gap, state, country) in [
            ("no state", None, "US"),
            ("its name", Some("Ontario"), "CA"),
            ("no Brazilian state", None, "BR"),
        ] {
            assert!(
                written(&place("1 Main St", "94105", state, country)).is_none(),
                "{gap}"
            );
        }
        assert!(written(&place(" ", "94105", None, "NL")).is_none());
        assert!(written(&place("1 Main St", "longer than ten", None, "NL")).is_none());
    }
}
