//! Why an attempt went where it went: kept with the attempt.

use serde::{Deserialize, Serialize};

use super::algorithm::AlgorithmKind;
use crate::connector_account::Ineligible;
use crate::ids::{ConnectorAccountId, RoutingId};
use crate::unread::UnreadMembers;
use crate::words::words;

/// How many accounts a trace tells of.
pub const MOST_CONSIDERED: usize = 50;

words! {
    /// What put the accounts in order.
    pub enum RoutedBy {
        /// The payment's own `routing` or `connector`.
        Request = "request",
        /// The profile's active configuration.
        Configuration = "configuration",
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
        /// Its connector doesn't take the method.
        ConnectorPaymentMethod = "connector_payment_method",
        CaptureMethod = "capture_method",
        /// Its connector checks no cards without an amount.
        ZeroAmount = "zero_amount",
        ThreeDs = "three_ds",
        ExtendedAuthorization = "request_extended_authorization",
        Overcapture = "enable_overcapture",
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
        }
    }
}

words! {
    /// Why an account that can take the payment is tried after the others.
    pub enum Moved {
        Elimination = "elimination",
    }
}

/// Why an attempt went where it went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoutingTrace {
    pub by: RoutedBy,
    /// The configuration that was active, and what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing_id: Option<RoutingId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<AlgorithmKind>,
    /// The name of the rule that matched; none did where there are rules and this says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The accounts in the order in which they were looked at, [`MOST_CONSIDERED`] at most.
    pub candidates: Vec<Considered>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl RoutingTrace {
    /// The account that was tried first.
    pub fn chosen(&self) -> Option<&Considered> {
        let able = || self.candidates.iter().filter(|one| one.dropped.is_none());
        let mut unmoved = able().filter(|one| one.moved.is_none());
        unmoved.next().or_else(|| able().next())
    }
}

/// An account that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Considered {
    pub connector: String,
    pub merchant_connector_id: ConnectorAccountId,
    /// Why it can't take the payment; it can where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Dropped>,
    /// Why it is tried after the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// By the account's fee table, in minor units of the payment's currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_cost: Option<i64>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}
