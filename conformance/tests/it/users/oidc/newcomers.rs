//! Identities that nobody has invited.

use multirail_conformance::identity_provider::Member;
use multirail_server::config::Setting;
use serde_json::json;

use super::super::{PASSWORD, sign_in};
use super::Scene;

#[tokio::test]
async fn newcomers_need_the_operators_setting() {
    let scene = Scene::open().await;
    scene.knows("ada");
    let message = scene.signs_in("ada").await.refused(403, "IR_22");
    assert!(message.contains("invitation"), "{message}");
    // No user was created, so the later invitation is Ada's first.
    let invited = scene.invites("ada", "merchant_view_only").await;
    assert!(invited["password_token"].is_string());
}

#[tokio::test]
async fn newcomers_of_a_domain_get_the_role_that_the_operator_names() {
    let scene = Scene::with(|inputs| {
        inputs
            .with(Setting::OpenSignUp, "false")
            .with(Setting::OidcEmailDomains, "books.example, shop.example")
            .with(Setting::OidcNewUserMerchant, "bookshop")
            .with(Setting::OidcNewUserRole, "merchant_view_only")
    })
    .await;
    let ways = scene.server.wire.call("oidc_methods").await.ok();
    assert_eq!(ways[1]["allow_signup"], true);
    scene.knows("ada");
    let signed_in = scene.signs_in("ada").await.ok();
    let details = scene.details(&signed_in).await;
    assert_eq!(details["merchant_id"], "bookshop");
    assert_eq!(details["role_id"], "merchant_view_only");
    // Ada has no password, and no password opens the account.
    sign_in(&scene.server, "ada@books.example", PASSWORD)
        .await
        .refused(401, "UR_01");
    // Two sign-ins at the same moment create one user.
    for name in ["grace", "joan", "mary", "rosa", "ruth", "vera"] {
        scene.knows(name);
        let (one, two) = (scene.returns(name).await, scene.returns(name).await);
        let (one, two) = tokio::join!(async { one.await.ok() }, async { two.await.ok() });
        let (one, two) = (scene.details(&one).await, scene.details(&two).await);
        assert_eq!(one["user_id"], two["user_id"]);
    }

    // Roles that the operator grants or removes later stay so after further sign-ins.
    scene.invites("ada", "merchant_admin").await;
    scene.signs_in("ada").await.ok();
    assert_eq!(scene.details(&signed_in).await["role_id"], "merchant_admin");
    let role = json!({ "email": "ada@books.example", "role_id": "merchant_admin", "merchant_id": "bookshop" });
    let call = scene.server.operator("users_remove_role").json(&role);
    call.await.ok();
    scene.signs_in("ada").await.refused(403, "IR_22");

    // Addresses of other domains stay out, known or not.
    for (sub, email) in [
        ("sub-eve", "eve@books.example.evil.example"),
        ("sub-eve", "eve@evil.example"),
        ("sub-grace", "grace@evil.example"),
    ] {
        scene.provider.knows(Member::new(sub, email));
        let name = sub.trim_start_matches("sub-");
        let message = scene.signs_in(name).await.refused(403, "IR_22");
        assert!(message.contains("books.example, shop.example"), "{message}");
    }
}

#[tokio::test]
async fn open_sign_up_includes_the_provider() {
    let scene = Scene::with(|inputs| inputs).await;
    scene.knows("ada");
    let signed_in = scene.signs_in("ada").await.ok();
    let details = scene.details(&signed_in).await;
    assert_eq!(details["role_id"], "org_admin");
    assert_ne!(details["merchant_id"], "bookshop");
    let who = json!({ "email": "ada@books.example", "password": PASSWORD });
    let call = scene.server.wire.call("users_sign_up").json(&who);
    call.await.refused(400, "UR_03");
    // Somebody has signed up with Grace's address before. The provider's sign-in doesn't open that account.
    let who = json!({ "email": "grace@books.example", "password": PASSWORD });
    let call = scene.server.wire.call("users_sign_up").json(&who);
    call.await.ok();
    scene.knows("grace");
    scene.signs_in("grace").await.refused(403, "IR_22");
}

#[tokio::test]
async fn a_missing_merchant_account_lets_no_newcomer_in() {
    let scene = Scene::with(|inputs| {
        inputs
            .with(Setting::OidcEmailDomains, "books.example")
            .with(Setting::OidcNewUserMerchant, "unborn")
            .with(Setting::OidcNewUserRole, "merchant_operator")
    })
    .await;
    scene.knows("ada");
    scene.signs_in("ada").await.refused(403, "IR_22");
}
