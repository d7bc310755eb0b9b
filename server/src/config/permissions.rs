//! Warns of files and folders with keys or payments that other users on this machine may read or change.

use std::path::Path;

use super::key_files::{ADMIN_KEY_FILE, MASTER_KEY_FILE};
use super::{Config, DatabaseEngine, Setting, Source};

/// The access of other users than the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Others {
    Nothing,
    Read,
    Write,
}

impl Config {
    /// Returns warnings about key files and folders that other users may read, a line each.
    pub(super) fn open_permissions(&self) -> Vec<String> {
        let mut found = Vec::new();
        for setting in Setting::ALL.iter().copied() {
            if let Source::FileOf { path, .. } = self.source(setting) {
                found.extend(open_file(&setting.to_string(), path));
            }
        }
        if let Some(tls) = &self.tls {
            found.extend(open_file(&Setting::TlsKey.to_string(), &tls.key));
        }
        let folder = &self.data_directory;
        if self.is_sandbox() {
            for name in [ADMIN_KEY_FILE, MASTER_KEY_FILE] {
                found.extend(open_file("a key of the sandbox", &folder.join(name)));
            }
        }
        let database = self.sqlite_file();
        if let Some(path) = &database {
            found.extend(open_file("the database", path));
        }
        let beside = database.as_deref().and_then(Path::parent);
        let mut folders = vec![folder.as_path()];
        folders.extend(beside.filter(|path| *path != folder && !path.as_os_str().is_empty()));
        found.extend(folders.into_iter().filter_map(open_folder));
        found
    }

    /// Returns the file of the database, if it is SQLite's.
    pub fn sqlite_file(&self) -> Option<std::path::PathBuf> {
        match self.database_url.engine() {
            DatabaseEngine::Sqlite => {
                let path = self.database_url.expose().strip_prefix("sqlite:")?;
                Some(path.strip_prefix("//").unwrap_or(path).into())
            }
            DatabaseEngine::Postgres => None,
        }
    }
}

fn open_file(what: &str, path: &Path) -> Option<String> {
    let may = match others_may(path) {
        Others::Nothing => return None,
        Others::Read => "read",
        Others::Write => "change",
    };
    Some(format!(
        "others on this machine may {may} {} ({what}): chmod 600 it",
        path.display()
    ))
}

fn open_folder(path: &Path) -> Option<String> {
    let may = match others_may(path) {
        Others::Nothing => return None,
        Others::Read => "look into",
        Others::Write => "put files into",
    };
    Some(format!(
        "others on this machine may {may} the folder {}: chmod 700 it",
        path.display()
    ))
}

#[cfg(unix)]
fn others_may(path: &Path) -> Others {
    use std::os::unix::fs::PermissionsExt;
    let mode = path
        .metadata()
        .map_or(0, |found| found.permissions().mode());
    match (mode & 0o022, mode & 0o077) {
        (0, 0) => Others::Nothing,
        (0, _) => Others::Read,
        (_, _) => Others::Write,
    }
}

#[cfg(not(unix))]
fn others_may(_path: &Path) -> Others {
    Others::Nothing
}
