//! Puts a checked backup in the place of the database.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::manifest::{Manifest, summed};
use super::{DATABASE, StartupError, refused};
use crate::sandbox_keys::create_directory;

/// Refuses a place with a database, or with remains of SQLite's other files: the log of another file destroys the database.
pub(super) fn expect_free(target: &Path) -> Result<(), StartupError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let path = with_suffix(target, suffix);
        if path.symlink_metadata().is_ok() {
            return Err(StartupError::Refused(format!(
                "{} is there: stop the server and move it, and what is beside it, out of the way",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Copies the database there. It gets its name when it is complete and on the disk.
pub(super) fn put(folder: &Path, manifest: &Manifest, target: &Path) -> Result<(), StartupError> {
    let home = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    create_directory(home).map_err(|error| refused(home, error))?;
    let unfinished = with_suffix(target, ".restoring");
    let _ = fs::remove_file(&unfinished);
    let copied = File::open(folder.join(DATABASE)).and_then(|mut from| {
        let mut to = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&unfinished)?;
        let (_, sha256) = summed(&mut from, &mut to)?;
        to.sync_all()?;
        Ok(sha256)
    });
    let sha256 = copied.map_err(|error| refused(&unfinished, error))?;
    if manifest.files.iter().all(|file| file.sha256 != sha256) {
        return Err(StartupError::BackupNotWhole(format!(
            "{} changed while it was copied",
            folder.join(DATABASE).display()
        )));
    }
    // Linking fails if another process was faster, where renaming would overwrite.
    fs::hard_link(&unfinished, target)
        .and_then(|()| fs::remove_file(&unfinished))
        .and_then(|()| File::open(home)?.sync_all())
        .map_err(|error| refused(target, error))
}

fn with_suffix(target: &Path, suffix: &str) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
