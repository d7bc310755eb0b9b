//! An implementation of every trait that answers with the document's own examples and notes its calls.

use serde::de::DeserializeOwned;

use super::server::Notes;
use crate::schema::{document, resolve};
use crate::*;

pub struct TestApi;

impl Apis<Notes> for TestApi {
    type Payments = Self;
    type Refunds = Self;
    type Subscriptions = Self;
    type Customers = Self;
    type SavedMethods = Self;
    type Mandates = Self;
    type Disputes = Self;
    type Routing = Self;
    type Billing = Self;
    type ConnectorAccounts = Self;
    type Organizations = Self;
    type MerchantAccounts = Self;
    type BusinessProfiles = Self;
    type Events = Self;
    type ApiKeys = Self;
    type DynamicRouting = Self;
    type ErrorMappings = Self;
    type Notices = Self;
    type UnresolvedOperations = Self;
    type Users = Self;
    type UserSessions = Self;
    type TwoFactor = Self;
    type Oidc = Self;
    type Audit = Self;
    type ServiceKeys = Self;
    type Sandbox = Self;
    type Health = Self;
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
