//! Platforms that act for their connected merchants, and the organizations that hold both.

mod acting;
mod closed;
mod connected;
mod organizations;
mod refused;

use std::sync::Arc;

use multirail_conformance::shop::id;
use multirail_conformance::{Call, Shop, TestServer};
use serde_json::{Value, json};

use crate::users::Person;

/// The header that names the merchant of a platform's call.
pub const ACTS_FOR: &str = "x-connected-merchant-id";

/// A platform: its organization, the account that acts for others, and its admin.
pub struct Hall {
    pub server: Arc<TestServer>,
    pub organization_id: String,
    /// The account that acts for others.
    pub platform: Shop,
    /// The organization's admin, signed in at that account.
    pub admin: Person,
}

impl Hall {
    /// Opens a platform for a new user.
    pub async fn open(server: &Arc<TestServer>, name: &str) -> Self {
        let person = Person::new(server, name).await;
        let named = json!({ "organization_name": name });
        let made = person.call("users_create_platform").json(&named).await.ok();
        let account = account(server, text(&made["merchant_id"])).await;
        Self {
            server: Arc::clone(server),
            organization_id: text(&made["org_id"]).to_owned(),
            platform: server.shop_of(&account).await,
            admin: person.in_account(&made["merchant_id"]).await,
        }
    }

    /// Opens an account of the organization, `connected` or `standard`.
    pub fn opens(&self, merchant_id: &str, account_type: &str) -> Call {
        let body = json!({
            "merchant_id": merchant_id, "organization_id": self.organization_id,
            "merchant_account_type": account_type,
        });
        self.server.operator("merchant_accounts_create").json(&body)
    }

    /// Opens a connected merchant with its own key and connector account.
    pub async fn connects(&self, merchant_id: &str) -> Shop {
        let account = self.opens(merchant_id, "connected").await.ok();
        let mut shop = self.server.shop_of(&account).await;
        let connector = shop.connects("fauxpay", json!({})).await.ok();
        text(&connector["merchant_connector_id"]).clone_into(&mut shop.connector_account_id);
        shop
    }

    /// Makes the call as the platform for this merchant.
    pub fn acts(&self, merchant_id: &str, call: Call) -> Call {
        call.key(&self.platform.api_key)
            .header(ACTS_FOR, merchant_id)
    }
}

/// Builds a call about a payment.
pub fn on(shop: &Shop, operation: &str, payment: &Value) -> Call {
    shop.call(operation).at("payment_id", id(payment))
}

async fn account(server: &TestServer, merchant_id: &str) -> Value {
    let call = server.operator("merchant_accounts_retrieve");
    call.at("account_id", merchant_id).await.ok()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
