//! The refusal that says why each account of the profile isn't eligible.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::{Dropped, Facts, RoutingTrace};
use multirail_kernel::money::Money;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::Capabilities;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payer_method::{PayerMethodRules, experience};
use multirail_sdk::required_field::FieldType;

use crate::eligible::{bank, candidate_of, missing, not_counted, payer_rules};
use crate::query::network;

/// The most reasons that a message names.
const SHOWN: usize = 5;

/// Builds the refusal with the reasons of all accounts.
pub(crate) fn each_reason(
    trace: &RoutingTrace,
    facts: &Facts<'_>,
    instrument: &Instrument,
    candidates: &[Candidate],
) -> Refusal {
    let mut reasons: Vec<String> = Vec::new();
    for considered in &trace.candidates {
        let candidate = candidate_of(&considered.merchant_connector_id, candidates);
        let (Some(candidate), Some(dropped)) = (candidate, considered.dropped) else {
            continue;
        };
        let reason = reason(dropped, facts, instrument, candidate);
        let reason = format!("{} {reason}", considered.connector);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    // Without named accounts, each account of the profile is considered.
    if reasons.is_empty() {
        return Refusal::NotForPayment {
            message: "routing names no connector account of the profile".to_owned(),
        };
    }
    let others = reasons.len().saturating_sub(SHOWN);
    reasons.truncate(SHOWN);
    let reasons = reasons.join("; ");
    let rest = match others {
        0 => String::new(),
        others => format!("; and {others} more"),
    };
    Refusal::NotForPayment {
        message: format!(
            "no connector account of the profile can take this payment: {reasons}{rest}"
        ),
    }
}

/// Returns the reason as the end of a sentence about the account.
fn reason(
    dropped: Dropped,
    facts: &Facts<'_>,
    instrument: &Instrument,
    candidate: &Candidate,
) -> String {
    let able = &candidate.capabilities;
    let method = instrument.payment_method;
    let kind = match instrument.payment_method_type {
        Some(kind) => format!("payment_method_type {kind}"),
        None => "the allowed payment_method_types".to_owned(),
    };
    let country = facts.payer_country();
    let country = country.map_or("other countries".to_owned(), |country| country.to_string());
    let amount = Money::new(facts.total, facts.currency);
    match dropped {
        Dropped::ConnectorType => "is no payment processor".to_owned(),
        Dropped::Disabled => "is disabled".to_owned(),
        Dropped::PaymentMethod => format!("isn't enabled for payment_method {method}"),
        Dropped::PaymentMethodType => format!("isn't enabled for {kind}"),
        Dropped::CardNetwork => match network(instrument) {
            Some(network) => format!("isn't enabled for card_network {network}"),
            None => "isn't enabled for an unknown card_network".to_owned(),
        },
        Dropped::Currency => format!("isn't enabled for currency {}", facts.currency),
        Dropped::Country => format!("isn't enabled for payers in {country}"),
        Dropped::Amount => format!("isn't enabled for the amount {amount}"),
        Dropped::Recurring => "isn't enabled for charges without the payer".to_owned(),
        Dropped::ConnectorPaymentMethod => not_taken(facts, instrument, able),
        Dropped::ConnectorCurrency => format!("doesn't take {kind} in {}", facts.currency),
        Dropped::ConnectorCountry => format!("doesn't take {kind} from payers in {country}"),
        Dropped::CaptureMethod => captured(facts, candidate),
        Dropped::ZeroAmount => "can't verify it without an amount".to_owned(),
        Dropped::ThreeDs => "can't authenticate the payer".to_owned(),
        Dropped::Browser => "needs more of browser_info".to_owned(),
        Dropped::ProcessorAmount => {
            not_counted(facts, able).map_or_else(String::new, |why| why.to_string())
        }
        Dropped::ExtendedAuthorization | Dropped::Overcapture => {
            format!("doesn't support {dropped}")
        }
        Dropped::RequiredField => payer_rules(able, instrument)
            .and_then(|rules| missing(rules, facts))
            .map_or_else(String::new, |field| format!("needs {}", field.member())),
        Dropped::AgreedElsewhere => "isn't the account of the payer's agreement".to_owned(),
        Dropped::Tried => "was tried before".to_owned(),
    }
}

/// Returns the reason of a payment method that the connector doesn't take, or not with these choices of the payer.
fn not_taken(facts: &Facts<'_>, instrument: &Instrument, able: &Capabilities) -> String {
    let method = instrument.payment_method;
    let is_wallet = matches!(instrument.details, InstrumentDetails::Wallet(_));
    let is_ruled = instrument.details.ruled_type().is_some();
    let kind = instrument.payment_method_type;
    let kind = kind.filter(|_| is_ruled || (is_wallet && able.takes(method)));
    let Some(kind) = kind else {
        return format!("doesn't take payment_method {method}");
    };
    match payer_rules(able, instrument) {
        None => format!("doesn't take payment_method_type {kind}"),
        Some(rules) => match only_with(rules, facts, instrument) {
            Some(only) => format!("takes payment_method_type {kind} {only}"),
            None => format!("takes payment_method_type {kind} only without a card number"),
        },
    }
}

/// Returns which banks or which payer's way a connector's rules ask for, if the payment has another one.
pub(crate) fn only_with(
    rules: &PayerMethodRules,
    facts: &Facts<'_>,
    instrument: &Instrument,
) -> Option<String> {
    if !rules.knows_bank(bank(instrument)) {
        let mut required = rules.required.iter();
        let field = required.find(|field| field.field_type() == FieldType::Bank);
        let known = rules.banks.iter().map(|one| one.as_str());
        return Some(format!(
            "only with {} {}",
            field.map_or("the bank", |field| field.member()),
            known.collect::<Vec<_>>().join(", ")
        ));
    }
    if rules.leads_by(facts.experience) {
        return None;
    }
    Some(match experience(rules.kind, rules.shows) {
        Some(word) => format!("only with payment_experience {word}"),
        None => "only without payment_experience".to_owned(),
    })
}

/// Returns the reason of a capture method that the connector lacks, or that the account's settings don't allow.
fn captured(facts: &Facts<'_>, candidate: &Candidate) -> String {
    let method = facts.capture_method;
    match candidate.capabilities.several_captures_setting {
        Some(setting) if candidate.capabilities.captures(method) && !candidate.captures(method) => {
            format!("takes capture_method {method} only if its metadata.{setting} is true")
        }
        Some(_) | None => format!("doesn't take capture_method {method}"),
    }
}
