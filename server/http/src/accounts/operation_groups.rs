//! The operations that a restricted key opens.

use multirail_api::{Op, OpInfo, Tag};
use multirail_domain::accounts::api_key::{KeyRestriction, OperationGroup};

/// Returns whether a restricted key opens an operation.
pub(crate) fn opens(restriction: &KeyRestriction, operation: &OpInfo) -> bool {
    restriction.opens(group_of(operation), changes_something(operation))
}

/// Returns whether an operation counts as a change. Making an ephemeral key does, because the key deletes saved
/// methods. A check of credentials does, because it sends them to a processor, and so does a test event to an endpoint.
pub(crate) fn changes_something(operation: &OpInfo) -> bool {
    operation.mutates()
        || operation.op == Op::EphemeralKeysCreate
        || operation.op == Op::ConnectorsCheck
        || operation.op == Op::ConnectorAccountsCheck
        || operation.op == Op::WebhookEndpointsTest
}

/// Returns the group of an operation for restricted keys. The compiler finds a missing tag.
fn group_of(operation: &OpInfo) -> Option<OperationGroup> {
    match operation.tag {
        Tag::Payments => Some(OperationGroup::Payments),
        Tag::Refunds => Some(OperationGroup::Refunds),
        Tag::Customers => Some(OperationGroup::Customers),
        Tag::SavedMethods => Some(OperationGroup::SavedMethods),
        Tag::Disputes => Some(OperationGroup::Disputes),
        Tag::Routing | Tag::DynamicRouting => Some(OperationGroup::Routing),
        Tag::ConnectorAccounts => Some(OperationGroup::ConnectorAccounts),
        Tag::MerchantAccounts => Some(OperationGroup::MerchantAccounts),
        Tag::BusinessProfiles | Tag::WebhookEndpoints => Some(OperationGroup::BusinessProfiles),
        Tag::Mandates => Some(OperationGroup::Mandates),
        Tag::Subscriptions | Tag::Billing => Some(OperationGroup::Subscriptions),
        Tag::RequestLog => Some(OperationGroup::RequestLog),
        Tag::Organizations
        | Tag::Events
        | Tag::ApiKeys
        | Tag::ErrorMappings
        | Tag::Notices
        | Tag::UnresolvedOperations
        | Tag::Users
        | Tag::UserSessions
        | Tag::UserPayments
        | Tag::UserSubscriptions
        | Tag::TwoFactor
        | Tag::Oidc
        | Tag::Audit
        | Tag::ServiceKeys
        | Tag::Sandbox
        | Tag::Health => None,
    }
}

#[cfg(test)]
mod tests {
    use multirail_api::{OPERATIONS, Scheme};

    use super::*;

    /// A new tag needs a group: without one no restricted key ever opens it.
    #[test]
    fn every_operation_that_a_secret_key_opens_has_a_group() {
        for operation in OPERATIONS.iter().filter(|one| one.accepts(Scheme::ApiKey)) {
            assert!(group_of(operation).is_some(), "{}", operation.id);
        }
    }
}
