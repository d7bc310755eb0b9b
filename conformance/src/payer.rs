//! The payer's side: an app that has the publishable key and one payment's client secret.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::server::TestServer;
use multirail_verifier::bodies::with;
use multirail_verifier::wire::Call;

/// A payer's app.
#[derive(Clone)]
pub struct Payer {
    pub server: Arc<TestServer>,
    pub publishable_key: String,
    pub payment_id: String,
    pub client_secret: String,
}

impl Payer {
    /// Returns the same app with another secret.
    pub fn holding(&self, client_secret: &str) -> Self {
        Self {
            client_secret: client_secret.to_owned(),
            ..self.clone()
        }
    }

    /// Returns a call with the publishable key and no secret.
    pub fn call(&self, operation: &str) -> Call {
        self.server
            .wire
            .call(operation)
            .key(&self.publishable_key)
            .at("payment_id", &self.payment_id)
    }

    pub fn confirms(&self, body: Value) -> Call {
        self.call("payments_confirm").json(&self.signed(body))
    }

    /// Reports the result of collecting device data.
    pub fn completes(&self, body: Value) -> Call {
        self.call("payments_complete_authorize")
            .json(&self.signed(body))
    }

    pub fn updates(&self, body: Value) -> Call {
        self.call("payments_update").json(&self.signed(body))
    }

    pub fn retrieves(&self) -> Call {
        self.call("payments_retrieve")
            .query("client_secret", &self.client_secret)
    }

    /// Asks for sessions of these wallets; an empty list asks for all.
    pub fn opens_session(&self, wallets: &[&str]) -> Call {
        let body = json!({ "payment_id": self.payment_id, "wallets": wallets });
        self.call("payments_session_tokens")
            .json(&self.signed(body))
    }

    fn signed(&self, body: Value) -> Value {
        with(json!({ "client_secret": self.client_secret }), body)
    }
}
