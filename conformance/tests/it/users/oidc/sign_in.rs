//! Invited users sign in with the provider, once for each of its answers.

use multirail_conformance::authenticator::Authenticator;
use multirail_conformance::bodies::with;
use serde_json::json;

use super::super::{PASSWORD, Person, token};
use super::{Scene, answer, begin};
use crate::audit_log::entries_of;
use multirail_conformance::TestServer;

#[tokio::test]
async fn an_invited_user_is_signed_in_and_linked() {
    let scene = Scene::open().await;
    scene.knows("ada");
    let invited = scene.invites("ada", "merchant_operator").await;
    let ways = scene.server.wire.call("oidc_methods").await.ok();
    assert_eq!(
        ways,
        json!([
            { "auth_method": { "type": "password", "name": null }, "allow_signup": false },
            { "auth_method": { "type": "open_id_connect", "name": "Books ID" }, "allow_signup": false },
        ])
    );
    let signed_in = scene.signs_in("ada").await.ok();
    assert_eq!(signed_in["token_type"], "user_info");
    let details = scene.details(&signed_in).await;
    assert_eq!(details["user_id"], invited["user_id"]);
    assert_eq!(details["role_id"], "merchant_operator");
    assert_eq!(details["is_oidc_linked"], true);
    // Ada's address has changed, but the provider's identity is the same.
    let member =
        multirail_conformance::identity_provider::Member::new("sub-ada", "countess@books.example");
    scene.provider.knows(member);
    let again = scene.signs_in("ada").await.ok();
    let details = scene.details(&again).await;
    assert_eq!(details["user_id"], invited["user_id"]);
    assert_eq!(details["email"], "ada@books.example");
    // Each sign-in is a session of its own, and ends like any other.
    let call = |operation: &str| scene.server.wire.call(operation).token(&token(&again));
    let sessions = call("user_sessions_list").await.ok();
    assert_eq!(sessions.as_array().map(Vec::len), Some(2));
    call("users_sign_out").await;
    call("users_retrieve").await.refused(401, "IR_17");
    scene.details(&signed_in).await;
    // The document and the keys were fetched once. The user info wasn't fetched, because the token held the address.
    assert_eq!(scene.provider.was_asked("document"), 1);
    assert_eq!(scene.provider.was_asked("keys"), 1);
    assert_eq!(scene.provider.was_asked("user_info"), 0);

    // The start leaves no audit entry. Each sign-in names its user, and the first one also says that the identity was
    // linked.
    assert!(entries_of(&scene.server, "oidc_begin").await.is_empty());
    let entries = entries_of(&scene.server, "oidc_sign_in").await;
    assert_eq!(entries.len(), 2);
    for entry in entries {
        assert_eq!(entry["principal"], "user");
        assert_eq!(entry["principal_id"], invited["user_id"]);
    }
}

#[tokio::test]
async fn an_answer_is_taken_once_in_time_and_from_whoever_asked() {
    let scene = Scene::open().await;
    for name in ["ada", "mallory"] {
        scene.knows(name);
        scene.invites(name, "merchant_operator").await;
    }
    let refused = async |body: serde_json::Value| {
        let call = scene.brings(&body);
        call.await.refused(401, "IR_17");
    };
    // Mallory sends Ada a link with the answer to Mallory's sign-in. Ada's browser doesn't have Mallory's token.
    let (of_mallory, of_ada) = (scene.begins().await, scene.begins().await);
    let back = scene.visits(&of_mallory, "mallory").await;
    refused(with(
        answer(&of_mallory, &back),
        json!({ "token": of_ada["token"] }),
    ))
    .await;
    // Mallory can't use Ada's code alone either.
    let back = scene.visits(&of_ada, "ada").await;
    refused(with(
        answer(&of_ada, &back),
        json!({ "token": of_mallory["token"] }),
    ))
    .await;
    let stolen = json!({ "token": of_mallory["token"], "state": answer(&of_mallory, &back)["state"], "code": back.code });
    refused(stolen).await;
    let states = scene.visits(&of_mallory, "mallory").await;
    let injected =
        json!({ "token": of_mallory["token"], "state": states.state, "code": back.code });
    // The code belongs to another sign-in, so the provider refuses the verifier.
    scene.brings(&injected).await.refused(400, "UR_46");
    // The wrong answers didn't use up Ada's sign-in, but the code is gone.
    scene
        .brings(&answer(&of_ada, &back))
        .await
        .refused(400, "UR_46");

    let begun = scene.begins().await;
    let back = scene.visits(&begun, "ada").await;
    refused(with(
        answer(&begun, &back),
        json!({ "token": "oidc_unborn" }),
    ))
    .await;
    refused(with(answer(&begun, &back), json!({ "state": "" }))).await;
    refused(with(
        answer(&begun, &back),
        json!({ "iss": "https://evil.example" }),
    ))
    .await;
    scene.brings(&answer(&begun, &back)).await.ok();
    refused(answer(&begun, &back)).await;
    // Eight uses at the same moment: only one succeeds.
    let begun = scene.begins().await;
    let back = scene.visits(&begun, "ada").await;
    let body = answer(&begun, &back);
    let all = futures::future::join_all((0..8).map(|_| {
        let call = scene.brings(&body);
        async move { call.await.status }
    }));
    let statuses = all.await;
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| [200, 401].contains(status)),
        "{statuses:?}"
    );
    // The sign-in is valid for ten minutes.
    let begun = scene.begins().await;
    let back = scene.visits(&begun, "ada").await;
    scene.server.time_passes(600).await;
    refused(answer(&begun, &back)).await;
}

#[tokio::test]
async fn a_second_factor_is_required_with_the_provider_too() {
    let scene = Scene::open().await;
    let ada = Person::invited(&scene.server, "ada", "merchant_operator", "bookshop").await;
    let password = json!({ "password": PASSWORD });
    let begun = ada.call("two_factor_begin").json(&password).await.ok();
    let authenticator = Authenticator::from_answer(&begun);
    let code = json!({ "totp": authenticator.code(0) });
    ada.call("two_factor_confirm").json(&code).await.ok();
    scene.knows("ada");
    let begun = scene.begins().await;
    let back = scene.visits(&begun, "ada").await;
    let body = with(answer(&begun, &back), password);
    ada.call("oidc_link").json(&body).await;
    let first = scene.signs_in("ada").await.ok();
    assert_eq!(first["token_type"], "totp");
    let call = scene
        .server
        .wire
        .call("users_retrieve")
        .token(&token(&first));
    call.await.refused(401, "IR_17");
    let step = json!({ "token": first["token"], "totp": authenticator.code(1) });
    let call = scene.server.wire.call("two_factor_sign_in").json(&step);
    let signed_in = call.await.ok();
    assert_eq!(
        scene.details(&signed_in).await["email"],
        "ada@books.example"
    );
}

#[tokio::test]
async fn addresses_may_stand_at_user_info_and_the_secret_in_the_form() {
    let scene = Scene::open().await;
    scene.provider.tells_addresses_at_user_info();
    scene.provider.wants_secret_in_form();
    scene.knows("ada");
    scene.invites("ada", "merchant_operator").await;
    scene.signs_in("ada").await.ok();
    assert_eq!(scene.provider.was_asked("user_info"), 1);
    scene
        .provider
        .lies(multirail_conformance::identity_provider::Lie::OtherSubject);
    scene.signs_in("ada").await.refused(400, "UR_46");
}

/// A person whose address has changed may not own the invited one any more.
#[tokio::test]
async fn offers_are_accepted_only_by_the_owner_of_the_invited_address() {
    let scene = Scene::open().await;
    scene.knows("ada");
    scene.invites("ada", "merchant_view_only").await;
    scene.signs_in("ada").await.ok();
    scene.invites("ada", "merchant_operator").await;
    let role = async || {
        let signed_in = scene.signs_in("ada").await.ok();
        scene.details(&signed_in).await["role_id"].clone()
    };
    let renamed =
        multirail_conformance::identity_provider::Member::new("sub-ada", "countess@books.example");
    scene.provider.knows(renamed);
    assert_eq!(role().await, "merchant_view_only");
    scene.knows("ada");
    assert_eq!(role().await, "merchant_operator");
}

#[tokio::test]
async fn without_a_provider_there_is_nothing_to_begin() {
    let server = TestServer::start().await;
    let ways = server.wire.call("oidc_methods").await.ok();
    assert_eq!(
        ways,
        json!([{ "auth_method": { "type": "password", "name": null }, "allow_signup": true }])
    );
    begin(&server).await.refused(403, "IR_22");
    let body = json!({ "token": "oidc_1", "state": "s", "code": "c" });
    let call = server.wire.call("oidc_sign_in").json(&body);
    call.await.refused(403, "IR_22");
}

#[tokio::test]
async fn one_place_begins_only_so_often() {
    let scene = Scene::open().await;
    // The limit allows sixty at once, and one more every two seconds.
    for _ in 0..200 {
        let answer = begin(&scene.server).await;
        if answer.status != 200 {
            assert!(answer.header("retry-after").is_some());
            answer.refused(429, "MR_03");
            return;
        }
    }
    panic!("nobody was kept waiting");
}
