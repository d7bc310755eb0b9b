//! Stories of methods that payers finish elsewhere, up to their step.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::details::{Address, Payer, Phone, Place};
use multirail_sdk::connector::{AuthorizeRequest, Details, Outcome, PayerStep, StepForm, StepKind};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerMethodRules, PayerSecret};
use multirail_sdk::required_field::RequiredField;

use super::asked::Asked;
use super::difference::{Difference, described};
use super::stage::{RETURN_URL, Stage};
use crate::test_mode::CardThat;

/// Texts for one payment, by the member that requires them.
const TEXTS: [(RequiredField, &str); 3] = [
    (RequiredField::BlikCode, "123456"),
    (RequiredField::UpiAddress, "ada@upi"),
    (RequiredField::TaxNumber, "52998224725"),
];

/// Returns whether the story covers the method. Debits have no step of the payer.
pub fn covers(rules: &PayerMethodRules) -> bool {
    !rules.is_debit()
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

/// Returns a test card of Bancontact, which has no code.
fn bancontact() -> Option<Card> {
    let number = CardNumber::parse("6703444444444449").ok()?;
    let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH).ok()?;
    Some(Card::new(number, None, expiry, GivenCardDetails::default()))
}

/// Returns the method with everything that its rules require.
fn method(rules: &PayerMethodRules) -> PaymentMethodData {
    let requires = |field| rules.required.contains(&field);
    let card = requires(RequiredField::BancontactNumber).then(bancontact);
    let card = card.flatten();
    let card = card.map(|card| PayerSecret::Card(Box::new(card)));
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

/// Returns a request for the price by this method, in its first currency.
pub fn asked_by(stage: &dyn Stage, rules: &PayerMethodRules, capture: bool) -> Asked {
    let currency = rules.currencies.first().copied().unwrap_or(Currency::EUR);
    let asked = stage.authorize(CardThat::AsksThePayer, capture);
    Asked {
        money: Money::new(asked.money.amount_minor, currency),
        ..asked
    }
}

/// Sends a request by this method, of this payer.
pub async fn ask(
    stage: &dyn Stage,
    rules: &PayerMethodRules,
    asked: &Asked,
    payer: Payer,
) -> Outcome {
    let request = AuthorizeRequest {
        key: asked.key.clone(),
        access: stage.access(),
        money: asked.money,
        capture: asked.authorization().captured_at_once,
        data: method(rules),
        return_url: RETURN_URL.to_owned(),
        details: Details {
            payer,
            ..Details::default()
        },
    };
    stage.connector().authorize(request).await
}

/// A payer at the processor's page, or with a step that the merchant shows.
pub struct Away {
    pub asked: Asked,
    pub step: PayerStep,
    pub reference: Option<String>,
}

impl Away {
    /// Reads the outcome of a request by this method.
    ///
    /// # Errors
    /// Every outcome but the step that the rules describe.
    pub fn read(
        rules: &PayerMethodRules,
        asked: Asked,
        outcome: Outcome,
    ) -> Result<Self, Difference> {
        let got = described(&outcome);
        let Outcome::CustomerMustAct { reference, step } = outcome else {
            return Err(Difference::new(words(rules.shows), got));
        };
        let form = match &step.kind {
            StepKind::Page { .. } => None,
            StepKind::Shown(shown) => Some(shown.form),
        };
        if form != rules.shows {
            return Err(Difference::new(words(rules.shows), words(form)));
        }
        Ok(Away {
            asked,
            step,
            reference,
        })
    }

    /// Returns the page, or the text of a step without one. A wait has neither, but the processor's reference.
    pub fn place(&self) -> Option<&str> {
        let text = match &self.step.kind {
            StepKind::Page { .. } => None,
            StepKind::Shown(shown) => shown.text.as_deref(),
        };
        self.step.url().or(text).or(self.reference.as_deref())
    }
}

/// Describes a step of this form.
fn words(form: Option<StepForm>) -> String {
    match form {
        Some(form) => format!("a {form} for the payer"),
        None => "a page for the payer".to_owned(),
    }
}

/// A payment whose payer is sent to a page, or gets a step that the merchant shows.
///
/// # Errors
/// Every other outcome.
pub async fn sent_away(
    stage: &dyn Stage,
    rules: &PayerMethodRules,
    capture: bool,
) -> Result<Away, Difference> {
    sent_away_as(stage, rules, capture, payer(rules)).await
}

/// The same for this payer.
///
/// # Errors
/// As [`sent_away`].
pub async fn sent_away_as(
    stage: &dyn Stage,
    rules: &PayerMethodRules,
    capture: bool,
    payer: Payer,
) -> Result<Away, Difference> {
    let asked = asked_by(stage, rules, capture);
    let outcome = ask(stage, rules, &asked, payer).await;
    Away::read(rules, asked, outcome)
}
