//! Changes to a profile's routing settings. (Facts 10.2, 10.5)

use multirail_kernel::ids::{ConnectorAccountId, RoutingId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use super::record::RoutingRecord;
use super::straight_through::Choice;
use crate::accounts::connector_account::ConnectorAccount;
use crate::accounts::profile::{
    DynamicFeature, DynamicKind, FallbackOrder, Profile, ProfileDynamic, ProfileRouting,
    TransactionType, WHOLE,
};

impl Profile {
    /// Activates this configuration for the profile. `wanted` is the transaction type that the caller expects.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] if it is active already or has another type than `wanted`. [`Refusal::FlowNotSupported`] for a
    /// kind that doesn't route payments, or a decision that no connector can carry out.
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
        if let Some(dynamic) = record.dynamic() {
            return self.with_dynamic_activated(&record.routing_id, dynamic.kind(), now);
        }
        if self.routing().active(of) == Some(&record.routing_id) {
            return Err(Refusal::precondition("the configuration is active already"));
        }
        match of {
            TransactionType::Payment => {}
            TransactionType::ThreeDsAuthentication => record.algorithm.check_decisions()?,
            TransactionType::Payout => {
                return Err(Refusal::FlowNotSupported {
                    flow: format!("activating a configuration for {of}"),
                });
            }
        }
        Ok(self.with_routing(now, |routing| {
            *routing.active_mut(of) = Some(record.routing_id.clone());
        }))
    }

    /// Deactivates the profile's configuration of this type.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] if none is active.
    pub fn deactivate(&self, of: TransactionType, now: Timestamp) -> Result<Self, Refusal> {
        if self.routing().active(of).is_none() {
            return Err(Refusal::precondition(format!(
                "no configuration for {of} is active"
            )));
        }
        Ok(self.with_routing(now, |routing| *routing.active_mut(of) = None))
    }

    /// Returns the profile's enabled accounts among `accounts` in the fallback order, the oldest first.
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
        order.sort_by_key(|account| {
            let id = &account.merchant_connector_id;
            self.routing().rank(of, id, account.enabled_since())
        });
        order
    }

    /// Sets the profile's fallback order.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] if the list isn't a permutation of the present accounts.
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

    /// Switches the profile to a new configuration of a kind with the feature `enable`. `None` if nothing changes.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] if a kind that is off is to be switched off.
    pub fn with_new_dynamic(
        &self,
        kind: DynamicKind,
        new: &RoutingId,
        enable: Option<DynamicFeature>,
        now: Timestamp,
    ) -> Result<Option<Self>, Refusal> {
        match (enable, self.learns(kind)) {
            (None, DynamicFeature::None) => {
                let none = DynamicFeature::None;
                Ok(Some(self.with_dynamic(kind, new, none, now)))
            }
            // The active configuration stays.
            (None, DynamicFeature::Metrics | DynamicFeature::DynamicConnectorSelection) => Ok(None),
            (Some(DynamicFeature::None), DynamicFeature::None) => Err(off_already(kind)),
            (Some(feature), _) => Ok(Some(self.with_dynamic(kind, new, feature, now))),
        }
    }

    /// Switches a kind of dynamic routing to another feature.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] if it has that feature already.
    pub fn with_dynamic_switched(
        &self,
        kind: DynamicKind,
        routing_id: &RoutingId,
        feature: DynamicFeature,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        match (feature, self.learns(kind)) {
            (DynamicFeature::None, DynamicFeature::None) => Err(off_already(kind)),
            (wanted, present) if wanted == present => Err(Refusal::precondition(format!(
                "{kind} does {wanted} already"
            ))),
            (wanted, _) => Ok(self.with_dynamic(kind, routing_id, wanted, now)),
        }
    }

    /// Replaces the configuration `old` by `new`; `None` if the profile doesn't use `old`.
    pub fn with_dynamic_replaced(
        &self,
        kind: DynamicKind,
        old: &RoutingId,
        new: &RoutingId,
        now: Timestamp,
    ) -> Option<Self> {
        let known = self.routing().dynamic(kind);
        let known = known.filter(|known| known.routing_id == *old)?;
        Some(self.with_dynamic(kind, new, known.feature, now))
    }

    /// Sets the share of payments that dynamic routing decides, in percent.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] above 100.
    pub fn with_dynamic_split(&self, split: u64, now: Timestamp) -> Result<Self, Refusal> {
        let split = u8::try_from(split).ok().filter(|split| *split <= WHOLE);
        let split = split
            .ok_or_else(|| Refusal::invalid_value("split has to lie between 0 and 100 percent"))?;
        Ok(self.with_routing(now, |routing| routing.dynamic_split = Some(split)))
    }

    fn with_dynamic_activated(
        &self,
        routing_id: &RoutingId,
        kind: Option<DynamicKind>,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let kind = kind.ok_or_else(|| Refusal::FlowNotSupported {
            flow: "activating a dynamic configuration other than elimination and success_based"
                .to_owned(),
        })?;
        let known = self.routing().dynamic(kind);
        let is_this = known.is_some_and(|known| known.routing_id == *routing_id);
        match self.learns(kind) {
            DynamicFeature::Metrics | DynamicFeature::DynamicConnectorSelection if is_this => {
                Err(Refusal::precondition("the configuration is active already"))
            }
            DynamicFeature::Metrics => {
                Ok(self.with_dynamic(kind, routing_id, DynamicFeature::Metrics, now))
            }
            DynamicFeature::DynamicConnectorSelection | DynamicFeature::None => {
                let feature = DynamicFeature::DynamicConnectorSelection;
                Ok(self.with_dynamic(kind, routing_id, feature, now))
            }
        }
    }

    fn learns(&self, kind: DynamicKind) -> DynamicFeature {
        let known = self.routing().dynamic(kind);
        known.map_or(DynamicFeature::None, |known| known.feature)
    }

    fn with_dynamic(
        &self,
        kind: DynamicKind,
        routing_id: &RoutingId,
        feature: DynamicFeature,
        now: Timestamp,
    ) -> Self {
        self.with_routing(now, |routing| {
            *routing.dynamic_mut(kind) = Some(ProfileDynamic {
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

fn off_already(kind: DynamicKind) -> Refusal {
    Refusal::precondition(format!("{kind} is off already"))
}
