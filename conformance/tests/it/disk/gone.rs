//! The server's database file is deleted, replaced, or opened by another server.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use super::process::{Manner, Process, Till};

async fn refused(server: &Process, till: &Till, reason: &str) {
    let message = till.creates().await.refused(503, "HE_00");
    assert!(message.contains(reason), "{message}");
    let message = server.wire.call("health_ready").await.refused(503, "HE_00");
    assert!(message.contains(reason), "{message}");
    server.wire.call("health_check").await.ok();
}

#[tokio::test]
async fn a_file_that_is_gone_is_noticed_and_nothing_is_written_until_it_is_back() {
    let Some(server) = Process::start(Manner::default()).await else {
        return;
    };
    let till = server.till().await;
    let payment = till.creates().await.ok();
    let (file, aside) = (server.database(""), server.database(".aside"));

    fs::rename(&file, &aside).expect("it can be moved");
    refused(&server, &till, "is gone").await;

    // The file there now is another one, though its content is the same.
    fs::copy(&aside, &file).expect("it can be copied");
    refused(&server, &till, "was replaced").await;
    till.reads(&payment).await.ok();

    fs::rename(&aside, &file).expect("it can be moved back");
    server.wire.call("health_ready").await.ok();
    till.creates().await.ok();

    // Only these files hold the changes since the last checkpoint.
    for suffix in ["-wal", "-shm"] {
        let (beside, aside) = (server.database(suffix), server.database(".aside"));
        fs::rename(&beside, &aside).expect("it can be moved");
        refused(&server, &till, "is gone").await;
        fs::rename(&aside, &beside).expect("it can be moved back");
        till.creates().await.ok();
    }
}

/// Starts another server on the file under this name.
fn another_server(data: &Path, file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multirail-under-test"))
        .args(["serve", "--sandbox", "--listen", "127.0.0.1:0"])
        .env("MULTIRAIL_DATA_DIRECTORY", data)
        .env(
            "MULTIRAIL_DATABASE_URL",
            format!("sqlite:{}", file.display()),
        )
        .output()
        .expect("the program is there")
}

#[tokio::test]
async fn a_file_has_one_server_by_whatever_name_it_is_opened() {
    let Some(server) = Process::start(Manner::default()).await else {
        return;
    };
    let file = server.database("");
    let symbolic = server.data().join("symbolic.sqlite");
    symlink(&file, &symbolic).expect("a symbolic link");
    let hard = server.data().join("hard.sqlite");
    fs::hard_link(&file, &hard).expect("a hard link");
    // Files next to the database are no lock.
    for entry in fs::read_dir(server.data()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "lock")
        {
            fs::remove_file(path).expect("it can be removed");
        }
    }

    for name in [&file, &symbolic, &hard] {
        let ended = another_server(&server.data(), name);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{said}");
        let holder = format!(
            "{} is in use by another multirail process (process {})",
            name.display(),
            server.pid()
        );
        assert!(said.contains(&holder), "{said}");
    }
    server.wire.call("health_ready").await.ok();
}
