//! `multirail trigger`: each type of event that the service produces is made and seen.

use futures::future::join_all;
use multirail_client::types::EventType;
use multirail_commands::is_produced;
use serde_json::{Value, json};

use super::{Developer, ended};

/// Triggers an event and finds it among the merchant's, about an object whose id was printed.
async fn is_triggered(developer: &Developer, event: &EventType) {
    leads_to(developer, event.as_str(), event).await;
}

/// Triggers what has this name, and finds such an event about an object whose id was printed.
async fn leads_to(developer: &Developer, name: &str, event: &EventType) {
    let command = developer.command_with_keys(&["trigger", name]);
    let said = ended(command, "").await;
    assert_eq!(said.code, Some(0), "{name}: {said:?}");
    let server = &developer.server;
    let call = server.operator("events_list");
    let call = call.at("merchant_id", &server.demo().merchant_id);
    let listed = call.json(&json!({ "event_types": [event] })).await.ok();
    let events = listed["events"].as_array().expect("events");
    let is_printed = |one: &&Value| {
        one["object_id"]
            .as_str()
            .is_some_and(|id| said.out.contains(id))
    };
    let found = events.iter().filter(is_printed).count();
    assert!(found > 0, "{name}: {said:?}, {listed}");
}

fn is_of_dispute(event: &EventType) -> bool {
    event.as_str().starts_with("dispute_")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_but_those_of_disputes_is_reached() {
    let developer = Developer::at_sandbox().await;
    let all = EventType::ALL.iter().filter(|one| is_produced(one));
    // One after the other: `payment_expired` moves the clock.
    for event in all.filter(|one| !is_of_dispute(one)) {
        is_triggered(&developer, event).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_of_disputes_is_reached() {
    let developer = Developer::at_sandbox().await;
    let all = EventType::ALL.iter().filter(|one| is_produced(one));
    let disputes = all.filter(|one| is_of_dispute(one));
    let triggered = disputes.map(|event| is_triggered(&developer, event));
    assert_eq!(join_all(triggered).await.len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn payers_decide_and_a_debit_is_returned() {
    let developer = Developer::at_sandbox().await;
    for (story, event) in [
        ("payer_approves", EventType::PaymentSucceeded),
        ("payer_declines", EventType::PaymentFailed),
        ("qr_code_paid", EventType::PaymentSucceeded),
        ("debit_returned", EventType::DisputeLost),
    ] {
        leads_to(&developer, story, &event).await;
    }
    let arguments = ["trigger", "debit_returned"];
    developer.needs_the_operator(&arguments).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_event_and_no_other_server_is_triggered() {
    let developer = Developer::at_sandbox().await;
    for event in EventType::ALL.iter().filter(|one| !is_produced(one)) {
        let command = developer.command_with_keys(&["trigger", event.as_str()]);
        let said = ended(command, "").await;
        assert_eq!(said.code, Some(2), "{event}: {said:?}");
        assert!(said.err.contains("possible values"), "{said:?}");
        assert!(event.as_str().starts_with("payout_"), "{event}");
    }
    let arguments = ["trigger", "payment_succeeded"];
    developer.is_refused_in_production(&arguments).await;
}
