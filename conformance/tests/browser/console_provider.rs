//! A person signs in to the console with the identity provider, whose pages are at another site. The console's cookies
//! are `SameSite=Strict`. Only a browser shows that the page's own calls have them after the way back.

use multirail_conformance::TestServer;
use multirail_conformance::identity_provider::{
    CLIENT_ID, CLIENT_SECRET, IdentityProvider, Member, REDIRECT_URL,
};
use multirail_server::config::Setting;
use serde_json::json;

use super::clerk::Clerk;
use super::console_sessions::{EMAIL, PASSWORD, is_invited, signs_in};
use super::payer::Payer;

/// The name under which the provider knows the person.
const SUBJECT: &str = "sub-ada";

/// Opens a server whose users may sign in with a provider, which knows the person.
async fn with_provider(mut payer: Payer) -> Clerk {
    let provider = IdentityProvider::open().await;
    provider.knows(Member::new(SUBJECT, EMAIL));
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::OpenSignUp, "false")
            .with(Setting::OidcIssuer, provider.issuer())
            .with(Setting::OidcClientId, CLIENT_ID)
            .with(Setting::OidcClientSecret, CLIENT_SECRET)
            .with(Setting::OidcRedirectUrl, REDIRECT_URL)
            .with(Setting::OidcLabel, "Books ID")
    })
    .await;
    payer.shop = server.shop("bookshop").await;
    Clerk::with(payer).await
}

/// Signs in at the provider, which sends the browser back.
async fn signs_in_there(clerk: &Clerk) {
    clerk.finds_text("a", SUBJECT).await;
    let site = clerk.asks("return location.hostname").await;
    assert_eq!(site, json!("localhost"), "another site than the console");
    clerk.clicks_exactly("a", SUBJECT).await;
}

pub async fn a_user_comes_back_to_their_screen(payer: Payer) {
    let clerk = with_provider(payer).await;
    let invitation = json!({ "email": EMAIL, "role_id": "merchant_admin", "merchant_id": clerk.shop.merchant_id });
    let invites = clerk.shop.operator("users_invite");
    invites.json(&invitation).await.ok();
    clerk.goes_to("/payments?group=failed").await;
    clerk.is_at("Sign in").await;
    let begin = "Sign in with Books ID";
    clerk.clicks_exactly("main//button", begin).await;
    signs_in_there(&clerk).await;
    clerk.is_at("Payments").await;
    let address = clerk.browser.current_url().await.expect("an address");
    assert_eq!(address.path(), "/console/payments");
    assert_eq!(address.query(), Some("group=failed"));
    let readable = clerk.asks("return document.cookie").await;
    assert_eq!(readable, json!(""));
    clerk.heard_refusals_only().await;
}

/// Two cookies have to travel: the one of the session, and the one of the begun sign-in.
pub async fn a_user_links_themselves(payer: Payer) {
    let clerk = with_provider(payer).await;
    is_invited(&clerk).await;
    clerk.goes_to("/identity").await;
    clerk.is_at("Sign in").await;
    signs_in(&clerk, PASSWORD).await;
    clerk.is_at("Your identity provider").await;
    let begin = "Sign in at Books ID";
    clerk.clicks_exactly("main//button", begin).await;
    signs_in_there(&clerk).await;
    clerk.is_at("Your identity provider").await;
    clerk.writes("Your password here", PASSWORD).await;
    clerk.clicks_exactly("main//button", "Link").await;
    let done = "You can now sign in with Books ID.";
    clerk.finds_text("*[@role='status']", done).await;
    clerk.finds_text("main//button", "Remove the link").await;
    clerk.heard_refusals_only().await;
}
