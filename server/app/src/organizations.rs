//! Organizations: made for merchant accounts to come, changed, and what accounts they have. Platforms are made with their
//! account: `users/accounts.rs`. (Facts 7.2)

use multirail_domain::ids::OrganizationId;
use multirail_domain::merchant::MerchantAccount;
use multirail_domain::organization::{Organization, OrganizationUpdate, organization_name};
use multirail_domain::refusal::{Object, Refusal};

use super::decisions::Decisions;
use super::idempotency::ForKey;
use super::paging::page_size;
use super::{App, AppError, Origin};
use crate::ports::OrganizationChange;

/// How many accounts a page has at most.
const LARGEST_PAGE: i64 = 100;

impl App {
    /// Makes an organization whose accounts stand for themselves. The same name again makes another one.
    ///
    /// # Errors
    /// A name of none or of more than 64 characters.
    pub async fn create_organization(
        &self,
        origin: &Origin,
        said: OrganizationUpdate,
    ) -> Result<Organization, AppError> {
        let blank = Organization::standard(None, self.now(), self.random.as_ref());
        let mut made = blank.update(said, self.now())?;
        let insert = OrganizationChange::Insert(made.clone());
        let changes = vec![self.store.change(insert).into()];
        let change_set = self.change_set(origin, None, ForKey::Nothing, changes);
        let committed = self.store.commit(change_set).await;
        committed.map_err(AppError::of_commit)?;
        made.version = 1;
        Ok(made)
    }

    /// One organization.
    ///
    /// # Errors
    /// [`Refusal::NotFound`].
    pub async fn organization(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Organization, AppError> {
        let found = self.store.organization(organization_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::Organization).into())
    }

    /// Changes what is given.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], and whatever [`Organization::update`] refuses.
    pub async fn update_organization(
        &self,
        origin: &Origin,
        organization_id: &OrganizationId,
        update: OrganizationUpdate,
    ) -> Result<Organization, AppError> {
        // A name that is none is so whatever the organization.
        if let Some(name) = &update.organization_name {
            organization_name(name)?;
        }
        let mut decisions = Decisions::begin(Object::Organization);
        loop {
            let organization = self.organization(organization_id).await?;
            let updated = organization.update(update.clone(), self.now())?;
            let change = OrganizationChange::Update(updated.clone());
            let changes = vec![self.store.change(change).into()];
            let change_set = self.change_set(origin, None, ForKey::Nothing, changes);
            match self.store.commit(change_set).await {
                Ok(()) => return Ok(updated),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// A page of the organization's accounts that are not closed, the first that was opened first, without their secrets.
    ///
    /// # Errors
    /// [`Refusal::NotFound`]; [`Refusal::InvalidValue`] for a limit outside of 0 to 100.
    pub async fn accounts_of_organization(
        &self,
        organization_id: &OrganizationId,
        limit: Option<i64>,
        offset: i64,
    ) -> Result<Vec<MerchantAccount>, AppError> {
        let limit = page_size(limit, LARGEST_PAGE)?;
        self.organization(organization_id).await?;
        let store = &self.store;
        let found = store.accounts_of_organization(organization_id, limit, offset);
        Ok(found.await?)
    }
}
