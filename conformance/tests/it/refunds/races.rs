//! Concurrent refunds: together they never exceed the captured amount, and our books match the processor's.

use std::collections::BTreeMap;

use multirail_conformance::bodies::{APPROVED, REFUNDS_PEND};
use multirail_conformance::{Call, Response, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{amount, filed, paid_with};

const CROWD: usize = 24;

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
        let word = word.as_str().unwrap_or("-");
        *outcomes
            .entry(format!("{} {word}", answer.status))
            .or_default() += 1;
    }
    outcomes
}

/// Checks that there are no other outcomes.
#[track_caller]
fn only(answers: &[Response], known: &[&str]) {
    let outcomes = outcomes(answers);
    let is_known = |outcome: &String| known.contains(&outcome.as_str());
    assert!(outcomes.keys().all(is_known), "{outcomes:?}");
}

/// Sums the refunds with this status.
fn sum_of(refunds: &[&Value], status: &str) -> i64 {
    let counted = refunds.iter().filter(|one| one["status"] == status);
    counted.filter_map(|one| one["amount"].as_i64()).sum()
}

/// Checks that the payment, the list of refunds, the answers and the processor's books agree.
async fn books_agree(shop: &Shop, payment: &Value, answers: &[Response]) {
    let made = answers.iter().filter(|answer| answer.status == 200);
    let made: Vec<&Value> = made.map(|answer| &answer.body).collect();
    let payment = shop.retrieves(payment).await.ok();
    let listed = payment["refunds"].as_array().cloned().unwrap_or_default();
    assert_eq!(listed.len(), made.len());
    let listed: Vec<&Value> = listed.iter().collect();
    for status in ["succeeded", "pending", "failed"] {
        assert_eq!(sum_of(&listed, status), sum_of(&made, status), "{status}");
    }
    let went_back = sum_of(&made, "succeeded");
    let total = payment["state_metadata"]["total_refunded_amount"].as_i64();
    assert_eq!(total.unwrap_or(0), went_back);

    let filed = filed(shop);
    let filed: Vec<&Value> = filed.iter().collect();
    assert_eq!(filed.len(), made.len(), "each was asked for once");
    for (theirs, ours) in [("done", "succeeded"), ("pending", "pending")] {
        assert_eq!(sum_of(&filed, theirs), sum_of(&made, ours), "{ours}");
    }
    assert_eq!(shop.money().refunded, went_back);
    let taken = went_back + sum_of(&made, "pending");
    assert!(taken <= 6540, "{taken} of 6540 went back");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_it_goes_back_once() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let answers = at_once((0..CROWD).map(|_| shop.refunds(&payment, json!({})))).await;
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(won, 1, "{:?}", outcomes(&answers));
    only(&answers, &["200 succeeded", "400 IR_13"]);
    books_agree(&shop, &payment, &answers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_never_exceed_what_was_captured() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let calls = (0..CROWD).map(|_| shop.refunds(&payment, amount(1000)));
    let answers = at_once(calls).await;
    only(&answers, &["200 succeeded", "400 IR_13"]);
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(won, 6, "{:?}", outcomes(&answers));
    books_agree(&shop, &payment, &answers).await;
    let left = 6540 - 1000 * i64::try_from(won).expect("a small number");
    shop.refunds(&payment, amount(left + 1))
        .await
        .refused(400, "IR_13");
    shop.refunds(&payment, amount(left)).await.ok();
    assert_eq!(shop.money().refunded, 6540);
}

/// Each refund changes the payment twice, so every one conflicts with every other.
#[tokio::test(flavor = "multi_thread")]
async fn as_many_as_fit_and_may_be_made_all_succeed() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let answers = at_once((0..11).map(|_| shop.refunds(&payment, amount(500)))).await;
    only(&answers, &["200 succeeded"]);
    books_agree(&shop, &payment, &answers).await;
    assert_eq!(shop.money().refunded, 5500);
}

/// The same with a processor that leaves refunds pending, breaks connections and declines.
#[tokio::test(flavor = "multi_thread")]
async fn not_even_while_the_processor_is_in_trouble() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let declines = Fault::Declines {
        code: "DC_99".to_owned(),
        message: "Not today".to_owned(),
    };
    for fault in [
        Fault::Pends,
        Fault::LosesAnswer,
        Fault::LosesRequest,
        declines,
        Fault::FailsAfter(503),
        Fault::FailsBefore(502),
    ] {
        shop.next_call_meets(ScriptedCall::Refund, fault);
    }
    let calls = (0..CROWD).map(|_| shop.refunds(&payment, amount(900)));
    let answers = at_once(calls).await;
    only(
        &answers,
        &[
            "200 succeeded",
            "200 pending",
            "200 failed",
            "400 IR_13",
            "400 IR_12",
        ],
    );
    let mut known = Vec::new();
    for answer in answers.iter().filter(|answer| answer.status == 200) {
        known.push(shop.asks_about_refund(&answer.body).await.ok());
    }
    let known: Vec<&Value> = known.iter().collect();
    assert_eq!(sum_of(&known, "pending"), 0);
    let went_back = sum_of(&known, "succeeded");
    assert!(went_back <= 6540, "{went_back} of 6540 went back");
    assert_eq!(shop.money().refunded, went_back, "{:?}", outcomes(&answers));
    let read = shop.retrieves(&payment).await.ok();
    let total = read["state_metadata"]["total_refunded_amount"].as_i64();
    assert_eq!(total.unwrap_or(0), went_back);
}

#[tokio::test(flavor = "multi_thread")]
async fn pending_ones_reserve_what_they_may_give_back() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, REFUNDS_PEND).await;
    let calls = (0..CROWD).map(|_| shop.refunds(&payment, amount(3000)));
    let answers = at_once(calls).await;
    only(&answers, &["200 pending", "400 IR_13"]);
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert!((1..=2).contains(&won), "{:?}", outcomes(&answers));
    books_agree(&shop, &payment, &answers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_id_makes_one_refund() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let body = json!({ "refund_id": "return-2071", "amount": 100 });
    let answers = at_once((0..CROWD).map(|_| shop.refunds(&payment, body.clone()))).await;
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(won, 1, "{:?}", outcomes(&answers));
    only(&answers, &["200 succeeded", "400 HE_01"]);
    assert_eq!(shop.money().refunded, 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_and_an_answer_at_once_lose_neither() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, REFUNDS_PEND).await;
    let refund = shop.refunds(&payment, json!({})).await.ok();
    let calls = (0..CROWD).map(|number| match number % 2 {
        0 => shop.updates_refund(&refund, json!({ "metadata": { "n": number } })),
        _ => shop.asks_about_refund(&refund),
    });
    let answers = at_once(calls).await;
    only(&answers, &["200 pending", "200 succeeded"]);
    let after = shop.retrieves_refund(&refund).await.ok();
    assert_eq!(after["status"], "succeeded");
    assert!(after["metadata"]["n"].is_i64(), "{after}");
    assert_eq!(shop.money().refunded, 6540);
}

/// A payment and its refunds are stored in separate rows, but a read must be consistent. The judge checks in every
/// answer that the total is the sum of the list.
#[tokio::test(flavor = "multi_thread")]
async fn no_read_shows_half_of_a_change() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let looking = (0..8).map(|_| {
        let (shop, payment) = (shop.clone(), payment.clone());
        tokio::spawn(async move {
            loop {
                let now = shop.retrieves(&payment).await.ok();
                let listed = now["refunds"].as_array().map_or(0, Vec::len);
                let total = now["state_metadata"]["total_refunded_amount"].as_i64();
                if total == Some(10) {
                    assert_eq!(listed, 10);
                    break;
                }
            }
        })
    });
    let looking: Vec<_> = looking.collect();
    for _ in 0..10 {
        shop.refunds(&payment, amount(1)).await.ok();
    }
    for one in looking {
        one.await.expect("halves that belong together");
    }
}
