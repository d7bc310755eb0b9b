//! Addresses in Adyen's form. Adyen separates house number and street, and accepts only complete
//! addresses.

use multirail_sdk::connector::details::Place;

use super::wire::{Address, DeliveryAddress};
use crate::text::said;

/// The house number of an address without one.
const NO_NUMBER: &str = "N/A";
/// Countries for which Adyen requires the state.
const WITH_STATES: [&str; 2] = ["US", "CA"];

/// Returns the address, if it is complete.
pub fn written(place: &Place) -> Option<Address<'_>> {
    let country = place.country?.as_str();
    let state = said(&place.state).filter(|state| (2..=3).contains(&state.len()));
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
    (postal_code.len() <= 10).then(|| Address {
        street: street.join(", "),
        house_number_or_name: number.to_owned(),
        city: said(&place.city).unwrap_or(NO_NUMBER),
        postal_code,
        state_or_province: state,
        country,
    })
}

/// Returns the address with the recipient.
pub fn delivery(place: &Place) -> Option<DeliveryAddress<'_>> {
    Some(DeliveryAddress {
        first_name: said(&place.first_name),
        last_name: said(&place.last_name),
        address: written(place)?,
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
    use super::*;

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
            let written = written(&place).expect("an address");
            let shown = format!("{} | {}", written.house_number_or_name, written.street);
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn an_address_is_sent_whole_or_not_at_all() {
        let american = place("1 Main St", "94105-1234", Some("CA"), "US");
        assert_eq!(written(&american).map(|a| a.postal_code), Some("94105"));
        for (gap, state, country) in [
            ("no state", None, "US"),
            ("its name", Some("Ontario"), "CA"),
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
