//! A new master key: running servers go on, and starting ones name the key that they need.

use std::path::Path;

use multirail_conformance::BUILT_IN;
use multirail_conformance::bodies::{APPROVED, paid_with};
use multirail_seal::MasterKey;
use multirail_server::config::{Config, Inputs, Setting};
use multirail_server::startup::start;
use multirail_system::random::OsRandom;
use serde_json::json;

use super::{Kept, finished, keys, quick, rotates};
use crate::servers::site::{MASTER_KEY, Site, closed, until_free};

const STRANGER: &str = "77112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Reads the master key from a file, which the operator can replace while the server runs.
fn from_file(file: &Path) -> impl FnOnce(Inputs) -> Inputs {
    let file = file.to_string_lossy().into_owned();
    move |mut inputs: Inputs| {
        inputs
            .options
            .retain(|(setting, _)| *setting != Setting::MasterKey);
        let variable = "MULTIRAIL_MASTER_KEY_FILE".to_owned();
        inputs.environment.insert(variable, file);
        quick(inputs)
    }
}

/// Returns the reason why a server with this master key doesn't start.
async fn refusal(site: &Site, folder: &str, master_key: &str) -> String {
    let inputs = Inputs::default()
        .with(Setting::Sandbox, "true")
        .with(Setting::Listen, "127.0.0.1:0")
        .with(
            Setting::DataDirectory,
            site.folder(folder).to_string_lossy(),
        )
        .with(Setting::MasterKey, master_key);
    let inputs = match site.database_url() {
        Some(url) => inputs.with(Setting::DatabaseUrl, url),
        None => inputs,
    };
    let config = Config::read(&inputs).unwrap_or_else(|problems| panic!("{problems}"));
    until_free(&site.folder(folder)).await;
    match start(config, BUILT_IN).await {
        Ok(_) => panic!("it starts"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_master_key_is_refused_at_the_start_on_sqlite() {
    wrong(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_master_key_is_refused_at_the_start_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        wrong(site).await;
    }
}

async fn wrong(site: Site) {
    let shop = site.server("one").await.shop("books").await;
    let paid = shop.creates(paid_with(APPROVED)).await.ok();
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let why = refusal(&site, "one", STRANGER).await;
    insta::allow_duplicates! {
        insta::assert_snapshot!(why, @"the master key is not the one that this database was made with: none of its 4 stored keys opens");
    }
    // The failed start changed nothing.
    let shop = shop.opens_at(site.server("one").await);
    assert_eq!(shop.retrieves(&paid).await.ok(), paid);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_master_key_changes_under_a_running_server_on_sqlite() {
    changes(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_master_key_changes_under_a_running_server_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        changes(site).await;
    }
}

async fn changes(site: Site) {
    let file = site.folder("master.key");
    std::fs::write(&file, MASTER_KEY).expect("a file");
    let shop = site
        .server_with("one", from_file(&file))
        .await
        .shop("books")
        .await;
    let kept = Kept::by(&shop).await;
    let before = keys(&shop.server).await;
    let present = MasterKey::from_hex(MASTER_KEY).expect("a key");
    let next = MasterKey::generate(&OsRandom);
    let changes = |body| shop.server.operator("keys_rotate").json(&body);

    let named =
        json!({ "change": "master_key", "next_master_key": present.hand_over(&next, &OsRandom) });
    let named = changes(named).await.ok();
    assert_eq!(named["master_key"], json!(present.name()));
    assert_eq!(named["next_master_key"], json!(next.name()));
    assert_eq!(named["data_keys"], before["data_keys"]);
    // Data keys can't change during a change of the master key.
    changes(json!({ "change": "data_keys" }))
        .await
        .refused(400, "IR_16");
    shop.creates(paid_with(APPROVED)).await.ok();

    // With the key in its settings the server wouldn't start again.
    let early = changes(json!({ "change": "finish_master_key" }))
        .await
        .refused(400, "IR_16");
    insta::allow_duplicates! {
        insta::assert_snapshot!(early, @"the settings of this server still hold the former master key, with which it would not start again: put the next one in its place first");
    }
    assert_eq!(
        keys(&shop.server).await["next_master_key"],
        json!(next.name())
    );

    // The operator gives the server the next key. Then the former one opens nothing.
    std::fs::write(&file, next.to_hex().as_str()).expect("a file");
    let done = changes(json!({ "change": "finish_master_key" })).await.ok();
    assert_eq!(done["master_key"], json!(next.name()));
    assert_eq!(done["next_master_key"], json!(null));
    changes(json!({ "change": "finish_master_key" }))
        .await
        .refused(400, "IR_16");
    // The server goes on, and can change data keys too.
    shop.creates(paid_with(APPROVED)).await.ok();
    rotates(&shop.server).await;
    finished(&shop.server).await;
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let why = refusal(&site, "one", MASTER_KEY).await;
    assert!(why.starts_with("the master key is not the one"), "{why}");
    let shop = shop.opens_at(site.server_with("one", from_file(&file)).await);
    kept.is_readable(&shop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn either_master_key_starts_a_server_until_the_former_one_is_dropped_on_sqlite() {
    either(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn either_master_key_starts_a_server_until_the_former_one_is_dropped_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        either(site).await;
    }
}

async fn either(site: Site) {
    let shop = site.server("one").await.shop("books").await;
    let kept = Kept::by(&shop).await;
    let present = MasterKey::from_hex(MASTER_KEY).expect("a key");
    // The change is started twice, because the operator lost the first file.
    let mut next = MasterKey::generate(&OsRandom);
    for _ in 0..2 {
        next = MasterKey::generate(&OsRandom);
        let handed_over = present.hand_over(&next, &OsRandom);
        let body = json!({ "change": "master_key", "next_master_key": handed_over });
        let call = shop.server.operator("keys_rotate").json(&body);
        assert_eq!(call.await.ok()["next_master_key"], json!(next.name()));
    }
    let (server, mut shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    for master in [MASTER_KEY.to_owned(), next.to_hex().as_str().to_owned()] {
        let server = site
            .server_with("one", |inputs| inputs.with(Setting::MasterKey, master))
            .await;
        let open = shop.opens_at(server);
        open.creates(paid_with(APPROVED)).await.ok();
        let (server, again) = closed(open);
        server.stops().await.expect("an orderly end");
        shop = again;
    }
    // A server that was started with the next key can drop the former one.
    let master = next.to_hex().as_str().to_owned();
    let with_next = |inputs: Inputs| {
        let mut inputs = inputs;
        inputs
            .options
            .retain(|(setting, _)| *setting != Setting::MasterKey);
        inputs.with(Setting::MasterKey, master)
    };
    let shop = shop.opens_at(site.server_with("one", with_next).await);
    let body = json!({ "change": "finish_master_key" });
    let done = shop.server.operator("keys_rotate").json(&body).await.ok();
    assert_eq!(done["master_key"], json!(next.name()));
    kept.is_readable(&shop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_master_key_is_reported_at_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let inputs = Inputs::default()
        .with(Setting::Sandbox, "true")
        .with(Setting::Listen, "127.0.0.1:0")
        .with(Setting::DataDirectory, folder.path().to_string_lossy());
    let config = || Config::read(&inputs).unwrap_or_else(|problems| panic!("{problems}"));
    let server = start(config(), BUILT_IN)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    server.close().await.expect("an orderly end");
    let kept = folder.path().join("master.key");
    let master = std::fs::read(&kept).expect("the key of the sandbox");
    std::fs::remove_file(&kept).expect("it is lost");
    until_free(folder.path()).await;
    let Err(error) = start(config(), BUILT_IN).await else {
        panic!("it starts");
    };
    let why = error.to_string();
    assert!(
        why.contains("master.key is missing, but the database was sealed with its key"),
        "{why}"
    );
    assert!(!kept.exists(), "no other key lies in its place");
    // The operator has found the file again.
    std::fs::write(&kept, master).expect("a file");
    until_free(folder.path()).await;
    let server = start(config(), BUILT_IN)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    server.close().await.expect("an orderly end");
}
