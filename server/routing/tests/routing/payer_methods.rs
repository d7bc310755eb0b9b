//! Refusals of methods that payers finish elsewhere.

use insta::assert_snapshot;
use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::{AuthenticationType, CaptureMethod, Changes};
use multirail_domain::routing::Dropped;
use multirail_kernel::currency::Currency;
use multirail_routing::choose;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::instrument::{Instrument, PaymentMethodData};
use multirail_sdk::payer_method::{PayerMethod, PayerMethodRules};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_sdk::required_field::RequiredField;
use serde_json::json;

use crate::support::story::refused;
use crate::support::{candidate, create, purchase};

const POLISH: PaymentMethodType = PaymentMethodType::OnlineBankingPoland;
const BANCONTACT: PaymentMethodType = PaymentMethodType::BancontactCard;
const RULES: &[PayerMethodRules] = &[
    PayerMethodRules::new(POLISH, &[])
        .at_banks(&[BankName::MBank, BankName::VeloBank])
        .requiring(&[RequiredField::PolishBank]),
    PayerMethodRules::new(BANCONTACT, &[]),
];

fn offering(connector: &str, id: &str) -> Candidate {
    let mut candidate = candidate(connector, id, json!({}));
    candidate.capabilities.payment_methods = &[PaymentMethod::BankRedirect];
    candidate.capabilities.payer_methods = RULES;
    candidate
}

fn instrument(method: PayerMethod) -> Instrument {
    let kind = method.kind;
    let data = PaymentMethodData::Payer(Box::new(method.into()));
    data.instrument(PaymentMethod::BankRedirect, Some(kind), None)
}

/// Returns the chosen account and why others were dropped, or the refusal.
fn chosen(changes: Changes, method: PayerMethod, candidates: &[Candidate]) -> String {
    let payment = create(changes).expect("a payment").payment;
    let instrument = instrument(method);
    let facts = payment.facts(Some(&instrument));
    match choose(&facts, &instrument, candidates, None, 0) {
        Ok(routed) => {
            let dropped = routed.trace.candidates.iter().filter_map(|one| one.dropped);
            let dropped: Vec<_> = dropped.map(Dropped::as_str).collect();
            let id = &routed.first().account.merchant_connector_id;
            format!("{id} {}", dropped.join(" ")).trim().to_owned()
        }
        Err(refusal) => refused(&refusal),
    }
}

fn at_bank(bank_name: Option<BankName>) -> PayerMethod {
    PayerMethod {
        bank_name,
        ..PayerMethod::new(POLISH)
    }
}

#[test]
fn a_bank_that_the_processor_does_not_know_is_refused() {
    let mut candidates = [
        offering("adyen_test", "mca_1"),
        offering("stripe_test", "mca_2"),
    ];
    candidates[1].capabilities.payer_methods = &[const { PayerMethodRules::new(POLISH, &[]) }];
    let by = |bank, candidates: &[Candidate]| {
        chosen(
            purchase(CaptureMethod::Automatic),
            at_bank(bank),
            candidates,
        )
    };
    let told = [
        by(Some(BankName::MBank), &candidates),
        by(None, &candidates),
        by(Some(BankName::Ing), &candidates),
        by(Some(BankName::Ing), &candidates[..1]),
    ];
    assert_snapshot!(told.join("\n"), @"
    mca_1
    mca_2 required_fields
    mca_2 connector_payment_method
    NotForPayment: adyen_test takes payment_method_type online_banking_poland only with payment_method_data.bank_redirect.online_banking_poland.issuer m_bank, velo_bank
    ");
}

/// The payer can add the member, and then pays through the account that charges the amount.
#[test]
fn a_missing_member_is_asked_for_if_another_account_can_not_charge_the_amount() {
    const LIMITED: &[PayerMethodRules] =
        &[PayerMethodRules::new(POLISH, &[]).between(&[(Currency::USD, 1, 6_539)])];
    let mut candidates = [
        offering("stripe_test", "mca_1"),
        offering("adyen_test", "mca_2"),
    ];
    candidates[0].capabilities.payer_methods = LIMITED;
    let by = |bank, candidates: &[Candidate]| {
        chosen(
            purchase(CaptureMethod::Automatic),
            at_bank(bank),
            candidates,
        )
    };
    let told = [
        by(Some(BankName::MBank), &candidates),
        by(None, &candidates),
        by(None, &candidates[..1]),
    ];
    assert_snapshot!(told.join("\n"), @"
    mca_2 processor_amount
    Missing: payment_method_data.bank_redirect.online_banking_poland.issuer is required and was not given
    AmountNotCounted: no connector account of the profile can charge 65.40 USD: stripe_test takes payment_method_type online_banking_poland only from 0.01 USD to 65.39 USD
    ");
}

/// Only a card is authenticated by 3-D Secure.
#[test]
fn a_wish_for_three_ds_needs_the_browser_for_cards_alone() {
    let mut candidates = [
        offering("adyen_test", "mca_1"),
        offering("stripe_test", "mca_2"),
    ];
    candidates[0].capabilities.authenticates_by_browser = true;
    candidates[1].capabilities.redirects = false;
    let wish = || Changes {
        authentication_type: Some(AuthenticationType::ThreeDs),
        ..purchase(CaptureMethod::Automatic)
    };
    let with_card = || PayerMethod {
        last4: Some("4449".to_owned()),
        ..PayerMethod::new(BANCONTACT)
    };
    let bank = || at_bank(Some(BankName::MBank));
    let told = [
        chosen(wish(), bank(), &candidates[..1]),
        chosen(wish(), bank(), &candidates[1..]),
        chosen(wish(), with_card(), &candidates[..1]),
        chosen(wish(), with_card(), &candidates[1..]),
    ];
    assert_snapshot!(told.join("\n"), @"
    mca_1
    mca_2
    Missing: browser_info.accept_header is required and was not given
    NotForPayment: no connector account of the profile can take this payment: stripe_test can't authenticate the payer
    ");
}
