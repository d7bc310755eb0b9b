//! Methods that the payer finishes at a page.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::details::{Address, Payer, Place};
use multirail_sdk::connector::{Finding, OperationKind, Outcome};
use multirail_sdk::payer_method::PayerMethodRules;
use multirail_sdk::payment_method::PaymentMethodType;

use super::bench::{Bench, reference};
use super::stories::code;

/// A payer in this country, with all that a method may require.
fn ada(country: CountryCode) -> Payer {
    Payer {
        billing: Some(Address {
            address: Some(Place {
                first_name: Some("Ada".to_owned()),
                last_name: Some("Okafor".to_owned()),
                line1: Some("1 Long Street".to_owned()),
                city: Some("Springfield".to_owned()),
                zip: Some("12345".to_owned()),
                country: Some(country),
                ..Place::default()
            }),
            email: Some("ada@example.com".to_owned()),
            ..Address::default()
        }),
        ..Payer::default()
    }
}

fn rules(bench: &Bench, kind: PaymentMethodType) -> &'static PayerMethodRules {
    let capabilities = &bench.connector.description().capabilities;
    capabilities.payer_method(kind).expect("an offered method")
}

/// Begins a payment of 65.40 by this method, within its rules.
async fn begin(bench: &Bench, key: &str, kind: PaymentMethodType, capture: bool) -> Outcome {
    let rules = rules(bench, kind);
    let currency = rules.currencies.first().copied().unwrap_or(Currency::EUR);
    let country = rules.countries.first().copied();
    let payer = ada(country.unwrap_or(CountryCode::known("NL")));
    let money = Money::new(6540, currency);
    bench.pay_by(key, kind, money, capture, payer).await
}

async fn look(bench: &Bench, key: &str, payment: &str) -> Outcome {
    let found = bench.look_up(OperationKind::Authorize, key, Some(payment));
    match found.await {
        Finding::Outcome(outcome) => outcome,
        Finding::Absent { reason } => panic!("{reason}"),
    }
}

#[tokio::test]
async fn a_payer_rejects_or_never_decides() {
    let bench = Bench::new().await;
    let rejected = reference(&begin(&bench, "a", PaymentMethodType::Ideal, true).await);
    bench.peer(|peer| peer.ledger().authenticate(&rejected, false));
    let outcome = look(&bench, "a", &rejected).await;
    assert_eq!(code(&outcome), "payment_intent_authentication_failure");

    let abandoned = reference(&begin(&bench, "b", PaymentMethodType::Ideal, true).await);
    let waiting = look(&bench, "b", &abandoned).await;
    assert!(
        matches!(waiting, Outcome::CustomerMustAct { .. }),
        "{waiting:?}"
    );
    assert!(bench.peer(|peer| peer.ledger().expire(&abandoned)));
    let outcome = look(&bench, "b", &abandoned).await;
    assert_eq!(code(&outcome), "payment_intent_payment_attempt_expired");
}

#[tokio::test]
async fn a_payer_who_is_late_does_not_pay_for_a_voided_payment() {
    let bench = Bench::new().await;
    let payment = reference(&begin(&bench, "a", PaymentMethodType::Paypal, true).await);
    let voided = bench.void("v", Some(&payment), true).await;
    assert_eq!(reference(&voided), payment);
    bench.peer(|peer| peer.ledger().authenticate(&payment, true));
    assert_eq!(code(&look(&bench, "a", &payment).await), "canceled");
}

#[tokio::test]
async fn a_lost_redirect_is_found() {
    let bench = Bench::new().await;
    bench.lose_the_next_answer();
    let lost = begin(&bench, "a", PaymentMethodType::Klarna, true).await;
    assert!(matches!(lost, Outcome::Unknown(_)), "{lost:?}");
    let found = bench.look_up(OperationKind::Authorize, "a", None).await;
    let again = begin(&bench, "a", PaymentMethodType::Klarna, true).await;
    assert!(
        matches!(again, Outcome::CustomerMustAct { .. }),
        "{again:?}"
    );
    assert_eq!(found, Finding::Outcome(again));
}

/// Stripe refuses what routing excludes.
#[tokio::test]
async fn rules_of_methods_are_stripes_own() {
    let bench = Bench::new().await;
    let euro = Money::new(6540, Currency::EUR);
    let dollars = Money::new(6540, Currency::USD);
    let (ideal, eps) = (PaymentMethodType::Ideal, PaymentMethodType::Eps);
    let nl = || ada(CountryCode::known("NL"));
    let outcomes = [
        bench.pay_by("a", ideal, dollars, true, nl()).await,
        bench.pay_by("b", ideal, euro, false, nl()).await,
        bench.pay_by("c", eps, euro, true, Payer::default()).await,
    ];
    let codes = outcomes.each_ref().map(code);
    assert_eq!(
        codes,
        [
            "payment_intent_invalid_parameter",
            "payment_intent_invalid_parameter",
            "parameter_missing",
        ]
    );
}
