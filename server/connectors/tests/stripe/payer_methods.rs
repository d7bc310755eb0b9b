//! Methods that the payer finishes elsewhere.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::details::{Address, Payer, Place};
use multirail_sdk::connector::{Finding, OperationKind, Outcome, PayerStep, StepKind};
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerMethodRules, PayerSecret};
use multirail_sdk::payment_method::PaymentMethodType;

use super::bench::{Bench, reference};
use super::stories::{amount, code};

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
                state: Some("SP".to_owned()),
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

/// Begins a payment of 65.40 by a method whose payer entered a text.
async fn begin_with(bench: &Bench, key: &str, kind: PaymentMethodType, text: &str) -> Outcome {
    let rules = rules(bench, kind);
    let secret = Some(PayerSecret::Text(SecretText::new(text)));
    let data = PayerData {
        secret,
        ..PayerMethod::new(kind).into()
    };
    let money = Money::new(6540, rules.currencies[0]);
    bench
        .pay_with(key, data, money, true, ada(CountryCode::known("BR")))
        .await
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

/// The payer agrees in the app of their bank, while the checkout waits.
#[tokio::test]
async fn a_payer_agrees_to_a_blik_payment_or_does_not() {
    let bench = Bench::new().await;
    for (key, agrees) in [("a", true), ("b", false)] {
        let asked = begin_with(&bench, key, PaymentMethodType::Blik, "123456").await;
        let payment = reference(&asked);
        let Outcome::CustomerMustAct { step, .. } = &asked else {
            panic!("{asked:?}")
        };
        let seconds = step
            .expires_at
            .map(|end| end.seconds_since(shown_from(step)));
        assert_eq!(seconds, Some(60));
        bench.peer(|peer| peer.ledger().authenticate(&payment, agrees));
        let outcome = look(&bench, key, &payment).await;
        if agrees {
            assert_eq!(amount(&outcome), Some(6540));
        } else {
            assert_eq!(code(&outcome), "payment_method_customer_decline");
        }
    }
}

fn shown_from(step: &PayerStep) -> Timestamp {
    match &step.kind {
        StepKind::Shown(shown) => shown.shown_from.expect("a start"),
        StepKind::Page { url } => panic!("{url}"),
    }
}

#[tokio::test]
async fn a_boleto_that_nobody_pays_lapses_and_a_paid_one_is_not_given_back() {
    let bench = Bench::new().await;
    let boleto = PaymentMethodType::Boleto;
    let tax_number = "52998224725";
    let lapses = reference(&begin_with(&bench, "a", boleto, tax_number).await);
    assert!(bench.peer(|peer| peer.ledger().expire(&lapses)));
    let outcome = look(&bench, "a", &lapses).await;
    assert_eq!(code(&outcome), "payment_intent_payment_attempt_expired");

    let paid = reference(&begin_with(&bench, "b", boleto, tax_number).await);
    bench.peer(|peer| peer.ledger().authenticate(&paid, true));
    assert_eq!(amount(&look(&bench, "b", &paid).await), Some(6540));
    let refused = bench.refund("r", &paid, 540).await;
    assert_eq!(code(&refused), "charge_not_refundable");
}

#[tokio::test]
async fn a_refund_of_multibanco_is_pending_first() {
    let bench = Bench::new().await;
    let begun = begin(&bench, "a", PaymentMethodType::Multibanco, true).await;
    let payment = reference(&begun);
    bench.peer(|peer| peer.ledger().authenticate(&payment, true));
    let pending = bench.refund("r", &payment, 540).await;
    assert!(matches!(pending, Outcome::Pending { .. }), "{pending:?}");
    let mut asked = bench.question(OperationKind::Refund, "r", Some(&payment));
    asked.reference = Some(reference(&pending));
    let Finding::Outcome(outcome) = bench.connector.look_up(asked).await else {
        panic!("it is there")
    };
    assert_eq!(amount(&outcome), Some(540));
}
