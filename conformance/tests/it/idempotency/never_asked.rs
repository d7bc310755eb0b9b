//! A confirm was stored but never reached the processor. Its repeat neither waits nor finds a failed payment: it
//! confirms. A repeated refund is told at once that nothing was refunded.

use std::sync::Arc;

use multirail_conformance::bodies::{APPROVED, order_with, paid_with, with};
use multirail_conformance::patience::until_found;
use multirail_conformance::{Call, Engine, Response, Shop, TestServer};
use multirail_server::config::Setting;
use multirail_test_postgres::Cluster;
use serde_json::{Value, json};

use super::{again, is_replayed, under};
use crate::limits::database::{on, own_postgres};

/// Makes commits durable but never acknowledged, as when a database dies in between.
fn keeps_silent_about_commits(cluster: &Cluster) {
    cluster.execute(
        "postgres",
        "alter system set synchronous_standby_names = 'nobody'",
    );
    cluster.execute("postgres", "select pg_reload_conf()");
    // The database reloads its settings after a while, and until then acknowledges commits.
    std::thread::scope(|scope| {
        let commit = "comment on database postgres is 'committed'";
        scope.spawn(|| while cluster.try_execute("postgres", commit).is_ok() {});
        let end_one = "do $$ begin loop \
            perform pg_terminate_backend(pid) from pg_stat_activity \
                where wait_event = 'SyncRep' and query like 'comment on %'; \
            exit when found; \
            perform pg_sleep(0.01); perform pg_stat_clear_snapshot(); end loop; end $$";
        cluster.execute("postgres", end_one);
    });
}

/// Waits for an unacknowledged commit of a request with a key, then kills the database. A worker's commit may also
/// wait.
fn dies_in_a_commit(cluster: &Cluster) {
    let wait = "do $$ begin loop \
        exit when exists (select 1 from pg_stat_activity join pg_locks using (pid) \
            where wait_event = 'SyncRep' and relation = 'idempotency_keys'::regclass and mode = 'RowExclusiveLock'); \
        perform pg_sleep(0.01); perform pg_stat_clear_snapshot(); end loop; end $$";
    cluster.execute("test_1", wait);
    cluster.kill();
}

fn is_itself_again(cluster: &Cluster) {
    cluster.start();
    cluster.execute("postgres", "alter system reset synchronous_standby_names");
    cluster.execute("postgres", "select pg_reload_conf()");
}

/// A payment with a card is confirmed with a key, and the database dies in the confirm's first commit.
#[tokio::test]
async fn a_database_that_dies_in_a_confirm_costs_neither_time_nor_the_payment() {
    let Some((cluster, url)) = own_postgres().await else {
        return;
    };
    let server = TestServer::start_on(Engine::Sqlite, |inputs| {
        inputs.with(Setting::DatabaseUrl, &url)
    })
    .await;
    let shop = server.shop("bookshop").await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let confirm = shop.confirms(&payment, json!({}));
    survives(&shop, &cluster, confirm).await;

    let create = shop.creates(with(order_with(APPROVED), json!({ "confirm": true })));
    survives(&shop, &cluster, create).await;
    assert_eq!(shop.money().authorized, 2 * 6540, "each was paid once");
}

#[tokio::test]
async fn a_database_that_dies_in_a_refund_costs_no_time_and_no_money() {
    let Some((cluster, url)) = own_postgres().await else {
        return;
    };
    let server = TestServer::start_on(Engine::Sqlite, |inputs| {
        inputs.with(Setting::DatabaseUrl, &url)
    })
    .await;
    let shop = server.shop("bookshop").await;
    let payment = shop.creates(paid_with(APPROVED)).await.ok();
    let all = shop.refunds(&payment, json!({}));
    let refund = repeated_after_a_dead_commit(&shop, &cluster, all.clone()).await;
    assert!(is_replayed(&refund), "the refund was stored");
    again(&refund, "k", all).await;
    let refund = refund.ok();
    assert_eq!(
        (&refund["status"], &refund["error_code"]),
        (&json!("failed"), &json!("not_processed"))
    );
    assert_eq!(shop.retrieves_refund(&refund).await.ok(), refund);
    assert_eq!(shop.money().refunded, 0);
    // No refund was made, so the whole payment can be refunded.
    let other = shop.refunds(&payment, json!({})).await.ok();
    assert_eq!(other["status"], "succeeded");
    assert_eq!(shop.money().refunded, 6540);
}

async fn survives(shop: &Shop, cluster: &Arc<Cluster>, request: Call) {
    let answer = repeated_after_a_dead_commit(shop, cluster, request.clone()).await;
    assert!(!is_replayed(&answer));
    again(&answer, "k", request).await;
    let paid = answer.ok();
    assert_eq!(paid["status"], "succeeded");
    shows_undone_attempt(shop, &paid).await;
}

/// The first repeat finds the account disabled, the next one finds it enabled again. Neither waits for a lease
/// without an owner.
#[tokio::test]
async fn a_repeat_that_is_refused_keeps_the_next_one_from_nothing() {
    let Some((cluster, url)) = own_postgres().await else {
        return;
    };
    let server = TestServer::start_on(Engine::Sqlite, |inputs| {
        inputs.with(Setting::DatabaseUrl, &url)
    })
    .await;
    let shop = server.shop("bookshop").await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let confirm = shop.confirms(&payment, json!({}));
    dies_with_its_commit(&shop, &cluster, confirm.clone()).await;
    let off = shop.reconnects(json!({ "disabled": true }));
    once_it_is_up(|| off.clone()).await.ok();
    let refused = under("k", confirm.clone()).await;
    refused.refused(400, "IR_39");
    shop.reconnects(json!({ "disabled": false })).await.ok();
    let paid = under("k", confirm.clone()).await;
    assert!(!is_replayed(&paid));
    assert_eq!(paid.clone().ok()["status"], "succeeded");
    again(&paid, "k", confirm).await;
    assert_eq!(shop.money().authorized, 6540);
}

/// Returns the answer to a repeat of a request whose first commit was durable but never acknowledged.
async fn repeated_after_a_dead_commit(
    shop: &Shop,
    cluster: &Arc<Cluster>,
    request: Call,
) -> Response {
    dies_with_its_commit(shop, cluster, request.clone()).await;
    once_it_is_up(|| under("k", request.clone())).await
}

/// Sends a request whose first commit is durable but never acknowledged, and restarts the database.
async fn dies_with_its_commit(shop: &Shop, cluster: &Arc<Cluster>, request: Call) {
    let asked_before = format!("{:?}", shop.money());
    on(cluster, keeps_silent_about_commits).await;
    let first = tokio::spawn(under("k", request).send());
    on(cluster, dies_in_a_commit).await;
    let first = first.await.expect("a task that ends").expect("an answer");
    first.refused(503, "HE_00");
    on(cluster, is_itself_again).await;
    let asked = format!("{:?}", shop.money());
    assert_eq!(asked, asked_before, "nobody was asked");
}

/// Returns the server's answer while its database starts. No answer may claim that another request is running.
async fn once_it_is_up(request: impl Fn() -> Call) -> Response {
    until_found("the database is there", async || {
        let answer = request().await;
        match answer.status {
            503 => Err(answer.text),
            _ => Ok(answer),
        }
    })
    .await
}

/// Checks that the first attempt is shown as never done.
async fn shows_undone_attempt(shop: &Shop, paid: &Value) {
    let shown = shop.retrieves(paid).query("expand_attempts", true);
    let shown = shown.await.ok();
    let attempts = shown["attempts"].as_array().expect("attempts");
    let codes: Vec<_> = attempts
        .iter()
        .map(|attempt| (&attempt["status"], &attempt["error_code"]))
        .collect();
    assert_eq!(
        codes,
        [
            (&json!("failure"), &json!("not_processed")),
            (&json!("charged"), &Value::Null)
        ]
    );
}
