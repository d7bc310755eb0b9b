//! Tests of base URLs and credentials.

use serde_json::json;

use super::super::Account;
use crate::fixture::access;

const KEY: &str = r#"{"auth_type":"HeaderKey","api_key":"sk_sbox_1"}"#;

#[test]
fn every_account_has_a_host_of_its_own() {
    let prefix = json!({ "endpoint_prefix": "vkuhvk4v" });
    let nothing = json!({});
    let keyless = r#"{"auth_type":"TemporaryAuth"}"#;
    for (credentials, test_mode, metadata, wanted) in [
        (
            KEY,
            true,
            &prefix,
            Some("https://vkuhvk4v.api.sandbox.checkout.com"),
        ),
        (
            KEY,
            false,
            &prefix,
            Some("https://vkuhvk4v.api.checkout.com"),
        ),
        (KEY, true, &nothing, None),
        (keyless, true, &prefix, None),
    ] {
        let access = access(credentials, test_mode, metadata);
        let found = Account::from_access(&access).map(|account| account.address);
        assert_eq!(found.as_deref(), wanted, "{test_mode} {metadata}");
    }
}
