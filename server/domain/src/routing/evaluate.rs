//! Whether a rule matches a payment. It always answers: what a payment doesn't say is compared with nothing, so that no
//! condition about it holds, `not_equal` neither.

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

/// What routing knows of a payment and of what pays it.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub instrument: Option<&'a Instrument>,
    pub currency: Currency,
    /// All that the payer pays, in minor units.
    pub total: i64,
    pub amount_to_capture: Option<i64>,
    pub capture_method: CaptureMethod,
    pub authentication_type: AuthenticationType,
    pub setup_future_usage: Option<FutureUsage>,
    /// The accounts that the request asks for.
    pub routing: Option<&'a StraightThrough>,
    pub consent: Option<ConsentKind>,
    pub business_country: Option<CountryCode>,
    pub business_label: Option<&'a str>,
    /// The payment's own, beside that of the instrument.
    pub billing: Option<&'a Address>,
    pub metadata: Option<&'a Value>,
    /// The varieties that it may be paid with; any where there are none.
    pub allowed_types: &'a [PaymentMethodType],
    /// The payer isn't there.
    pub is_off_session: bool,
    /// It is charged without the payer, or makes later charges possible.
    pub recurs: bool,
    /// The authorization is to stand longer than usual.
    pub wants_longer: bool,
    pub wants_overcapture: bool,
    /// The member of `browser_info` that an authentication of the payer would miss.
    pub unknown_of_browser: Option<&'static str>,
    pub is_under_mandate: bool,
    /// Where processors keep what is charged without the payer.
    pub kept: &'a [AccountMandate],
    /// A charge without the payer stays with the accounts that keep what pays, and the one through which the payer agreed.
    pub is_bound: bool,
    /// The account through which the payer agreed, where it is known.
    pub agreed_through: Option<&'a ConnectorAccountId>,
    /// The account through which the checkout was offered the wallet that pays.
    pub offered_through: Option<&'a ConnectorAccountId>,
}

/// What a payment says of a key.
enum Said<'a> {
    Number(i64),
    Text(Cow<'a, str>),
}

impl<S> Program<S> {
    /// What the first rule that matches selects, with that rule; without one what the default selects.
    pub fn decide<'p>(&'p self, facts: &Facts<'_>) -> (&'p S, Option<&'p Rule<S>>) {
        match self.rules.iter().find(|rule| rule.matches(facts)) {
            Some(rule) => (&rule.connector_selection, Some(rule)),
            None => (&self.default_selection, None),
        }
    }
}

impl<S> Rule<S> {
    /// Whether one of its statements does.
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
    /// Whether it holds for the payment.
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
                // Of a short number fewer digits are known than this asks for.
                said.len() >= text.len() && self.agrees(said.starts_with(text.as_str()))
            }
            (Some(Said::Text(said)), Operand::StrValue(text)) => self.agrees(said == *text),
            // Nothing is said, or nothing that such a value could be compared with.
            (None | Some(_), _) => false,
        }
    }

    /// What follows for `equal` and `not_equal` from whether they are equal.
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
            // Asked for by `metadata`.
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

    /// The address by which the payer's country is told: the instrument's, else the payment's.
    pub(super) fn payer_address(&self) -> Option<&'a Address> {
        let own = self
            .instrument
            .and_then(|one| one.holder.billing.as_deref());
        own.or(self.billing)
    }

    /// A zero amount charges nothing: it checks the instrument.
    pub fn only_verifies(&self) -> bool {
        self.total == 0
    }

    /// Whether it may be paid with this variety.
    pub(super) fn allows(&self, kind: PaymentMethodType) -> bool {
        self.allowed_types.is_empty() || self.allowed_types.contains(&kind)
    }

    /// Whether this account's processor keeps what is charged without the payer.
    pub(super) fn is_kept_by(&self, account: &ConnectorAccountId) -> bool {
        let mut kept = self.kept.iter();
        kept.any(|one| one.merchant_connector_id == *account)
    }

    /// Returns whether the charge is bound to other accounts than this one. Where it isn't known to which, it is bound to none.
    pub(super) fn is_bound_to_others_than(&self, account: &ConnectorAccountId) -> bool {
        let is_known = self.agreed_through.is_some() || !self.kept.is_empty();
        let is_its_own = self.is_kept_by(account) || self.agreed_through == Some(account);
        self.is_bound && is_known && !is_its_own
    }

    /// How the payment stands to later ones.
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

    /// An entry of the metadata: a text as it is, a number or truth as JSON writes it.
    fn metadata_entry(&self, key: &str) -> Option<Cow<'a, str>> {
        match self.metadata?.get(key)? {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            Value::Bool(truth) => Some(Cow::Owned(truth.to_string())),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}
