//! Making connector accounts. (Specification 2.7)

use multirail_conformance::Shop;
use multirail_conformance::document::document;
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

#[tokio::test]
async fn active_and_masked() {
    let shop = Shop::open().await;
    let account = shop
        .connects("stripe_test", json!({ "metadata": { "region": "west" } }))
        .await
        .ok();
    assert!(!account.to_string().contains("simulator-key"), "{account}");
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&account)).expect("JSON")
    );
}

#[tokio::test]
async fn the_processor_is_asked_first_where_that_is_wanted() {
    let shop = Shop::open().await;
    let accounts = async || {
        let all = shop.call("connector_accounts_list").await.ok();
        all.as_array().map(Vec::len)
    };
    let checked = |api_key: &str| {
        let account = json!({
            "connector_label": "checked", "check_credentials": true,
            "connector_account_details": { "auth_type": "HeaderKey", "api_key": api_key },
        });
        shop.connects("stripe_test", account)
    };
    let message = checked("refused_key").await.refused(422, "IR_06");
    insta::assert_snapshot!(
        message,
        @"connector_account_details is refused by stripe_test: DC_14: This API key opens no account"
    );
    shop.next_call_meets(ScriptedCall::Account, Fault::FailsBefore(503));
    let message = checked("simulator-key").await.refused(400, "IR_16");
    insta::assert_snapshot!(
        message,
        @"the account was not made: stripe_test was asked whether it takes the credentials and gave no answer (processor_error); try again, or leave check_credentials out"
    );
    let without = json!({
        "connector_label": "checked", "check_credentials": true, "connector_account_details": null,
    });
    shop.connects("stripe_test", without)
        .await
        .refused(422, "IR_06");
    assert_eq!(accounts().await, Some(1), "nothing is stored of the three");

    let made = checked("simulator-key").await.ok();
    assert_eq!(made["status"], "active");
    assert!(made.get("check_credentials").is_none(), "{made}");
    assert_eq!(accounts().await, Some(2));
}

#[tokio::test]
async fn the_operator_may_make_one_too() {
    let shop = Shop::open().await;
    let account = shop
        .connects("stripe_test", json!({}))
        .key(shop.admin_key())
        .await
        .ok();
    assert_eq!(account["connector_label"], "stripe_test_default");
    let body = json!({ "connector_type": "payment_processor", "connector_name": "adyen_test" });
    let nobodys = shop
        .operator("connector_accounts_create")
        .at("account_id", "unborn")
        .json(&body);
    nobodys.await.refused(404, "HE_02");
}

#[tokio::test]
async fn labels_are_unique_within_a_profile() {
    let shop = Shop::open().await;
    shop.connects("fauxpay", json!({}))
        .await
        .refused(400, "HE_01");
    let second = shop
        .connects("fauxpay", json!({ "connector_label": "second" }))
        .await
        .ok();
    shop.connects("stripe_test", json!({ "connector_label": "second" }))
        .await
        .refused(400, "HE_01");
    let profile = shop
        .call("business_profiles_create")
        .json(&json!({ "profile_name": "other" }))
        .await
        .ok();
    let there = json!({ "connector_label": "second", "profile_id": profile["profile_id"] });
    shop.connects("stripe_test", there).await.ok();
    let taken = json!({ "merchant_connector_id": second["merchant_connector_id"], "connector_label": "third" });
    shop.connects("stripe_test", taken)
        .await
        .refused(400, "HE_01");
    let own = json!({ "merchant_connector_id": "mca_of_my_own" });
    assert_eq!(
        shop.connects("adyen_test", own).await.ok()["merchant_connector_id"],
        "mca_of_my_own"
    );
}

#[tokio::test]
async fn every_name_of_the_document_is_known_and_few_are_built() {
    let shop = Shop::open().await;
    let names = document()["components"]["schemas"]["ConnectorName"]["enum"]
        .as_array()
        .expect("names");
    assert!(names.len() > 100, "{}", names.len());
    let mut built = Vec::new();
    for name in names.iter().filter_map(Value::as_str) {
        let answer = shop
            .connects(name, json!({ "connector_label": format!("try {name}") }))
            .await;
        match answer.status {
            200 => built.push(name),
            // The connector needs other credentials or a setting.
            _ if ["IR_04", "IR_05"]
                .iter()
                .any(|code| answer.body["code"] == *code) =>
            {
                built.push(name);
            }
            _ => {
                let message = answer.refused(422, "IR_06");
                assert!(message.contains(name), "{message}");
            }
        }
    }
    let mut wanted = real_connectors();
    assert!(wanted.len() > 1, "{wanted:?}");
    wanted.extend([
        "adyen_test",
        "checkout_test",
        "fauxpay",
        "paypal_test",
        "phonypay",
        "pretendpay",
        "stripe_test",
    ]);
    wanted.sort_unstable();
    built.sort_unstable();
    assert_eq!(built, wanted);
    shop.connects("stripe_tset", json!({}))
        .await
        .refused(400, "IR_06");
}

/// Returns the connectors that the README lists with a page of their own.
fn real_connectors() -> Vec<&'static str> {
    let readme = include_str!("../../../../server/connectors/README.md");
    let rows = readme.lines().filter(|line| line.contains("](src/"));
    let names = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next());
    names.collect()
}

#[tokio::test]
async fn status_and_disabled() {
    let shop = Shop::open().await;
    let mut table = String::new();
    let mut count = 0;
    for credentials in ["real", "TemporaryAuth", "none"] {
        for status in [json!(null), json!("active"), json!("inactive")] {
            for disabled in [json!(null), json!(true), json!(false)] {
                count += 1;
                let more = json!({ "status": status, "disabled": disabled, "connector_label": format!("{count}") });
                let mut body =
                    json!({ "connector_type": "payment_processor", "connector_name": "fauxpay" });
                match credentials {
                    "real" => {
                        body["connector_account_details"] =
                            json!({ "auth_type": "HeaderKey", "api_key": "k" })
                    }
                    "TemporaryAuth" => {
                        body["connector_account_details"] = json!({ "auth_type": "TemporaryAuth" })
                    }
                    _ => {}
                }
                let body = multirail_conformance::bodies::with(body, more);
                let answer = shop.call("connector_accounts_create").json(&body).await;
                let stored = match answer.status {
                    200 => format!(
                        "{} disabled={}",
                        answer.body["status"], answer.body["disabled"]
                    ),
                    refused => format!("{refused} {}", answer.body["code"]),
                };
                table.push_str(&format!(
                    "{credentials:13} status={status:10} disabled={disabled:5} -> {stored}\n"
                ));
            }
        }
    }
    insta::assert_snapshot!(table.replace('"', ""), @r"
    real          status=null disabled=null -> active disabled=false
    real          status=null disabled=true -> active disabled=true
    real          status=null disabled=false -> active disabled=false
    real          status=active disabled=null -> active disabled=false
    real          status=active disabled=true -> active disabled=true
    real          status=active disabled=false -> active disabled=false
    real          status=inactive disabled=null -> inactive disabled=true
    real          status=inactive disabled=true -> inactive disabled=true
    real          status=inactive disabled=false -> 422 IR_06
    TemporaryAuth status=null disabled=null -> inactive disabled=true
    TemporaryAuth status=null disabled=true -> inactive disabled=true
    TemporaryAuth status=null disabled=false -> 422 IR_06
    TemporaryAuth status=active disabled=null -> 422 IR_06
    TemporaryAuth status=active disabled=true -> 422 IR_06
    TemporaryAuth status=active disabled=false -> 422 IR_06
    TemporaryAuth status=inactive disabled=null -> inactive disabled=true
    TemporaryAuth status=inactive disabled=true -> inactive disabled=true
    TemporaryAuth status=inactive disabled=false -> 422 IR_06
    none          status=null disabled=null -> inactive disabled=true
    none          status=null disabled=true -> inactive disabled=true
    none          status=null disabled=false -> 422 IR_06
    none          status=active disabled=null -> 422 IR_06
    none          status=active disabled=true -> 422 IR_06
    none          status=active disabled=false -> 422 IR_06
    none          status=inactive disabled=null -> inactive disabled=true
    none          status=inactive disabled=true -> inactive disabled=true
    none          status=inactive disabled=false -> 422 IR_06
    ");
}

#[tokio::test]
async fn credentials_of_another_kind() {
    let shop = Shop::open().await;
    let wrong = [
        json!({ "auth_type": "BodyKey", "api_key": "a", "key1": "b" }),
        json!({ "auth_type": "NoKey" }),
    ];
    for details in wrong {
        let body = json!({
            "connector_type": "payment_processor",
            "connector_name": "stripe_test",
            "connector_account_details": details,
        });
        shop.call("connector_accounts_create")
            .json(&body)
            .await
            .refused(422, "IR_05");
    }
    let body = json!({
        "connector_type": "payment_processor",
        "connector_name": "stripe_test",
        "connector_account_details": { "auth_type": "HeaderKey" },
    });
    let answer = shop.call("connector_accounts_create").json(&body).await;
    assert!(answer.message().contains("api_key"), "{answer:?}");
    answer.refused(422, "IR_05");
    shop.connects(
        "stripe_test",
        json!({ "connector_type": "payout_processor" }),
    )
    .await
    .refused(422, "IR_06");
}

#[tokio::test]
async fn members_other_than_the_credentials() {
    let shop = Shop::open().await;
    let auth = json!({ "connector_label": "auth", "pm_auth_config": { "enabled_payment_methods": [
        { "payment_method": "bank_debit", "payment_method_type": "ach", "connector_name": "plaid", "mca_id": "mca_unborn" },
    ] } });
    shop.connects("fauxpay", auth).await.refused(404, "HE_02");
    let screening = json!([{ "gateway": "payment_processor", "payment_methods": [{ "payment_method": "card" }] }]);
    for given in [screening.clone(), json!(screening.to_string())] {
        let given = json!({ "connector_label": "a", "frm_configs": given });
        let message = shop.connects("fauxpay", given).await.refused(400, "IR_20");
        assert!(message.contains("frm_configs"), "{message}");
    }
    let none = json!({ "connector_label": "b", "frm_configs": [] });
    let none = shop.connects("fauxpay", none).await.ok();
    assert_eq!(none["frm_configs"], json!("[]"));
    let legacy = json!({
        "connector_label": "c",
        "business_country": "NG",
        "business_label": "books",
        "business_sub_label": "used",
        "applepay_verified_domains": ["shop.example"],
        "test_mode": true,
    });
    let account = shop.connects("fauxpay", legacy).await.ok();
    assert_eq!(account["business_sub_label"], "used");
    assert_eq!(
        account["applepay_verified_domains"],
        json!(["shop.example"])
    );
    assert_eq!(account["test_mode"], true);
}
