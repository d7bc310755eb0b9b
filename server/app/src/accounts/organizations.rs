//! Organizations: made for future merchant accounts, changed, and listed with their accounts. A platform
//! organization is created with its account: `identity/app/accounts.rs`. (Facts 7.2)

use std::sync::Arc;

use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::organization::{
    Organization, OrganizationUpdate, organization_name,
};
use multirail_kernel::ids::OrganizationId;
use multirail_kernel::refusal::{Object, Refusal};

use crate::accounts::ports::{OrganizationChange, OrganizationStore};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::platform::paging::page_size;
use crate::{AppError, Origin};

/// The largest page of accounts.
const LARGEST_PAGE: i64 = 100;

/// The use cases of organizations.
pub struct Organizations {
    pub base: Arc<Base>,
    pub store: Arc<dyn OrganizationStore>,
}

impl Organizations {
    /// Makes an organization whose accounts act only for themselves. A repeated name makes another organization.
    ///
    /// # Errors
    /// An empty name, or one of more than 64 characters.
    pub async fn create(
        &self,
        origin: &Origin,
        said: OrganizationUpdate,
    ) -> Result<Organization, AppError> {
        let blank = Organization::standard(None, self.base.now(), self.base.random.as_ref());
        let mut made = blank.update(said, self.base.now())?;
        let insert = OrganizationChange::Insert(made.clone());
        let changes = vec![self.store.change(insert)];
        let change_set = self.base.change_set(origin, None, ForKey::Nothing, changes);
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)?;
        made.version = 1;
        Ok(made)
    }

    /// Returns one organization.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub async fn find(&self, organization_id: &OrganizationId) -> Result<Organization, AppError> {
        let found = self.store.organization(organization_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::Organization).into())
    }

    /// Changes the members that are given.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], and the refusals of [`Organization::update`].
    pub async fn update(
        &self,
        origin: &Origin,
        organization_id: &OrganizationId,
        update: OrganizationUpdate,
    ) -> Result<Organization, AppError> {
        // An invalid name is refused whatever the organization.
        if let Some(name) = &update.organization_name {
            organization_name(name)?;
        }
        let mut decisions = Decisions::begin(Object::Organization);
        loop {
            let organization = self.find(organization_id).await?;
            let updated = organization.update(update.clone(), self.base.now())?;
            let change = OrganizationChange::Update(updated.clone());
            let changes = vec![self.store.change(change)];
            let change_set = self.base.change_set(origin, None, ForKey::Nothing, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(updated),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Returns a page of all organizations, newest first, for the operator.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a limit outside of 0 to 100.
    pub async fn list(
        &self,
        limit: Option<i64>,
        offset: i64,
    ) -> Result<Vec<Organization>, AppError> {
        let limit = page_size(limit, LARGEST_PAGE)?;
        Ok(self.store.organizations(limit, offset).await?)
    }

    /// Returns a page of the open accounts of all organizations, newest first, for the operator. Their ids begin with the
    /// given text. Their secrets stay sealed.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a limit outside of 0 to 100.
    pub async fn all_accounts(
        &self,
        beginning: &str,
        limit: Option<i64>,
        offset: i64,
    ) -> Result<Vec<MerchantAccount>, AppError> {
        let limit = page_size(limit, LARGEST_PAGE)?;
        Ok(self.store.accounts(beginning, limit, offset).await?)
    }

    /// Returns a page of the organization's accounts that are not closed, oldest first, without their secrets.
    ///
    /// # Errors
    /// [`Refusal::NotFound`]; [`Refusal::InvalidValue`] for a limit outside of 0 to 100.
    pub async fn accounts(
        &self,
        organization_id: &OrganizationId,
        limit: Option<i64>,
        offset: i64,
    ) -> Result<Vec<MerchantAccount>, AppError> {
        let limit = page_size(limit, LARGEST_PAGE)?;
        self.find(organization_id).await?;
        let store = &self.store;
        let found = store.accounts_of_organization(organization_id, limit, offset);
        Ok(found.await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use multirail_platform::{Change, Changes};

    use super::*;
    use crate::fixture::{Committed, Noted, base, operator};
    use crate::platform::ports::{CommitError, StoreFailure};

    /// One organization; each load returns the next version, as if others had changed it.
    struct OneOrganization(Mutex<Organization>);

    impl Changes<OrganizationChange> for OneOrganization {
        fn change(&self, change: OrganizationChange) -> Box<dyn Change> {
            Box::new(Noted(change))
        }
    }

    #[async_trait]
    impl OrganizationStore for OneOrganization {
        async fn organization(
            &self,
            organization_id: &OrganizationId,
        ) -> Result<Option<Organization>, StoreFailure> {
            let mut organization = self.0.lock().expect("no panic");
            organization.version += 1;
            let is_it = organization.organization_id == *organization_id;
            Ok(is_it.then(|| organization.clone()))
        }

        async fn organizations(&self, _: i64, _: i64) -> Result<Vec<Organization>, StoreFailure> {
            Ok(Vec::new())
        }

        async fn accounts(
            &self,
            _: &str,
            _: i64,
            _: i64,
        ) -> Result<Vec<MerchantAccount>, StoreFailure> {
            Ok(Vec::new())
        }

        async fn accounts_of_organization(
            &self,
            _: &OrganizationId,
            _: i64,
            _: i64,
        ) -> Result<Vec<MerchantAccount>, StoreFailure> {
            Ok(Vec::new())
        }
    }

    fn named(name: &str) -> OrganizationUpdate {
        OrganizationUpdate {
            organization_name: Some(name.to_owned()),
            ..OrganizationUpdate::default()
        }
    }

    fn service() -> (Organizations, Arc<Committed>, OrganizationId) {
        let committed = Arc::new(Committed::default());
        let base = base(&committed);
        let organization = Organization::standard(None, base.now(), base.random.as_ref());
        let id = organization.organization_id.clone();
        let store = Arc::new(OneOrganization(Mutex::new(organization)));
        (Organizations { base, store }, committed, id)
    }

    #[tokio::test(start_paused = true)]
    async fn an_update_is_decided_again_on_what_others_stored() {
        let (organizations, committed, id) = service();
        committed.refuse(CommitError::Conflict);
        let updated = organizations.update(&operator(), &id, named("Hats")).await;
        assert_eq!(updated.expect("stored").version, 2);
        let lines = committed.lines();
        assert_eq!(lines[0], "Admin for nobody");
        assert!(lines[1].contains("Update(Organization"), "{lines:?}");
        assert!(lines[1].contains("version: 2"), "{lines:?}");
        assert_eq!(lines.len(), 2);
    }

    #[tokio::test]
    async fn a_name_that_is_none_is_refused_before_anybody_looks() {
        let (organizations, committed, _) = service();
        let unknown = OrganizationId::parse("org_unknown").expect("an id");
        let refused = organizations.update(&operator(), &unknown, named("")).await;
        let refused = refused.expect_err("no name").to_string();
        assert!(refused.contains("organization_name"), "{refused}");
        assert_eq!(committed.lines(), Vec::<String>::new());
    }
}
