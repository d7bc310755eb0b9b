//! Where an account's payments go, and with what.

use multirail_domain::connector::Access;
use multirail_domain::secret::SecretText;
use serde_json::{Value, json};

use super::super::Account;

fn access(test_mode: bool, metadata: Value) -> Access {
    let credentials = r#"{"auth_type":"BodyKey","api_key":"AQEyhm","key1":"BookshopNL"}"#;
    Access {
        credentials: SecretText::new(credentials),
        test_mode,
        metadata: metadata.as_object().cloned().unwrap_or_default(),
    }
}

#[test]
fn real_payments_go_to_the_companys_own_host() {
    let prefix = json!({ "endpoint_prefix": "1797a841fbb37ca7-Bookshop" });
    let address = |access: &Access| Account::of(access).map(|account| account.address);
    assert_eq!(
        address(&access(false, prefix.clone())).as_deref(),
        Some("https://1797a841fbb37ca7-Bookshop-checkout-live.adyenpayments.com/checkout")
    );
    assert_eq!(
        address(&access(true, prefix)).as_deref(),
        Some("https://checkout-test.adyen.com")
    );
    // Never to the test environment because somebody forgot it.
    assert_eq!(address(&access(false, json!({}))), None);
    let without_account = Access {
        credentials: SecretText::new(r#"{"auth_type":"HeaderKey","api_key":"AQEyhm"}"#),
        ..access(true, json!({}))
    };
    assert_eq!(address(&without_account), None);
}
