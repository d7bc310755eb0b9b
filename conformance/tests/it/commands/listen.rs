//! `multirail listen`: registers itself, checks, forwards, and restores the profile.

use multirail_conformance::Receiver;
use multirail_conformance::patience::until;
use serde_json::{Value, json};

use super::running::Running;
use super::{Developer, ended};

/// Starts `multirail listen`.
fn listens(developer: &Developer, arguments: &[&str]) -> Running {
    Running::start(developer, &[&["listen"][..], arguments].concat())
}

/// Returns the only profile of the demo merchant.
async fn profile(developer: &Developer) -> Value {
    let call = developer.server.wire.call("business_profiles_list");
    let call = call.key(&developer.key());
    let call = call.at("account_id", &developer.server.demo().merchant_id);
    call.await.ok()[0].clone()
}

async fn details(developer: &Developer) -> Value {
    profile(developer).await["webhook_details"].clone()
}

async fn sets(developer: &Developer, details: Value) {
    let profile = profile(developer).await;
    let call = developer.server.wire.call("business_profiles_update");
    let call = call.key(&developer.key());
    let call = call.at("account_id", &developer.server.demo().merchant_id);
    let call = call.at("profile_id", profile["profile_id"].as_str().expect("an id"));
    call.json(&json!({ "webhook_details": details })).await.ok();
}

/// Waits until the profile's webhooks go to the command.
async fn is_registered(developer: &Developer) {
    until(
        "the registration".to_owned(),
        async || details(developer).await,
        |details| {
            let url = details["webhook_url"].as_str();
            url.is_some_and(|url| url.contains("/multirail-listen"))
        },
    )
    .await;
}

async fn triggers(developer: &Developer, event: &str) {
    let said = ended(developer.command_with_keys(&["trigger", event]), "").await;
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_are_forwarded_and_the_profile_is_restored() {
    let developer = Developer::at_sandbox().await;
    let former = json!({
        "webhook_url": "http://127.0.0.1:9/former", "payment_statuses_enabled": ["succeeded"],
        "refund_statuses_enabled": ["failed"], "webhook_version": "1",
    });
    sets(&developer, former).await;
    let former = details(&developer).await;
    let receiver = Receiver::open().await;
    receiver.answers(&[201]);
    let target = receiver.url().strip_prefix("http://").expect("a scheme");
    let wanted = "payment_authorized,refund_succeeded";
    let listening = listens(&developer, &["--forward-to", target, "--events", wanted]);
    is_registered(&developer).await;

    triggers(&developer, "payment_authorized").await;
    receiver.has(1).await;
    triggers(&developer, "payment_failed").await;
    triggers(&developer, "refund_succeeded").await;
    let deliveries = receiver.has(2).await;
    let types = deliveries
        .iter()
        .map(|one| one.json()["event_type"].clone());
    assert_eq!(
        types.collect::<Vec<_>>(),
        ["payment_authorized", "refund_succeeded"]
    );
    assert!(deliveries[0].header("webhook-signature").starts_with("v1,"));
    listening.says("#2  refund_succeeded");
    listening.says("answered     200");
    let printed = listening.ends().out;
    assert!(
        printed.contains("restored the former webhook settings"),
        "{printed}"
    );
    assert_eq!(details(&developer).await, former);
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_deliveries_are_not_forwarded() {
    let developer = Developer::at_sandbox().await;
    let receiver = Receiver::open().await;
    let listening = listens(&developer, &["--forward-to", receiver.url()]);
    is_registered(&developer).await;
    let url = details(&developer).await["webhook_url"].clone();
    let forged = reqwest::Client::new().post(url.as_str().expect("a URL"));
    let answer = forged.body("{}").send().await.expect("an answer");
    assert_eq!(answer.status(), 400);
    listening.says("answered     400");
    assert_eq!(receiver.seen().len(), 0);

    // Somebody else sets an address meanwhile.
    let other = json!({ "webhook_url": "http://127.0.0.1:9/other" });
    sets(&developer, other).await;
    let present = details(&developer).await;
    let printed = listening.ends().out;
    assert!(
        printed.contains("has another webhook address by now"),
        "{printed}"
    );
    assert_eq!(details(&developer).await, present);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_without_an_address_has_none_afterwards() {
    let developer = Developer::at_sandbox().await;
    let listening = listens(&developer, &[]);
    is_registered(&developer).await;
    triggers(&developer, "payment_processing").await;
    listening.says("#1  payment_processing");
    listening.ends();
    assert!(details(&developer).await["webhook_url"].is_null());
}

/// The address of a killed command leads nowhere. The next command restores what the merchant had set.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_command_is_cleaned_up_by_the_next() {
    let developer = Developer::at_sandbox().await;
    for former in [
        json!({
            "webhook_url": "http://127.0.0.1:9/former?a=b", "payment_statuses_enabled": ["succeeded"],
            "refund_statuses_enabled": ["failed"],
        }),
        json!({}),
    ] {
        sets(&developer, former).await;
        let former = details(&developer).await;
        let killed = listens(&developer, &[]);
        is_registered(&developer).await;
        let left = details(&developer).await["webhook_url"].clone();
        drop(killed);
        assert_eq!(details(&developer).await["webhook_url"], left);

        let listening = listens(&developer, &[]);
        listening.says("another `multirail listen` on http://127.0.0.1:");
        until(
            "the registration in place of the killed one".to_owned(),
            async || details(&developer).await,
            |details| details["webhook_url"] != left,
        )
        .await;
        listening.ends();
        assert_eq!(details(&developer).await, former);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_listened_to_is_refused() {
    let developer = Developer::at_sandbox().await;
    let run = async |arguments: &[&str]| {
        let arguments = [&["listen"][..], arguments].concat();
        let said = ended(developer.command_with_keys(&arguments), "").await;
        assert_eq!(said.code, Some(2), "{said:?}");
        said.err
    };
    let told = [
        run(&["--forward-to", "ftp://shop.example"]).await,
        run(&["--profile-id", "pro_nothing"]).await,
        run(&["--server", "https://sandbox.example", "--api-key", "snd_a"]).await,
        run(&["--api-key", "prd_1"]).await,
        run(&["--forward-to", "70000"]).await,
    ];
    assert!(told[1].contains("--profile-id: pro_"), "{}", told[1]);
    assert!(told[0].contains("--forward-to"), "{}", told[0]);
    assert!(
        told[2].contains("can't deliver to this machine"),
        "{}",
        told[2]
    );
    assert!(told[3].contains("only with a sandbox"), "{}", told[3]);
    assert!(told[4].contains("`70000` is no address"), "{}", told[4]);
    assert!(
        run(&["--events", "payout_success"])
            .await
            .contains("possible values")
    );
}
