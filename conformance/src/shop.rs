//! A merchant, with the verbs of its server.

use std::ops::Deref;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::payer::Payer;
use crate::server::TestServer;
use multirail_verifier::wire::Call;

/// A merchant account with one profile, a secret key and, mostly, a connector account for its payments.
#[derive(Clone)]
pub struct Shop {
    pub server: Arc<TestServer>,
    pub merchant_id: String,
    pub profile_id: String,
    pub api_key: String,
    pub publishable_key: String,
    pub connector_account_id: String,
}

/// Returns the id of a payment.
///
/// # Panics
/// If the value is no payment.
pub fn id(payment: &Value) -> &str {
    payment["payment_id"]
        .as_str()
        .unwrap_or_else(|| panic!("no payment: {payment}"))
}

/// Returns the id of a refund.
///
/// # Panics
/// If the value is no refund.
pub fn refund_id(refund: &Value) -> &str {
    refund["refund_id"]
        .as_str()
        .unwrap_or_else(|| panic!("no refund: {refund}"))
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

impl TestServer {
    /// Opens a shop: a merchant account with a key and one simulated connector.
    pub async fn shop(self: &Arc<Self>, merchant_id: &str) -> Shop {
        let mut shop = self.shop_without_connector(merchant_id).await;
        let connector = shop.connects("fauxpay", json!({})).await.ok();
        shop.connector_account_id = text(&connector["merchant_connector_id"]);
        shop
    }

    /// Opens a shop: a merchant account with a key, without a connector.
    pub async fn shop_without_connector(self: &Arc<Self>, merchant_id: &str) -> Shop {
        Shop::found(Arc::clone(self), merchant_id).await
    }

    /// Returns the shop of an existing merchant account, with a key, without a connector.
    pub async fn shop_of(self: &Arc<Self>, account: &Value) -> Shop {
        Shop::of_account(Arc::clone(self), account).await
    }
}

impl Shop {
    /// Opens the only shop of a server of its own.
    pub async fn open() -> Self {
        TestServer::start().await.shop("bookshop").await
    }

    async fn found(server: Arc<TestServer>, merchant_id: &str) -> Self {
        let account = server
            .operator("merchant_accounts_create")
            .json(&json!({ "merchant_id": merchant_id }))
            .await
            .ok();
        Self::of_account(server, &account).await
    }

    async fn of_account(server: Arc<TestServer>, account: &Value) -> Self {
        let merchant_id = text(&account["merchant_id"]);
        let key = server
            .operator("api_keys_create")
            .at("merchant_id", &merchant_id)
            .json(&json!({ "name": "till", "expiration": "never" }))
            .await
            .ok();
        Self {
            merchant_id,
            profile_id: text(&account["default_profile"]),
            api_key: text(&key["api_key"]),
            publishable_key: text(&account["publishable_key"]),
            connector_account_id: String::new(),
            server,
        }
    }

    /// Returns a call with the shop's secret key; path parameters that name the merchant are filled.
    pub fn call(&self, operation: &str) -> Call {
        self.server
            .wire
            .call(operation)
            .key(&self.api_key)
            .at("account_id", &self.merchant_id)
            .at("merchant_id", &self.merchant_id)
    }

    /// Creates another profile; returns its id.
    pub async fn second_profile(&self) -> String {
        let body = json!({ "profile_name": "second" });
        let made = self.call("business_profiles_create").json(&body).await.ok();
        made["profile_id"].as_str().expect("an id").to_owned()
    }

    fn on(&self, operation: &str, payment: &Value) -> Call {
        self.call(operation).at("payment_id", id(payment))
    }

    pub fn creates(&self, body: Value) -> Call {
        self.call("payments_create").json(&body)
    }

    pub fn confirms(&self, payment: &Value, body: Value) -> Call {
        self.on("payments_confirm", payment).json(&body)
    }

    pub fn updates(&self, payment: &Value, body: Value) -> Call {
        self.on("payments_update", payment).json(&body)
    }

    pub fn captures(&self, payment: &Value, body: Value) -> Call {
        self.on("payments_capture", payment).json(&body)
    }

    /// Raises the authorized amount to a new total.
    pub fn raises(&self, payment: &Value, amount: i64) -> Call {
        self.on("payments_incremental_authorization", payment)
            .json(&json!({ "amount": amount }))
    }

    pub fn cancels(&self, payment: &Value, body: Value) -> Call {
        self.on("payments_cancel", payment).json(&body)
    }

    /// Reports the result of collecting device data.
    pub fn completes(&self, payment: &Value, body: Value) -> Call {
        self.on("payments_complete_authorize", payment).json(&body)
    }

    /// Approves a held payment.
    pub fn approves(&self, payment: &Value) -> Call {
        self.on("payments_approve", payment)
    }

    /// Rejects a held payment.
    pub fn rejects(&self, payment: &Value) -> Call {
        self.on("payments_reject", payment)
    }

    pub fn cancels_post_capture(&self, payment: &Value, body: Value) -> Call {
        self.on("payments_cancel_post_capture", payment).json(&body)
    }

    pub fn updates_metadata(&self, payment: &Value, metadata: Value) -> Call {
        let body = json!({ "metadata": metadata });
        self.on("payments_update_metadata", payment).json(&body)
    }

    pub fn retrieves(&self, payment: &Value) -> Call {
        self.on("payments_retrieve", payment)
    }

    /// Retrieves the payment after asking the processor.
    pub fn asks_about(&self, payment: &Value) -> Call {
        self.retrieves(payment).query("force_sync", true)
    }

    /// Refunds the payment: the whole captured amount, unless the members set another.
    pub fn refunds(&self, payment: &Value, more: Value) -> Call {
        let body = json!({ "payment_id": id(payment) });
        self.call("refunds_create")
            .json(&multirail_verifier::bodies::with(body, more))
    }

    fn on_refund(&self, operation: &str, refund: &Value) -> Call {
        self.call(operation).at("refund_id", refund_id(refund))
    }

    pub fn retrieves_refund(&self, refund: &Value) -> Call {
        self.on_refund("refunds_retrieve", refund)
    }

    /// Retrieves the refund after asking the processor.
    pub fn asks_about_refund(&self, refund: &Value) -> Call {
        self.retrieves_refund(refund).query("force_sync", true)
    }

    pub fn updates_refund(&self, refund: &Value, body: Value) -> Call {
        self.on_refund("refunds_update", refund).json(&body)
    }

    /// Creates a connector account with this name, with the given members on top.
    pub fn connects(&self, connector: &str, more: Value) -> Call {
        let body = json!({
            "connector_type": "payment_processor",
            "connector_name": connector,
            "connector_account_details": { "auth_type": "HeaderKey", "api_key": "simulator-key" },
        });
        self.call("connector_accounts_create")
            .json(&multirail_verifier::bodies::with(body, more))
    }

    /// Changes the connector account that the shop was opened with.
    pub fn reconnects(&self, more: Value) -> Call {
        let body = json!({ "connector_type": "payment_processor" });
        self.call("connector_accounts_update")
            .at("merchant_connector_id", &self.connector_account_id)
            .json(&multirail_verifier::bodies::with(body, more))
    }

    /// Changes the shop's profile.
    pub fn sets_up(&self, profile: Value) -> Call {
        self.call("business_profiles_update")
            .at("profile_id", &self.profile_id)
            .json(&profile)
    }

    /// Returns the payer's side of a payment: publishable key and client secret.
    pub fn payer_of(&self, payment: &Value) -> Payer {
        Payer {
            server: Arc::clone(&self.server),
            publishable_key: self.publishable_key.clone(),
            payment_id: id(payment).to_owned(),
            client_secret: payment["client_secret"]
                .as_str()
                .expect("a client secret")
                .to_owned(),
        }
    }

    /// Returns the typed client with this shop's key.
    ///
    /// # Panics
    /// If it can't be built.
    pub fn client(&self) -> multirail_client::Client {
        let connection =
            multirail_client::Connection::new(self.server.url()).secret_key(self.api_key.as_str());
        connection.build().expect("a client can be built")
    }
}

impl Deref for Shop {
    type Target = TestServer;

    fn deref(&self) -> &TestServer {
        &self.server
    }
}
