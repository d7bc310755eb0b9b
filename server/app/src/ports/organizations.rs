//! Organizations at rest.

use async_trait::async_trait;
use multirail_domain::ids::OrganizationId;
use multirail_domain::organization::Organization;

use super::failure::StoreFailure;

/// A change of an organization.
#[derive(Debug)]
pub enum OrganizationChange {
    Insert(Organization),
}

#[async_trait]
pub trait OrganizationStore: Send + Sync {
    async fn organization(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<Organization>, StoreFailure>;
}
