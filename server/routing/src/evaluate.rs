//! Evaluation of rules against a payment. It never fails: if a payment has no value for a key, no condition on that key holds,
//! not even `not_equal`.

use std::borrow::Cow;

use multirail_domain::routing::Facts;
use multirail_domain::routing::comparison::{Comparison, Operand, Operator};
use multirail_domain::routing::key::Key;
use multirail_domain::routing::program::{Program, Rule, Statement};
use serde_json::Value;

/// A payment's value for a key.
enum Said<'a> {
    Number(i64),
    Text(Cow<'a, str>),
}

/// Returns the selection of the first rule that matches, and the rule; or else the default selection.
pub fn decide<'p, S>(program: &'p Program<S>, facts: &Facts<'_>) -> (&'p S, Option<&'p Rule<S>>) {
    match program.rules.iter().find(|rule| matches(rule, facts)) {
        Some(rule) => (&rule.connector_selection, Some(rule)),
        None => (&program.default_selection, None),
    }
}

/// Returns whether one of the rule's statements matches.
fn matches<S>(rule: &Rule<S>, facts: &Facts<'_>) -> bool {
    rule.statements.iter().any(|one| is_met(one, facts))
}

fn is_met(statement: &Statement, facts: &Facts<'_>) -> bool {
    let nested = &statement.nested;
    statement.condition.iter().all(|one| holds(one, facts))
        && (nested.is_empty() || nested.iter().any(|one| is_met(one, facts)))
}

/// Returns whether the condition holds for the payment.
pub fn holds(condition: &Comparison, facts: &Facts<'_>) -> bool {
    let agrees = |is_equal| agrees(condition.comparison, is_equal);
    if let Operand::MetadataVariant(entry) = &condition.value {
        let said = metadata_entry(facts, &entry.key);
        return said.is_some_and(|said| agrees(said == entry.value));
    }
    let said = said(facts, condition.lhs);
    match (said, &condition.value) {
        (Some(Said::Number(said)), Operand::Number(number)) => {
            compares(condition.comparison, said, *number)
        }
        (Some(Said::Number(said)), Operand::NumberArray(numbers)) => {
            agrees(numbers.contains(&said))
        }
        (Some(Said::Number(said)), Operand::NumberComparisonArray(all)) => {
            let mut all = all.iter();
            agrees(all.any(|one| compares(one.comparison_type, said, one.number)))
        }
        (Some(Said::Text(said)), Operand::EnumVariant(word)) => agrees(said == *word),
        (Some(Said::Text(said)), Operand::EnumVariantArray(words)) => {
            agrees(words.iter().any(|word| said == *word))
        }
        (Some(Said::Text(said)), Operand::StrValue(text)) if condition.lhs == Key::CardBin => {
            // A card may have fewer known digits than the rule asks for.
            said.len() >= text.len() && agrees(said.starts_with(text.as_str()))
        }
        (Some(Said::Text(said)), Operand::StrValue(text)) => agrees(said == *text),
        // The payment has no value for the key, or one of another kind.
        (None | Some(_), _) => false,
    }
}

/// Returns the result of `equal` or `not_equal`.
fn agrees(operator: Operator, is_equal: bool) -> bool {
    match operator {
        Operator::Equal => is_equal,
        Operator::NotEqual => !is_equal,
        Operator::LessThan
        | Operator::LessThanEqual
        | Operator::GreaterThan
        | Operator::GreaterThanEqual => false,
    }
}

/// Returns whether the comparison of `left` with `right` holds.
fn compares(operator: Operator, left: i64, right: i64) -> bool {
    match operator {
        Operator::Equal => left == right,
        Operator::NotEqual => left != right,
        Operator::LessThan => left < right,
        Operator::LessThanEqual => left <= right,
        Operator::GreaterThan => left > right,
        Operator::GreaterThanEqual => left >= right,
    }
}

/// Returns the payment's value for a key.
fn said<'a>(facts: &Facts<'a>, key: Key) -> Option<Said<'a>> {
    let card = facts.instrument.and_then(|one| one.details.card());
    let kind = facts.instrument.and_then(|one| one.payment_method_type);
    let word = |word: &'static str| Some(Said::Text(Cow::Borrowed(word)));
    let text = |text: &'a str| Said::Text(Cow::Borrowed(text));
    if let Some(family) = key.family() {
        let kind = kind.filter(|kind| kind.belongs_to(family));
        return kind.and_then(|kind| word(kind.as_str()));
    }
    match key {
        Key::PaymentMethod => word(facts.instrument?.payment_method.as_str()),
        Key::CardBin => {
            let card = card?;
            card.extended_bin
                .as_deref()
                .or(card.isin.as_deref())
                .map(text)
        }
        Key::CardType => match kind {
            Some(kind) => card.and_then(|_| word(kind.as_str())),
            None => {
                let said = card?.card_type.as_deref()?;
                Some(Said::Text(Cow::Owned(said.to_ascii_lowercase())))
            }
        },
        Key::CardNetwork => word(card?.network?.as_str()),
        Key::MandateAcceptanceType => word(facts.consent?.as_str()),
        Key::PaymentType => word(facts.payment_type().as_str()),
        Key::Amount => Some(Said::Number(facts.total)),
        Key::Currency => word(facts.currency.as_str()),
        Key::AuthenticationType => word(facts.authentication_type.as_str()),
        Key::CaptureMethod => word(facts.capture_method.as_str()),
        Key::BusinessCountry => word(facts.business_country?.as_str()),
        Key::BillingCountry => word(facts.payer_country()?.as_str()),
        Key::BusinessLabel => facts.business_label.map(text),
        Key::SetupFutureUsage => word(facts.setup_future_usage?.as_str()),
        Key::IssuerName => card?.issuer.as_deref().map(text),
        Key::IssuerCountry => {
            let said = card?.issuing_country.as_deref()?;
            Some(Said::Text(Cow::Owned(said.to_ascii_uppercase())))
        }
        // `metadata_entry` evaluates this key.
        Key::Metadata => None,
        Key::PayLater
        | Key::GiftCard
        | Key::Wallet
        | Key::Upi
        | Key::Voucher
        | Key::BankTransfer
        | Key::BankRedirect
        | Key::BankDebit
        | Key::Crypto
        | Key::Reward
        | Key::CardRedirect
        | Key::RealTimePayment
        | Key::OpenBanking
        | Key::MobilePayment => None,
    }
}

/// Returns an entry of the metadata: a text as it is, a number or boolean in JSON notation.
fn metadata_entry<'a>(facts: &Facts<'a>, key: &str) -> Option<Cow<'a, str>> {
    match facts.metadata?.get(key)? {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(truth) => Some(Cow::Owned(truth.to_string())),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
