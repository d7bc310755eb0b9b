//! A profile's routing: its active configurations, and the fallback order of its accounts. It is part of the profile's record,
//! so that a payment reads both together. (Facts 10.2, 10.5)

use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use super::Profile;

/// All payments, in percent.
pub(crate) const WHOLE: u8 = 100;

words! {
    /// The kind of transaction that a configuration routes (`algorithm_for`).
    pub enum TransactionType {
        Payment = "payment",
        Payout = "payout",
        ThreeDsAuthentication = "three_ds_authentication",
    }
}

words! {
    /// Kinds of dynamic routing, by what they learn from.
    pub enum DynamicKind {
        Elimination = "elimination",
        SuccessBased = "success_based",
    }
}

words! {
    /// The effect of a kind of dynamic routing.
    pub enum DynamicFeature {
        /// Counts outcomes without changing the order.
        Metrics = "metrics",
        /// Sorts the accounts.
        DynamicConnectorSelection = "dynamic_connector_selection",
        /// Off.
        None = "none",
    }
}

impl DynamicFeature {
    /// Returns whether the feature changes which account is charged.
    pub fn selects(self) -> bool {
        match self {
            DynamicFeature::DynamicConnectorSelection => true,
            DynamicFeature::Metrics | DynamicFeature::None => false,
        }
    }

    /// Returns whether the feature counts outcomes.
    pub fn counts(self) -> bool {
        match self {
            DynamicFeature::DynamicConnectorSelection | DynamicFeature::Metrics => true,
            DynamicFeature::None => false,
        }
    }
}

/// A profile's routing settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProfileRouting {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<RoutingId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout: Option<RoutingId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub three_ds_authentication: Option<RoutingId>,
    /// The fallback order for payments, if the merchant set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_fallback: Option<FallbackOrder>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout_fallback: Option<FallbackOrder>,
    /// The newest elimination configuration, and its feature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elimination: Option<ProfileDynamic>,
    /// The newest success rate configuration, and its feature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_based: Option<ProfileDynamic>,
    /// Share of payments that dynamic routing decides, in percent; all if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic_split: Option<u8>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// An order of accounts, and when it was set. Accounts that were switched on later come after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FallbackOrder {
    pub accounts: Vec<ConnectorAccountId>,
    pub set_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The configuration and feature of one kind of dynamic routing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileDynamic {
    pub routing_id: RoutingId,
    pub feature: DynamicFeature,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl ProfileRouting {
    /// Returns the active configuration for such transactions.
    pub fn active(&self, of: TransactionType) -> Option<&RoutingId> {
        match of {
            TransactionType::Payment => self.payment.as_ref(),
            TransactionType::Payout => self.payout.as_ref(),
            TransactionType::ThreeDsAuthentication => self.three_ds_authentication.as_ref(),
        }
    }

    pub(crate) fn active_mut(&mut self, of: TransactionType) -> &mut Option<RoutingId> {
        match of {
            TransactionType::Payment => &mut self.payment,
            TransactionType::Payout => &mut self.payout,
            TransactionType::ThreeDsAuthentication => &mut self.three_ds_authentication,
        }
    }

    /// Returns the configuration and feature of one kind of dynamic routing.
    pub fn dynamic(&self, kind: DynamicKind) -> Option<&ProfileDynamic> {
        match kind {
            DynamicKind::Elimination => self.elimination.as_ref(),
            DynamicKind::SuccessBased => self.success_based.as_ref(),
        }
    }

    pub(crate) fn dynamic_mut(&mut self, kind: DynamicKind) -> &mut Option<ProfileDynamic> {
        match kind {
            DynamicKind::Elimination => &mut self.elimination,
            DynamicKind::SuccessBased => &mut self.success_based,
        }
    }

    /// Returns the share of payments that dynamic routing decides, in percent.
    pub fn dynamic_split(&self) -> u8 {
        self.dynamic_split.unwrap_or(WHOLE).min(WHOLE)
    }

    pub(crate) fn fallback(&self, of: TransactionType) -> Option<&FallbackOrder> {
        match of {
            TransactionType::Payment => self.payment_fallback.as_ref(),
            TransactionType::Payout => self.payout_fallback.as_ref(),
            TransactionType::ThreeDsAuthentication => None,
        }
    }

    /// Returns the place of an account in the fallback order; a smaller one is tried earlier. Among equal places the older
    /// account comes first. `since`: when the account could first be chosen, see
    /// [`ConnectorAccount::enabled_since`](crate::accounts::connector_account::ConnectorAccount::enabled_since).
    pub fn rank(
        &self,
        of: TransactionType,
        account: &ConnectorAccountId,
        since: Timestamp,
    ) -> (usize, Timestamp) {
        let set = self.fallback(of).filter(|order| since <= order.set_at);
        let place = set.and_then(|order| {
            let mut accounts = order.accounts.iter();
            accounts.position(|id| id == account)
        });
        match place {
            Some(place) => (place, Timestamp::EPOCH),
            None => (usize::MAX, since),
        }
    }
}

impl Profile {
    /// Returns the profile's routing settings.
    pub fn routing(&self) -> &ProfileRouting {
        static NOTHING_SAID: ProfileRouting = ProfileRouting {
            payment: None,
            payout: None,
            three_ds_authentication: None,
            payment_fallback: None,
            payout_fallback: None,
            elimination: None,
            success_based: None,
            dynamic_split: None,
            unread: UnreadMembers::NONE,
        };
        self.routing.as_deref().unwrap_or(&NOTHING_SAID)
    }
}
