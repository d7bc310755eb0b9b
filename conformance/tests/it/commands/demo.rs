//! `multirail demo seed`: a week of business, for every screen of the console.

use multirail_conformance::bodies::{DECLINED, card, order, with};
use serde_json::{Value, json};

use super::running::Running;
use super::{Developer, Said, ended};

const SIX_DAYS: i64 = 6 * 24 * 60 * 60;

/// Makes the week of the seed 1.
async fn seeds(developer: &Developer) -> Said {
    let said = ended(developer.command_with_keys(&["demo", "seed"]), "").await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let console = format!("console: {}/console/", developer.server.url());
    assert!(said.out.contains(&console), "{said:?}");
    said
}

/// Makes the week of the seed 1, and kills the run after the second day.
fn seeds_two_days(developer: &Developer) {
    let running = Running::start(developer, &["demo", "seed"]);
    running.says("day 2 of 7");
}

/// Counts the payments that a filter finds.
async fn payments(developer: &Developer, filter: Value) -> u64 {
    counted(developer, "payments_filter", filter).await
}

async fn counted(developer: &Developer, operation: &str, filter: Value) -> u64 {
    let call = developer.server.wire.call(operation).key(&developer.key());
    let listed = call.json(&filter).await.ok();
    listed["total_count"].as_u64().expect("a count")
}

/// Counts the entries of a list without a count.
async fn entries(developer: &Developer, operation: &str) -> usize {
    listed(developer, operation).await.len()
}

async fn listed(developer: &Developer, operation: &str) -> Vec<Value> {
    let profile = profile(developer).await;
    let profile_id = profile["profile_id"].as_str().expect("an id");
    let call = developer.server.wire.call(operation).key(&developer.key());
    let call = match operation {
        "subscriptions_list" => call.header("X-Profile-Id", profile_id),
        _ => call,
    };
    let listed = call.query("limit", 100).await.ok();
    listed.as_array().expect("a list").clone()
}

/// Returns the only profile of the demo merchant.
async fn profile(developer: &Developer) -> Value {
    let server = &developer.server;
    let call = server.operator("business_profiles_list");
    let profiles = call.at("account_id", &server.demo().merchant_id).await.ok();
    profiles[0].clone()
}

/// Returns the statuses of the disputes, in the order of the alphabet.
async fn disputes(developer: &Developer) -> Vec<String> {
    let listed = listed(developer, "disputes_list").await;
    let statuses = listed.iter().map(|one| one["dispute_status"].as_str());
    let mut statuses: Vec<_> = statuses
        .map(|status| status.expect("a status").to_owned())
        .collect();
    statuses.sort();
    statuses
}

/// Returns the seconds by which the sandbox's clock is ahead.
async fn clock(developer: &Developer) -> i64 {
    let time = developer.server.time_passes(0).await;
    time["advanced_seconds"].as_i64().expect("seconds")
}

/// Counts the objects of every kind that the seed makes.
async fn objects(developer: &Developer) -> [u64; 6] {
    let count = |entries: usize| u64::try_from(entries).expect("a number");
    [
        payments(developer, json!({ "limit": 0 })).await,
        counted(developer, "refunds_list", json!({ "limit": 0 })).await,
        count(entries(developer, "disputes_list").await),
        count(entries(developer, "customers_list").await),
        count(entries(developer, "mandates_list").await),
        count(entries(developer, "subscriptions_list").await),
    ]
}

/// Checks that each screen of the console has something to show.
async fn fills_the_screens(developer: &Developer) {
    for status in [
        "succeeded",
        "failed",
        "requires_customer_action",
        "requires_merchant_action",
        "partially_captured",
        "cancelled",
    ] {
        let found = payments(developer, json!({ "status": [status], "limit": 0 })).await;
        assert!(found > 0, "{status}");
    }
    let held = json!({ "status": ["requires_capture"], "limit": 0 });
    assert_eq!(payments(developer, held).await, 3);
    for method in [
        "credit",
        "boleto",
        "ideal",
        "klarna",
        "oxxo",
        "paypal",
        "pix",
        "sepa",
        "sepa_bank_transfer",
        "swish",
    ] {
        let filter = json!({ "payment_method_type": [method], "limit": 0 });
        assert!(payments(developer, filter).await > 0, "{method}");
    }
    for (status, least) in [("succeeded", 3), ("failed", 1)] {
        let filter = json!({ "refund_status": [status], "limit": 0 });
        let found = counted(developer, "refunds_list", filter).await;
        assert!(found >= least, "{status}: {found}");
    }
    assert_eq!(
        disputes(developer).await,
        [
            "dispute_accepted",
            "dispute_lost",
            "dispute_lost",
            "dispute_opened",
            "dispute_opened",
            "dispute_won",
        ]
    );
    assert_eq!(entries(developer, "customers_list").await, 8);
    assert!(entries(developer, "mandates_list").await >= 2);
    assert_eq!(entries(developer, "subscriptions_list").await, 2);
    // The address of the receiver is gone.
    let profile = profile(developer).await;
    assert_eq!(profile["webhook_details"]["webhook_url"], Value::Null);
}

/// Counts the events that arrived at the command.
async fn delivered(developer: &Developer) -> u64 {
    let server = &developer.server;
    let call = server.operator("events_list");
    let call = call.at("merchant_id", &server.demo().merchant_id);
    let events = call.json(&json!({ "is_delivered": true, "limit": 1 }));
    events.await.ok()["total_count"].as_u64().expect("a count")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_week_fills_every_screen_and_comes_once() {
    let developer = Developer::at_sandbox().await;
    let said = seeds(&developer).await;
    let days = said.out.lines().filter(|line| line.starts_with("day "));
    assert_eq!(days.count(), 7, "{said:?}");
    fills_the_screens(&developer).await;
    assert!(delivered(&developer).await > 60);
    let all = payments(&developer, json!({ "limit": 0 })).await;
    assert!((60..=110).contains(&all), "{all}");
    let passed = clock(&developer).await;
    assert!((SIX_DAYS..SIX_DAYS + 86_400).contains(&passed), "{passed}");

    let before = objects(&developer).await;
    let again = seeds(&developer).await;
    assert!(
        again.out.contains("seed 1 is there: nothing was made"),
        "{again:?}"
    );
    assert_eq!(objects(&developer).await, before);
    assert_eq!(clock(&developer).await, passed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_run_is_completed_by_the_next() {
    let developer = Developer::at_sandbox().await;
    seeds_two_days(&developer);
    let said = seeds(&developer).await;
    let day = "day 1 of 7: 0 new payments, 0 refunds, 0 disputes";
    assert!(said.out.contains(day), "{said:?}");
    assert!(!said.out.contains("nothing was made"), "{said:?}");
    fills_the_screens(&developer).await;
}

/// Returns the first payment with a link. The second day has one.
async fn first_with_a_link(developer: &Developer) -> Value {
    let call = developer.server.wire.call("payments_list");
    let call = call.key(&developer.key()).query("limit", 100);
    let listed = call.await.ok();
    let all = listed["data"].as_array().expect("payments");
    let of_day = all.iter().filter(|one| {
        let id = one["payment_id"].as_str();
        id.is_some_and(|id| id.starts_with("demo_1_2_"))
    });
    let mut links = of_day.filter(|one| !one["payment_link"].is_null());
    links.next().expect("a link").clone()
}

/// Opens a sandbox with the first sale, and with a link as a kill between its two cards leaves it.
async fn with_declined_link(whole: &Value) -> Developer {
    let developer = Developer::at_sandbox().await;
    let call = |operation: &str| developer.server.wire.call(operation).key(&developer.key());
    let first = with(order(), json!({ "payment_id": "demo_1_1_01" }));
    call("payments_create").json(&first).await.ok();
    let link = json!({
        "payment_id": whole["payment_id"], "amount": whole["amount"], "currency": whole["currency"],
        "return_url": whole["return_url"], "payment_link": true, "session_expiry": 30 * 24 * 60 * 60,
    });
    call("payments_create").json(&link).await.ok();
    let confirm = call("payments_confirm").at("payment_id", id_of(whole));
    let declined = confirm.json(&card(DECLINED)).await.ok();
    assert_eq!(declined["status"], "failed");
    developer
}

fn id_of(payment: &Value) -> &str {
    payment["payment_id"].as_str().expect("an id")
}

/// Returns the payment of another sandbox with the same id.
async fn same_in(developer: &Developer, whole: &Value) -> Value {
    let call = developer.server.wire.call("payments_retrieve");
    let call = call.key(&developer.key()).at("payment_id", id_of(whole));
    call.await.ok()
}

/// A killed run may leave a payment link with its first card declined.
#[tokio::test(flavor = "multi_thread")]
async fn a_declined_link_is_paid_by_the_next_run_if_that_comes_in_time() {
    let developer = Developer::at_sandbox().await;
    seeds_two_days(&developer);
    let whole = first_with_a_link(&developer).await;

    let developer = with_declined_link(&whole).await;
    // The run after the next one finds nothing to do.
    for _ in 0..2 {
        seeds_two_days(&developer);
        let paid = same_in(&developer, &whole).await;
        for member in ["status", "attempt_count", "amount_received"] {
            assert_eq!(paid[member], whole[member], "{member}");
        }
    }

    // After half of the link's validity it stays declined, and the run goes on.
    let developer = with_declined_link(&whole).await;
    developer.server.time_passes(16 * 86_400).await;
    for _ in 0..2 {
        seeds_two_days(&developer);
        assert_eq!(same_in(&developer, &whole).await["status"], "failed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_seeded_without_a_sandbox_and_its_operator() {
    let developer = Developer::at_sandbox().await;
    developer.needs_the_operator(&["demo", "seed"]).await;
    assert_eq!(payments(&developer, json!({ "limit": 0 })).await, 0);
    developer.is_refused_in_production(&["demo", "seed"]).await;
}
