//! A damaged database file: no server starts on it, no backup is made of it, and a check of the audit log reports it.

use std::path::Path;
use std::process::Command;

use multirail_server::config::Setting;

use super::{multirail, multirail_with};
use crate::servers::damage::spoils_an_index;
use crate::servers::site::{MASTER_KEY, Site, until_free};

#[tokio::test(flavor = "multi_thread")]
async fn no_server_starts_on_a_damaged_file() {
    let site = Site::on_sqlite();
    let server = site.server("one").await;
    server.shop("books").await;
    server.stops().await.expect("an orderly end");
    let data = site.folder("one");
    until_free(&data).await;
    spoils_an_index(&data);

    let said = multirail(&data, &["serve", "--sandbox", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.err.contains("the database file is damaged"),
        "{said:?}"
    );
    let folder = site.folder("backup");
    let said = multirail(&data, &["backup", "--to", &folder.to_string_lossy()]).await;
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(
        said.err.contains("is damaged, and so is its copy"),
        "{said:?}"
    );
    assert!(!folder.join("manifest.json").exists());
    let said = multirail(&data, &["check-config", "--connect", "--sandbox"]).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("database_url: the file is damaged"),
        "{said:?}"
    );

    // If the check at the start is off, the check of the audit log reports the damage.
    let server = site
        .server_with("one", |inputs| inputs.with(Setting::DatabaseCheck, "off"))
        .await;
    let asked = server.operator("audit_verify").query("check_file", true);
    let found = asked.await.ok();
    assert_eq!(found["fault"], serde_json::Value::Null, "{found}");
    assert_ne!(found["file_faults"], serde_json::json!([]), "{found}");
    let said = multirail_with(
        &data,
        &["audit", "verify", "--server", &server.address()],
        &[
            ("MULTIRAIL_MASTER_KEY", MASTER_KEY),
            ("MULTIRAIL_ADMIN_API_KEY", server.admin_key()),
        ],
    )
    .await;
    assert_eq!(said.code, Some(4), "{said:?}");
    assert!(
        said.err.contains("the database file is damaged"),
        "{said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_server_starts_on_a_part_of_a_file() {
    let site = Site::on_sqlite();
    let server = site.server("one").await;
    server.shop("books").await;
    server.stops().await.expect("an orderly end");
    let data = site.folder("one");
    until_free(&data).await;
    let torn = site.folder("torn");
    std::fs::create_dir_all(&torn).expect("a folder");
    let whole = std::fs::read(data.join("multirail.sqlite")).expect("a file");
    std::fs::write(
        torn.join("multirail.sqlite"),
        &whole[..whole.len() - 3 * 4096],
    )
    .expect("a part");
    let said = multirail(&torn, &["serve", "--sandbox", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.err.contains("the database file is damaged"),
        "{said:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn key_files_and_folders_that_others_may_open_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    std::fs::create_dir(&data).expect("a folder");
    let open = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    open(&data, 0o755);
    let key = folder.path().join("master.key");
    std::fs::write(&key, MASTER_KEY).expect("it is written");
    open(&key, 0o666);
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
    command
        .args(["check-config", "--sandbox"])
        .current_dir(folder.path())
        .env("MULTIRAIL_DATA_DIRECTORY", &data)
        .env("MULTIRAIL_MASTER_KEY_FILE", &key);
    let output = command.output().expect("the program is there");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (key, data) = (key.display(), data.display());
    for line in [
        format!("warning: others on this machine may change {key} (master_key): chmod 600 it"),
        format!("warning: others on this machine may look into the folder {data}: chmod 700 it"),
    ] {
        assert!(said.contains(&line), "{said}");
    }
}
