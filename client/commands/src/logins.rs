//! Stored logins: one file for each name, in the user's configuration folder, readable by its owner only.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use multirail_types::Secret;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::failure::Failure;

/// The maximum size of a login's file.
const LONGEST_FILE: u64 = 16 * 1024;
/// The maximum length of a name.
const LONGEST_NAME: usize = 64;

/// The name of a login. It is also the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name(String);

impl FromStr for Name {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fits = |sign: char| sign.is_ascii_alphanumeric() || sign == '-' || sign == '_';
        if text.is_empty() || text.len() > LONGEST_NAME || !text.chars().all(fits) {
            return Err(format!(
                "a name has 1 to {LONGEST_NAME} letters, digits, - and _"
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A server and the keys for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    pub(crate) server: String,
    pub(crate) api_key: Secret,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) admin_api_key: Option<Secret>,
}

/// The folder of the logins.
pub(crate) struct Logins(PathBuf);

impl Logins {
    /// Finds the folder of this user: `multirail/logins` in `XDG_CONFIG_HOME`, by default `~/.config`.
    pub(crate) fn of_user() -> Result<Self, Failure> {
        let absolute = |name: &str| {
            let value = std::env::var_os(name).map(PathBuf::from);
            value.filter(|path| path.is_absolute())
        };
        let base = absolute("XDG_CONFIG_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".config")))
            .ok_or_else(|| {
                Failure::Usage("HOME is not set, so there is no place for logins".to_owned())
            })?;
        Ok(Self::in_folder(base.join("multirail").join("logins")))
    }

    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Returns the file of a login.
    pub(crate) fn path(&self, name: &Name) -> PathBuf {
        self.0.join(format!("{name}.toml"))
    }

    /// Reads a login, if it is there.
    ///
    /// # Errors
    /// A file that other users can read is refused, because its key may be known to them.
    pub(crate) fn read(&self, name: &Name) -> Result<Option<Login>, Failure> {
        let path = self.path(name);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::file(&path, error)),
        };
        let text = read_private(&file, &path)?;
        toml::from_str(&text).map(Some).map_err(|_| {
            let path = path.display();
            Failure::Usage(format!(
                "{path} is no login; log in again with `multirail login`"
            ))
        })
    }

    /// Stores a login in place of an earlier one of this name.
    pub(crate) fn write(&self, name: &Name, login: &Login) -> Result<PathBuf, Failure> {
        let path = self.path(name);
        let at_path = |error| Failure::file(&path, error);
        let text = toml::to_string(login).map_err(|error| at_path(io::Error::other(error)))?;
        let text = Zeroizing::new(text);
        let mut folders = DirBuilder::new();
        let made = folders.recursive(true).mode(0o700).create(&self.0);
        made.map_err(at_path)?;
        // The new file has mode 0600 from the start, and replaces the former one at once.
        let mut file = tempfile::NamedTempFile::new_in(&self.0).map_err(at_path)?;
        file.write_all(text.as_bytes()).map_err(at_path)?;
        file.as_file().sync_all().map_err(at_path)?;
        file.persist(&path).map_err(|error| at_path(error.error))?;
        Ok(path)
    }

    /// Removes a login; returns whether it was there.
    pub(crate) fn remove(&self, name: &Name) -> Result<bool, Failure> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Failure::file(&path, error)),
        }
    }
}

fn read_private(file: &File, path: &Path) -> Result<Zeroizing<String>, Failure> {
    let at_path = |error| Failure::file(path, error);
    let mode = file.metadata().map_err(at_path)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(Failure::Usage(format!(
            "{} can be read by other users: run `chmod 600` on it, or log in again with a new key",
            path.display()
        )));
    }
    let mut text = Zeroizing::new(String::new());
    let read = file.take(LONGEST_FILE).read_to_string(&mut text);
    read.map_err(at_path)?;
    Ok(text)
}

#[cfg(test)]
mod tests;
