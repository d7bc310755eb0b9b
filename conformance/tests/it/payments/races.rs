//! Twenty concurrent requests: one wins, the others get the contract's error, and money moves at most once.

use std::collections::BTreeMap;

use multirail_conformance::bodies::{APPROVED, HELD, order_with, with};
use multirail_conformance::{Call, Response, Shop};
use serde_json::json;
use tokio::task::JoinSet;

use super::authorized;

const CROWD: usize = 20;

/// Sends all calls at the same time.
async fn at_once(calls: impl IntoIterator<Item = Call>) -> Vec<Response> {
    let mut crowd = JoinSet::new();
    for call in calls {
        crowd.spawn(async move { call.await });
    }
    crowd.join_all().await
}

/// Counts each outcome: the status of a success, or the HTTP status and code of a refusal.
fn outcomes(answers: &[Response]) -> BTreeMap<String, usize> {
    let mut outcomes = BTreeMap::new();
    for answer in answers {
        let word = if answer.status == 200 {
            &answer.body["status"]
        } else {
            &answer.body["code"]
        };
        *outcomes
            .entry(format!(
                "{} {}",
                answer.status,
                word.as_str().unwrap_or("-")
            ))
            .or_default() += 1;
    }
    outcomes
}

fn one_wins(answers: &[Response], winner: &str, refusals: &[&str]) {
    let outcomes = outcomes(answers);
    assert_eq!(outcomes.get(winner), Some(&1), "{outcomes:?}");
    let others = outcomes.keys().filter(|outcome| *outcome != winner);
    others.for_each(|other| assert!(refusals.contains(&other.as_str()), "{outcomes:?}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn confirms() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let answers = at_once((0..CROWD).map(|_| shop.confirms(&payment, json!({})))).await;
    one_wins(&answers, "200 succeeded", &["400 IR_16"]);
    let books = shop.money();
    assert_eq!((books.authorized, books.captured), (6540, 6540));
    let after = shop
        .retrieves(&payment)
        .query("expand_attempts", true)
        .await
        .ok();
    assert_eq!(
        (&after["status"], &after["attempt_count"]),
        (&json!("succeeded"), &json!(1))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn captures() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    let answers = at_once((0..CROWD).map(|_| shop.captures(&payment, json!({})))).await;
    one_wins(&answers, "200 succeeded", &["400 IR_14"]);
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_captures_never_exceed_the_authorization() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    let answers =
        at_once((0..CROWD).map(|_| shop.captures(&payment, json!({ "amount_to_capture": 1000 }))))
            .await;
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    let outcomes = outcomes(&answers);
    let known = [
        "200 partially_captured_and_capturable",
        "200 processing",
        "422 IR_06",
    ];
    assert!(
        outcomes
            .keys()
            .all(|outcome| known.contains(&outcome.as_str())),
        "{outcomes:?}"
    );
    assert_eq!(won, 6, "{outcomes:?}");
    let after = shop
        .retrieves(&payment)
        .query("expand_captures", true)
        .await
        .ok();
    let captured = i64::try_from(won).expect("a small number") * 1000;
    assert_eq!(shop.money().captured, captured, "{outcomes:?}");
    assert_eq!(after["amount_received"], captured);
    assert_eq!(after["amount_capturable"], 6540 - captured);
}

/// Each capture changes the payment twice, so they wait for each other.
#[tokio::test(flavor = "multi_thread")]
async fn all_captures_that_fit_are_taken() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    let answers =
        at_once((0..40).map(|_| shop.captures(&payment, json!({ "amount_to_capture": 100 }))))
            .await;
    let outcomes = outcomes(&answers);
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(won, 40, "{outcomes:?}");
    assert_eq!(shop.money().captured, 4000);
    let after = shop.retrieves(&payment).await.ok();
    let amounts = (&after["amount_received"], &after["amount_capturable"]);
    assert_eq!(amounts, (&json!(4000), &json!(2540)));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_updates_are_taken() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let update = |number| shop.updates(&payment, json!({ "amount": 1000 + number }));
    let answers = at_once((0..40).map(update)).await;
    let outcomes = outcomes(&answers);
    assert_eq!(outcomes.values().sum::<usize>(), 40);
    let all = outcomes.keys().all(|outcome| outcome.starts_with("200 "));
    assert!(all, "{outcomes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancels() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    let answers = at_once((0..CROWD).map(|_| shop.cancels(&payment, json!({})))).await;
    one_wins(&answers, "200 cancelled", &["400 IR_16"]);
    let books = shop.money();
    assert_eq!((books.captured, books.released), (0, 6540));
}

#[tokio::test(flavor = "multi_thread")]
async fn captures_against_cancels() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    let calls = (0..CROWD).map(|number| match number % 2 {
        0 => shop.captures(&payment, json!({})),
        _ => shop.cancels(&payment, json!({})),
    });
    let answers = at_once(calls).await;
    let won: Vec<&str> = answers
        .iter()
        .filter(|a| a.status == 200)
        .filter_map(|a| a.body["status"].as_str())
        .collect();
    let after = shop.retrieves(&payment).await.ok();
    let books = shop.money();
    match won.as_slice() {
        ["succeeded"] => {
            assert_eq!(
                (after["status"].as_str(), books.captured, books.released),
                (Some("succeeded"), 6540, 0)
            );
        }
        ["cancelled"] => {
            assert_eq!(
                (after["status"].as_str(), books.captured, books.released),
                (Some("cancelled"), 0, 6540)
            );
        }
        others => panic!("one wins, not {others:?}"),
    }
    let refusals = outcomes(&answers);
    let known = ["200 succeeded", "200 cancelled", "400 IR_14", "400 IR_16"];
    assert!(
        refusals
            .keys()
            .all(|outcome| known.contains(&outcome.as_str())),
        "{refusals:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn approvals_against_rejections() {
    let shop = Shop::open().await;
    let order = with(order_with(HELD), json!({ "confirm": true }));
    let payment = shop.creates(order).await.ok();
    let calls = (0..CROWD).map(|number| match number % 2 {
        0 => shop.approves(&payment),
        _ => shop.rejects(&payment),
    });
    let answers = at_once(calls).await;
    let won = answers.iter().filter(|answer| answer.status == 200);
    let won: Vec<_> = won.map(|answer| answer.body["status"].as_str()).collect();
    let money = shop.money();
    match won.as_slice() {
        [Some("succeeded")] => assert_eq!((money.captured, money.released), (6540, 0)),
        [Some("failed")] => assert_eq!((money.captured, money.released), (0, 6540)),
        others => panic!("one wins, not {others:?}"),
    }
    let refused = outcomes(&answers);
    assert_eq!(refused.get("400 IR_16"), Some(&(CROWD - 1)), "{refused:?}");
    let after = shop.retrieves(&payment).await.ok();
    assert_eq!(after["status"].as_str(), won[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn confirms_against_cancels() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let calls = (0..CROWD).map(|number| match number % 2 {
        0 => shop.confirms(&payment, json!({})),
        _ => shop.cancels(&payment, json!({})),
    });
    let answers = at_once(calls).await;
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(won, 1, "{:?}", outcomes(&answers));
    let after = shop.retrieves(&payment).await.ok();
    let captured = if after["status"] == "succeeded" {
        6540
    } else {
        0
    };
    assert_eq!(shop.money().captured, captured);
}

#[tokio::test(flavor = "multi_thread")]
async fn creates_with_one_id() {
    let shop = Shop::open().await;
    let body = multirail_conformance::bodies::with(
        order_with(APPROVED),
        json!({ "payment_id": "order_1", "confirm": true }),
    );
    let answers = at_once((0..CROWD).map(|_| shop.creates(body.clone()))).await;
    one_wins(&answers, "200 succeeded", &["400 HE_01"]);
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test(flavor = "multi_thread")]
async fn updates_against_confirm() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let calls = (0..CROWD).map(|number| match number {
        10 => shop.confirms(&payment, json!({})),
        _ => shop.updates(&payment, json!({ "amount": 1000 + number })),
    });
    at_once(calls).await;
    let after = shop.retrieves(&payment).await.ok();
    assert_eq!(after["status"], "succeeded");
    assert_eq!(
        shop.money().captured,
        after["amount"].as_i64().expect("an amount"),
        "paid is what was agreed"
    );
}

/// A payment and its captures are stored in separate rows, but a read must be consistent.
#[tokio::test(flavor = "multi_thread")]
async fn no_read_shows_half_of_a_change() {
    let shop = Shop::open().await;
    for _ in 0..20 {
        let payment = authorized(&shop, "manual").await;
        let looking = (0..8).map(|_| {
            let (shop, payment) = (shop.clone(), payment.clone());
            tokio::spawn(async move {
                loop {
                    let now = shop.retrieves(&payment).await.ok();
                    let received = now["amount_received"].as_i64().unwrap_or(0);
                    let is_done = now["status"] == "succeeded";
                    assert_eq!(is_done, received == 6540, "{now}");
                    if is_done {
                        break;
                    }
                }
            })
        });
        let looking: Vec<_> = looking.collect();
        shop.captures(&payment, json!({})).await.ok();
        for one in looking {
            one.await.expect("halves that belong together");
        }
    }
}
