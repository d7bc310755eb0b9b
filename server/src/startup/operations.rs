//! The operations of the document: the type that implements each tag.

use multirail_api::Apis;
use multirail_http::{Api, Context};

/// Names each type once. A satellite adds types of its own.
pub(super) enum Operations {}

impl Apis<Context> for Operations {
    type Payments = Api;
    type Refunds = Api;
    type Subscriptions = multirail_billing_http::Api;
    type Customers = Api;
    type SavedMethods = Api;
    type Mandates = Api;
    type Disputes = Api;
    type Routing = Api;
    type Billing = multirail_billing_http::Api;
    type ConnectorAccounts = Api;
    type Organizations = Api;
    type MerchantAccounts = Api;
    type BusinessProfiles = Api;
    type Events = Api;
    type ApiKeys = Api;
    type DynamicRouting = Api;
    type ErrorMappings = Api;
    type Notices = Api;
    type UnresolvedOperations = Api;
    type Users = multirail_identity_http::Api;
    type UserSessions = multirail_identity_http::Api;
    type TwoFactor = multirail_identity_http::Api;
    type Oidc = multirail_identity_http::Api;
    type Audit = Api;
    type ServiceKeys = Api;
    type Sandbox = Api;
    type Health = Api;
}
