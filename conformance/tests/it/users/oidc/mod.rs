//! Sign-in with the operator's identity provider.

mod lies;
mod links;
mod newcomers;
mod servers;
mod sign_in;

use std::sync::Arc;

use multirail_conformance::identity_provider::{
    Back, CLIENT_ID, CLIENT_SECRET, IdentityProvider, Member, REDIRECT_URL,
};
use multirail_conformance::{Call, Response, TestServer};
use multirail_server::config::{Inputs, Setting};
use serde_json::{Value, json};

/// Settings of a server that knows the provider.
pub fn knows(provider: &IdentityProvider, inputs: Inputs) -> Inputs {
    inputs
        .with(Setting::OidcIssuer, provider.issuer())
        .with(Setting::OidcClientId, CLIENT_ID)
        .with(Setting::OidcClientSecret, CLIENT_SECRET)
        .with(Setting::OidcRedirectUrl, REDIRECT_URL)
        .with(Setting::OidcLabel, "Books ID")
}

/// A server with a merchant account `bookshop`, and its provider.
pub struct Scene {
    pub server: Arc<TestServer>,
    pub provider: IdentityProvider,
}

impl Scene {
    /// Opens a server where only invited users have accounts.
    pub async fn open() -> Self {
        Self::with(|inputs| inputs.with(Setting::OpenSignUp, "false")).await
    }

    pub async fn with(more: impl FnOnce(Inputs) -> Inputs) -> Self {
        let provider = IdentityProvider::open().await;
        let server = TestServer::start_with(|inputs| more(knows(&provider, inputs))).await;
        server.shop_without_connector("bookshop").await;
        Self { server, provider }
    }

    /// Adds an identity to the provider, with a verified address of the bookshop.
    pub fn knows(&self, name: &str) {
        let email = format!("{name}@books.example");
        self.provider
            .knows(Member::new(&format!("sub-{name}"), &email));
    }

    /// Invites a user as the operator, who gets a role but no password token.
    pub async fn invites(&self, name: &str, role: &str) -> Value {
        let invitation = json!({
            "email": format!("{name}@books.example"), "role_id": role, "merchant_id": "bookshop",
        });
        let call = self.server.operator("users_invite").json(&invitation);
        call.await.ok()
    }

    pub async fn begins(&self) -> Value {
        begin(&self.server).await.ok()
    }

    /// Visits the provider and returns the call that finishes the sign-in.
    pub async fn returns(&self, name: &str) -> Call {
        let begun = self.begins().await;
        let back = self.visits(&begun, name).await;
        self.brings(&answer(&begun, &back))
    }

    pub async fn visits(&self, begun: &Value, name: &str) -> Back {
        let page = begun["auth_url"].as_str().expect("an address");
        self.provider.visit(page, &format!("sub-{name}")).await
    }

    pub fn brings(&self, body: &Value) -> Call {
        self.server.wire.call("oidc_sign_in").json(body)
    }

    pub async fn signs_in(&self, name: &str) -> Response {
        self.returns(name).await.await
    }

    /// Returns the user of a token.
    pub async fn details(&self, signed_in: &Value) -> Value {
        let token = super::token(signed_in);
        self.server
            .wire
            .call("users_retrieve")
            .token(&token)
            .await
            .ok()
    }
}

pub fn begin(server: &TestServer) -> Call {
    server.wire.call("oidc_begin")
}

/// Builds the body of a sign-in.
pub fn answer(begun: &Value, back: &Back) -> Value {
    json!({ "token": begun["token"], "state": back.state, "code": back.code, "iss": back.iss })
}
