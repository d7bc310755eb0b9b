//! `multirail backup` and `multirail restore`: a database is copied while its server works, then checked and
//! restored.

mod postgres;
mod refusals;
mod sqlite;
mod start;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::servers::site::MASTER_KEY;

/// The outcome of a command.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program with these arguments on the data in a folder.
async fn multirail(data: &Path, arguments: &[&str]) -> Said {
    multirail_with(data, arguments, &[("MULTIRAIL_MASTER_KEY", MASTER_KEY)]).await
}

pub(crate) async fn multirail_with(
    data: &Path,
    arguments: &[&str],
    settings: &[(&str, &str)],
) -> Said {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_multirail-under-test"));
    command
        .args(arguments)
        .current_dir(folder.path())
        .env("MULTIRAIL_DATA_DIRECTORY", data)
        .env("MULTIRAIL_LOG_LEVEL", "error")
        .envs(settings.iter().copied());
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.expect("it ends").expect("the program is there");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said {
        code: output.status.code(),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}

/// Takes a backup of the data in a folder.
async fn backed_up(data: &Path, to: &Path) -> PathBuf {
    let to = to.to_owned();
    let said = multirail(data, &["backup", "--to", &to.to_string_lossy()]).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    to
}

/// Checks a backup.
async fn checked(data: &Path, backup: &Path) -> Said {
    multirail(data, &["restore", "--check", &backup.to_string_lossy()]).await
}
