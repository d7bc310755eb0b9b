//! The refusal of a payment for which no account is eligible.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::routing::{Considered, Dropped, Facts, RoutedBy, RoutingTrace};
use multirail_kernel::money::Money;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payer_method::Variety;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_sdk::required_field::{FieldType, RequiredField};

use crate::eligible::{candidate_of, missing, not_counted, payer_rules};
use crate::reasons::{each_reason, only_with};

pub(crate) fn refusal(
    trace: &RoutingTrace,
    facts: &Facts<'_>,
    instrument: &Instrument,
    candidates: &[Candidate],
) -> Refusal {
    let is_kept = matches!(instrument.details, InstrumentDetails::Kept(_));
    if candidates.is_empty() && !is_kept {
        return Refusal::NotForPayment {
            message: "the profile has no connector account".to_owned(),
        };
    }
    let is_off = |dropped: Option<Dropped>| {
        matches!(dropped, Some(Dropped::ConnectorType | Dropped::Disabled))
    };
    if let (RoutedBy::Request, [only]) = (trace.by, trace.candidates.as_slice())
        && is_off(only.dropped)
    {
        return Refusal::ConnectorAccountDisabled;
    }
    let mut reasons = trace.candidates.iter().filter_map(|one| one.dropped);
    let lacked = reasons.find(|reason| {
        matches!(
            reason,
            Dropped::ExtendedAuthorization | Dropped::Overcapture
        )
    });
    if let Some(member) = lacked {
        let flow = format!("{member} through the connectors of the profile");
        return Refusal::FlowNotSupported { flow };
    }
    let mut reasons = trace.candidates.iter().filter_map(|one| one.dropped);
    if reasons.any(|reason| reason == Dropped::Browser)
        && let Some(member) = facts.unknown_of_browser
    {
        return Refusal::missing(member);
    }
    if let Some(kind) = instrument.details.ruled_type()
        && let Some(refusal) = refused_method(kind, facts, trace, instrument, candidates)
    {
        return refusal;
    }
    // The profile's connectors may accept this payment method, but not this wallet; the refusal then names the wallet.
    let of_wallet = match &instrument.details {
        InstrumentDetails::Card(_)
        | InstrumentDetails::Payer(_)
        | InstrumentDetails::BankDebit(_) => None,
        InstrumentDetails::NetworkToken(_) => Some("network_token".to_owned()),
        InstrumentDetails::Wallet(details) => Some(format!("wallet.{}", details.wallet)),
        InstrumentDetails::Kept(kept) => {
            return match candidate_of(&kept.merchant_connector_id, candidates) {
                None => Refusal::not_found(Object::ConnectorAccount),
                Some(one) if one.capabilities.charges_kept => {
                    each_reason(trace, facts, instrument, candidates)
                }
                Some(one) => Refusal::FlowNotSupported {
                    flow: format!(
                        "recurring_details of the type processor_payment_token through {}",
                        one.account.connector_name
                    ),
                },
            };
        }
    };
    if let Some(member) = of_wallet.filter(|_| !candidates.iter().any(|c| c.takes(instrument))) {
        return Refusal::FlowNotSupported {
            flow: format!("payment_method_data.{member} through the connectors of the profile"),
        };
    }
    let method = instrument.payment_method;
    let taken = candidates.iter().any(|c| c.capabilities.takes(method));
    if taken {
        each_reason(trace, facts, instrument, candidates)
    } else {
        Refusal::MethodNotSupported {
            message: format!("no connector of the profile takes payment_method {method}"),
        }
    }
}

/// Builds the refusal of a debit or a payer's method that no connector of the profile offers, or none for this payment.
fn refused_method(
    kind: PaymentMethodType,
    facts: &Facts<'_>,
    trace: &RoutingTrace,
    instrument: &Instrument,
    candidates: &[Candidate],
) -> Option<Refusal> {
    if !candidates.iter().any(|one| one.takes(instrument)) {
        let card = match &instrument.details {
            InstrumentDetails::Payer(method) if method.last4.is_some() => " with a card",
            InstrumentDetails::Payer(_)
            | InstrumentDetails::BankDebit(_)
            | InstrumentDetails::Card(_)
            | InstrumentDetails::NetworkToken(_)
            | InstrumentDetails::Wallet(_)
            | InstrumentDetails::Kept(_) => "",
        };
        return Some(Refusal::MethodNotSupported {
            message: format!("no connector of the profile takes payment_method_type {kind}{card}"),
        });
    }
    // A member that is missing can be added, while the currency of a payment stays.
    let is_missing = |one: &&Considered| one.dropped == Some(Dropped::RequiredField);
    let first = trace.candidates.iter().filter(is_missing);
    let others = trace.candidates.iter().filter(|one| !is_missing(one));
    first.chain(others).find_map(|considered| {
        let candidate = candidate_of(&considered.merchant_connector_id, candidates)?;
        let rules = payer_rules(&candidate.capabilities, instrument)?;
        let only = match considered.dropped? {
            Dropped::RequiredField => {
                return missing(rules, facts).map(|field| lacked(field, kind, facts));
            }
            Dropped::ConnectorPaymentMethod => only_with(rules, facts, instrument)?,
            Dropped::ConnectorCurrency => {
                let known = rules.currencies.iter().map(|one| one.as_str());
                format!("only in {}", known.collect::<Vec<_>>().join(", "))
            }
            Dropped::ConnectorCountry => {
                let known = rules.countries.iter().map(|one| one.as_str());
                format!(
                    "only from payers in {}",
                    known.collect::<Vec<_>>().join(", ")
                )
            }
            Dropped::CaptureMethod if !rules.captures(facts.capture_method) => {
                let manual = if rules.reserves { " or manual" } else { "" };
                format!("only with capture_method automatic{manual}")
            }
            Dropped::Recurring if !rules.recurs => "only from payers who are there".to_owned(),
            Dropped::ConnectorType
            | Dropped::Disabled
            | Dropped::PaymentMethod
            | Dropped::PaymentMethodType
            | Dropped::CardNetwork
            | Dropped::Currency
            | Dropped::Country
            | Dropped::Amount
            | Dropped::Recurring
            | Dropped::CaptureMethod
            | Dropped::ZeroAmount
            | Dropped::ThreeDs
            | Dropped::Browser
            | Dropped::ProcessorAmount
            | Dropped::ExtendedAuthorization
            | Dropped::Overcapture
            | Dropped::AgreedElsewhere
            | Dropped::Tried => return None,
        };
        Some(Refusal::NotForPayment {
            message: format!(
                "{} takes payment_method_type {kind} {only}",
                considered.connector
            ),
        })
    })
}

/// Builds the refusal of a member that the payment lacks. Its name is followed by the member of the method's data that may have
/// it.
fn lacked(field: RequiredField, kind: PaymentMethodType, facts: &Facts<'_>) -> Refusal {
    let member = field.member();
    let variety = Variety::of_type(kind);
    let place = variety.and_then(|variety| {
        let own = field.member_in(kind)?;
        Some(format!("payment_method_data.{}.{own}", variety.member))
    });
    let payer = facts.payer_address();
    let email = payer.as_deref().and_then(|payer| payer.email.as_deref());
    let is_given = email.is_some_and(|email| !email.trim().is_empty());
    let member = match place {
        Some(place) if field.field_type() == FieldType::BillingName => {
            format!("{member} (or first and last name in {place})")
        }
        Some(place) => format!("{member} (or {place})"),
        None => member.to_owned(),
    };
    match field == RequiredField::BillingEmail && is_given {
        true => Refusal::Malformed {
            member,
            why: "is no e-mail address".to_owned(),
        },
        false => Refusal::missing(member),
    }
}

/// Builds the refusal for an amount that no account of the profile can charge, if one account lacks nothing else.
pub(crate) fn uncounted(
    trace: &RoutingTrace,
    facts: &Facts<'_>,
    candidates: &[Candidate],
) -> Option<Refusal> {
    if trace.candidates.iter().any(|one| charges(one.dropped)) {
        return None;
    }
    let mut dropped = trace.candidates.iter();
    let dropped = dropped.find(|one| one.dropped == Some(Dropped::ProcessorAmount))?;
    let candidate = candidate_of(&dropped.merchant_connector_id, candidates)?;
    let why = not_counted(facts, &candidate.capabilities)?;
    let amount = Money::new(facts.total, facts.currency);
    Some(Refusal::AmountNotCounted {
        message: format!(
            "no connector account of the profile can charge {amount}: {} {why}",
            dropped.connector
        ),
    })
}

/// Returns whether the dropped account could charge the amount. These reasons are checked after it.
fn charges(dropped: Option<Dropped>) -> bool {
    matches!(
        dropped,
        Some(
            Dropped::RequiredField
                | Dropped::Browser
                | Dropped::ExtendedAuthorization
                | Dropped::Overcapture
        )
    )
}
