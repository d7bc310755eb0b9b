//! The methods that a payer can use, domain to wire. (Facts 7.7)

use std::collections::BTreeSet;

use multirail_app::payments::checkout;
use multirail_app::payments::offer::OfferedMethods;
use multirail_domain::payments::offer::Offer;
use multirail_sdk::payer_method::experience;
use multirail_sdk::payment_method::PaymentMethod;
use multirail_types as types;

use crate::customers::convert::mandate::terms_answer;
use crate::customers::convert::saved_method;
use crate::platform::convert::words::ToWire;

/// Returns the answer with the methods that a payer can use.
pub fn answer(offered: &OfferedMethods) -> types::OfferedMethods {
    let payment = offered.payment.as_deref();
    let surcharge = payment.and_then(checkout::surcharge);
    let surcharge = surcharge.as_ref().map(saved_method::surcharge);
    let mut methods: Vec<types::OfferedMethod> = Vec::new();
    for offer in &offered.offers {
        let payment_method = offer.payment_method.to_wire();
        let kind = offered_type(offer, surcharge.as_ref());
        match methods.last_mut() {
            Some(last) if last.payment_method == payment_method => {
                last.payment_method_types.push(kind);
            }
            Some(_) | None => methods.push(types::OfferedMethod {
                payment_method,
                payment_method_types: vec![kind],
            }),
        }
    }
    let currency = payment.map(|payment| payment.terms.currency);
    let mandate = payment.and_then(|payment| payment.particulars.mandate.as_deref());
    let mandate = mandate.and_then(|request| request.mandate_type.as_ref());
    let kind = payment.map(|payment| {
        let instrument = payment.instrument();
        payment.facts(instrument).payment_type().to_wire()
    });
    types::OfferedMethods {
        redirect_url: offered.return_url.clone(),
        currency: currency.map(|currency| currency.to_wire()),
        payment_methods: methods,
        mandate_payment: mandate.map(terms_answer),
        merchant_name: offered.merchant_name.clone(),
        show_surcharge_breakup_screen: surcharge.is_some(),
        payment_type: kind,
        request_external_three_ds_authentication: false,
        is_tax_calculation_enabled: false,
        collect_shipping_details_from_wallets: offered.collects_shipping,
        collect_billing_details_from_wallets: offered.collects_billing,
    }
}

fn offered_type(
    offer: &Offer,
    surcharge: Option<&types::SavedMethodSurcharge>,
) -> types::OfferedMethodType {
    let connectors = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<String>>();
    let networks = offer.networks.iter();
    let networks = networks.map(|(network, takers)| types::OfferedNetwork {
        card_network: network.to_wire(),
        surcharge_details: surcharge.cloned(),
        eligible_connectors: connectors(takers),
    });
    let required = offer.required.iter().map(|field| {
        let told = types::RequiredField {
            required_field: field.member().to_owned(),
            display_name: field.name().to_owned(),
            field_type: field.field_type().to_wire(),
            // Fields to ask for have no value yet.
            value: None,
        };
        (field.member().to_owned(), told)
    });
    let experiences = offer.connectors.iter();
    let experiences = experiences.filter_map(|(shown, takers)| {
        Some(types::OfferedExperience {
            payment_experience_type: experience(offer.payment_method_type, *shown)?.to_wire(),
            eligible_connectors: connectors(takers),
        })
    });
    let banks = offer.banks.iter();
    let banks = banks.map(|(names, takers)| types::OfferedBanks {
        bank_name: names.iter().map(|name| name.to_wire()).collect(),
        eligible_connectors: connectors(takers),
    });
    let is_card = offer.payment_method == PaymentMethod::Card;
    let is_debit = offer.payment_method == PaymentMethod::BankDebit;
    let debiting: BTreeSet<String> = offer.connectors.values().flatten().cloned().collect();
    types::OfferedMethodType {
        payment_method_type: offer.payment_method_type.to_wire(),
        payment_experience: experiences.collect(),
        card_networks: is_card.then(|| networks.collect()),
        bank_debits: is_debit.then(|| types::OfferedBankDebits {
            eligible_connectors: connectors(&debiting),
        }),
        bank_names: (!offer.banks.is_empty()).then(|| banks.collect()),
        required_fields: required.collect(),
    }
}
