//! The console at an origin of its own, where real money moves.

use multirail_conformance::{Call, TestServer, wire::Wire};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::{Value, json};

use crate::users::PASSWORD;

const CONSOLE: &str = "console.example";
const PAYERS: &str = "pay.example";

/// Invites the admin of a new merchant account, who chooses a password. Returns their way to sign in.
async fn admin(wire: &Wire, admin_key: &str) -> Value {
    let opens = wire.call("merchant_accounts_create").key(admin_key);
    opens.json(&json!({ "merchant_id": "bookshop" })).await.ok();
    let email = "ada@books.example";
    let invitation =
        json!({ "email": email, "role_id": "merchant_admin", "merchant_id": "bookshop" });
    let invites = wire.call("users_invite").key(admin_key);
    let invited = invites.json(&invitation).await.ok();
    let chosen = json!({ "token": invited["password_token"], "password": PASSWORD });
    let chooses = wire.call("users_reset_password").json(&chosen);
    chooses.await.ok();
    json!({ "password": { "email": email, "password": PASSWORD } })
}

#[tokio::test]
async fn console_and_payers_refuse_the_paths_and_cookies_of_the_other() {
    let server = TestServer::start_in_production(|inputs| {
        inputs
            .with(Setting::PublicUrl, "https://pay.example")
            .with(Setting::ConsoleOrigin, "https://console.example")
    })
    .await;
    let wire = Wire::new(&server.address());
    let way = admin(&wire, server.admin_key()).await;
    let asks = |host: &str, method: Method, path: &str| {
        let call = wire.request(method, path).header("host", host);
        call.header("sec-fetch-site", "same-origin")
    };
    let begin = "/console/api/user/console/session";
    let answer = asks(CONSOLE, Method::POST, begin).json(&way).await;
    let set = answer.header("set-cookie").expect("a cookie").to_owned();
    answer.ok();
    assert!(set.starts_with("__Host-multirail_console="), "{set}");
    assert!(set.contains("; Path=/; "), "{set}");
    let cookie = set.split(';').next().unwrap_or_default();
    let with_cookie = |call: Call| call.header("cookie", cookie);
    let user = asks(CONSOLE, Method::GET, "/console/api/user");
    let user = with_cookie(user).await.ok();
    assert_eq!(user["merchant_id"], "bookshop");

    let at_payers = asks(PAYERS, Method::GET, "/console/api/user");
    with_cookie(at_payers).await.refused(404, "IR_02");
    let bare = asks(PAYERS, Method::GET, "/user");
    with_cookie(bare).await.refused(401, "IR_17");
    for path in [begin, "/user/console/session"] {
        let call = asks(PAYERS, Method::POST, path).json(&way);
        call.await.refused(404, "IR_02");
    }
    for (host, path) in [
        (PAYERS, "/console/"),
        (CONSOLE, "/payments/list"),
        (CONSOLE, "/docs"),
        ("evil.example", "/payments/list"),
        ("evil.example", "/console/api/user"),
    ] {
        asks(host, Method::GET, path).await.refused(404, "IR_02");
    }
    let health = asks("10.0.0.7", Method::GET, "/health").unjudged().await;
    assert_eq!(health.status, 200);
    let start = asks(CONSOLE, Method::GET, "/").await.ok();
    assert_eq!(start["console"], "https://console.example/console/");
}
