use multirail_sdk::bank_name::BankName;
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

use super::*;

const OF_PAYERS: [RequiredField; 17] = [
    RequiredField::BillingEmail,
    RequiredField::BillingFirstName,
    RequiredField::BillingLastName,
    RequiredField::BillingPhone,
    RequiredField::BillingPhoneCountry,
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
            !lacks_field(field, &[], Some(&address), Some(&whole)),
            "{field:?}"
        );
        assert!(lacks_field(field, &[], None, Some(&empty)), "{field:?}");
        let gap = Address::default();
        assert!(
            lacks_field(field, &[], Some(&gap), Some(&empty)),
            "{field:?}"
        );
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
        lacks_field(RequiredField::BillingState, &[], Some(&address), None)
    };
    assert!(lacks("US", None) && lacks("CA", None) && lacks("BR", None));
    assert!(!lacks("US", Some("CA")) && !lacks("PL", None));
    assert!(!lacks_field(RequiredField::BillingState, &[], None, None));
}

#[test]
fn a_phone_number_without_its_country_lacks_the_country_code() {
    const PHONE: PayerMethodRules = PayerMethodRules::new(PaymentMethodType::Vipps, &[])
        .requiring(&[RequiredField::BillingPhone]);
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
        lacking(&PHONE, Some(&address), None).collect::<Vec<_>>()
    };
    let (number, code) = (
        RequiredField::BillingPhone,
        RequiredField::BillingPhoneCountry,
    );
    assert_eq!(lacks("412 34 567", None), [code]);
    assert_eq!(lacks("412 34 567", Some(" ")), [code]);
    assert_eq!(lacks(" ", None), [number, code]);
    assert_eq!(lacks("412 34 567", Some("+47")), []);
    assert_eq!(lacks("+47 412 34 567", None), []);
    let nothing: Vec<_> = lacking(&PHONE, None, None).collect();
    assert_eq!(nothing, [number, code]);
}

#[test]
fn a_blank_text_and_an_address_that_is_none_are_lacking() {
    let lacks = |name: &str, email: &str| {
        let place = Place {
            first_name: Some(name.to_owned()),
            ..Place::default()
        };
        let address = Address {
            address: Some(place),
            email: Some(email.to_owned()),
            ..Address::default()
        };
        let lacks = |field| lacks_field(field, &[], Some(&address), None);
        [
            lacks(RequiredField::BillingFirstName),
            lacks(RequiredField::BillingEmail),
        ]
    };
    assert_eq!(lacks(" ", ""), [true, true]);
    assert_eq!(lacks("Ada", "foo"), [false, true]);
    assert_eq!(lacks("Ada", "ada@example.com"), [false, false]);
}

#[test]
fn a_method_for_a_country_with_states_lacks_the_state_before_the_country_is_known() {
    const BRAZIL: [CountryCode; 1] = [CountryCode::known("BR")];
    let boleto = PayerMethodRules::new(PaymentMethodType::Boleto, &[])
        .requiring(&[RequiredField::BillingState]);
    let lacks = |rules: PayerMethodRules| lacking(&rules, None, None).count();
    assert_eq!(lacks(boleto.in_countries(&BRAZIL)), 1);
    assert_eq!(lacks(boleto), 0);
}
