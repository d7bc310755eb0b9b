//! Organizations, wire to domain and back. (Facts 7.2)

use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::organization::{Organization, OrganizationUpdate};
use multirail_types as types;
use serde_json::{Map, Value};

use crate::platform::convert::note;
use crate::platform::convert::words::ToWire;

/// A member that is answered as it was given.
const DETAILS: &str = "organization_details";
const METADATA: &str = "metadata";

/// Converts a request to create an organization, which has the members of an update.
pub(crate) fn create(wire: types::OrganizationCreateRequest) -> OrganizationUpdate {
    let types::OrganizationCreateRequest {
        organization_name,
        organization_details,
        metadata,
    } = wire;
    OrganizationUpdate {
        organization_name: Some(organization_name),
        platform_merchant_id: None,
        notes: notes(organization_details, metadata),
    }
}

pub(crate) fn update(wire: types::OrganizationUpdateRequest) -> OrganizationUpdate {
    let types::OrganizationUpdateRequest {
        organization_name,
        organization_details,
        metadata,
        platform_merchant_id,
    } = wire;
    OrganizationUpdate {
        organization_name,
        platform_merchant_id,
        notes: notes(organization_details, metadata),
    }
}

fn notes(
    details: Option<Map<String, Value>>,
    metadata: Option<Map<String, Value>>,
) -> Map<String, Value> {
    let given = [(DETAILS, details), (METADATA, metadata)];
    let given = given.into_iter().filter_map(|(name, note)| {
        let note = Value::Object(note?);
        Some((name.to_owned(), note))
    });
    given.collect()
}

/// Returns the organization's answer.
pub(crate) fn answer(organization: &Organization) -> types::Organization {
    let platform = organization.platform_merchant_id.as_ref();
    types::Organization {
        organization_id: organization.organization_id.to_string(),
        organization_name: organization.organization_name.clone(),
        organization_type: organization.organization_type.to_wire(),
        platform_merchant_id: platform.map(ToString::to_string),
        organization_details: note(&organization.notes, DETAILS),
        metadata: note(&organization.notes, METADATA),
        created_at: organization.created_at.to_datetime(),
        modified_at: organization.modified_at.to_datetime(),
    }
}

/// Returns an account as the list shows it.
pub(crate) fn account(account: &MerchantAccount) -> types::OrganizationAccount {
    types::OrganizationAccount {
        merchant_id: account.merchant_id.to_string(),
        merchant_name: account.merchant_name.clone(),
        merchant_account_type: account.merchant_account_type.to_wire(),
        publishable_key: account.publishable_key.clone(),
        default_profile: account.default_profile.as_ref().map(ToString::to_string),
        created_at: account.created_at.to_datetime(),
    }
}

/// Returns an account as the operator's list of all accounts shows it.
pub(crate) fn listed_account(account: &MerchantAccount) -> types::MerchantAccountListed {
    types::MerchantAccountListed {
        merchant_id: account.merchant_id.to_string(),
        merchant_name: account.merchant_name.clone(),
        organization_id: account.organization_id.to_string(),
        merchant_account_type: account.merchant_account_type.to_wire(),
        created_at: account.created_at.to_datetime(),
    }
}
