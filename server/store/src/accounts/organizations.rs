//! Reads and writes of organizations.

use async_trait::async_trait;
use multirail_app::accounts::ports::{OrganizationChange, OrganizationStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::organization::Organization;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::OrganizationId;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use crate::engine::{Read, Row, Write, values};
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::rows::{all, one, version};
use crate::platform::sql_store::SqlStore;

record::records! {
    Organization: "organizations.record",
}

const ORGANIZATION: &str = "select version, record from organizations where organization_id = $1";

const INSERT_ORGANIZATION: &str = "insert into organizations (organization_id, version, record, created_at, \
     modified_at) values ($1, 1, $2, $3, $4) on conflict do nothing";

const UPDATE_ORGANIZATION: &str = "update organizations set version = version + 1, record = $3, modified_at = $4 \
     where organization_id = $1 and version = $2";

/// Reads the organizations for the operator. They are few, so an offset costs nothing.
const ORGANIZATIONS: &str = "select organization_id as id, version, record from organizations \
     order by created_at desc, organization_id limit $1 offset $2";

/// Reads accounts of all organizations for the operator. Ids begin alike in any collation, which no index could serve.
const ALL_ACCOUNTS: &str = "select merchant_id as id, version, record from merchant_accounts \
     where deleted_at is null and substr(merchant_id, 1, length($1)) = $1 \
     order by created_at desc, merchant_id limit $2 offset $3";

/// Reads the accounts of an organization for its administrator. They are few, so an offset costs nothing.
const ACCOUNTS: &str = "select merchant_id as id, version, record from merchant_accounts \
     where organization_id = $1 and deleted_at is null order by created_at, merchant_id limit $2 offset $3";

#[async_trait]
impl OrganizationStore for SqlStore {
    async fn organization(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<Organization>, StoreFailure> {
        let read = Read::new(ORGANIZATION, values![organization_id.as_str()]);
        one(&self.engine, read, organization).await
    }

    async fn organizations(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<Organization>, StoreFailure> {
        let read = Read::new(ORGANIZATIONS, values![limit, offset]);
        all(&self.engine, "organizations", read, organization).await
    }

    async fn accounts(
        &self,
        beginning: &str,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure> {
        let read = Read::new(ALL_ACCOUNTS, values![beginning, limit, offset]);
        all(&self.engine, "merchant_accounts", read, account).await
    }

    async fn accounts_of_organization(
        &self,
        organization_id: &OrganizationId,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<MerchantAccount>, StoreFailure> {
        let read = Read::new(ACCOUNTS, values![organization_id.as_str(), limit, offset]);
        all(&self.engine, "merchant_accounts", read, account).await
    }
}

fn organization(row: &Row) -> Result<Organization, StoreFailure> {
    let mut organization: Organization = record::read(row, "record")?;
    organization.version = version(row)?;
    Ok(organization)
}

fn account(row: &Row) -> Result<MerchantAccount, StoreFailure> {
    let mut account: MerchantAccount = record::read(row, "record")?;
    account.version = version(row)?;
    Ok(account)
}

impl Change for Stored<OrganizationChange> {
    fn write(&self, _: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(match &self.0 {
            OrganizationChange::Insert(organization) => insert(organization)?,
            OrganizationChange::Update(organization) => update(organization)?,
        });
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        let (OrganizationChange::Insert(changed) | OrganizationChange::Update(changed)) = &self.0;
        Some(Named::new("organization", changed.organization_id.as_str()))
    }
}

fn insert(organization: &Organization) -> Result<Write, StoreFailure> {
    let parameters = values![
        organization.organization_id.as_str(),
        record::write(organization)?,
        organization.created_at.as_micros(),
        organization.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_ORGANIZATION, parameters).or_duplicate(duplicate::ORGANIZATION))
}

fn update(organization: &Organization) -> Result<Write, StoreFailure> {
    let parameters = values![
        organization.organization_id.as_str(),
        organization.version,
        record::write(organization)?,
        organization.modified_at.as_micros()
    ];
    Ok(Write::new(UPDATE_ORGANIZATION, parameters))
}
