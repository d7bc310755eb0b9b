//! What a profile says about routing: which configurations are active, and in which order its accounts are tried where
//! none is. It is part of the profile's record, so that a payment reads it with the profile. (facts 10.2, 10.5)

use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use super::Profile;

/// All payments, in percent.
pub(crate) const WHOLE: u8 = 100;

words! {
    /// What a configuration decides about (`algorithm_for`).
    pub enum TransactionType {
        Payment = "payment",
        Payout = "payout",
        ThreeDsAuthentication = "three_ds_authentication",
    }
}

words! {
    /// By what it learns.
    pub enum DynamicKind {
        Elimination = "elimination",
        SuccessBased = "success_based",
    }
}

words! {
    /// What a kind of dynamic routing does.
    pub enum DynamicFeature {
        /// It counts, and moves nothing.
        Metrics = "metrics",
        /// It puts accounts in order.
        DynamicConnectorSelection = "dynamic_connector_selection",
        /// Nothing.
        None = "none",
    }
}

impl DynamicFeature {
    /// It changes where payments go.
    pub fn selects(self) -> bool {
        match self {
            DynamicFeature::DynamicConnectorSelection => true,
            DynamicFeature::Metrics | DynamicFeature::None => false,
        }
    }

    /// It has outcomes counted.
    pub fn counts(self) -> bool {
        match self {
            DynamicFeature::DynamicConnectorSelection | DynamicFeature::Metrics => true,
            DynamicFeature::None => false,
        }
    }
}

/// A profile's routing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProfileRouting {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<RoutingId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout: Option<RoutingId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub three_ds_authentication: Option<RoutingId>,
    /// The order of last resort for payments, where the merchant set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_fallback: Option<FallbackOrder>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payout_fallback: Option<FallbackOrder>,
    /// The configuration of elimination that was made last, and what it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elimination: Option<ProfileDynamic>,
    /// The same of success rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_based: Option<ProfileDynamic>,
    /// Of how many payments dynamic routing decides, in percent; of all where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic_split: Option<u8>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// An order of accounts, and since when it holds. What was switched on later stands behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FallbackOrder {
    pub accounts: Vec<ConnectorAccountId>,
    pub set_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What a kind of dynamic routing does in a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileDynamic {
    pub routing_id: RoutingId,
    pub feature: DynamicFeature,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl ProfileRouting {
    /// The configuration that is active for such transactions.
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

    /// The configuration of a kind of dynamic routing, and what it does.
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

    /// Of how many payments dynamic routing decides, in percent.
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

    /// The place of an account in the order of last resort; a smaller one is tried earlier. Of equal ones the older account
    /// comes first. `since`: when it could be chosen for the first time, see
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
    /// What it says about routing.
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
