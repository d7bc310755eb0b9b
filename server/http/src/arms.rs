//! The arms of the core's tags. Each is a `static`, so the operations are compiled with this crate and not with the program.

use multirail_api::arms;

use crate::hooks::HttpHooks;
use crate::{Api, Context};

pub static PAYMENTS: arms::Payments<Context, HttpHooks> = arms::Payments::of::<Api>();
pub static REFUNDS: arms::Refunds<Context, HttpHooks> = arms::Refunds::of::<Api>();
pub static CUSTOMERS: arms::Customers<Context, HttpHooks> = arms::Customers::of::<Api>();
pub static SAVED_METHODS: arms::SavedMethods<Context, HttpHooks> = arms::SavedMethods::of::<Api>();
pub static MANDATES: arms::Mandates<Context, HttpHooks> = arms::Mandates::of::<Api>();
pub static DISPUTES: arms::Disputes<Context, HttpHooks> = arms::Disputes::of::<Api>();
pub static ROUTING: arms::Routing<Context, HttpHooks> = arms::Routing::of::<Api>();
pub static CONNECTOR_ACCOUNTS: arms::ConnectorAccounts<Context, HttpHooks> =
    arms::ConnectorAccounts::of::<Api>();
pub static ORGANIZATIONS: arms::Organizations<Context, HttpHooks> =
    arms::Organizations::of::<Api>();
pub static MERCHANT_ACCOUNTS: arms::MerchantAccounts<Context, HttpHooks> =
    arms::MerchantAccounts::of::<Api>();
pub static BUSINESS_PROFILES: arms::BusinessProfiles<Context, HttpHooks> =
    arms::BusinessProfiles::of::<Api>();
pub static EVENTS: arms::Events<Context, HttpHooks> = arms::Events::of::<Api>();
pub static WEBHOOK_ENDPOINTS: arms::WebhookEndpoints<Context, HttpHooks> =
    arms::WebhookEndpoints::of::<Api>();
pub static API_KEYS: arms::ApiKeys<Context, HttpHooks> = arms::ApiKeys::of::<Api>();
pub static REQUEST_LOG: arms::RequestLog<Context, HttpHooks> = arms::RequestLog::of::<Api>();
pub static DYNAMIC_ROUTING: arms::DynamicRouting<Context, HttpHooks> =
    arms::DynamicRouting::of::<Api>();
pub static ERROR_MAPPINGS: arms::ErrorMappings<Context, HttpHooks> =
    arms::ErrorMappings::of::<Api>();
pub static NOTICES: arms::Notices<Context, HttpHooks> = arms::Notices::of::<Api>();
pub static UNRESOLVED_OPERATIONS: arms::UnresolvedOperations<Context, HttpHooks> =
    arms::UnresolvedOperations::of::<Api>();
pub static USER_PAYMENTS: arms::UserPayments<Context, HttpHooks> = arms::UserPayments::of::<Api>();
pub static AUDIT: arms::Audit<Context, HttpHooks> = arms::Audit::of::<Api>();
pub static SERVICE_KEYS: arms::ServiceKeys<Context, HttpHooks> = arms::ServiceKeys::of::<Api>();
pub static SANDBOX: arms::Sandbox<Context, HttpHooks> = arms::Sandbox::of::<Api>();
pub static HEALTH: arms::Health<Context, HttpHooks> = arms::Health::of::<Api>();
