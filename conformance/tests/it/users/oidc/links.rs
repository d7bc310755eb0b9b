//! Links between the provider's identities and users.

use multirail_conformance::bodies::with;
use multirail_conformance::identity_provider::Member;
use multirail_conformance::mailbox::Mailbox;
use multirail_server::config::Setting;
use serde_json::{Value, json};

use super::super::{PASSWORD, Person, sign_in};
use super::{Scene, answer};
use crate::audit_log::entries_of;

/// Builds the body of a link for this identity of the provider.
async fn proof(scene: &Scene, name: &str, password: &str) -> Value {
    let begun = scene.begins().await;
    let back = scene.visits(&begun, name).await;
    with(answer(&begun, &back), json!({ "password": password }))
}

#[tokio::test]
async fn a_password_user_must_link_before_signing_in_with_the_provider() {
    let scene = Scene::open().await;
    // Mallory has stolen Ada's invitation and chosen a password. The provider's sign-in of Ada doesn't open that
    // account.
    let first = Person::invited(&scene.server, "ada", "merchant_operator", "bookshop").await;
    scene.knows("ada");
    let message = scene.signs_in("ada").await.refused(403, "IR_22");
    assert!(message.contains("oidc_link"), "{message}");
    assert_eq!(first.details().await["is_oidc_linked"], false);

    let link = async |body: Value| first.call("oidc_link").json(&body).await;
    let wrong = proof(&scene, "ada", "Correct-horse-2").await;
    link(wrong.clone()).await.refused(401, "UR_01");
    // The wrong password didn't use up the provider's answer.
    let linked = link(with(wrong, json!({ "password": PASSWORD }))).await;
    assert_eq!((linked.status, linked.text.as_str()), (200, ""));
    assert_eq!(first.details().await["is_oidc_linked"], true);
    link(proof(&scene, "ada", PASSWORD).await)
        .await
        .refused(400, "IR_16");
    let signed_in = scene.signs_in("ada").await.ok();
    let details = scene.details(&signed_in).await;
    assert_eq!(details["user_id"], first.details().await["user_id"]);
    sign_in(&scene.server, &first.email, PASSWORD).await.ok();
    let entry = entries_of(&scene.server, "oidc_link").await.remove(0);
    assert_eq!(entry["principal_id"], details["user_id"]);

    // Unlinking needs the password, and ends sessions that the provider opened.
    let unlink = |password: &str| {
        let body = json!({ "password": password });
        first.call("oidc_unlink").json(&body)
    };
    unlink("Correct-horse-2").await.refused(401, "UR_01");
    assert_eq!(unlink(PASSWORD).await.status, 200);
    let token = super::super::token(&signed_in);
    let call = scene.server.wire.call("users_retrieve").token(&token);
    call.await.refused(401, "IR_17");
    unlink(PASSWORD).await.refused(400, "IR_16");
    scene.signs_in("ada").await.refused(403, "IR_22");
}

#[tokio::test]
async fn a_password_chosen_by_mail_undoes_the_link() {
    let mailbox = Mailbox::open().await;
    let mail = mailbox.setting();
    let scene = Scene::with(|inputs| {
        inputs
            .with(Setting::MailServer, &mail)
            .with(Setting::MailFrom, "multirail@shop.example")
            .with(Setting::MailPasswordPage, "https://shop.example/password")
    })
    .await;
    // Mallory signs up with Ada's address, which nobody verified, and links an identity.
    let person = Person::new(&scene.server, "ada").await;
    scene.knows("mallory");
    let body = proof(&scene, "mallory", PASSWORD).await;
    let linked = person.call("oidc_link").json(&body).await;
    assert_eq!(linked.status, 200);
    let own = person.details().await["user_id"].clone();
    let let_in = scene.signs_in("mallory").await.ok();
    assert_eq!(scene.details(&let_in).await["user_id"], own);
    // Ada receives the mail, so the account becomes hers alone.
    let wire = &scene.server.wire;
    let who = json!({ "email": person.email });
    wire.call("users_forgot_password").json(&who).await;
    let letter = mailbox.letters(1).await.remove(0);
    let chosen = json!({ "token": letter.token(), "password": "Battery-staple-2" });
    let chosen = wire.call("users_reset_password").json(&chosen).await;
    assert_eq!(chosen.status, 200);
    // Mallory's identity opens another account now, not this one.
    let let_in = scene.signs_in("mallory").await.ok();
    assert_ne!(scene.details(&let_in).await["user_id"], own);
    sign_in(&scene.server, &person.email, "Battery-staple-2")
        .await
        .ok();
}

#[tokio::test]
async fn one_of_the_provider_is_one_user() {
    let scene = Scene::open().await;
    let ada = Person::invited(&scene.server, "ada", "merchant_operator", "bookshop").await;
    let grace = Person::invited(&scene.server, "grace", "merchant_operator", "bookshop").await;
    // The identity's address may differ. The password proves which user it belongs to.
    let member = Member::new("sub-countess", "countess@home.example");
    scene.provider.knows(member);
    let body = proof(&scene, "countess", PASSWORD).await;
    assert_eq!(ada.call("oidc_link").json(&body).await.status, 200);
    let body = proof(&scene, "countess", PASSWORD).await;
    let call = grace.call("oidc_link").json(&body);
    call.await.refused(403, "IR_22");
    let signed_in = scene.signs_in("countess").await.ok();
    assert_eq!(scene.details(&signed_in).await["email"], ada.email.as_str());
}

#[tokio::test]
async fn a_reused_address_does_not_open_the_former_account() {
    let scene = Scene::open().await;
    scene.knows("ada");
    let invited = scene.invites("ada", "org_admin").await;
    let signed_in = scene.signs_in("ada").await.ok();
    // Ada has left, and the provider gives the address to another Ada.
    let another = Member::new("sub-another", "ada@books.example");
    scene.provider.knows(another);
    scene.signs_in("another").await.refused(403, "IR_22");
    scene.details(&signed_in).await;

    // Only the operator can confirm that it is the same person, which ends the old link and its sessions.
    let reset = |body: Value| scene.server.operator("users_reset_sign_in").json(&body);
    let asked = json!({ "email": "ada@books.example", "oidc": true, "two_factor": true });
    let told = reset(asked.clone()).await.ok();
    assert_eq!(
        told,
        json!({ "user_id": invited["user_id"], "oidc": true, "two_factor": false })
    );
    let token = super::super::token(&signed_in);
    let call = scene.server.wire.call("users_retrieve").token(&token);
    call.await.refused(401, "IR_17");
    let again = scene.signs_in("another").await.ok();
    assert_eq!(scene.details(&again).await["user_id"], invited["user_id"]);
    scene.signs_in("ada").await.refused(403, "IR_22");
}

#[tokio::test]
async fn a_first_sign_in_needs_a_verified_address() {
    let scene = Scene::open().await;
    scene.invites("ada", "merchant_operator").await;
    for member in [
        Member {
            is_verified: false,
            ..Member::new("sub-ada", "ada@books.example")
        },
        Member {
            email: None,
            ..Member::new("sub-ada", "")
        },
    ] {
        scene.provider.knows(member);
        scene.signs_in("ada").await.refused(403, "IR_22");
    }
    scene.knows("ada");
    scene.signs_in("ada").await.ok();
    // A linked identity needs no address.
    scene.provider.knows(Member {
        email: None,
        ..Member::new("sub-ada", "")
    });
    scene.signs_in("ada").await.ok();
}
