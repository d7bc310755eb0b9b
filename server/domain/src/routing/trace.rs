//! The record of an attempt's routing, stored with the attempt.

use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use super::algorithm::AlgorithmKind;
use super::program::ThreeDsDecision;
use crate::accounts::connector_account::Ineligible;

/// The largest number of accounts in a trace.
pub const MOST_CONSIDERED: usize = 50;

words! {
    /// The reason for the order of accounts.
    pub enum RoutedBy {
        /// The payment's own `routing` or `connector`.
        Request = "request",
        /// The profile's active configuration.
        Configuration = "configuration",
        /// The paying wallet: the account that offered it in the checkout goes first.
        Session = "session",
        /// The saved payment method: processors that store it go first.
        Mandate = "mandate",
        /// The profile's fallback order.
        Default = "default",
    }
}

words! {
    /// The reason why an account isn't eligible for a payment.
    pub enum Dropped {
        ConnectorType = "connector_type",
        Disabled = "disabled",
        PaymentMethod = "payment_method",
        PaymentMethodType = "payment_method_type",
        CardNetwork = "card_network",
        Currency = "currency",
        Country = "country",
        Amount = "amount",
        /// The account isn't enabled for charges without the payer, or for saving a method for them.
        Recurring = "recurring_enabled",
        /// The connector doesn't support the payment method.
        ConnectorPaymentMethod = "connector_payment_method",
        /// The connector doesn't support the payment method type in this currency.
        ConnectorCurrency = "connector_currency",
        /// The connector doesn't support the payment method type for payers of this country.
        ConnectorCountry = "connector_country",
        CaptureMethod = "capture_method",
        /// The connector can't verify a card without an amount.
        ZeroAmount = "zero_amount",
        ThreeDs = "three_ds",
        /// The connector needs more data of the browser for an authentication.
        Browser = "browser_info",
        /// The processor can't represent the amount, or doesn't charge so small an amount.
        ProcessorAmount = "processor_amount",
        ExtendedAuthorization = "request_extended_authorization",
        Overcapture = "enable_overcapture",
        /// The payment lacks a member that the connector needs for the payment method type.
        RequiredField = "required_fields",
        /// The payer agreed to the charge through another account, and the profile binds it to that.
        AgreedElsewhere = "is_connector_agnostic_mit_enabled",
        /// The account refused the payment within the same confirm.
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
    /// The reason why an eligible account is tried after the others.
    pub enum Moved {
        Elimination = "elimination",
    }
}

/// The record of an attempt's routing. [`StoredTrace`](super::StoredTrace) is its stored form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutingTrace {
    pub by: RoutedBy,
    /// The active configuration, and its kind.
    pub routing_id: Option<RoutingId>,
    pub kind: Option<AlgorithmKind>,
    /// The name of the rule that matched; `None` if there are no rules or none matched.
    pub rule: Option<String>,
    /// The accounts in the order of their checks, or of their success rates. At most [`MOST_CONSIDERED`].
    pub candidates: Vec<Considered>,
    /// The part of dynamic routing, if it orders the profile's accounts.
    pub dynamic: Option<DynamicTrace>,
}

impl RoutingTrace {
    /// Returns the account that the attempt used.
    pub fn chosen(&self) -> Option<&Considered> {
        if let Some(explored) = self.explored().filter(|one| one.dropped.is_none()) {
            return Some(explored);
        }
        let able = || self.candidates.iter().filter(|one| one.dropped.is_none());
        let mut unmoved = able().filter(|one| one.moved.is_none());
        unmoved.next().or_else(|| able().next())
    }

    /// Marks accounts that were tried before.
    pub fn tried(&mut self, is_tried: impl Fn(&ConnectorAccountId) -> bool) {
        for one in &mut self.candidates {
            if one.dropped.is_none() && is_tried(&one.merchant_connector_id) {
                one.dropped = Some(Dropped::Tried);
            }
        }
    }

    /// Returns the account that was drawn at random to explore.
    fn explored(&self) -> Option<&Considered> {
        let explored = self.dynamic.as_ref()?.explored.as_ref()?;
        let mut candidates = self.candidates.iter();
        candidates.find(|one| one.merchant_connector_id == *explored)
    }
}

/// The part of dynamic routing in an attempt's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DynamicTrace {
    /// True if it decided the payment. If not, the payment is in the share without dynamic routing.
    pub applies: bool,
    /// The configuration whose success rates ordered the accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_based: Option<RoutingId>,
    /// The account that was drawn at random to explore.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<ConnectorAccountId>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The decision about 3-D Secure by a profile's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreeDsDecided {
    /// The configuration with the rules.
    pub routing_id: RoutingId,
    pub decision: ThreeDsDecision,
    /// The name of the rule that matched; `None` if the default decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// An account that routing checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Considered {
    pub connector: String,
    pub merchant_connector_id: ConnectorAccountId,
    /// The reason why it isn't eligible; `None` if it is.
    #[serde(default)]
    pub dropped: Option<Dropped>,
    /// The reason why it is tried after the others.
    #[serde(default)]
    pub moved: Option<Moved>,
    /// The success rate that ordered it, in hundredths of a percent.
    #[serde(default)]
    pub success_rate: Option<u32>,
    /// Expected cost by the account's fee table, in minor units of the payment's currency.
    #[serde(default)]
    pub expected_cost: Option<i64>,
}
