//! The keys that the run holds, at most one of each scheme.

use serde_json::{Value, json};

use crate::bodies::order;
use crate::document::Operation;
use crate::lifecycle;
use crate::run::{Merchant, Run};
use crate::wire::Call;

/// A key that nobody issued.
const FORGED: &str = "nobody_ever_issued_this_key_0123456789";

/// A caller's key or token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub scheme: &'static str,
    text: String,
}

/// The run's keys, and the payment of the payer's keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    pub held: Vec<Key>,
    pub payment_id: String,
    client_secret: String,
    customer_id: String,
}

impl Key {
    /// Replaces the call's key with this one.
    pub fn calls(&self, call: Call) -> Call {
        match self.scheme {
            "bearer" => call.token(&self.text),
            "sdk_authorization" => call.without_key().header("authorization", &self.text),
            _ => call.key(&self.text),
        }
    }

    /// Returns whether the call sends this key.
    pub fn is_in(&self, call: &Call) -> bool {
        let with = self.calls(call.clone());
        let shown = |call: &Call| {
            ["api-key", "authorization"].map(|header| call.sends(header).map(str::to_owned))
        };
        shown(call) == shown(&with)
    }

    /// Returns a key of this scheme that nobody issued.
    pub fn forged(scheme: &'static str) -> Self {
        Self {
            scheme,
            text: FORGED.to_owned(),
        }
    }

    /// Returns whether the key opens the operation. The publishable key also belongs to a subscription's payer.
    pub fn opens(&self, operation: &Operation) -> bool {
        let is_subscribers =
            self.scheme == "publishable_key" && operation.takes("subscription_client");
        operation.takes(self.scheme) || is_subscribers
    }

    /// Returns whether the key belongs to a payer, and needs a client secret.
    pub fn is_payers(&self) -> bool {
        matches!(self.scheme, "publishable_key" | "sdk_authorization")
    }
}

impl Keys {
    /// Creates the objects that give more keys: an order for a payer, a customer with an ephemeral key, a user who
    /// administers the account.
    pub async fn collect(run: &mut Run, merchant: &Merchant) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let mut keys = Self::default();
        let mut hold = |scheme: &'static str, text: Option<String>| {
            if let Some(text) = text.filter(|text| text != "-") {
                keys.held.push(Key { scheme, text });
            }
        };
        hold("api_key", Some(merchant.api_key.clone()));
        hold("admin_api_key", run.admin_key.clone());
        hold("publishable_key", Some(merchant.publishable_key.clone()));
        let order = merchant.call("payments_create").json(&order());
        let order = run.works("an order for keys to open", order, &[]).await;
        let order = order.unwrap_or_default();
        hold("sdk_authorization", text(&order["sdk_authorization"]));
        let mut keys_customer = String::new();
        let customer = merchant.call("customers_create").json(&json!({}));
        if let Ok(customer) = run.works("a customer with a key", customer, &[]).await {
            keys_customer = text(&customer["customer_id"]).unwrap_or_default();
            let whose = json!({ "customer_id": customer["customer_id"] });
            let made = merchant.call("ephemeral_keys_create").json(&whose);
            let made = run.works("which is made", made, &[]).await;
            hold("ephemeral_key", text(&made.unwrap_or_default()["secret"]));
        }
        if run.admin_key.is_some() {
            hold("bearer", lifecycle::invite(run, merchant).await);
        }
        keys.payment_id = text(&order["payment_id"]).unwrap_or_default();
        keys.customer_id = keys_customer;
        keys.client_secret = text(&order["client_secret"]).unwrap_or_default();
        keys
    }

    /// Returns the first held key that opens the operation, in the document's order; `None` if there is none.
    pub fn opening(&self, operation: &Operation) -> Option<&Key> {
        let mut schemes = operation.security.iter();
        schemes.find_map(|scheme| self.held.iter().find(|key| key.scheme == scheme.as_str()))
    }

    /// Points the call at the customer whose ephemeral key the run holds.
    pub fn for_customer(&self, call: Call) -> Call {
        call.moved("customer_id", &self.customer_id)
    }

    /// Makes the call a payer's: about the payer's payment, with its client secret only.
    pub fn for_payer(&self, call: Call, operation: &Operation) -> Call {
        let call = call.moved("payment_id", &self.payment_id);
        match &operation.request {
            Some(_) => call.json(&json!({ "client_secret": self.client_secret })),
            None => call.query_instead("client_secret", &self.client_secret),
        }
    }
}
