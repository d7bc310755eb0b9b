//! Accounts connected to a platform: who opens them, and their organization.

use multirail_conformance::TestServer;
use serde_json::{Value, json};

use super::{Hall, account};
use crate::users::Person;

#[tokio::test]
async fn the_operator_and_the_platforms_admin_open_them() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let opened = hall.opens("stall", "connected").await.ok();
    assert_eq!(opened["merchant_account_type"], "connected");
    assert_eq!(opened["organization_id"], hall.organization_id.as_str());
    assert_eq!(account(&server, "stall").await, opened);
    let create = |who: &Person, account_type: Value| {
        let body = json!({ "company_name": "Booth", "merchant_account_type": account_type });
        who.call("users_create_merchant").json(&body)
    };
    let by_admin = create(&hall.admin, json!("connected")).await.ok();
    assert_eq!(by_admin["merchant_account_type"], "connected");
    assert_eq!(by_admin["org_id"], hall.organization_id.as_str());
    for plain in [json!("standard"), Value::Null] {
        let made = create(&hall.admin, plain).await.ok();
        assert_eq!(made["merchant_account_type"], "standard");
    }
    create(&hall.admin, json!("platform"))
        .await
        .refused(400, "IR_06");
    hall.opens("second", "platform").await.refused(400, "IR_06");
    let without = json!({ "merchant_id": "plain", "organization_id": hall.organization_id });
    let call = server.operator("merchant_accounts_create").json(&without);
    assert_eq!(call.await.ok()["merchant_account_type"], "standard");

    // Outside of a platform, no account acts for others.
    let grace = Person::new(&server, "grace").await;
    let refused = create(&grace, json!("connected")).await;
    assert!(refused.refused(422, "IR_06").contains("platform"));
    let alone = json!({ "merchant_id": "alone", "merchant_account_type": "connected" });
    let call = server.operator("merchant_accounts_create").json(&alone);
    call.await.refused(422, "IR_06");
    // The type of an account can't change.
    let update = server.operator("merchant_accounts_update");
    let update = update.at("account_id", "plain");
    let update = update.json(&json!({ "merchant_account_type": "connected" }));
    update.await.refused(400, "IR_20");
}

#[tokio::test]
async fn they_are_listed_under_their_platform() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    for (name, account_type) in [("a", "connected"), ("b", "standard"), ("c", "connected")] {
        hall.opens(name, account_type).await.ok();
    }
    server.shop_without_connector("florist").await;
    let list = || {
        let call = server.operator("organization_accounts_list");
        call.at("organization_id", &hall.organization_id)
    };
    let names = |page: &Value| {
        let page = page.as_array().expect("a list").iter();
        let pair = |one: &Value| {
            let word = |member: &str| one[member].as_str().expect("a word").to_owned();
            (word("merchant_id"), word("merchant_account_type"))
        };
        page.map(pair).collect::<Vec<_>>()
    };
    let pair = |name: &str, account_type: &str| (name.to_owned(), account_type.to_owned());
    let all = list().await.ok();
    let wanted = [
        pair(&hall.platform.merchant_id, "platform"),
        pair("a", "connected"),
        pair("b", "standard"),
        pair("c", "connected"),
    ];
    assert_eq!(names(&all), wanted);
    let retrieved = account(&server, "a").await;
    for member in ["publishable_key", "default_profile"] {
        assert_eq!(all[1][member], retrieved[member]);
    }
    assert_eq!(all[1]["merchant_name"], Value::Null);
    let page = list().query("limit", 2).query("offset", 1).await.ok();
    assert_eq!(names(&page), wanted[1..3]);
    assert_eq!(list().query("limit", 0).await.ok(), json!([]));
    list().query("limit", 101).await.refused(422, "IR_06");
    let closing = server.operator("merchant_accounts_delete");
    closing.at("account_id", "b").await.ok();
    assert_eq!(names(&list().await.ok()).len(), 3);

    let of_admin = hall.admin.call("organization_accounts_list");
    let of_admin = of_admin.at("organization_id", &hall.organization_id);
    assert_eq!(of_admin.await.ok(), list().await.ok());
    let unborn = server.operator("organization_accounts_list");
    let unborn = unborn.at("organization_id", "org_unborn");
    unborn.await.refused(404, "IR_37");
}
