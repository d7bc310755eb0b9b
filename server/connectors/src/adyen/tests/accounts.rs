//! Tests of base URLs and credentials.

use serde_json::{Value, json};

use super::super::Account;
use crate::fixture::access;

const CREDENTIALS: &str = r#"{"auth_type":"BodyKey","api_key":"AQEyhm","key1":"BookshopNL"}"#;

fn address(credentials: &str, test_mode: bool, metadata: &Value) -> Option<String> {
    let access = access(credentials, test_mode, metadata);
    Account::from_access(&access).map(|account| account.address)
}

#[test]
fn real_payments_go_to_the_companys_own_host() {
    let prefix = json!({ "endpoint_prefix": "1797a841fbb37ca7-Bookshop" });
    assert_eq!(
        address(CREDENTIALS, false, &prefix).as_deref(),
        Some("https://1797a841fbb37ca7-Bookshop-checkout-live.adyenpayments.com/checkout")
    );
    assert_eq!(
        address(CREDENTIALS, true, &prefix).as_deref(),
        Some("https://checkout-test.adyen.com")
    );
    // A forgotten setting must not lead to the test environment.
    assert_eq!(address(CREDENTIALS, false, &json!({})), None);
    let without_account = r#"{"auth_type":"HeaderKey","api_key":"AQEyhm"}"#;
    assert_eq!(address(without_account, true, &json!({})), None);
}
