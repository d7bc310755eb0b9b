//! `multirail keys rotate` and `multirail keys status` against a running server.

use std::process::Command;
use std::sync::Arc;

use multirail_conformance::TestServer;
use multirail_server::config::Setting;
use tempfile::TempDir;

use super::{Kept, quick};

const MASTER_KEY: &str = "41112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Returns the exit code and the output.
async fn multirail(server: &Arc<TestServer>, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
    command
        .args(arguments)
        .args(["--server", &server.address()])
        .current_dir(folder.path())
        .env("MULTIRAIL_DATA_DIRECTORY", folder.path())
        .env("MULTIRAIL_ADMIN_API_KEY", server.admin_key())
        .env("MULTIRAIL_MASTER_KEY", MASTER_KEY);
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.expect("it ends").expect("the program is there");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    (output.status.code(), said)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_changes_data_keys_and_then_the_master_key() {
    let server =
        TestServer::start_with(|inputs| quick(inputs).with(Setting::MasterKey, MASTER_KEY)).await;
    let shop = server.shop("books").await;
    let kept = Kept::by(&shop).await;
    let (code, said) = multirail(&server, &["keys", "status"]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("change        none yet"), "{said}");

    let (code, said) = multirail(&server, &["keys", "rotate"]).await;
    assert_eq!(code, Some(0), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(
        last.contains(" rows sealed anew, nothing is left under a former key"),
        "{said}"
    );

    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("next.key");
    let name = file.to_string_lossy();
    let (code, said) = multirail(&server, &["keys", "rotate", "--master-key", &name]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.ends_with("then:  multirail keys rotate --finish\n"),
        "{said}"
    );
    assert!(
        !said.contains(std::fs::read_to_string(&file).expect("a key").trim()),
        "{said}"
    );
    let (_, said) = multirail(&server, &["keys", "status"]).await;
    assert!(
        said.contains("comes next; both open the database"),
        "{said}"
    );
    let (code, said) = multirail(&server, &["keys", "rotate"]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("the master key is being changed: finish that first"),
        "{said}"
    );
    let (code, said) = multirail(&server, &["keys", "rotate", "--finish"]).await;
    assert_eq!(code, Some(0), "{said}");
    kept.is_readable(&shop).await;
}
