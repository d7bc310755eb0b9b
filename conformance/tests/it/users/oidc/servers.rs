//! Several servers, and secrets in files.

use multirail_conformance::Shop;
use multirail_conformance::identity_provider::{CLIENT_SECRET, IdentityProvider, Member};
use serde_json::json;

use super::super::token;
use super::{answer, begin, knows};
use crate::servers::site::{Site, is_found, moved};
use crate::servers::stored::all_rows;

fn invitation() -> serde_json::Value {
    json!({ "email": "ada.canary@books.example", "role_id": "merchant_operator", "merchant_id": "bookshop" })
}

#[tokio::test]
async fn a_sign_in_can_be_finished_once_at_any_server() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let provider = IdentityProvider::open().await;
    provider.knows(Member::new("sub-ada-canary", "ada.canary@books.example"));
    let one = site
        .server_with("one", |inputs| knows(&provider, inputs))
        .await;
    let shop: Shop = one.shop("bookshop").await;
    one.operator("users_invite").json(&invitation()).await.ok();
    let two = site
        .server_with("two", |inputs| knows(&provider, inputs))
        .await;
    let (there, here) = moved(shop, two);
    let begun = begin(&here).await.ok();
    let page = begun["auth_url"].as_str().expect("an address");
    let back = provider.visit(page, "sub-ada-canary").await;
    let body = answer(&begun, &back);
    let call = there.server.wire.call("oidc_sign_in").json(&body);
    let signed_in = call.await.ok();
    let call = here.wire.call("oidc_sign_in").json(&body);
    call.await.refused(401, "IR_17");
    let call = here.wire.call("users_retrieve").token(&token(&signed_in));
    assert_eq!(call.await.ok()["email"], "ada.canary@books.example");
    let rows = all_rows(site.database_url().expect("an address")).await;
    assert!(rows.contains("merchant_operator"), "the right rows");
    for telling in [
        "ada.canary",
        "sub-ada-canary",
        "oidc_",
        "-canary",
        CLIENT_SECRET,
        &back.code,
        &back.state,
    ] {
        // The names of the table and of operations in the audit log aren't tokens.
        let found = rows.replace("oidc_sign_in", "").contains(telling);
        assert!(!found, "{telling} rests in the clear");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_the_provider_stands_in_any_file() {
    let site = Site::on_sqlite();
    let provider = IdentityProvider::open().await;
    provider.knows(Member::new("sub-ada-canary", "ada.canary@books.example"));
    let server = site
        .server_with("one", |inputs| knows(&provider, inputs))
        .await;
    let shop: Shop = server.shop("bookshop").await;
    shop.server
        .operator("users_invite")
        .json(&invitation())
        .await
        .ok();
    let begun = begin(&server).await.ok();
    let page = begun["auth_url"].as_str().expect("an address");
    let back = provider.visit(page, "sub-ada-canary").await;
    let call = server
        .wire
        .call("oidc_sign_in")
        .json(&answer(&begun, &back));
    let signed_in = call.await.ok();
    // Another sign-in that was begun and isn't finished.
    let open = begin(&server).await.ok();
    let call = server.wire.call("users_retrieve").token(&token(&signed_in));
    let user_id = call.await.ok()["user_id"].clone();
    let folder = site.folder("one");
    assert!(
        is_found(&folder, user_id.as_str().expect("an id")),
        "the right files"
    );
    let open = open["token"].as_str().expect("a token");
    let begun = begun["token"].as_str().expect("a token");
    for telling in [
        "ada.canary",
        "sub-ada-canary",
        "access-token-canary",
        "refresh-token-canary",
        CLIENT_SECRET,
        open,
        begun,
        &back.code,
        &back.state,
    ] {
        assert!(!is_found(&folder, telling), "{telling} rests in the clear");
    }
}
