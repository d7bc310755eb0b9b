//! Where an account's payments go, and with what.

use multirail_domain::connector::Access;
use multirail_domain::secret::SecretText;
use serde_json::{Value, json};

use super::super::Account;

fn access(test_mode: bool, metadata: Value) -> Access {
    Access {
        credentials: SecretText::new(r#"{"auth_type":"HeaderKey","api_key":"sk_sbox_1"}"#),
        test_mode,
        metadata: metadata.as_object().cloned().unwrap_or_default(),
    }
}

#[test]
fn every_account_has_a_host_of_its_own() {
    let prefix = json!({ "endpoint_prefix": "vkuhvk4v" });
    let address = |access: &Access| Account::of(access).map(|account| account.address);
    assert_eq!(
        address(&access(true, prefix.clone())).as_deref(),
        Some("https://vkuhvk4v.api.sandbox.checkout.com")
    );
    assert_eq!(
        address(&access(false, prefix.clone())).as_deref(),
        Some("https://vkuhvk4v.api.checkout.com")
    );
    assert_eq!(address(&access(true, json!({}))), None);
    let keyless = Access {
        credentials: SecretText::new(r#"{"auth_type":"TemporaryAuth"}"#),
        ..access(true, prefix)
    };
    assert_eq!(address(&keyless), None);
}
