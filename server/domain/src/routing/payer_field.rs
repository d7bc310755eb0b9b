//! The members that a connector needs for a debit, or for a method that the payer finishes elsewhere.

use multirail_kernel::address::{Address, Phone, Place};
use multirail_kernel::country::CountryCode;
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::connector::contact::is_usable_email;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payer_method::{PayerMethod, PayerMethodRules};
use multirail_sdk::required_field::RequiredField;

/// The countries whose addresses need a state.
const WITH_STATES: [CountryCode; 3] = [
    CountryCode::known("BR"),
    CountryCode::known("CA"),
    CountryCode::known("US"),
];

/// Returns the members that the rules require, and that a payment with this address and instrument lacks. A blank text is as good
/// as none.
pub fn lacking<'a>(
    rules: &'a PayerMethodRules,
    address: Option<&'a Address>,
    instrument: Option<&'a Instrument>,
) -> impl Iterator<Item = RequiredField> + 'a {
    let fields = rules.required.iter().flat_map(|field| {
        // A phone number has two members.
        let code =
            (*field == RequiredField::BillingPhone).then_some(RequiredField::BillingPhoneCountry);
        [Some(*field), code].into_iter().flatten()
    });
    fields.filter(move |field| lacks_field(*field, rules.countries, address, instrument))
}

/// Returns whether the address lacks a state. Without its country, that of the only payers whom the method serves counts.
fn lacks_state(countries: &[CountryCode], address: Option<&Address>) -> bool {
    let needs = |country: &CountryCode| WITH_STATES.contains(country);
    let is_needed = match address.and_then(Address::country) {
        Some(country) => needs(&country),
        None => !countries.is_empty() && countries.iter().all(needs),
    };
    let place = address.and_then(|address| address.address.as_ref());
    is_needed && is_blank(place.and_then(|place| place.state.as_deref()))
}

fn is_blank(text: Option<&str>) -> bool {
    text.is_none_or(|text| text.trim().is_empty())
}

/// Returns whether a payment with this address and instrument lacks the member. Members of cards aren't asked about here.
fn lacks_field(
    field: RequiredField,
    countries: &[CountryCode],
    address: Option<&Address>,
    instrument: Option<&Instrument>,
) -> bool {
    let place = address.and_then(|address| address.address.as_ref());
    let phone = address.and_then(|address| address.phone.as_ref());
    let lacks = |member: fn(&Place) -> Option<&str>| is_blank(place.and_then(member));
    let method: Option<&PayerMethod> = instrument.and_then(|one| match &one.details {
        InstrumentDetails::Payer(method) => Some(&**method),
        InstrumentDetails::Card(_)
        | InstrumentDetails::NetworkToken(_)
        | InstrumentDetails::Wallet(_)
        | InstrumentDetails::Kept(_)
        | InstrumentDetails::BankDebit(_) => None,
    });
    let lacks_account = |scheme| {
        let account = instrument.and_then(|one| one.details.bank_debit());
        account.is_none_or(|account| account.scheme != scheme)
    };
    match field {
        RequiredField::BillingEmail => {
            let email = address.and_then(|address| address.email.as_deref());
            !email.is_some_and(is_usable_email)
        }
        RequiredField::BillingFirstName => lacks(|place| place.first_name.as_deref()),
        RequiredField::BillingLastName => lacks(|place| place.last_name.as_deref()),
        RequiredField::BillingPhone => is_blank(phone.and_then(|phone| phone.number.as_deref())),
        RequiredField::BillingPhoneCountry => !phone.is_some_and(is_international),
        RequiredField::BillingLine1 => lacks(|place| place.line1.as_deref()),
        RequiredField::BillingCity => lacks(|place| place.city.as_deref()),
        RequiredField::BillingZip => lacks(|place| place.zip.as_deref()),
        RequiredField::BillingState => lacks_state(countries, address),
        RequiredField::BillingCountry => place.is_none_or(|place| place.country.is_none()),
        RequiredField::PolishBank => method.is_none_or(|method| method.bank_name.is_none()),
        RequiredField::BancontactNumber
        | RequiredField::BancontactExpMonth
        | RequiredField::BancontactExpYear => method.is_none_or(|method| method.last4.is_none()),
        RequiredField::SepaCountry => method.is_none_or(|method| method.country.is_none()),
        RequiredField::BlikCode | RequiredField::UpiAddress | RequiredField::TaxNumber => {
            method.is_none_or(|method| method.text_was_given != Some(true))
        }
        RequiredField::AchAccount | RequiredField::AchRouting => lacks_account(BankScheme::Ach),
        RequiredField::BacsAccount | RequiredField::BacsSortCode => lacks_account(BankScheme::Bacs),
        RequiredField::BecsAccount | RequiredField::BecsBsb => lacks_account(BankScheme::Becs),
        RequiredField::SepaDebitIban => lacks_account(BankScheme::Sepa),
        RequiredField::AchHolder
        | RequiredField::BacsHolder
        | RequiredField::BecsHolder
        | RequiredField::SepaDebitHolder => {
            is_blank(instrument.and_then(|one| one.holder.account.as_deref()))
        }
        RequiredField::CardNumber
        | RequiredField::CardExpMonth
        | RequiredField::CardExpYear
        | RequiredField::CardCvc
        | RequiredField::SavedCardCvc => false,
    }
}

fn is_international(phone: &Phone) -> bool {
    let number = phone.number.as_deref();
    let has_code = !is_blank(phone.country_code.as_deref());
    number.is_some_and(|number| has_code || number.trim().starts_with('+'))
}

#[cfg(test)]
mod tests;
