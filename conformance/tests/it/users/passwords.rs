//! Password changes.

use multirail_conformance::TestServer;
use serde_json::{Value, json};

use super::{PASSWORD, Person, sign_in, token};

const NEXT: &str = "Battery-staple-2";

fn change(former: &str, next: &str) -> Value {
    json!({ "old_password": former, "new_password": next })
}

#[tokio::test]
async fn another_password_ends_all_other_sign_ins() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let phone = Person {
        token: token(&sign_in(&server, &ada.email, PASSWORD).await.ok()),
        email: ada.email.clone(),
        server: ada.server.clone(),
    };
    for (body, status, code) in [
        (change("Correct-horse-2", NEXT), 401, "UR_01"),
        (change(PASSWORD, "short"), 400, "UR_09"),
        (change(PASSWORD, PASSWORD), 400, "UR_09"),
    ] {
        let call = ada.call("users_change_password").json(&body);
        call.await.refused(status, code);
    }
    phone.details().await;
    let call = ada.call("users_change_password");
    let changed = call.json(&change(PASSWORD, NEXT)).await;
    assert_eq!((changed.status, changed.text.as_str()), (200, ""));
    phone.call("users_retrieve").await.refused(401, "IR_17");
    ada.details().await;
    sign_in(&server, &ada.email, PASSWORD)
        .await
        .refused(401, "UR_01");
    sign_in(&server, &ada.email, NEXT).await.ok();
}
