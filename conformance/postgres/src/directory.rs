//! The directory of a cluster, and the user that owns it.
//!
//! PostgreSQL refuses to run as root. A root process therefore runs it as `postgres`, or if there is no such user as
//! `nobody`, in a directory that belongs to that user.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::system;
use crate::unavailable::Unavailable;

const PREFIX: &str = "multirail-test-postgres-";

/// The user that the server runs as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct User {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl User {
    /// Returns the user to run as; `None` for the present one.
    pub(crate) fn to_run_as() -> Result<Option<Self>, Unavailable> {
        if !system::is_root() {
            return Ok(None);
        }
        let users = std::fs::read_to_string("/etc/passwd").map_err(Unavailable::new)?;
        ["postgres", "nobody"]
            .iter()
            .find_map(|name| named(&users, name))
            .map(Some)
            .ok_or_else(|| {
                Unavailable::new("root can't run it, and there is no user postgres or nobody")
            })
    }
}

fn named(users: &str, wanted: &str) -> Option<User> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next() != Some(wanted) {
            return None;
        }
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        Some(User { uid, gid })
    })
}

/// Creates an empty directory under `parent` whose name has our process id, owned by `user`.
pub(crate) fn make(parent: &Path, user: Option<User>) -> Result<PathBuf, Unavailable> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    sweep(parent);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
    let describe = |error: std::io::Error| Unavailable::new(format!("{}: {error}", path.display()));
    // An earlier process with the same number may have left one.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::DirBuilder::new()
        .mode(0o700)
        .create(&path)
        .map_err(describe)?;
    if let Some(user) = user {
        chown(&path, Some(user.uid), Some(user.gid)).map_err(describe)?;
        expect_passable(parent)?;
    }
    Ok(path)
}

/// Gives a file or folder to the user.
pub(crate) fn give(path: &Path, user: Option<User>) -> std::io::Result<()> {
    match user {
        Some(user) => chown(path, Some(user.uid), Some(user.gid)),
        None => Ok(()),
    }
}

/// Copies a data folder, which only the user may read then.
pub(crate) fn copy(from: &Path, to: &Path, user: Option<User>) -> std::io::Result<()> {
    std::fs::DirBuilder::new().mode(0o700).create(to)?;
    give(to, user)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target, user)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
            give(&target, user)?;
        }
    }
    Ok(())
}

/// Checks that the other user can enter every folder on the path.
fn expect_passable(directory: &Path) -> Result<(), Unavailable> {
    for ancestor in directory.ancestors() {
        let metadata = ancestor.metadata().map_err(Unavailable::new)?;
        if metadata.permissions().mode() & 0o001 == 0 {
            return Err(Unavailable::new(format!(
                "other users can't enter {} (set TMPDIR to a directory that they can enter)",
                ancestor.display()
            )));
        }
    }
    Ok(())
}

/// Removes directories of killed processes.
fn sweep(parent: &Path) {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.split('-').next())
            .and_then(|pid| pid.parse().ok());
        if let Some(pid) = owner
            && !system::is_running(pid)
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns a command that runs as `user`, from a directory that every user can enter.
pub(crate) fn command(program: &Path, user: Option<User>) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    command.current_dir("/").env_remove("PGDATA");
    if let Some(user) = user {
        command.uid(user.uid).gid(user.gid);
    }
    command
}
