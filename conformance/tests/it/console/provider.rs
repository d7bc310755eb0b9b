//! Sign-ins to the console by the operator's identity provider. The token that binds the provider's answer to the browser
//! is in a cookie, so that no script of the page gets it.

use multirail_conformance::TestServer;
use multirail_conformance::authenticator::Authenticator;
use multirail_conformance::bodies::with;
use multirail_conformance::identity_provider::{Back, IdentityProvider, Lie};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::{Value, json};

use super::Page;
use crate::users::oidc::{Scene, answer, knows};
use crate::users::{PASSWORD, Person};

const BEGIN: &str = "/user/console/oidc";
const FINISH: &str = "/user/console/session";

/// The screen at which a user is when they sign in.
const SCREEN: &str = "/payments?group=failed";

/// Begins a sign-in at the console of the scene's server. The page then has its cookie.
async fn begins(scene: &Scene) -> (Page, Value) {
    let mut page = Page::at(&scene.server.address());
    let begun = page.posts(BEGIN, &json!({ "screen": SCREEN })).await;
    page.keeps(&begun);
    (page, begun.ok())
}

/// Signs a person in at the provider, which sends their browser back to the console.
async fn visits(scene: &Scene, begun: &Value, name: &str) -> Back {
    let page = begun["auth_url"].as_str().expect("an address");
    let console = format!("{}/console/signed_in?", scene.server.url());
    let sub = format!("sub-{name}");
    scene.provider.visit_for(page, &sub, &console).await
}

/// Builds the body with which the console's page finishes a sign-in.
fn brought(back: &Back) -> Value {
    json!({ "oidc": { "state": back.state, "code": back.code, "iss": back.iss } })
}

#[tokio::test]
async fn a_user_signs_in_by_the_provider_and_no_script_gets_a_token() {
    let scene = Scene::open().await;
    scene.knows("ada");
    let invited = scene.invites("ada", "merchant_operator").await;
    let mut page = Page::at(&scene.server.address());
    let ways = page.gets("/user/auth/list").await.ok();
    assert_eq!(ways[1]["auth_method"]["name"], "Books ID");

    let begun = page.posts(BEGIN, &json!({ "screen": SCREEN })).await;
    let cookie = begun.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.starts_with("multirail_console_oidc="), "{cookie}");
    assert!(
        cookie.ends_with("; Path=/console/; Max-Age=600; HttpOnly; Secure; SameSite=Strict"),
        "{cookie}"
    );
    page.keeps(&begun);
    let begun = begun.ok();
    let members: Vec<&String> = begun.as_object().expect("members").keys().collect();
    assert_eq!(members, ["auth_url", "expires_at"]);

    let back = visits(&scene, &begun, "ada").await;
    let by_provider = page.clone();
    let answer = page.posts(FINISH, &brought(&back)).await;
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.starts_with("multirail_console="), "{cookie}");
    page.keeps(&answer);
    let said = answer.ok();
    assert_eq!(said["status"], "signed_in");
    assert_eq!(said["screen"], SCREEN);
    let user = page.gets("/user").await.ok();
    assert_eq!(user["user_id"], invited["user_id"]);
    assert_eq!(user["is_oidc_linked"], true);
    let listed = page.gets("/user/sessions").await.ok();
    assert_eq!(listed[0]["kind"], "console");

    // The answer counts once.
    let again = by_provider.posts(FINISH, &brought(&back)).await;
    again.refused(401, "IR_17");
}

/// Otherwise a link with somebody's answer could sign its reader in as that person.
#[tokio::test]
async fn only_the_browser_that_began_finishes_and_at_the_console_only() {
    let scene = Scene::open().await;
    for name in ["ada", "mallory"] {
        scene.knows(name);
        scene.invites(name, "merchant_operator").await;
    }
    let (of_mallory, begun) = begins(&scene).await;
    let back = visits(&scene, &begun, "mallory").await;
    let (of_ada, begun_by_ada) = begins(&scene).await;
    let nobodys = Page::at(&scene.server.address());
    for page in [&of_ada, &nobodys] {
        let forged = page.posts(FINISH, &brought(&back)).await;
        forged.refused(401, "IR_17");
    }
    let cookie = of_mallory.cookie.clone().expect("a cookie");
    let elsewhere = scene.server.wire.call("console_sessions_begin");
    let elsewhere = elsewhere.header("cookie", &cookie).json(&brought(&back));
    elsewhere.await.refused(401, "IR_17");
    // None of these has used the sign-ins up.
    of_mallory.posts(FINISH, &brought(&back)).await.ok();
    let back = visits(&scene, &begun_by_ada, "ada").await;
    of_ada.posts(FINISH, &brought(&back)).await.ok();

    let (late, begun) = begins(&scene).await;
    let back = visits(&scene, &begun, "ada").await;
    scene.server.time_passes(600).await;
    late.posts(FINISH, &brought(&back))
        .await
        .refused(401, "IR_17");
}

/// The provider sends each answer to the page that asked for it, and repeats are compared with that page.
#[tokio::test]
async fn an_answer_for_the_dashboard_is_none_for_the_console() {
    let scene = Scene::open().await;
    scene.knows("ada");
    scene.invites("ada", "merchant_operator").await;
    let begun = scene.begins().await;
    let back = scene.visits(&begun, "ada").await;
    let token = begun["token"].as_str().expect("a token");
    let page = Page {
        cookie: Some(format!("multirail_console_oidc={token}.")),
        ..Page::at(&scene.server.address())
    };
    page.posts(FINISH, &brought(&back))
        .await
        .refused(400, "UR_46");
}

#[tokio::test]
async fn a_second_factor_is_asked_for_after_the_provider_too() {
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
    let link = with(answer(&begun, &back), password);
    assert_eq!(ada.call("oidc_link").json(&link).await.status, 200);

    let (mut page, begun) = begins(&scene).await;
    let back = visits(&scene, &begun, "ada").await;
    let first = page.begins(&brought(&back)).await;
    assert_eq!(first["status"], "second_step_required");
    assert_eq!(first["screen"], SCREEN);
    page.gets("/user").await.refused(401, "IR_17");
    let step = json!({ "token": first["second_step_token"], "totp": authenticator.code(1) });
    let second = page.begins(&json!({ "second_step": step })).await;
    assert_eq!(second["status"], "signed_in");
    assert_eq!(second["screen"], Value::Null);
    let user = page.gets("/user").await.ok();
    assert_eq!(user["email"], "ada@books.example");
}

/// The provider alone opens no account that has a password.
#[tokio::test]
async fn a_user_with_a_password_links_themselves_at_the_console() {
    let scene = Scene::open().await;
    let ada = Person::invited(&scene.server, "ada", "merchant_operator", "bookshop").await;
    scene.knows("ada");
    let mut page = Page::at(&scene.server.address());
    let who = json!({ "email": ada.email, "password": PASSWORD });
    page.begins(&json!({ "password": who })).await;
    let session = page.cookie.clone().expect("a cookie");
    let begun = page.posts(BEGIN, &json!({ "screen": "/identity" })).await;
    let cookie = begun.header("set-cookie").expect("a cookie").to_owned();
    let begun = begun.ok();
    let back = visits(&scene, &begun, "ada").await;
    let proof = |password: &str| json!({ "password": password, "state": back.state, "code": back.code, "iss": back.iss });
    page.posts("/user/oidc/link", &proof(PASSWORD))
        .await
        .refused(401, "IR_17");
    // The browser sends both cookies in one header.
    let pair = cookie.split(';').next().unwrap_or_default();
    page.cookie = Some(format!("{session}; {pair}"));
    let wrong = page.posts("/user/oidc/link", &proof("Correct-horse-2"));
    wrong.await.refused(401, "UR_01");
    let linked = page.posts("/user/oidc/link", &proof(PASSWORD)).await;
    assert_eq!((linked.status, linked.text.as_str()), (200, ""));
    assert_eq!(page.gets("/user").await.ok()["is_oidc_linked"], true);
    let bare = ada.call("oidc_link").json(&proof(PASSWORD)).await;
    bare.refused(400, "IR_04");

    let (mut again, begun) = begins(&scene).await;
    let back = visits(&scene, &begun, "ada").await;
    again.begins(&brought(&back)).await;
    let user = again.gets("/user").await.ok();
    assert_eq!(user["email"], ada.email.as_str());
}

#[tokio::test]
async fn refusals_say_what_the_user_can_do() {
    let scene = Scene::open().await;
    let signs_in = async |name: &str| {
        let (page, begun) = begins(&scene).await;
        let back = visits(&scene, &begun, name).await;
        page.posts(FINISH, &brought(&back)).await
    };
    scene.knows("eve");
    let message = signs_in("eve").await.refused(403, "IR_22");
    assert!(message.contains("invitation"), "{message}");
    Person::invited(&scene.server, "ada", "merchant_operator", "bookshop").await;
    scene.knows("ada");
    let message = signs_in("ada").await.refused(403, "IR_22");
    assert!(message.contains("you have a password here"), "{message}");
    scene.provider.lies(Lie::RefusesCodes);
    signs_in("ada").await.refused(400, "UR_46");

    let scene = Scene::open().await;
    scene.provider.lies(Lie::IsDown);
    let page = Page::at(&scene.server.address());
    let begun = page.posts(BEGIN, &json!({ "screen": "/" })).await;
    begun.refused(503, "HE_00");
    let without = TestServer::start().await;
    let page = Page::at(&without.address());
    let begun = page.posts(BEGIN, &json!({ "screen": "/" })).await;
    begun.refused(403, "IR_22");
}

/// Where real money moves, the provider sends browsers to the console's own origin.
#[tokio::test]
async fn the_provider_sends_browsers_to_the_consoles_own_origin() {
    let provider = IdentityProvider::open().await;
    let server = TestServer::start_in_production(|inputs| {
        knows(&provider, inputs)
            .with(Setting::OidcAllowedTargets, "127.0.0.0/8")
            .with(Setting::PublicUrl, "https://pay.example")
            .with(Setting::ConsoleOrigin, "https://console.example")
    })
    .await;
    let page = Page::at(&server.address());
    let begins = |host: &str, path: &str| {
        let call = page.wire.request(Method::POST, path).header("host", host);
        let call = call.header("sec-fetch-site", "same-origin");
        call.json(&json!({ "screen": "/" }))
    };
    let begun = begins("console.example", &format!("/console/api{BEGIN}")).await;
    let cookie = begun.header("set-cookie").expect("a cookie").to_owned();
    assert!(
        cookie.starts_with("__Host-multirail_console_oidc="),
        "{cookie}"
    );
    assert!(cookie.contains("; Path=/; "), "{cookie}");
    let begun = begun.ok();
    let address = begun["auth_url"].as_str().expect("an address");
    let page = "redirect_uri=https%3A%2F%2Fconsole.example%2Fconsole%2Fsigned_in";
    assert!(address.contains(page), "{address}");
    begins("pay.example", BEGIN).await.refused(404, "IR_02");
}
