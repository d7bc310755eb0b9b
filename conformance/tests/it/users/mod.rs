//! Users who sign in.

mod acting;
mod at_rest;
mod changes;
mod doors;
mod forgotten;
mod helped;
mod invited;
mod merchants;
mod offers;
pub mod oidc;
mod own_audit;
mod passwords;
mod platform;
mod saved_views;
mod sessions;
mod sign_in;
mod sign_up;
mod team;
mod tries;
mod two_factor;

use std::sync::Arc;

use multirail_conformance::{Call, TestServer};
use serde_json::{Value, json};

pub const PASSWORD: &str = "Correct-horse-1";

/// A user of one server, with a token.
pub struct Person {
    pub server: Arc<TestServer>,
    pub email: String,
    pub token: String,
}

impl Person {
    /// Signs a new user up.
    pub async fn new(server: &Arc<TestServer>, name: &str) -> Self {
        let email = format!("{name}@books.example");
        let who = json!({ "email": email, "password": PASSWORD });
        let made = server.wire.call("users_sign_up").json(&who).await.ok();
        Self {
            server: Arc::clone(server),
            email,
            token: token(&made),
        }
    }

    /// Invites a user to a merchant account, who chooses a password and signs in.
    pub async fn invited(
        server: &Arc<TestServer>,
        name: &str,
        role: &str,
        merchant_id: &str,
    ) -> Self {
        let email = format!("{name}@books.example");
        let invitation = json!({ "email": email, "role_id": role, "merchant_id": merchant_id });
        let invited = server.operator("users_invite").json(&invitation).await.ok();
        let chosen = json!({ "token": invited["password_token"], "password": PASSWORD });
        let call = server.wire.call("users_reset_password").json(&chosen);
        call.await.ok();
        let signed_in = sign_in(server, &email, PASSWORD).await.ok();
        Self {
            server: Arc::clone(server),
            email,
            token: token(&signed_in),
        }
    }

    /// Accepts an invitation as a known user with a different password, and signs in again.
    pub async fn accepts(&mut self, invited: &Value, password: &str) {
        let chosen = json!({ "token": invited["password_token"], "password": password });
        let call = self.server.wire.call("users_reset_password").json(&chosen);
        call.await.ok();
        let signed_in = sign_in(&self.server, &self.email, password).await.ok();
        self.token = token(&signed_in);
    }

    /// Builds a call with the token.
    pub fn call(&self, operation: &str) -> Call {
        self.server.wire.call(operation).token(&self.token)
    }

    pub async fn details(&self) -> Value {
        self.call("users_retrieve").await.ok()
    }

    /// Switches the user to another merchant account.
    pub async fn in_account(&self, merchant_id: &Value) -> Self {
        let there = json!({ "merchant_id": merchant_id });
        let switched = self.call("users_switch_merchant").json(&there).await.ok();
        Self {
            server: Arc::clone(&self.server),
            email: self.email.clone(),
            token: token(&switched),
        }
    }
}

pub fn token(signed_in: &Value) -> String {
    signed_in["token"].as_str().expect("a token").to_owned()
}

pub fn sign_in(server: &TestServer, email: &str, password: &str) -> Call {
    let who = json!({ "email": email, "password": password });
    server.wire.call("users_sign_in").json(&who)
}
