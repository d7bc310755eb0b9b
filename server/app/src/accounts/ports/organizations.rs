//! Stored organizations.

use async_trait::async_trait;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::organization::Organization;
use multirail_kernel::ids::OrganizationId;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of an organization.
#[derive(Debug)]
pub enum OrganizationChange {
    Insert(Organization),
    Update(Organization),
}

#[async_trait]
pub trait OrganizationStore: Changes<OrganizationChange> {
    async fn organization(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<Organization>, StoreFailure>;

    /// Returns all organizations, newest first, without the first `offset`.
    async fn organizations(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<Organization>, StoreFailure>;

    /// Returns the accounts of all organizations that are not closed and whose ids begin with `beginning`, newest first,
    /// without the first `offset`. Their secrets stay sealed.
    async fn accounts(
        &self,
        beginning: &str,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure>;

    /// Returns the organization's accounts that are not closed, oldest first, without the first `offset`. Their secrets
    /// stay sealed.
    async fn accounts_of_organization(
        &self,
        organization_id: &OrganizationId,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure>;
}
