//! An implementation of every trait that answers with the document's own examples and notes its calls.

use serde::de::DeserializeOwned;

use super::server::{Notes, TestHooks};
use crate::tests::whole::{document, resolve};
use crate::*;

pub struct TestApi;

macro_rules! arms {
    ($($member:ident: $tag:ident,)*) => {
        /// The arms of every tag.
        pub const ARMS: Arms<Notes, TestHooks> = Arms {
            $($member: {
                static OF_TAG: arms::$tag<Notes, TestHooks> = arms::$tag::of::<TestApi>();
                &OF_TAG
            },)*
        };
    };
}

arms! {
    payments: Payments,
    refunds: Refunds,
    subscriptions: Subscriptions,
    customers: Customers,
    saved_methods: SavedMethods,
    mandates: Mandates,
    disputes: Disputes,
    routing: Routing,
    billing: Billing,
    connector_accounts: ConnectorAccounts,
    organizations: Organizations,
    merchant_accounts: MerchantAccounts,
    business_profiles: BusinessProfiles,
    events: Events,
    webhook_endpoints: WebhookEndpoints,
    api_keys: ApiKeys,
    request_log: RequestLog,
    dynamic_routing: DynamicRouting,
    error_mappings: ErrorMappings,
    notices: Notices,
    unresolved_operations: UnresolvedOperations,
    users: Users,
    user_sessions: UserSessions,
    user_payments: UserPayments,
    user_subscriptions: UserSubscriptions,
    two_factor: TwoFactor,
    oidc: Oidc,
    audit: Audit,
    service_keys: ServiceKeys,
    sandbox: Sandbox,
    health: Health,
}

/// Returns the first example of an operation's 200 answer.
pub fn example<T: DeserializeOwned>(id: &str) -> T {
    let info = OPERATIONS.iter().find(|info| info.id == id).unwrap();
    let operation = &document()["paths"][info.path][info.method.as_str().to_lowercase()];
    let media = &operation["responses"]["200"]["content"]["application/json"];
    let first = resolve(
        media["examples"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap(),
    );
    serde_json::from_value(first["value"].clone()).unwrap()
}

macro_rules! methods {
    ($($method:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(async fn $method(
            rqctx: RequestContext<Notes>,
            $($argument: $kind),*
        ) -> Result<JsonAnswer<$answer>, ApiError> {
            #[allow(unused_mut)]
            let mut line = stringify!($method).to_owned();
            $(line.push_str(&format!(" {:?}", $argument.into_inner()));)*
            rqctx.context().lock().unwrap().push(line);
            Ok(JsonAnswer::new(example(stringify!($method))))
        })*
    };
}

mod accounts;
mod customers;
mod events;
mod payments;
mod routing;
mod service;
mod subscriptions;
mod users;
