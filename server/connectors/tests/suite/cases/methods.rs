//! Cases of the methods that payers finish elsewhere. Each case goes through every method that the connector offers,
//! within the method's rules.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::bank_account::BankScheme;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::details::{Address, Payer, Phone, Place};
use multirail_sdk::connector::{
    AuthorizeRequest, Details, Finding, OperationKind, Outcome, PayerStep, Recovery, StepForm,
    StepKind, UnknownReason,
};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerMethodRules, PayerSecret};
use multirail_sdk::required_field::RequiredField;

use crate::suite::bench::unknown;
use crate::suite::bench::{Asked, Authorization, Bench, RETURN_URL, declined, done, done_for};
use crate::suite::peer::Fault;
use crate::suite::subject::{Books, CardThat, Subject};

/// Returns whether these cases cover the method. Debits have cases of their own. Some payers decide in an app of their own,
/// which not every test can press.
pub fn covers(subject: &dyn Subject, rules: &PayerMethodRules) -> bool {
    let is_debit = BankScheme::debited_by(rules.kind).is_some();
    let is_pressed = rules.shows != Some(StepForm::WaitScreen) || subject.presses_apps();
    !is_debit && is_pressed
}

/// Returns the offered methods that these cases cover.
fn offered(bench: &Bench) -> impl Iterator<Item = &'static PayerMethodRules> {
    let all = bench.subject.description().capabilities.payer_methods;
    all.iter().filter(|rules| covers(&*bench.subject, rules))
}

/// Returns a payer with all data that any method requires, in a country of the method.
pub fn payer(rules: &PayerMethodRules) -> Payer {
    let country = rules.countries.first().copied();
    Payer {
        email: Some("ada@example.com".to_owned()),
        billing: Some(Address {
            address: Some(Place {
                first_name: Some("Ada".to_owned()),
                last_name: Some("Okafor".to_owned()),
                line1: Some("1 Long Street".to_owned()),
                city: Some("Springfield".to_owned()),
                zip: Some("12345".to_owned()),
                state: Some("CA".to_owned()),
                country: Some(country.unwrap_or(CountryCode::known("NL"))),
                ..Place::default()
            }),
            phone: Some(Phone {
                number: Some("+31201234567".to_owned()),
                ..Phone::default()
            }),
            email: Some("ada@example.com".to_owned()),
            ..Address::default()
        }),
        ..Payer::default()
    }
}

/// Returns whether the payer pays cash, which no processor can give back.
fn is_voucher(rules: &PayerMethodRules) -> bool {
    rules.shows == Some(StepForm::Voucher)
}

/// Texts for one payment, by the member that requires them.
const TEXTS: [(RequiredField, &str); 3] = [
    (RequiredField::BlikCode, "123456"),
    (RequiredField::UpiAddress, "ada@upi"),
    (RequiredField::TaxNumber, "52998224725"),
];

fn method(rules: &PayerMethodRules) -> PaymentMethodData {
    let requires = |field| rules.required.contains(&field);
    let card = requires(RequiredField::BancontactNumber).then(|| {
        let number = CardNumber::parse("6703444444444449").expect("a number");
        let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).expect("an expiry");
        PayerSecret::Card(Box::new(Card::new(
            number,
            None,
            expiry,
            GivenCardDetails::default(),
        )))
    });
    let mut texts = TEXTS.iter();
    let text = texts.find(|(field, _)| requires(*field));
    let text = text.map(|(_, text)| PayerSecret::Text(SecretText::new(*text)));
    let secret = card.or(text);
    let method = PayerMethod {
        bank_name: requires(RequiredField::PolishBank).then_some(BankName::MBank),
        country: requires(RequiredField::SepaCountry).then_some(CountryCode::known("NL")),
        ..PayerMethod::new(rules.kind)
    };
    PaymentMethodData::Payer(Box::new(PayerData { method, secret }))
}

/// Returns a request of 65.40 by this method.
fn asked(bench: &Bench, rules: &PayerMethodRules, capture: bool) -> Asked {
    let currency = rules.currencies.first().copied().unwrap_or(Currency::EUR);
    bench.authorize(CardThat::AsksThePayer, Money::new(6540, currency), capture)
}

async fn ask(bench: &Bench, rules: &PayerMethodRules, asked: &Asked) -> Outcome {
    ask_as(bench, rules, asked, payer(rules)).await
}

async fn ask_as(bench: &Bench, rules: &PayerMethodRules, asked: &Asked, payer: Payer) -> Outcome {
    let request = AuthorizeRequest {
        key: asked.key.clone(),
        access: bench.subject.access(),
        money: asked.money,
        capture: asked.authorization().captured_at_once,
        data: method(rules),
        return_url: RETURN_URL.to_owned(),
        details: Details {
            payer,
            ..Details::default()
        },
    };
    bench.connector.authorize(request).await
}

/// A payer at the processor's page, or with a step that the merchant shows.
pub struct Away {
    pub asked: Asked,
    pub step: PayerStep,
    reference: Option<String>,
}

impl Away {
    /// Returns the page, or the text of a step without one. A wait has neither.
    fn place(&self) -> &str {
        let text = match &self.step.kind {
            StepKind::Page { .. } => None,
            StepKind::Shown(shown) => shown.text.as_deref(),
        };
        let place = self.step.url().or(text).or(self.reference.as_deref());
        place.expect("a place")
    }
}

fn away(rules: &PayerMethodRules, asked: Asked, outcome: Outcome) -> Away {
    let Outcome::CustomerMustAct { reference, step } = outcome else {
        panic!("expected a step of the payer, got {outcome:?}");
    };
    let form = match &step.kind {
        StepKind::Page { .. } => None,
        StepKind::Shown(shown) => Some(shown.form),
    };
    assert_eq!(form, rules.shows, "{}", rules.kind);
    Away {
        asked,
        step,
        reference,
    }
}

async fn sent_away(bench: &Bench, rules: &PayerMethodRules, capture: bool) -> Away {
    sent_away_as(bench, rules, capture, payer(rules)).await
}

/// Requests a payment of this payer, who is sent to a page.
pub async fn sent_away_as(
    bench: &Bench,
    rules: &PayerMethodRules,
    capture: bool,
    payer: Payer,
) -> Away {
    let asked = asked(bench, rules, capture);
    let outcome = ask_as(bench, rules, &asked, payer).await;
    away(rules, asked, outcome)
}

/// Decides for the payer, and returns the outcome that the payer brings back, or that the processor tells of.
pub async fn returns(bench: &Bench, away: &Away, pays: bool) -> Outcome {
    let brought = bench.subject.decide(away.place(), pays).await;
    let looks_up = matches!(
        bench.recovery(OperationKind::Authorize),
        Recovery::LookUp(_)
    );
    if brought.is_none() && !looks_up {
        let told = bench.outcome_by_notice(&away.asked).await;
        return told.expect("a notice");
    }
    let found = bench.look_up(&away.asked, away.reference.clone(), brought);
    match found.await {
        Finding::Outcome(outcome) => outcome,
        Finding::Absent { reason } => panic!("{reason}"),
    }
}

async fn paid(bench: &Bench, away: &Away) -> Authorization {
    let approval = done_for(returns(bench, away, true).await, away.asked.money);
    Authorization {
        reference: approval.reference,
        ..away.asked.authorization()
    }
}

pub async fn every_payer_pays(bench: Bench) {
    for rules in offered(&bench) {
        let away = sent_away(&bench, rules, true).await;
        let before = bench.books(&away.asked.authorization()).await;
        assert_eq!(before, Books::default(), "{}", rules.kind);
        let paid = paid(&bench, &away).await;
        let given_back = if is_voucher(rules) { 0 } else { 540 };
        if given_back > 0 {
            done(bench.finish(&bench.refund(&paid, given_back)).await);
        }
        let books = bench.books(&paid).await;
        assert_eq!(
            (books.captured, books.given_back),
            (6540, given_back),
            "{}",
            rules.kind
        );
    }
}

pub async fn every_reserved_payment_is_captured_in_part(bench: Bench) {
    for rules in offered(&bench).filter(|rules| rules.reserves) {
        let away = sent_away(&bench, rules, false).await;
        let reserved = paid(&bench, &away).await;
        let books = bench.books(&reserved).await;
        assert_eq!(
            (books.authorized, books.captured),
            (6540, 0),
            "{}",
            rules.kind
        );
        done(bench.finish(&bench.capture(&reserved, 5000, true)).await);
        assert_eq!(
            bench.books(&reserved).await.captured,
            5000,
            "{}",
            rules.kind
        );
    }
}

pub async fn every_payer_rejects(bench: Bench) {
    for rules in offered(&bench) {
        let away = sent_away(&bench, rules, true).await;
        let decline = declined(returns(&bench, &away, false).await);
        assert!(!decline.code.is_empty(), "{}", rules.kind);
        let books = bench.books(&away.asked.authorization()).await;
        assert_eq!(books, Books::default(), "{}", rules.kind);
    }
}

/// The payer is sent to the page of the only payment, which a repetition or a look-up finds.
pub async fn every_lost_page_is_found(bench: Bench) {
    let capabilities = &bench.subject.description().capabilities;
    for rules in offered(&bench) {
        for fault in [Fault::LosesRequest, Fault::LosesAnswer] {
            let asked = asked(&bench, rules, true);
            bench.subject.peer().faults().next(fault);
            let lost = unknown(ask(&bench, rules, &asked).await);
            assert_eq!(lost, UnknownReason::ConnectionLost, "{}", rules.kind);
            let found = if capabilities.repeats_authorizations {
                ask(&bench, rules, &asked).await
            } else {
                match bench.look_up(&asked, None, None).await {
                    Finding::Outcome(outcome) => outcome,
                    Finding::Absent { .. } => {
                        assert!(!fault.is_done(), "{} {fault:?}", rules.kind);
                        continue;
                    }
                }
            };
            let away = away(rules, asked, found);
            let paid = paid(&bench, &away).await;
            let books = bench.books(&paid).await;
            assert_eq!(books.captured, 6540, "{} {fault:?}", rules.kind);
        }
    }
}
