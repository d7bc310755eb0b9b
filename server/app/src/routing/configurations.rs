//! Stores and reads configurations.

use std::sync::Arc;

use multirail_domain::routing::{NewRouting, RoutingRecord, TransactionType};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_kernel::refusal::{Object, Refusal};

use super::super::{AppError, Origin};
use super::Routing;
use crate::accounts::profiles::is_in;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::paging::page_size;
use crate::routing::ports::{RoutingChange, RoutingSearch};

/// The largest page, also the default.
const PAGE: i64 = 100;

/// The request, translated.
#[derive(Debug)]
pub struct CreateRouting {
    pub profile_id: ProfileId,
    pub routing: NewRouting,
}

/// The request, translated.
#[derive(Debug)]
pub struct ListRouting {
    pub profile_id: Option<ProfileId>,
    pub transaction_type: TransactionType,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

/// A page of a merchant's configurations.
#[derive(Debug)]
pub struct RoutingPage {
    /// The configurations, last stored first.
    pub records: Vec<RoutingRecord>,
    /// The active configuration of the page's profile, else of the merchant's default profile.
    pub active_id: Option<RoutingId>,
}

/// The active configurations of a merchant's profiles.
#[derive(Debug)]
pub struct ActiveRouting {
    /// The configuration of the named profile.
    pub of_profile: Option<Arc<RoutingRecord>>,
    /// The configurations of all profiles, oldest profile first.
    pub records: Vec<Arc<RoutingRecord>>,
}

impl Routing {
    /// Stores a configuration, which is not active yet.
    ///
    /// # Errors
    /// An unknown profile, texts out of bounds, a choice that names no account of the profile.
    pub async fn create(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        request: CreateRouting,
    ) -> Result<RoutingRecord, AppError> {
        let profile_id = request.profile_id;
        self.profiles
            .stored(merchant_id, &profile_id, scope)
            .await?;
        let accounts = self
            .accounts
            .store
            .connector_accounts(merchant_id, Some(&profile_id));
        let accounts = accounts.await?;
        let record = RoutingRecord::create(
            request.routing,
            merchant_id.clone(),
            profile_id,
            &accounts,
            self.base.now(),
            self.base.random.as_ref(),
        )?;
        let for_key = ForKey::Whole {
            object_id: record.routing_id.as_str(),
            made: Made::object(&record, None),
        };
        let insert = RoutingChange::Insert(Box::new(record.clone()));
        let changes = vec![self.store.change(insert)];
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), for_key, changes);
        let stored = self.base.commit(change_set).await;
        stored.map_err(AppError::of_commit)?;
        Ok(record)
    }

    /// Returns a page. `limit` is 0 to 100, by default 100.
    ///
    /// # Errors
    /// A limit out of range, an unknown profile.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        request: ListRouting,
    ) -> Result<RoutingPage, AppError> {
        let limit = page_size(request.limit.or(Some(PAGE)), PAGE)?;
        let offset = request.offset.unwrap_or(0);
        if offset < 0 {
            return Err(Refusal::invalid_value("offset can't be negative").into());
        }
        let of = request.transaction_type;
        let profile_id = request.profile_id.or_else(|| scope.cloned());
        let active_id = match &profile_id {
            Some(profile_id) => {
                let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
                profile.routing().active(of).cloned()
            }
            None => {
                let merchant = self.merchants.find(merchant_id).await?;
                match &merchant.default_profile {
                    None => None,
                    Some(default) => {
                        let profile = self.profiles.store.profile(merchant_id, default).await?;
                        profile.and_then(|profile| profile.routing().active(of).cloned())
                    }
                }
            }
        };
        let search = RoutingSearch {
            transaction_type: of,
            profile_id,
            limit,
            offset,
        };
        Ok(RoutingPage {
            records: self.store.search_routing(merchant_id, &search).await?,
            active_id,
        })
    }

    /// Returns one configuration.
    ///
    /// # Errors
    /// An unknown configuration.
    pub async fn find(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        routing_id: &RoutingId,
    ) -> Result<Arc<RoutingRecord>, AppError> {
        self.store
            .routing_record(merchant_id, routing_id)
            .await?
            .filter(|record| is_in(scope, &record.profile_id))
            .ok_or_else(|| Refusal::not_found(Object::RoutingConfiguration).into())
    }

    /// Returns the active configurations for such transactions, in one profile or in all.
    ///
    /// # Errors
    /// An unknown profile.
    pub async fn active(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        profile_id: Option<ProfileId>,
        of: TransactionType,
    ) -> Result<ActiveRouting, AppError> {
        let profile_id = profile_id.or_else(|| scope.cloned());
        let mut ids = Vec::new();
        match &profile_id {
            Some(profile_id) => {
                let profile = self.profiles.stored(merchant_id, profile_id, scope).await?;
                ids.extend(profile.routing().active(of).cloned());
            }
            None => {
                let profiles = self.profiles.store.profiles(merchant_id).await?;
                let profiles = profiles.iter();
                ids.extend(profiles.filter_map(|profile| profile.routing().active(of).cloned()));
            }
        }
        let mut records = Vec::with_capacity(ids.len());
        for id in &ids {
            records.push(self.stored(merchant_id, id).await?);
        }
        let of_profile = records.first().filter(|_| profile_id.is_some()).cloned();
        Ok(ActiveRouting {
            of_profile,
            records,
        })
    }

    /// Returns a configuration that a profile names.
    pub(crate) async fn stored(
        &self,
        merchant_id: &MerchantId,
        routing_id: &RoutingId,
    ) -> Result<Arc<RoutingRecord>, AppError> {
        let record = self.store.routing_record(merchant_id, routing_id).await?;
        record.ok_or_else(|| {
            AppError::Broken(format!("the routing configuration {routing_id} is gone"))
        })
    }
}
