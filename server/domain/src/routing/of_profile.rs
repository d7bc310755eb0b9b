//! What a profile says about routing: which configurations are active, and in which order its accounts are tried where
//! none is. It is part of the profile's record, so that a payment reads it with the profile. (facts 10.2, 10.5)

use serde::{Deserialize, Serialize};

use super::algorithm::{AlgorithmKind, TransactionType};
use super::elimination::EliminationFeature;
use super::record::RoutingRecord;
use super::straight_through::Choice;
use crate::connector_account::ConnectorAccount;
use crate::ids::{ConnectorAccountId, RoutingId};
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;

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
    pub elimination: Option<ProfileElimination>,
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

/// What elimination does in a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileElimination {
    pub routing_id: RoutingId,
    pub feature: EliminationFeature,
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

    fn active_mut(&mut self, of: TransactionType) -> &mut Option<RoutingId> {
        match of {
            TransactionType::Payment => &mut self.payment,
            TransactionType::Payout => &mut self.payout,
            TransactionType::ThreeDsAuthentication => &mut self.three_ds_authentication,
        }
    }

    fn fallback(&self, of: TransactionType) -> Option<&FallbackOrder> {
        match of {
            TransactionType::Payment => self.payment_fallback.as_ref(),
            TransactionType::Payout => self.payout_fallback.as_ref(),
            TransactionType::ThreeDsAuthentication => None,
        }
    }

    /// The place of an account in the order of last resort; a smaller one is tried earlier. Of equal ones the older account
    /// comes first.
    pub fn rank(&self, of: TransactionType, account: &ConnectorAccount) -> (usize, Timestamp) {
        let since = account.enabled_at.unwrap_or(account.created_at);
        let set = self.fallback(of).filter(|order| since <= order.set_at);
        let place = set.and_then(|order| {
            let mut accounts = order.accounts.iter();
            accounts.position(|id| *id == account.merchant_connector_id)
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
            unread: UnreadMembers::NONE,
        };
        self.routing.as_deref().unwrap_or(&NOTHING_SAID)
    }

    /// The profile with this configuration active. `wanted` is for what the caller believes that it is.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] where it is active already or for other transactions than `wanted`;
    /// [`Refusal::FlowNotSupported`] for a kind that no payment goes by.
    pub fn activate(
        &self,
        record: &RoutingRecord,
        wanted: Option<TransactionType>,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let of = record.transaction_type;
        if wanted.is_some_and(|wanted| wanted != of) {
            return Err(Refusal::precondition(format!(
                "the configuration is for transaction_type {of}"
            )));
        }
        if record.kind() == AlgorithmKind::Dynamic {
            return self.with_elimination_activated(record, now);
        }
        if self.routing().active(of) == Some(&record.routing_id) {
            return Err(Refusal::precondition("the configuration is active already"));
        }
        match of {
            TransactionType::Payment => {}
            TransactionType::Payout | TransactionType::ThreeDsAuthentication => {
                return Err(Refusal::FlowNotSupported {
                    flow: format!("activating a configuration for {of}"),
                });
            }
        }
        Ok(self.with_routing(now, |routing| {
            *routing.active_mut(of) = Some(record.routing_id.clone());
        }))
    }

    /// The profile without an active configuration of this type.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] where none is active.
    pub fn deactivate(&self, of: TransactionType, now: Timestamp) -> Result<Self, Refusal> {
        if self.routing().active(of).is_none() {
            return Err(Refusal::precondition(format!(
                "no configuration for {of} is active"
            )));
        }
        Ok(self.with_routing(now, |routing| *routing.active_mut(of) = None))
    }

    /// The accounts of the profile in the order of last resort: those that take part, of `accounts`, the oldest first.
    pub fn fallback<'a, A: AsRef<ConnectorAccount>>(
        &self,
        of: TransactionType,
        accounts: &'a [A],
    ) -> Vec<&'a ConnectorAccount> {
        let accounts = accounts.iter().map(AsRef::as_ref);
        let mut order: Vec<&ConnectorAccount> = accounts
            .filter(|account| account.profile_id == self.profile_id)
            .filter(|account| Some(account.connector_type) == of.routable() && !account.disabled)
            .collect();
        order.sort_by_key(|account| self.routing().rank(of, account));
        order
    }

    /// The profile with its accounts tried in this order.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] where it is not an order of the very accounts that are in it now.
    pub fn reorder<A: AsRef<ConnectorAccount>>(
        &self,
        of: TransactionType,
        wanted: &[Choice],
        accounts: &[A],
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let current = self.fallback(of, accounts);
        if wanted.len() != current.len() {
            return Err(Refusal::precondition(format!(
                "connectors has to name each of the {} accounts that are in the list now, and names {}",
                current.len(),
                wanted.len()
            )));
        }
        let mut ordered: Vec<ConnectorAccountId> = Vec::with_capacity(wanted.len());
        for (place, choice) in wanted.iter().enumerate() {
            let mut named = current.iter().filter(|account| {
                account.connector_name == choice.connector
                    && choice
                        .merchant_connector_id
                        .as_ref()
                        .is_none_or(|id| *id == account.merchant_connector_id)
            });
            let refused = |why: &str| {
                Err::<Self, _>(Refusal::precondition(format!("connectors[{place}] {why}")))
            };
            let account = match (named.next(), named.next()) {
                (Some(only), None) => only,
                (Some(_), Some(_)) => {
                    return refused("needs a merchant_connector_id: there are several accounts");
                }
                (None, _) => return refused("names no account that is in the list now"),
            };
            if ordered.contains(&account.merchant_connector_id) {
                return refused("names an account that stands before it already");
            }
            ordered.push(account.merchant_connector_id.clone());
        }
        let order = Some(FallbackOrder {
            accounts: ordered,
            set_at: now,
            unread: UnreadMembers::default(),
        });
        Ok(self.with_routing(now, |routing| match of {
            TransactionType::Payment => routing.payment_fallback = order,
            TransactionType::Payout => routing.payout_fallback = order,
            TransactionType::ThreeDsAuthentication => {}
        }))
    }

    /// The profile that goes by a new configuration of elimination, as far as `enable` says so; `None` where nothing changes.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] where elimination is to do nothing and does nothing.
    pub fn with_new_elimination(
        &self,
        new: &RoutingId,
        enable: Option<EliminationFeature>,
        now: Timestamp,
    ) -> Result<Option<Self>, Refusal> {
        match (enable, self.eliminates()) {
            (None, EliminationFeature::None) => Ok(Some(self.with_elimination(
                new,
                EliminationFeature::None,
                now,
            ))),
            // What is active stays so.
            (None, EliminationFeature::Metrics | EliminationFeature::DynamicConnectorSelection) => {
                Ok(None)
            }
            (Some(EliminationFeature::None), EliminationFeature::None) => Err(off_already()),
            (Some(feature), _) => Ok(Some(self.with_elimination(new, feature, now))),
        }
    }

    /// The profile in which elimination does something else.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] where it does that already.
    pub fn with_elimination_switched(
        &self,
        routing_id: &RoutingId,
        feature: EliminationFeature,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        match (feature, self.eliminates()) {
            (EliminationFeature::None, EliminationFeature::None) => Err(off_already()),
            (wanted, present) if wanted == present => Err(Refusal::precondition(format!(
                "elimination does {wanted} already"
            ))),
            (wanted, _) => Ok(self.with_elimination(routing_id, wanted, now)),
        }
    }

    /// The profile that goes by `new` where it went by `old`; `None` where it didn't.
    pub fn with_elimination_replaced(
        &self,
        old: &RoutingId,
        new: &RoutingId,
        now: Timestamp,
    ) -> Option<Self> {
        let known = self.routing().elimination.as_ref();
        let known = known.filter(|known| known.routing_id == *old)?;
        Some(self.with_elimination(new, known.feature, now))
    }

    fn with_elimination_activated(
        &self,
        record: &RoutingRecord,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        if record.elimination().is_none() {
            return Err(Refusal::FlowNotSupported {
                flow: "activating a dynamic configuration other than elimination".to_owned(),
            });
        }
        let known = self.routing().elimination.as_ref();
        let is_this = known.is_some_and(|known| known.routing_id == record.routing_id);
        match self.eliminates() {
            EliminationFeature::Metrics | EliminationFeature::DynamicConnectorSelection
                if is_this =>
            {
                Err(Refusal::precondition("the configuration is active already"))
            }
            EliminationFeature::Metrics => {
                Ok(self.with_elimination(&record.routing_id, EliminationFeature::Metrics, now))
            }
            EliminationFeature::DynamicConnectorSelection | EliminationFeature::None => {
                let feature = EliminationFeature::DynamicConnectorSelection;
                Ok(self.with_elimination(&record.routing_id, feature, now))
            }
        }
    }

    fn eliminates(&self) -> EliminationFeature {
        let known = self.routing().elimination.as_ref();
        known.map_or(EliminationFeature::None, |known| known.feature)
    }

    fn with_elimination(
        &self,
        routing_id: &RoutingId,
        feature: EliminationFeature,
        now: Timestamp,
    ) -> Self {
        self.with_routing(now, |routing| {
            routing.elimination = Some(ProfileElimination {
                routing_id: routing_id.clone(),
                feature,
                unread: UnreadMembers::default(),
            });
        })
    }

    fn with_routing(&self, now: Timestamp, change: impl FnOnce(&mut ProfileRouting)) -> Self {
        let mut profile = self.clone();
        change(profile.routing.get_or_insert_default());
        profile.modified_at = now;
        profile
    }
}

fn off_already() -> Refusal {
    Refusal::precondition("elimination is off already")
}
