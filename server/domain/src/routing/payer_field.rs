//! The members that a connector needs for a debit, or for a method that the payer finishes elsewhere.

use multirail_kernel::address::{Address, Phone};
use multirail_kernel::country::CountryCode;
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payer_method::PayerMethod;
use multirail_sdk::required_field::RequiredField;

/// The countries whose addresses need a state.
const WITH_STATES: [CountryCode; 3] = [
    CountryCode::known("BR"),
    CountryCode::known("CA"),
    CountryCode::known("US"),
];

/// Returns whether a payment with this address and instrument lacks the member. Members of cards aren't asked about here.
pub fn lacks_field(
    field: RequiredField,
    address: Option<&Address>,
    instrument: Option<&Instrument>,
) -> bool {
    let place = address.and_then(|address| address.address.as_ref());
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
        RequiredField::BillingEmail => address.is_none_or(|address| address.email.is_none()),
        RequiredField::BillingFirstName => place.is_none_or(|place| place.first_name.is_none()),
        RequiredField::BillingLastName => place.is_none_or(|place| place.last_name.is_none()),
        RequiredField::BillingPhone => {
            !address.is_some_and(|address| address.phone.as_ref().is_some_and(is_international))
        }
        RequiredField::BillingLine1 => place.is_none_or(|place| place.line1.is_none()),
        RequiredField::BillingCity => place.is_none_or(|place| place.city.is_none()),
        RequiredField::BillingZip => place.is_none_or(|place| place.zip.is_none()),
        RequiredField::BillingState => place.is_some_and(|place| {
            let needs = |country| WITH_STATES.contains(&country);
            place.state.is_none() && place.country.is_some_and(needs)
        }),
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
            instrument.is_none_or(|one| one.holder.account.is_none())
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
    number.is_some_and(|number| phone.country_code.is_some() || number.trim().starts_with('+'))
}

#[cfg(test)]
mod tests {
    use multirail_kernel::address::Place;
    use multirail_sdk::bank_name::BankName;
    use multirail_sdk::instrument::PaymentMethodData;
    use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

    use super::*;

    const OF_PAYERS: [RequiredField; 16] = [
        RequiredField::BillingEmail,
        RequiredField::BillingFirstName,
        RequiredField::BillingLastName,
        RequiredField::BillingPhone,
        RequiredField::BillingLine1,
        RequiredField::BillingCity,
        RequiredField::BillingZip,
        RequiredField::BillingCountry,
        RequiredField::PolishBank,
        RequiredField::BancontactNumber,
        RequiredField::BancontactExpMonth,
        RequiredField::BancontactExpYear,
        RequiredField::SepaCountry,
        RequiredField::BlikCode,
        RequiredField::UpiAddress,
        RequiredField::TaxNumber,
    ];

    #[test]
    fn a_payment_lacks_what_neither_its_address_nor_its_method_has() {
        let kind = PaymentMethodType::OnlineBankingPoland;
        let method = |bank_name, last4: Option<&str>| {
            let method = PayerMethod {
                bank_name,
                last4: last4.map(str::to_owned),
                country: bank_name.map(|_| CountryCode::known("PL")),
                text_was_given: bank_name.map(|_| true),
                ..PayerMethod::new(kind)
            };
            let data = PaymentMethodData::Payer(Box::new(method.into()));
            data.instrument(PaymentMethod::BankRedirect, Some(kind), None)
        };
        let address = Address {
            email: Some("ada@example.com".to_owned()),
            phone: Some(Phone {
                number: Some("+48 22 123 45 67".to_owned()),
                ..Phone::default()
            }),
            address: Some(Place {
                first_name: Some("Ada".to_owned()),
                last_name: Some("Okafor".to_owned()),
                line1: Some("ul. Prosta 1".to_owned()),
                city: Some("Warszawa".to_owned()),
                zip: Some("00-838".to_owned()),
                country: Some(CountryCode::known("PL")),
                ..Place::default()
            }),
            ..Address::default()
        };
        let whole = method(Some(BankName::MBank), Some("4449"));
        let empty = method(None, None);
        for field in OF_PAYERS {
            assert!(
                !lacks_field(field, Some(&address), Some(&whole)),
                "{field:?}"
            );
            assert!(lacks_field(field, None, Some(&empty)), "{field:?}");
            let gap = Address::default();
            assert!(lacks_field(field, Some(&gap), Some(&empty)), "{field:?}");
        }
    }

    #[test]
    fn a_state_is_lacking_only_where_addresses_have_one() {
        let lacks = |country: &str, state: Option<&str>| {
            let place = Place {
                country: Some(CountryCode::known(country)),
                state: state.map(str::to_owned),
                ..Place::default()
            };
            let address = Address {
                address: Some(place),
                ..Address::default()
            };
            lacks_field(RequiredField::BillingState, Some(&address), None)
        };
        assert!(lacks("US", None) && lacks("CA", None) && lacks("BR", None));
        assert!(!lacks("US", Some("CA")) && !lacks("PL", None));
        assert!(!lacks_field(RequiredField::BillingState, None, None));
    }

    #[test]
    fn a_phone_number_without_its_country_is_lacking() {
        let lacks = |number: &str, country_code: Option<&str>| {
            let phone = Phone {
                number: Some(number.to_owned()),
                country_code: country_code.map(str::to_owned),
                ..Phone::default()
            };
            let address = Address {
                phone: Some(phone),
                ..Address::default()
            };
            lacks_field(RequiredField::BillingPhone, Some(&address), None)
        };
        assert!(lacks("412 34 567", None));
        assert!(!lacks("412 34 567", Some("+47")) && !lacks("+47 412 34 567", None));
    }
}
