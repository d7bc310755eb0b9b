//! Evaluation of rules against a payment. It never fails: if a payment has no value for a key, no condition on that key holds,
//! not even `not_equal`.

use std::borrow::Cow;

use multirail_kernel::address::Address;
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::charge::{AuthenticationType, CaptureMethod, FutureUsage};
use multirail_sdk::connector::AccountMandate;
use multirail_sdk::consent::ConsentKind;
use multirail_sdk::instrument::Instrument;
use multirail_sdk::payment_method::PaymentMethodType;
use serde_json::Value;

use super::comparison::{Comparison, Operand, Operator};
use super::key::{Key, PaymentType};
use super::program::{Program, Rule, Statement};
use super::straight_through::StraightThrough;

/// The facts about a payment that routing uses.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub instrument: Option<&'a Instrument>,
    pub currency: Currency,
    /// The payment's total, in minor units.
    pub total: i64,
    pub amount_to_capture: Option<i64>,
    pub capture_method: CaptureMethod,
    pub authentication_type: AuthenticationType,
    pub setup_future_usage: Option<FutureUsage>,
    /// The accounts that the request names.
    pub routing: Option<&'a StraightThrough>,
    pub consent: Option<ConsentKind>,
    pub business_country: Option<CountryCode>,
    pub business_label: Option<&'a str>,
    /// Whether the payment has its payer's data. A trial has none.
    pub knows_payer: bool,
    /// The payment's own billing address; the payment method can have another one.
    pub billing: Option<&'a Address>,
    pub metadata: Option<&'a Value>,
    /// The payment method types that the payment allows; empty means any.
    pub allowed_types: &'a [PaymentMethodType],
    /// Whether the payer is absent.
    pub is_off_session: bool,
    /// Whether it charges without the payer, or makes later charges possible.
    pub recurs: bool,
    /// Whether the authorization is to be valid longer than usual.
    pub wants_longer: bool,
    pub wants_overcapture: bool,
    /// The first member of `browser_info` that an authentication of the payer would need and that is missing.
    pub unknown_of_browser: Option<&'static str>,
    pub is_under_mandate: bool,
    /// The accounts whose processors store the payment method, for a charge without the payer.
    pub kept: &'a [AccountMandate],
    /// Whether a charge without the payer has to use an account that stores the payment method, or the one of the payer's
    /// agreement.
    pub is_bound: bool,
    /// The account of the payer's agreement, if known.
    pub agreed_through: Option<&'a ConnectorAccountId>,
    /// The account that offered the paying wallet in the checkout.
    pub offered_through: Option<&'a ConnectorAccountId>,
}

/// A payment's value for a key.
enum Said<'a> {
    Number(i64),
    Text(Cow<'a, str>),
}

impl<S> Program<S> {
    /// Returns the selection of the first rule that matches, and the rule; or else the default selection.
    pub fn decide<'p>(&'p self, facts: &Facts<'_>) -> (&'p S, Option<&'p Rule<S>>) {
        match self.rules.iter().find(|rule| rule.matches(facts)) {
            Some(rule) => (&rule.connector_selection, Some(rule)),
            None => (&self.default_selection, None),
        }
    }
}

impl<S> Rule<S> {
    /// Returns whether one of the rule's statements matches.
    pub fn matches(&self, facts: &Facts<'_>) -> bool {
        self.statements.iter().any(|one| one.matches(facts))
    }
}

impl Statement {
    fn matches(&self, facts: &Facts<'_>) -> bool {
        self.condition.iter().all(|one| one.holds(facts))
            && (self.nested.is_empty() || self.nested.iter().any(|one| one.matches(facts)))
    }
}

impl Comparison {
    /// Returns whether the condition holds for the payment.
    pub fn holds(&self, facts: &Facts<'_>) -> bool {
        if let Operand::MetadataVariant(entry) = &self.value {
            let said = facts.metadata_entry(&entry.key);
            return said.is_some_and(|said| self.agrees(said == entry.value));
        }
        let said = facts.said(self.lhs);
        match (said, &self.value) {
            (Some(Said::Number(said)), Operand::Number(number)) => {
                self.comparison.holds(said, *number)
            }
            (Some(Said::Number(said)), Operand::NumberArray(numbers)) => {
                self.agrees(numbers.contains(&said))
            }
            (Some(Said::Number(said)), Operand::NumberComparisonArray(all)) => {
                let mut all = all.iter();
                self.agrees(all.any(|one| one.comparison_type.holds(said, one.number)))
            }
            (Some(Said::Text(said)), Operand::EnumVariant(word)) => self.agrees(said == *word),
            (Some(Said::Text(said)), Operand::EnumVariantArray(words)) => {
                self.agrees(words.iter().any(|word| said == *word))
            }
            (Some(Said::Text(said)), Operand::StrValue(text)) if self.lhs == Key::CardBin => {
                // A card may have fewer known digits than the rule asks for.
                said.len() >= text.len() && self.agrees(said.starts_with(text.as_str()))
            }
            (Some(Said::Text(said)), Operand::StrValue(text)) => self.agrees(said == *text),
            // The payment has no value for the key, or one of another kind.
            (None | Some(_), _) => false,
        }
    }

    /// Returns the result of `equal` or `not_equal`.
    fn agrees(&self, is_equal: bool) -> bool {
        match self.comparison {
            Operator::Equal => is_equal,
            Operator::NotEqual => !is_equal,
            Operator::LessThan
            | Operator::LessThanEqual
            | Operator::GreaterThan
            | Operator::GreaterThanEqual => false,
        }
    }
}

impl<'a> Facts<'a> {
    fn said(&self, key: Key) -> Option<Said<'a>> {
        let card = self.instrument.and_then(|one| one.details.card());
        let kind = self.instrument.and_then(|one| one.payment_method_type);
        let word = |word: &'static str| Some(Said::Text(Cow::Borrowed(word)));
        let text = |text: &'a str| Said::Text(Cow::Borrowed(text));
        if let Some(family) = key.family() {
            let kind = kind.filter(|kind| kind.belongs_to(family));
            return kind.and_then(|kind| word(kind.as_str()));
        }
        match key {
            Key::PaymentMethod => word(self.instrument?.payment_method.as_str()),
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
            Key::MandateAcceptanceType => word(self.consent?.as_str()),
            Key::PaymentType => word(self.payment_type().as_str()),
            Key::Amount => Some(Said::Number(self.total)),
            Key::Currency => word(self.currency.as_str()),
            Key::AuthenticationType => word(self.authentication_type.as_str()),
            Key::CaptureMethod => word(self.capture_method.as_str()),
            Key::BusinessCountry => word(self.business_country?.as_str()),
            Key::BillingCountry => word(self.payer_address().and_then(Address::country)?.as_str()),
            Key::BusinessLabel => self.business_label.map(text),
            Key::SetupFutureUsage => word(self.setup_future_usage?.as_str()),
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

    /// Returns the address that decides the payer's country: that of the payment method, or else of the payment.
    pub(crate) fn payer_address(&self) -> Option<&'a Address> {
        let own = self
            .instrument
            .and_then(|one| one.holder.billing.as_deref());
        own.or(self.billing)
    }

    /// Returns whether the payment only verifies the payment method, with a zero amount.
    pub fn only_verifies(&self) -> bool {
        self.total == 0
    }

    /// Returns whether the payment allows this payment method type.
    pub(super) fn allows(&self, kind: PaymentMethodType) -> bool {
        self.allowed_types.is_empty() || self.allowed_types.contains(&kind)
    }

    /// Returns whether this account's processor stores the payment method of a charge without the payer.
    pub(super) fn is_stored_by(&self, account: &ConnectorAccountId) -> bool {
        let mut kept = self.kept.iter();
        kept.any(|one| one.merchant_connector_id == *account)
    }

    /// Returns whether the charge is bound to other accounts. If no account is known, the charge isn't bound.
    pub(super) fn is_bound_to_others_than(&self, account: &ConnectorAccountId) -> bool {
        let is_known = self.agreed_through.is_some() || !self.kept.is_empty();
        let is_its_own = self.is_stored_by(account) || self.agreed_through == Some(account);
        self.is_bound && is_known && !is_its_own
    }

    /// Returns how the payment relates to later ones.
    pub fn payment_type(&self) -> PaymentType {
        if self.is_off_session {
            return PaymentType::RecurringMandate;
        }
        match self.setup_future_usage {
            Some(FutureUsage::OffSession) if self.only_verifies() => PaymentType::SetupMandate,
            Some(FutureUsage::OffSession) => PaymentType::NewMandate,
            Some(FutureUsage::OnSession) | None => PaymentType::NonMandate,
        }
    }

    /// Returns an entry of the metadata: a text as it is, a number or boolean in JSON notation.
    fn metadata_entry(&self, key: &str) -> Option<Cow<'a, str>> {
        match self.metadata?.get(key)? {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            Value::Bool(truth) => Some(Cow::Owned(truth.to_string())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}
