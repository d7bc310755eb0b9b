//! The operations of the document: the crate that answers each tag.

use multirail_api::Arms;
use multirail_billing_http::arms as billing;
use multirail_http::hooks::HttpHooks;
use multirail_http::{Context, arms as core};
use multirail_identity_http::arms as identity;

/// Names the arms of each tag once. A satellite adds its own.
pub(super) const ARMS: Arms<Context, HttpHooks> = Arms {
    payments: &core::PAYMENTS,
    refunds: &core::REFUNDS,
    subscriptions: &billing::SUBSCRIPTIONS,
    customers: &core::CUSTOMERS,
    saved_methods: &core::SAVED_METHODS,
    mandates: &core::MANDATES,
    disputes: &core::DISPUTES,
    routing: &core::ROUTING,
    billing: &billing::BILLING,
    connector_accounts: &core::CONNECTOR_ACCOUNTS,
    organizations: &core::ORGANIZATIONS,
    merchant_accounts: &core::MERCHANT_ACCOUNTS,
    business_profiles: &core::BUSINESS_PROFILES,
    events: &core::EVENTS,
    webhook_endpoints: &core::WEBHOOK_ENDPOINTS,
    api_keys: &core::API_KEYS,
    request_log: &core::REQUEST_LOG,
    dynamic_routing: &core::DYNAMIC_ROUTING,
    error_mappings: &core::ERROR_MAPPINGS,
    notices: &core::NOTICES,
    unresolved_operations: &core::UNRESOLVED_OPERATIONS,
    users: &identity::USERS,
    user_sessions: &identity::USER_SESSIONS,
    user_payments: &core::USER_PAYMENTS,
    user_subscriptions: &billing::USER_SUBSCRIPTIONS,
    two_factor: &identity::TWO_FACTOR,
    oidc: &identity::OIDC,
    audit: &core::AUDIT,
    service_keys: &core::SERVICE_KEYS,
    sandbox: &core::SANDBOX,
    health: &core::HEALTH,
};
