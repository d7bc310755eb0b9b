//! Merchants that a platform can't act for, and operations that it can't call for others. (IR_43, IR_44)

use multirail_conformance::TestServer;
use multirail_conformance::bodies::order;
use multirail_conformance::document::operations;
use serde_json::json;

use super::{ACTS_FOR, Hall};
use crate::users::Person;

#[tokio::test]
async fn a_platform_acts_for_its_own_connected_merchants_alone() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    hall.opens("shop", "standard").await.ok();
    let arcade = Hall::open(&server, "arcade").await;
    arcade.connects("booth").await;
    server.shop("florist").await;
    let own = hall.platform.merchant_id.clone();
    let of_arcade = arcade.platform.merchant_id.clone();
    let mut told = Vec::new();
    for named in [
        "shop",
        "booth",
        "florist",
        of_arcade.as_str(),
        own.as_str(),
        "unborn",
        "no id at all",
        "",
    ] {
        let answer = hall.acts(named, stall.creates(order())).await;
        told.push(answer.refused(401, "IR_44"));
    }
    // The refusals don't reveal which accounts exist.
    told.dedup();
    assert_eq!(told.len(), 1, "{told:?}");
    let other_platform = arcade.acts("stall", stall.creates(order()));
    other_platform.await.refused(401, "IR_44");
    assert_eq!(stall.call("payments_list").await.ok()["size"], 0);
    hall.acts(" stall ", stall.creates(order())).await.ok();
}

#[tokio::test]
async fn only_a_platforms_secret_key_acts_for_others() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let booth = hall.connects("booth").await;
    let florist = server.shop("florist").await;
    let payment = stall.creates(order()).await.ok();
    let retrieve = || {
        let call = stall.call("payments_retrieve");
        call.at("payment_id", "unborn").header(ACTS_FOR, "stall")
    };
    // The merchant's own key is refused too, because it needs no platform.
    for key in [&stall.api_key, &booth.api_key, &florist.api_key] {
        retrieve().key(key).await.refused(401, "IR_44");
    }
    let pays = |key: &str| {
        retrieve()
            .key(key)
            .query("client_secret", "unborn_secret_a")
    };
    for key in [&stall.publishable_key, &hall.platform.publishable_key] {
        pays(key).await.refused(401, "IR_44");
    }
    let authorization = payment["sdk_authorization"].as_str().expect("a text");
    let sdk = retrieve().without_key();
    let sdk = sdk.header("authorization", authorization);
    sdk.await.refused(401, "IR_44");
    let viewer = Person::invited(&server, "viewer", "merchant_view_only", "stall").await;
    for person in [&hall.admin, &viewer] {
        let call = person.call("payments_list").header(ACTS_FOR, "stall");
        call.await.refused(401, "IR_44");
    }
    // An unknown key is refused as such.
    let stranger = retrieve().key("snd_of_nobody");
    stranger.await.refused(401, "IR_01");
    retrieve().without_key().await.refused(401, "IR_01");
}

#[tokio::test]
async fn unlisted_operations_are_refused_for_others() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let mut listed = Vec::new();
    let mut tried = 0;
    for operation in operations() {
        let call = |key: &str| {
            let mut call = server.wire.call(&operation.id).key(key);
            for parameter in operation.path_parameters() {
                let value = match parameter {
                    "account_id" | "merchant_id" => "stall",
                    _ => "unborn",
                };
                call = call.at(parameter, value);
            }
            let call = call.header(ACTS_FOR, "stall");
            match operation.request {
                Some(_) => call.json(&json!({})),
                None => call,
            }
        };
        if operation.for_platforms {
            listed.push(operation.id.as_str());
            continue;
        }
        if operation.takes("api_key") {
            for key in [&hall.platform.api_key, &stall.api_key] {
                call(key).await.refused(400, "IR_43");
                tried += 1;
            }
        }
        if operation.takes("admin_api_key") {
            call(server.admin_key()).await.refused(400, "IR_43");
            tried += 1;
        }
    }
    assert!(tried >= 100, "{tried}");
    insta::assert_snapshot!(listed.join("\n"));
}
