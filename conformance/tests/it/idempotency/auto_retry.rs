//! One request may try several processors in turn. It has one answer, however long that takes and whichever server
//! gives it.

use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, order_with};
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::restart::doomed;
use super::{again, all_is_met, is_replayed, under};
use crate::in_flight::{is_authorized, once_the_lease_is_over};
use crate::servers::damage;
use crate::servers::site::{Site, closed};

/// Adds `stripe_test`, which is tried when `fauxpay` is unavailable.
async fn goes_on(shop: &Shop) {
    shop.connects("stripe_test", json!({})).await.ok();
    let profile = json!({ "is_auto_retries_enabled": true, "max_auto_retries_enabled": 1 });
    shop.sets_up(profile).await.ok();
}

/// Returns connector and status of every attempt.
async fn attempts(shop: &Shop, payment: &Value) -> Vec<String> {
    let shown = shop.retrieves(payment).query("expand_attempts", true);
    let shown = shown.await.ok();
    let attempts = shown["attempts"].as_array().expect("attempts").iter();
    let words = |one: &Value| {
        let word = |name: &str| one[name].as_str().unwrap_or("-").to_owned();
        format!("{} {}", word("connector"), word("status"))
    };
    attempts.map(words).collect()
}

/// Each call may take as long as the key's lease. The repeat waits for the second call as for the first.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_waits_for_every_attempt() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    goes_on(&shop).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let confirm = shop.confirms(&payment, json!({}));
    let script = shop.processor().script();
    script.next(ScriptedCall::Authorize, Fault::Throttles);
    script.set_delay(Duration::from_millis(1000));
    let first = tokio::spawn(under("k", confirm.clone()).send());
    all_is_met(&shop).await;
    damage::leases_lapse(&site.folder("one"));
    is_authorized(&shop).await;
    let meanwhile = under("k", confirm.clone()).await;
    meanwhile.refused(409, "MR_02");
    let first = first.await.expect("a task that ends").expect("an answer");
    assert_eq!(first.clone().ok()["status"], "succeeded");
    again(&first, "k", confirm).await;
    assert_eq!(shop.money().authorized, 6540);
    let tried = attempts(&shop, &payment).await;
    assert_eq!(tried, ["fauxpay failure", "stripe_test charged"]);
}

/// The server died while it waited for the second processor, which had authorized the payment.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_second_attempt_is_the_answer() {
    let (_site, shop, confirm) = crashed_in_the_second(Fault::LosesAnswer).await;
    let answer = once_the_lease_is_over(|| under("k", confirm(&shop))).await;
    assert!(is_replayed(&answer));
    again(&answer, "k", confirm(&shop)).await;
    let paid = answer.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(shop.money().authorized, 6540);
    let tried = attempts(&shop, &paid).await;
    assert_eq!(tried, ["fauxpay failure", "stripe_test charged"]);
}

/// The second processor never received the request, so the repeat authorizes the payment.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_attempt_that_came_to_nothing_is_made_again() {
    let (_site, shop, confirm) = crashed_in_the_second(Fault::LosesRequest).await;
    assert_eq!(shop.money().authorized, 0);
    let answer = once_the_lease_is_over(|| under("k", confirm(&shop))).await;
    assert!(!is_replayed(&answer));
    again(&answer, "k", confirm(&shop)).await;
    let paid = answer.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(shop.money().authorized, 6540);
    let tried = attempts(&shop, &paid).await;
    let expected = ["fauxpay failure", "stripe_test failure", "fauxpay charged"];
    assert_eq!(tried, expected);
}

/// Crashes a server in its second attempt. Returns the shop at the next server, and the confirm.
async fn crashed_in_the_second(fault: Fault) -> (Site, Shop, impl Fn(&Shop) -> Call) {
    let site = Site::on_sqlite();
    let (runtime, shop) = doomed(&site).await;
    goes_on(&shop).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let script = shop.processor().script();
    script.next(ScriptedCall::Authorize, Fault::Throttles);
    let is_heard = fault == Fault::LosesAnswer;
    script.next(ScriptedCall::Authorize, fault);
    script.set_delay(Duration::from_secs(1));
    let first = tokio::spawn(under("k", shop.confirms(&payment, json!({}))).send());
    match is_heard {
        true => is_authorized(&shop).await,
        false => all_is_met(&shop).await,
    }
    runtime.shutdown_background();
    let first = first.await.expect("a task that ends");
    assert!(first.is_err(), "nobody was there to answer: {first:?}");
    let (server, shop) = closed(shop);
    drop(server);
    let shop = shop.opens_at(site.server("one").await);
    let confirm = move |shop: &Shop| shop.confirms(&payment, json!({}));
    (site, shop, confirm)
}
