//! Tests of base URLs.

use serde_json::{Value, json};

use super::super::address;
use crate::fixture::access;

#[test]
fn every_account_has_a_host_of_its_own() {
    let prefix = json!({ "endpoint_prefix": "vkuhvk4v" });
    let found = |test_mode, metadata: &Value| address(&access("{}", test_mode, metadata));
    let sandbox = "https://vkuhvk4v.api.sandbox.checkout.com";
    assert_eq!(found(true, &prefix).as_deref(), Some(sandbox));
    let live = "https://vkuhvk4v.api.checkout.com";
    assert_eq!(found(false, &prefix).as_deref(), Some(live));
    assert_eq!(found(true, &json!({})), None);
}
