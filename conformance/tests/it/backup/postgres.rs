//! PostgreSQL is backed up by its own tools. The commands come from server/deploy/BACKUP.md and run unchanged.

use std::process::Command;
use std::sync::Arc;

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_server::config::Setting;
use multirail_test_postgres::Cluster;
use serde_json::{Value, json};

use super::{Said, multirail};
use crate::servers::site::{MASTER_KEY, Site};

const GUIDE: &str = include_str!("../../../../server/deploy/BACKUP.md");

/// Returns the commands of a block, found by the word behind its language.
fn commands(name: &str) -> String {
    let begin = format!("```sh {name}\n");
    let block = GUIDE
        .split_once(&begin)
        .and_then(|(_, rest)| rest.split_once("```"));
    block
        .unwrap_or_else(|| panic!("the guide has no block {name}"))
        .0
        .to_owned()
}

/// Runs a block of the guide, with the programs of this PostgreSQL and the program under test.
async fn runs(cluster: &Arc<Cluster>, name: &str, variables: &[(&str, String)]) -> Said {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("multirail");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_multirail-under-test"), &program)
        .expect("a link");
    let path = format!(
        "{}:{}:{}",
        folder.path().display(),
        cluster.binaries().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut command = Command::new("bash");
    command
        .args(["-euo", "pipefail", "-c", &commands(name)])
        .current_dir(folder.path())
        .env("PATH", path)
        .env("MULTIRAIL_DATA_DIRECTORY", folder.path())
        .env("MULTIRAIL_MASTER_KEY", MASTER_KEY)
        .env("MULTIRAIL_LOG_LEVEL", "error")
        .envs(variables.iter().map(|(name, value)| (name, value)));
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.expect("it ends").expect("bash is there");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = Said {
        code: output.status.code(),
        out: text(&output.stdout),
        err: text(&output.stderr),
    };
    assert_eq!(said.code, Some(0), "{name}: {said:?}");
    said
}

async fn pays(shop: &Shop) -> Value {
    let paid = shop.creates(with(order_with(APPROVED), json!({ "confirm": true })));
    paid.await.ok()
}

/// Checks that a server on the restored database has these payments.
async fn has(site: &Site, url: &str, shop: Shop, payments: &[Value]) {
    let (server, closed) = crate::servers::site::closed(shop);
    server.stops().await.expect("an orderly end");
    let server = site
        .server_with("restored", |mut inputs| {
            // The first value that is set wins.
            inputs
                .options
                .retain(|(setting, _)| *setting != Setting::DatabaseUrl);
            inputs.with(Setting::DatabaseUrl, url)
        })
        .await;
    let shop = closed.opens_at(server);
    for payment in payments {
        let found = shop.retrieves(payment).await.ok();
        assert_eq!(found["status"], "succeeded", "{found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dump_is_restored_and_checked() {
    let Some((site, cluster)) = Site::on_own_postgres().await else {
        return;
    };
    let server = site.server("one").await;
    let shop = server.shop("books").await;
    let paid = pays(&shop).await;
    let database = site.database_url().expect("a database").to_owned();
    let data = site.folder("one");
    let refused = multirail(
        &data,
        &["backup", "--to", "/nowhere", "--database-url", &database],
    )
    .await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.err.contains("server/deploy/BACKUP.md"),
        "{refused:?}"
    );

    let backup = tempfile::tempdir().expect("a folder");
    let same = Arc::clone(&cluster);
    let restored = tokio::task::spawn_blocking(move || same.create_database()).await;
    let restored = restored.expect("a database");
    let variables = [
        ("BACKUP", backup.path().display().to_string()),
        ("DATABASE_URL", database),
        ("RESTORED_URL", restored.clone()),
    ];
    runs(&cluster, "dump", &variables).await;
    let after = pays(&shop).await;
    let said = runs(&cluster, "dump-restore", &variables).await;
    assert!(said.out.ends_with("all of it is whole\n"), "{said:?}");
    assert!(
        said.out
            .contains("money        1 payments, all of them right"),
        "{said:?}"
    );
    drop((server, after));
    has(&site, &restored, shop, &[paid]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_backup_and_the_archived_log_lose_nothing() {
    let Some((site, cluster)) = Site::on_own_postgres().await else {
        return;
    };
    let archive = archive_of(&cluster).await;
    let database = site.database_url().expect("a database").to_owned();
    let name = database.rsplit('/').next().unwrap_or_default().to_owned();
    let backup = tempfile::tempdir().expect("a folder");
    let new_data = tempfile::tempdir().expect("a folder");
    let mut variables = vec![
        ("ARCHIVE", archive.display().to_string()),
        ("BACKUP", backup.path().display().to_string()),
        ("DATABASE_URL", database),
        ("NEW_DATA", new_data.path().display().to_string()),
    ];
    runs(&cluster, "archive", &variables).await;
    let same = Arc::clone(&cluster);
    let restarted = tokio::task::spawn_blocking(move || {
        same.stop();
        same.start();
    });
    restarted.await.expect("it starts again");

    let server = site.server("one").await;
    let shop = server.shop("books").await;
    let before = pays(&shop).await;
    runs(&cluster, "base", &variables).await;
    // Later changes are only in the archived log.
    let after = pays(&shop).await;
    let same = Arc::clone(&cluster);
    let restored = tokio::task::spawn_blocking(move || {
        // An orderly stop archives the end of the log.
        same.stop();
        same
    });
    restored.await.expect("it stops");
    runs(&cluster, "base-restore", &variables).await;
    let (same, data) = (Arc::clone(&cluster), new_data.path().to_owned());
    let restored = tokio::task::spawn_blocking(move || same.start_restored(&data)).await;
    let restored = restored.expect("it was tried").expect("it starts");
    let url = restored.url(&name);
    variables.push(("RESTORED_URL", url.clone()));
    let said = runs(&cluster, "base-check", &variables).await;
    assert!(
        said.out
            .contains("money        2 payments, all of them right"),
        "{said:?}"
    );
    drop(server);
    has(&site, &url, shop, &[before, after]).await;
}

/// Creates a folder that PostgreSQL may write to.
async fn archive_of(cluster: &Arc<Cluster>) -> std::path::PathBuf {
    let same = Arc::clone(cluster);
    let made = tokio::task::spawn_blocking(move || same.make_folder("archive")).await;
    made.expect("it was tried").expect("a folder")
}
