//! Tests of base URLs and credentials.

use std::sync::Arc;
use std::time::Duration;

use multirail_connector_kit::ClientSettings;
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::target::TargetRules;
use multirail_sdk::connector::{AccountCheck, Connector, Details, Payments};
use serde_json::json;

use super::super::{Checkout, address};
use super::KEY;
use crate::client::Client;
use crate::fixture::{access, authorize, in_short};

#[test]
fn every_account_has_a_host_of_its_own() {
    let prefix = json!({ "endpoint_prefix": "vkuhvk4v" });
    for (test_mode, metadata, wanted) in [
        (
            true,
            &prefix,
            Some("https://vkuhvk4v.api.sandbox.checkout.com"),
        ),
        (false, &prefix, Some("https://vkuhvk4v.api.checkout.com")),
        (true, &json!({}), None),
    ] {
        let access = access("{}", test_mode, metadata);
        let found = address(&access);
        assert_eq!(found.as_deref(), wanted, "{test_mode} {metadata}");
    }
}

#[tokio::test]
async fn nothing_is_sent_without_a_key() {
    let client = Client::new(ClientSettings {
        targets: TargetRules::default(),
        deadline: Duration::from_secs(1),
        calls_per_account: 1,
        proxy: None,
        trusted: Vec::new(),
    });
    let connector = Checkout::new(Arc::new(client));
    let prefix = json!({ "endpoint_prefix": "vkuhvk4v" });
    let keyless = access(r#"{"auth_type":"TemporaryAuth"}"#, true, &prefix);
    let mut request = authorize(KEY, Money::new(6540, Currency::USD), Details::default());
    request.access = keyless.clone();
    let refused = connector.authorize(request).await;
    insta::assert_snapshot!(in_short(&refused), @"never happened: the account has no credentials that could be sent");
    let AccountCheck::Refused { message } = connector.check(keyless).await else {
        panic!("it is refused")
    };
    assert_eq!(message, "the account has no credentials that could be sent");
}
