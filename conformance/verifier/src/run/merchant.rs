//! The merchant of the story, with its keys.

use serde_json::Value;

use crate::wire::{Call, Wire};

/// The merchant of the story.
pub(crate) struct Merchant {
    pub wire: Wire,
    pub id: String,
    pub profile_id: String,
    pub api_key: String,
    pub publishable_key: String,
    /// The name of the connector account, such as `fauxpay`.
    pub connector: String,
    pub connector_account_id: String,
    pub key_id: String,
}

impl Merchant {
    /// Builds a call with the merchant's secret key.
    pub fn call(&self, operation: &str) -> Call {
        let call = self.wire.call(operation).key(&self.api_key);
        call.at("account_id", &self.id).at("merchant_id", &self.id)
    }

    /// Builds a call about one payment.
    pub fn on(&self, operation: &str, payment: &Value) -> Call {
        self.call(operation)
            .at("payment_id", payment["payment_id"].as_str().unwrap_or("-"))
    }
}
