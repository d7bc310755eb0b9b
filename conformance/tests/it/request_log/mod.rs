//! The request log: what merchants find in it, and what nobody does.

mod callers;
mod found;
mod kept;
mod masked;

use multirail_conformance::Shop;
use serde_json::Value;

/// Returns the log of a shop, which a filter narrows, without bodies.
async fn list(shop: &Shop, filter: &[(&str, &str)]) -> Vec<Value> {
    let call = shop.call("request_log_list").query("limit", 100);
    let call = filter
        .iter()
        .fold(call, |call, (name, value)| call.query(name, value));
    let found = call.await.ok();
    found.as_array().expect("a list").clone()
}

/// Returns the operations of requests, the newest first.
fn operations(requests: &[Value]) -> Vec<&str> {
    let names = requests.iter().map(|one| one["operation"].as_str());
    names.map(|name| name.expect("a name")).collect()
}
