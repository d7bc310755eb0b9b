//! The members that a connector needs for a method that the payer finishes elsewhere.

use multirail_kernel::address::Address;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payer_method::PayerMethod;
use multirail_sdk::required_field::RequiredField;

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
        | InstrumentDetails::Kept(_) => None,
    });
    match field {
        RequiredField::BillingEmail => address.is_none_or(|address| address.email.is_none()),
        RequiredField::BillingFirstName => place.is_none_or(|place| place.first_name.is_none()),
        RequiredField::BillingLastName => place.is_none_or(|place| place.last_name.is_none()),
        RequiredField::BillingCountry => place.is_none_or(|place| place.country.is_none()),
        RequiredField::PolishBank => method.is_none_or(|method| method.bank_name.is_none()),
        RequiredField::SepaCountry => method.is_none_or(|method| method.country.is_none()),
        RequiredField::BlikCode | RequiredField::UpiAddress | RequiredField::TaxNumber => {
            method.is_none_or(|method| method.text_was_given != Some(true))
        }
        RequiredField::CardNumber
        | RequiredField::CardExpMonth
        | RequiredField::CardExpYear
        | RequiredField::CardCvc
        | RequiredField::SavedCardCvc => false,
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::address::Place;
    use multirail_kernel::country::CountryCode;
    use multirail_sdk::bank_name::BankName;
    use multirail_sdk::instrument::PaymentMethodData;
    use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

    use super::*;

    const OF_PAYERS: [RequiredField; 9] = [
        RequiredField::BillingEmail,
        RequiredField::BillingFirstName,
        RequiredField::BillingLastName,
        RequiredField::BillingCountry,
        RequiredField::PolishBank,
        RequiredField::SepaCountry,
        RequiredField::BlikCode,
        RequiredField::UpiAddress,
        RequiredField::TaxNumber,
    ];

    #[test]
    fn a_payment_lacks_what_neither_its_address_nor_its_method_has() {
        let kind = PaymentMethodType::OnlineBankingPoland;
        let method = |bank_name: Option<BankName>| {
            let method = PayerMethod {
                bank_name,
                country: bank_name.map(|_| CountryCode::known("PL")),
                text_was_given: bank_name.map(|_| true),
                ..PayerMethod::new(kind)
            };
            let data = PaymentMethodData::Payer(Box::new(method.into()));
            data.instrument(PaymentMethod::BankRedirect, Some(kind), None)
        };
        let address = Address {
            email: Some("ada@example.com".to_owned()),
            address: Some(Place {
                first_name: Some("Ada".to_owned()),
                last_name: Some("Okafor".to_owned()),
                country: Some(CountryCode::known("PL")),
                ..Place::default()
            }),
            ..Address::default()
        };
        let (whole, empty) = (method(Some(BankName::MBank)), method(None));
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
}
