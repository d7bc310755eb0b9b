//! Platforms (specification 4.4), and further merchant accounts of an organization.

use multirail_conformance::TestServer;
use multirail_conformance::response::moment;
use serde_json::{Value, json};

use super::Person;

#[tokio::test]
async fn a_platform_is_an_organization_with_the_account_that_acts_for_others() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let body = json!({ "organization_name": " Market hall " });
    let create = || ada.call("users_create_platform").json(&body);
    let made = create().await.ok();
    let names: Vec<&String> = made.as_object().expect("an object").keys().collect();
    let of_the_specification = [
        "org_id",
        "org_name",
        "org_type",
        "merchant_id",
        "merchant_account_type",
    ];
    assert_eq!(names, of_the_specification);
    let id = |value: &Value, prefix: &str| {
        let text = value.as_str().expect("a text").to_owned();
        assert!(text.starts_with(prefix) && text.len() <= 64, "{text}");
        text
    };
    assert_eq!(id(&made["org_id"], "org_").len(), 24);
    let merchant_id = id(&made["merchant_id"], "merchant_");
    let now = server.time_passes(0).await;
    let now = moment(&now["now"]).timestamp();
    let made_at = merchant_id["merchant_".len()..].parse::<i64>();
    let made_at = made_at.expect("seconds");
    // The id contains the second of its creation; a second that another id has is skipped.
    assert!((now - 60..=now + 2).contains(&made_at), "{made_at} {now}");
    let organization = server
        .operator("organizations_retrieve")
        .at("organization_id", made["org_id"].as_str().expect("an id"));
    let organization = organization.await.ok();
    assert_eq!(organization["platform_merchant_id"], made["merchant_id"]);
    assert_eq!(made["org_name"], "Market hall");
    assert_eq!(made["org_type"], "platform");
    assert_eq!(made["merchant_account_type"], "platform");

    let account = server
        .operator("merchant_accounts_retrieve")
        .at("account_id", &merchant_id)
        .await
        .ok();
    assert_eq!(account["organization_id"], made["org_id"]);
    assert_eq!(account["merchant_account_type"], "platform");
    let key = account["publishable_key"].as_str().expect("a key");
    assert!(key.starts_with("pk_snd_"), "{key}");
    let profiles = server
        .operator("business_profiles_list")
        .at("account_id", &merchant_id)
        .await
        .ok();
    assert_eq!(profiles[0]["profile_name"], "default");
    assert_eq!(profiles[0]["profile_id"], account["default_profile"]);

    // The creator is the organization's admin after switching there.
    assert_ne!(ada.details().await["org_id"], made["org_id"]);
    let there = ada.in_account(&made["merchant_id"]).await;
    let details = there.details().await;
    assert_eq!(details["org_id"], made["org_id"]);
    assert_eq!(details["role_id"], "org_admin");
    let grace = Person::new(&server, "grace").await;
    let call = grace.call("users_switch_merchant");
    let call = call.json(&json!({ "merchant_id": merchant_id }));
    call.await.refused(404, "HE_02");

    // A second platform with the same name is another organization.
    let again = create().await.ok();
    assert_ne!(again["org_id"], made["org_id"]);
    assert_ne!(again["merchant_id"], made["merchant_id"]);
    for (body, status, code) in [
        (json!({}), 400, "IR_04"),
        (json!({ "organization_name": "" }), 400, "IR_07"),
        (json!({ "organization_name": "  " }), 400, "IR_07"),
        (json!({ "organization_name": "n".repeat(65) }), 422, "IR_05"),
        (json!({ "organization_name": 7 }), 400, "IR_06"),
        (json!({ "organisation_name": "n" }), 400, "IR_06"),
    ] {
        let call = ada.call("users_create_platform").json(&body);
        let message = call.await.refused(status, code);
        assert!(message.contains("organi"), "{message}");
    }
    // Blanks around the name don't count, which a schema can't express.
    let body = json!({ "organization_name": format!("  {}  ", "n".repeat(64)) });
    let call = ada.call("users_create_platform").json(&body).unjudged();
    assert_eq!(call.await.ok()["org_name"], "n".repeat(64));
    let call = server.wire.call("users_create_platform").json(&body);
    call.await.refused(401, "IR_17");
    let call = server.wire.call("users_create_platform").json(&body);
    let wrong = format!("Bearer {}x", ada.token);
    let wrong = call.header("authorization", &wrong).await;
    wrong.refused(401, "IR_17");
    let viewer = Person::invited(&server, "vera", "merchant_admin", &merchant_id).await;
    let call = viewer.call("users_create_platform").json(&body);
    call.await.refused(403, "IR_22");
    server.time_passes(172_800).await;
    let call = ada.call("users_create_platform").json(&body);
    call.await.refused(401, "IR_17");
    for key in [server.admin_key(), key] {
        let call = server.wire.call("users_create_platform").json(&body);
        call.key(key).await.refused(401, "IR_17");
    }
}

#[tokio::test]
async fn further_accounts_are_of_the_same_organization() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let home = ada.details().await;
    let create = |name: String| {
        let body = json!({ "company_name": name });
        ada.call("users_create_merchant").json(&body)
    };
    let made = create("Flower shop".to_owned()).await.ok();
    assert_eq!(made["org_id"], home["org_id"]);
    assert_eq!(made["merchant_account_type"], "standard");
    let there = ada.in_account(&made["merchant_id"]).await;
    let details = there.details().await;
    assert_eq!(details["merchant_id"], made["merchant_id"]);
    assert_eq!(details["profile_id"], made["profile_id"]);
    assert_eq!(details["role_id"], "org_admin");
    create(" ".to_owned()).await.refused(400, "UR_14");
    create("n".repeat(65)).await.refused(400, "UR_14");
    let platform = json!({ "organization_name": "Market hall" });
    let platform = ada.call("users_create_platform").json(&platform).await.ok();
    let there = ada.in_account(&platform["merchant_id"]).await;
    let call = there.call("users_create_merchant");
    let call = call.json(&json!({ "company_name": "Stall" }));
    let stall = call.await.ok();
    assert_eq!(stall["org_id"], platform["org_id"]);
    assert_eq!(stall["merchant_account_type"], "standard");
}

/// Each of them is stored for good.
#[tokio::test]
async fn a_user_creates_few_accounts() {
    let server = TestServer::start().await;
    let ada = Person::new(&server, "ada").await;
    let stall = |who: &Person| {
        let body = json!({ "company_name": "Stall" });
        who.call("users_create_merchant").json(&body)
    };
    let hall = || {
        let body = json!({ "organization_name": "Market hall" });
        ada.call("users_create_platform").json(&body)
    };
    for _ in 0..5 {
        stall(&ada).await.ok();
        hall().await.ok();
    }
    for refused in [stall(&ada).await, hall().await] {
        assert!(refused.header("retry-after").is_some());
        refused.refused(429, "MR_03");
    }
    // Neither another account of theirs nor another session is a way around it.
    let accounts = ada.call("users_list_merchants").await.ok();
    let there = ada.in_account(&accounts[1]["merchant_id"]).await;
    stall(&there).await.refused(429, "MR_03");
    let grace = Person::new(&server, "grace").await;
    stall(&grace).await.ok();
}
