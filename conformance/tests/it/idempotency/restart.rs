//! Keys survive a restart, a crash in the middle, and a change of servers. They expire in the end.

use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use multirail_conformance::patience::until_found;
use multirail_conformance::shop::id;
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{again, all_is_met, is_replayed, twice, under};
use crate::in_flight::{is_authorized, once_the_lease_is_over};
use crate::servers::damage;
use crate::servers::site::{Site, closed, moved};

#[tokio::test]
async fn an_answer_outlives_its_server() {
    let site = Site::on_sqlite();
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let first_server = site.server("one").await;
    let shop = first_server.shop("bookshop").await;
    drop(first_server);
    let first = twice("k", shop.creates(body.clone())).await;
    let (server, shop) = closed(shop);
    server.stops().await.expect("it stops");
    let shop = shop.opens_at(site.server("one").await);
    again(&first, "k", shop.creates(body.clone())).await;
    let other = with(body, json!({ "amount": 1 }));
    under("k", shop.creates(other)).await.refused(422, "MR_01");
    assert_eq!(shop.money().authorized, 6540);
}

#[tokio::test]
async fn another_server_on_the_same_database_knows_the_answer() {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let shop = site.server("one").await.shop("bookshop").await;
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let first = twice("k", shop.creates(body.clone())).await;
    let (there, _here) = moved(shop.clone(), site.server("two").await);
    again(&first, "k", there.creates(body.clone())).await;
    let different = with(body, json!({ "amount": 1 }));
    under("k", there.creates(different))
        .await
        .refused(422, "MR_01");
    assert_eq!(
        there.money().authorized,
        0,
        "the second server's processor heard of nothing"
    );
    // The second server's answers are replayed by the first one too.
    let second = twice("k2", there.creates(order())).await;
    again(&second, "k2", shop.creates(order())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_a_repeat_is_answered_from_what_is_stored() {
    after_a_crash(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_another_server_answers() {
    if let Some(site) = Site::on_postgres().await {
        after_a_crash(site).await;
    }
}

async fn after_a_crash(site: Site) {
    let (shop, payment) = crashed_in_a_confirm(&site, async |_| {}).await;
    let answer = repeated(&shop, &payment).await;
    assert_eq!(
        (&answer["status"], &answer["amount_received"]),
        (&json!("succeeded"), &json!(6540))
    );
    assert_eq!(
        shop.money().authorized,
        6540,
        "nothing was authorized twice"
    );
}

/// An unknown outcome is synced with the account that began it, even if the account was deleted since.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_and_with_the_account_deleted() {
    let site = Site::on_sqlite();
    let (shop, payment) = crashed_in_a_confirm(&site, async |shop| {
        let delete = shop
            .operator("connector_accounts_delete")
            .at("account_id", &shop.merchant_id);
        delete
            .at("merchant_connector_id", &shop.connector_account_id)
            .await
            .ok();
    })
    .await;
    let answer = repeated(&shop, &payment).await;
    assert_eq!(
        (&answer["status"], &answer["amount_received"]),
        (&json!("succeeded"), &json!(6540))
    );
}

/// The processor was never called, and the first repeat is refused for its own reason. On a later server the same
/// request still finds its stored progress.
#[tokio::test(flavor = "multi_thread")]
async fn a_confirm_that_came_to_nothing_is_carried_out_by_a_later_server() {
    let site = Site::on_sqlite();
    let (doomed, shop) = doomed(&site).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let shop = crashed_unheard(&site, doomed, shop.confirms(&payment, json!({})), shop).await;
    carried_out_a_server_later(&site, shop, |shop| shop.confirms(&payment, json!({}))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creation_that_came_to_nothing_is_carried_out_by_a_later_server() {
    let site = Site::on_sqlite();
    let (doomed, shop) = doomed(&site).await;
    let chosen = json!({ "confirm": true, "payment_id": "pay_chosen_by_the_shop" });
    let body = with(order_with(APPROVED), chosen);
    let shop = crashed_unheard(&site, doomed, shop.creates(body.clone()), shop).await;
    carried_out_a_server_later(&site, shop, |shop| shop.creates(body.clone())).await;
}

async fn carried_out_a_server_later(site: &Site, shop: Shop, request: impl Fn(&Shop) -> Call) {
    shop.reconnects(json!({ "disabled": true })).await.ok();
    let refused = once_the_lease_is_over(|| under("k", request(&shop))).await;
    refused.refused(400, "IR_39");
    let (server, shop) = closed(shop);
    server.stops().await.expect("it stops");
    let shop = shop.opens_at(site.server("one").await);
    shop.reconnects(json!({ "disabled": false })).await.ok();

    let answer = once_the_lease_is_over(|| under("k", request(&shop))).await;
    assert!(!is_replayed(&answer));
    again(&answer, "k", request(&shop)).await;
    assert_eq!(answer.ok()["status"], "succeeded");
    assert_eq!(shop.money().authorized, 6540);
}

/// Opens a shop at a server that can be killed with its runtime.
pub async fn doomed(site: &Site) -> (Runtime, Shop) {
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let shop = doomed.spawn(async move { born.server("one").await.shop("bookshop").await });
    let shop = shop.await.expect("a server starts");
    (doomed, shop)
}

/// Kills the server while its call is on the way. The processor never receives it. Returns the shop at the next
/// server.
async fn crashed_unheard(site: &Site, doomed: Runtime, request: Call, shop: Shop) -> Shop {
    let script = shop.processor().script();
    script.next(ScriptedCall::Authorize, Fault::LosesRequest);
    script.set_delay(Duration::from_secs(60));
    let first = tokio::spawn(under("k", request).send());
    all_is_met(&shop).await;
    doomed.shutdown_background();
    let first = first.await.expect("a task that ends");
    assert!(first.is_err(), "nobody was there to answer: {first:?}");
    assert_eq!(shop.money().authorized, 0);
    let (server, shop) = closed(shop);
    drop(server);
    shop.opens_at(site.server("one").await)
}

/// Kills the server while it waits for the processor, which has authorized. Returns the shop at the next server.
async fn crashed_in_a_confirm(site: &Site, meanwhile: impl AsyncFnOnce(&Shop)) -> (Shop, Value) {
    let (doomed, shop) = doomed(site).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.processor().script().set_delay(Duration::from_secs(60));
    let first = tokio::spawn(under("k", shop.confirms(&payment, json!({}))).send());
    is_authorized(&shop).await;
    meanwhile(&shop).await;
    doomed.shutdown_background();
    let first = first.await.expect("a task that ends");
    assert!(first.is_err(), "nobody was there to answer: {first:?}");
    let (server, shop) = closed(shop);
    drop(server);
    (shop.opens_at(site.server("one").await), payment)
}

/// Returns the answer to the repeated confirm.
async fn repeated(shop: &Shop, payment: &Value) -> Value {
    let confirm = shop.confirms(payment, json!({}));
    let answer = once_the_lease_is_over(|| under("k", confirm.clone())).await;
    assert!(is_replayed(&answer));
    again(&answer, "k", confirm).await;
    answer.ok()
}

/// One pass of the reaper looks at both keys, the older one first. So once the older key is gone, the pass has kept
/// the other one.
#[tokio::test]
async fn keys_are_stored_for_72_hours() {
    let shop = Shop::open().await;
    let older = twice("older", shop.creates(order())).await;
    shop.time_passes(2 * 3600).await;
    let younger = twice("younger", shop.creates(order())).await;
    shop.time_passes(71 * 3600).await;
    let anew = until_found("the older key is gone", async || {
        let answer = under("older", shop.creates(order())).await;
        match is_replayed(&answer) {
            true => Err(answer.text),
            false => Ok(answer),
        }
    });
    assert_ne!(id(&older.ok()), id(&anew.await.ok()));
    again(&younger, "younger", shop.creates(order())).await;
}

/// A request may outlive its lease, because it may call the processor more than once. Then a repeat gets the stored
/// outcome, and the request itself must give the same answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_overtaken_by_a_repeat_gives_the_same_answer() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let confirm = shop.confirms(&payment, json!({}));
    shop.processor()
        .script()
        .set_delay(Duration::from_millis(1000));
    let first = tokio::spawn(under("k", confirm.clone()).send());
    is_authorized(&shop).await;
    damage::leases_lapse(&site.folder("one"));
    let repeat = under("k", confirm.clone()).await;
    assert_eq!(repeat.clone().ok()["status"], "processing");
    let first = first.await.expect("a task that ends").expect("an answer");
    assert_eq!(first.body, repeat.body);
    again(&first, "k", confirm).await;
    let now = shop.retrieves(&payment).await.ok();
    assert_eq!(now["status"], "succeeded", "what happened is stored");
}
