//! The methods that payers finish at a page.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_peers::adyen::LATE;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::details::{Address, Payer, Phone, Place};
use multirail_sdk::connector::{AuthorizeRequest, Details, Finding, Outcome};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerSecret};
use multirail_sdk::payment_method::PaymentMethodType;

use super::stories::{bench, summaries};
use crate::suite::bench::{Asked, Authorization, Bench, RETURN_URL, declined, done, done_for};
use crate::suite::subject::CardThat;

/// Returns a payer whose data suffices for every method.
fn payer(email: &str) -> Payer {
    Payer {
        email: Some(email.to_owned()),
        billing: Some(Address {
            address: Some(Place {
                first_name: Some("Ada".to_owned()),
                last_name: Some("Okafor".to_owned()),
                line1: Some("Keizersgracht 1".to_owned()),
                city: Some("Amsterdam".to_owned()),
                zip: Some("1015CC".to_owned()),
                country: Some(CountryCode::known("NL")),
                ..Place::default()
            }),
            phone: Some(Phone {
                number: Some("+31201234567".to_owned()),
                ..Phone::default()
            }),
            ..Address::default()
        }),
        ..Payer::default()
    }
}

fn method(kind: PaymentMethodType) -> PaymentMethodData {
    let method = PayerMethod {
        bank_name: Some(BankName::MBank),
        ..PayerMethod::new(kind)
    };
    let is_card = kind == PaymentMethodType::BancontactCard;
    let secret = is_card.then(|| {
        let number = CardNumber::parse("6703444444444449").expect("a number");
        let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
        PayerSecret::Card(Card::new(number, None, expiry, GivenCardDetails::default()))
    });
    PaymentMethodData::Payer(Box::new(PayerData { method, secret }))
}

/// Requests a payment of 65.40 by this method. Returns the page to which its payer is sent.
async fn sent_away(
    bench: &Bench,
    (kind, currency): (PaymentMethodType, Currency),
    capture: bool,
    email: &str,
) -> (Asked, String) {
    let money = Money::new(6540, currency);
    let asked = bench.authorize(CardThat::AsksThePayer, money, capture);
    let request = AuthorizeRequest {
        key: asked.key.clone(),
        access: bench.subject.access(),
        money,
        capture,
        data: method(kind),
        return_url: RETURN_URL.to_owned(),
        details: Details {
            payer: payer(email),
            ..Details::default()
        },
    };
    match bench.connector.authorize(request).await {
        Outcome::CustomerMustAct { step, .. } => (asked, step.url().to_owned()),
        other => panic!("{kind}: {other:?}"),
    }
}

/// Decides for the payer, and returns the outcome that the payer brings back.
async fn returns(bench: &Bench, (asked, page): &(Asked, String), pays: bool) -> Outcome {
    let brought = bench.subject.decide(page, pays).await;
    match bench.look_up(asked, None, brought).await {
        Finding::Outcome(outcome) => outcome,
        Finding::Absent { reason } => panic!("{reason}"),
    }
}

#[tokio::test]
async fn a_payer_pays_by_every_method_and_gets_a_part_back() {
    let bench = bench().await;
    let rules = bench.subject.description().capabilities.payer_methods;
    let mut methods: Vec<_> = rules
        .iter()
        .map(|rules| (rules.kind, rules.currencies[0], rules.reserves))
        .collect();
    let clearpay = (PaymentMethodType::AfterpayClearpay, Currency::GBP, true);
    methods.push(clearpay);
    for (kind, currency, reserves) in methods {
        let away = sent_away(&bench, (kind, currency), !reserves, "ada@example.com").await;
        let money = away.0.money;
        let approval = done_for(returns(&bench, &away, true).await, money);
        let paid = Authorization {
            reference: approval.reference,
            ..away.0.authorization()
        };
        if reserves {
            done(bench.finish(&bench.capture(&paid, 6000, true)).await);
        }
        done(bench.finish(&bench.refund(&paid, 540)).await);
        let books = bench.books(&paid).await;
        let captured = if reserves { 6000 } else { 6540 };
        assert_eq!(
            (books.captured, books.given_back),
            (captured, 540),
            "{kind}"
        );
    }
}

#[tokio::test]
async fn a_payer_cancels_and_another_ones_bank_is_late() {
    let bench = bench().await;
    let ideal = (PaymentMethodType::Ideal, Currency::EUR);
    let away = sent_away(&bench, ideal, true, "ada@example.com").await;
    let decline = declined(returns(&bench, &away, false).await);
    assert_eq!(
        (decline.code.as_str(), decline.message.as_str()),
        ("16", "Shopper Cancelled")
    );
    let away = sent_away(&bench, ideal, true, LATE).await;
    let pending = returns(&bench, &away, true).await;
    assert!(matches!(pending, Outcome::Pending { .. }), "{pending:?}");
    let told = bench.outcome_by_notice(&away.0).await.expect("a notice");
    done_for(told, away.0.money);
    insta::assert_snapshot!(summaries(&bench).await.join("\n"), @"
    authorize by AUTHORISATION: declined 16: Shopper Cancelled
    authorize by AUTHORISATION: done, amount Some(6540)
    ");
}
