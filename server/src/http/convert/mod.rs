//! Wire to domain and back: the only place that names request types.

pub mod api_key;
mod bank_account;
pub mod billing;
pub mod business_profile;
pub mod connector_account;
pub mod customer;
pub mod dispute;
pub mod dispute_search;
pub mod dynamic_routing;
pub mod error_mapping;
pub mod event;
pub mod evidence;
pub mod mandate;
pub mod merchant_account;
pub mod offered;
pub mod organization;
mod particulars;
pub mod payment_answer;
mod payment_link;
pub mod payment_request;
pub mod payment_search;
mod recurring;
pub mod refund;
pub mod refund_search;
pub mod routing;
pub mod saved_method;
pub mod session_tokens;
pub mod subscription;
mod trouble;
mod wallet;
mod webhook_details;

use multirail_domain::notes::find;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A wire value as a JSON object without nulls: in requests null means absent.
pub(crate) fn members<T: Serialize>(request: &T) -> Map<String, Value> {
    match serde_json::to_value(request) {
        Ok(Value::Object(mut members)) => {
            members.retain(|_, value| !value.is_null());
            members
        }
        Ok(_) | Err(_) => Map::new(),
    }
}

/// Takes one member out. The schema was checked before, so what doesn't read isn't there.
pub(crate) fn take<T: DeserializeOwned>(members: &mut Map<String, Value>, name: &str) -> Option<T> {
    find(members, name)?;
    serde_json::from_value(members.remove(name)?).ok()
}

/// Reads a note back for an answer.
pub(crate) fn note<T: DeserializeOwned>(notes: &Map<String, Value>, name: &str) -> Option<T> {
    serde_json::from_value(find(notes, name)?.clone()).ok()
}
