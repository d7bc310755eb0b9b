//! Why an attempt went where it went: kept with the attempt.

use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use super::algorithm::AlgorithmKind;
use super::program::ThreeDsDecision;
use crate::accounts::connector_account::Ineligible;

/// How many accounts a trace tells of.
pub const MOST_CONSIDERED: usize = 50;

words! {
    /// What put the accounts in order.
    pub enum RoutedBy {
        /// The payment's own `routing` or `connector`.
        Request = "request",
        /// The profile's active configuration.
        Configuration = "configuration",
        /// The wallet that pays: the account through which the checkout was offered it goes first.
        Session = "session",
        /// What is charged: the processors that keep it go first.
        Mandate = "mandate",
        /// The profile's order of last resort.
        Default = "default",
    }
}

words! {
    /// Why an account is not eligible for a payment.
    pub enum Dropped {
        ConnectorType = "connector_type",
        Disabled = "disabled",
        PaymentMethod = "payment_method",
        PaymentMethodType = "payment_method_type",
        CardNetwork = "card_network",
        Currency = "currency",
        Country = "country",
        Amount = "amount",
        /// Charges without the payer, and saving for them, are not enabled.
        Recurring = "recurring_enabled",
        /// Its connector doesn't take the method.
        ConnectorPaymentMethod = "connector_payment_method",
        CaptureMethod = "capture_method",
        /// Its connector checks no cards without an amount.
        ZeroAmount = "zero_amount",
        ThreeDs = "three_ds",
        /// Its connector authenticates nobody of whose browser too little is known.
        Browser = "browser_info",
        /// Its processor can't count the amount, or charges nothing so small.
        ProcessorAmount = "processor_amount",
        ExtendedAuthorization = "request_extended_authorization",
        Overcapture = "enable_overcapture",
        /// The payer agreed to the charge through another account, and the profile lets it go nowhere else.
        AgreedElsewhere = "is_connector_agnostic_mit_enabled",
        /// It refused the payment within the same confirm.
        Tried = "tried",
    }
}

impl From<Ineligible> for Dropped {
    fn from(reason: Ineligible) -> Self {
        match reason {
            Ineligible::ConnectorType => Dropped::ConnectorType,
            Ineligible::Disabled => Dropped::Disabled,
            Ineligible::PaymentMethod => Dropped::PaymentMethod,
            Ineligible::PaymentMethodType => Dropped::PaymentMethodType,
            Ineligible::CardNetwork => Dropped::CardNetwork,
            Ineligible::Currency => Dropped::Currency,
            Ineligible::Country => Dropped::Country,
            Ineligible::Amount => Dropped::Amount,
            Ineligible::Recurring => Dropped::Recurring,
        }
    }
}

words! {
    /// Why an account that can take the payment is tried after the others.
    pub enum Moved {
        Elimination = "elimination",
    }
}

/// Why an attempt went where it went. [`KeptTrace`](super::KeptTrace) says how it rests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutingTrace {
    pub by: RoutedBy,
    /// The configuration that was active, and what it is.
    pub routing_id: Option<RoutingId>,
    pub kind: Option<AlgorithmKind>,
    /// The name of the rule that matched; none did where there are rules and this says nothing.
    pub rule: Option<String>,
    /// The accounts in the order in which they were looked at, or in that of their success rates, [`MOST_CONSIDERED`] at most.
    pub candidates: Vec<Considered>,
    /// What dynamic routing did, where it puts the accounts of the profile in order.
    pub dynamic: Option<DynamicTrace>,
}

impl RoutingTrace {
    /// The account that the attempt went to.
    pub fn chosen(&self) -> Option<&Considered> {
        if let Some(explored) = self.explored().filter(|one| one.dropped.is_none()) {
            return Some(explored);
        }
        let able = || self.candidates.iter().filter(|one| one.dropped.is_none());
        let mut unmoved = able().filter(|one| one.moved.is_none());
        unmoved.next().or_else(|| able().next())
    }

    /// Says of these accounts that they were tried before.
    pub fn tried(&mut self, is_tried: impl Fn(&ConnectorAccountId) -> bool) {
        for one in &mut self.candidates {
            if one.dropped.is_none() && is_tried(&one.merchant_connector_id) {
                one.dropped = Some(Dropped::Tried);
            }
        }
    }

    /// The account that was tried first by chance.
    fn explored(&self) -> Option<&Considered> {
        let explored = self.dynamic.as_ref()?.explored.as_ref()?;
        let mut candidates = self.candidates.iter();
        candidates.find(|one| one.merchant_connector_id == *explored)
    }
}

/// What dynamic routing did about a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DynamicTrace {
    /// It decided of the payment; else the payment is of the share that goes without it.
    pub applies: bool,
    /// The configuration by which success rates put the accounts in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_based: Option<RoutingId>,
    /// The account that was tried first by chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<ConnectorAccountId>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What the rules of a profile decided about 3-D Secure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreeDsDecided {
    /// The configuration with the rules.
    pub routing_id: RoutingId,
    pub decision: ThreeDsDecision,
    /// The name of the rule that matched; the default decided where this says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// An account that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Considered {
    pub connector: String,
    pub merchant_connector_id: ConnectorAccountId,
    /// Why it can't take the payment; it can where nothing is said.
    #[serde(default)]
    pub dropped: Option<Dropped>,
    /// Why it is tried after the others.
    #[serde(default)]
    pub moved: Option<Moved>,
    /// By which it was put in order, in hundredths of a percent.
    #[serde(default)]
    pub success_rate: Option<u32>,
    /// By the account's fee table, in minor units of the payment's currency.
    #[serde(default)]
    pub expected_cost: Option<i64>,
}
