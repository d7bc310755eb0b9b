//! Keys outlive servers: a restart, a crash in the middle, another server. And they don't live for ever.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use multirail_conformance::shop::id;
use multirail_conformance::{Engine, Shop, TestServer};
use multirail_server::config::{Inputs, Setting};
use multirail_test_postgres::TestPostgres;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::{again, is_replayed, twice, under};

const MASTER_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// What servers that follow each other, or stand side by side, have in common.
#[derive(Clone)]
struct Site {
    directory: Arc<tempfile::TempDir>,
    /// Nothing means SQLite in the folder.
    database_url: Option<String>,
}

impl Site {
    fn on_sqlite() -> Self {
        Self {
            directory: Arc::new(tempfile::tempdir().expect("a temporary folder")),
            database_url: None,
        }
    }

    /// Nothing, said aloud, where PostgreSQL is not installed.
    async fn on_postgres() -> Option<Self> {
        let made = tokio::task::spawn_blocking(|| {
            TestPostgres::start_or_explain().map(|one| one.create_database())
        });
        let url = made.await.expect("a database can be made").ok()?;
        Some(Self {
            database_url: Some(url),
            ..Self::on_sqlite()
        })
    }

    /// A server with its simulated processor's books in this folder.
    async fn server(&self, folder: &str) -> Arc<TestServer> {
        let folder = self.directory.path().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        until_free(&folder).await;
        let change = |mut inputs: Inputs| {
            inputs
                .options
                .retain(|(setting, _)| *setting != Setting::DataDirectory);
            let inputs = inputs
                .with(Setting::DataDirectory, folder.to_string_lossy())
                .with(Setting::MasterKey, MASTER_KEY)
                .with(Setting::ProcessorDeadlineMs, "2000");
            match &self.database_url {
                Some(url) => inputs.with(Setting::DatabaseUrl, url),
                None => inputs,
            }
        };
        TestServer::start_on(Engine::Sqlite, change).await
    }
}

/// A dead server lets go of its database a moment after it was killed.
async fn until_free(folder: &Path) {
    let lock = folder.join("multirail.sqlite.lock");
    let Ok(lock) = std::fs::File::open(lock) else {
        return;
    };
    let started = Instant::now();
    while lock.try_lock().is_err() {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "the database stays locked"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The shop at another server, and what is left of its old one.
fn moved(shop: Shop, to: Arc<TestServer>) -> (Shop, Arc<TestServer>) {
    let old = Arc::clone(&shop.server);
    (Shop { server: to, ..shop }, old)
}

#[tokio::test]
async fn an_answer_outlives_its_server() {
    let site = Site::on_sqlite();
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let first_server = site.server("one").await;
    let shop = first_server.shop("bookshop").await;
    drop(first_server);
    let first = twice("k", shop.creates(body.clone())).await;
    let Shop {
        server,
        merchant_id,
        profile_id,
        api_key,
        publishable_key,
        connector_account_id,
    } = shop;
    server.stops().await.expect("it stops");
    let server = site.server("one").await;
    let shop = Shop {
        server,
        merchant_id,
        profile_id,
        api_key,
        publishable_key,
        connector_account_id,
    };
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
    // And the other way round.
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

/// Who can't ask any more tells what is known.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_without_a_way_to_the_processor() {
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
    assert_eq!(repeated(&shop, &payment).await["status"], "processing");
}

/// A server that died while the processor, which had done its work, kept silent; the shop at the next server.
async fn crashed_in_a_confirm(site: &Site, meanwhile: impl AsyncFnOnce(&Shop)) -> (Shop, Value) {
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let shop = doomed.spawn(async move { born.server("one").await.shop("bookshop").await });
    let shop = shop.await.expect("a server starts");
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.processor().script().set_delay(Duration::from_secs(60));
    let first = tokio::spawn(under("k", shop.confirms(&payment, json!({}))).send());
    while shop.money().authorized == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    meanwhile(&shop).await;
    doomed.shutdown_background();
    let first = first.await.expect("a task that ends");
    assert!(first.is_err(), "nobody was there to answer: {first:?}");
    let Shop {
        server,
        merchant_id,
        profile_id,
        api_key,
        publishable_key,
        connector_account_id,
    } = shop;
    drop(server);
    let server = site.server("one").await;
    (
        Shop {
            server,
            merchant_id,
            profile_id,
            api_key,
            publishable_key,
            connector_account_id,
        },
        payment,
    )
}

/// The answer to the confirm that was cut off.
async fn repeated(shop: &Shop, payment: &Value) -> Value {
    let confirm = shop.confirms(payment, json!({}));
    let started = Instant::now();
    let answer = loop {
        let answer = under("k", confirm.clone()).await;
        if answer.status == 200 {
            break answer;
        }
        // As long as the first request might still be at work.
        answer.refused(409, "MR_02");
        assert!(started.elapsed() < Duration::from_secs(15), "409 for ever");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert!(is_replayed(&answer));
    again(&answer, "k", confirm).await;
    answer.body
}

#[tokio::test]
async fn keys_are_kept_for_72_hours() {
    let shop = Shop::open().await;
    let first = twice("k", shop.creates(order())).await;
    shop.time_passes(71 * 3600).await;
    // The reaper comes every five seconds.
    tokio::time::sleep(Duration::from_millis(5500)).await;
    again(&first, "k", shop.creates(order())).await;
    shop.time_passes(2 * 3600).await;
    let started = Instant::now();
    let second = loop {
        let answer = under("k", shop.creates(order())).await;
        if !is_replayed(&answer) {
            break answer.ok();
        }
        assert!(
            started.elapsed() < Duration::from_secs(15),
            "the key stays for ever"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_ne!(id(&first.ok()), id(&second));
}
