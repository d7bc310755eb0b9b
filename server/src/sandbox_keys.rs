//! The two keys that a server needs to start: given in the settings, or in the sandbox made and stored in files that only
//! their owner may read.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use multirail_kernel::random::{Random, alphanumeric};
use multirail_kernel::secret::SecretText;
use multirail_seal::MasterKey;
use zeroize::Zeroizing;

use crate::config::key_files::{ADMIN_KEY_FILE, MASTER_KEY_FILE};
use crate::config::{Config, Setting};

/// The admin key and the master key.
#[derive(Clone, Debug)]
pub struct Keys {
    /// The key that manages merchants and their API keys.
    pub admin_api_key: SecretText,
    /// The former admin key, while it is still accepted.
    pub former_admin_api_key: Option<SecretText>,
    /// The key that wraps the keys in the database.
    pub master_key: MasterKey,
    /// The files that were created just now: none after the first start.
    pub made: Vec<PathBuf>,
}

impl Keys {
    /// Returns the file of the master key, if it was created just now.
    pub fn made_master_key(&self) -> Option<&Path> {
        let is_master = |path: &&PathBuf| path.ends_with(MASTER_KEY_FILE);
        self.made.iter().find(is_master).map(PathBuf::as_path)
    }
}

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// Outside of the sandbox keys are never made automatically.
    #[error("{0} is not set, and only the sandbox makes its own")]
    NotSet(Setting),
    /// The file could not be read or written.
    #[error("cannot {attempt} {}: {error}", path.display())]
    File {
        /// The action that failed.
        attempt: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file holds something else.
    #[error("{} does not hold a key: {reason}; restore it, or start over with an empty data directory", path.display())]
    NotAKey {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// The key file exists already and isn't overwritten.
    #[error("{} exists already; keys are not overwritten", .0.display())]
    Exists(PathBuf),
}

/// Makes a new admin key.
pub fn generate_admin_api_key(random: &dyn Random) -> SecretText {
    SecretText::new(format!("admin_{}", alphanumeric(random, 48)))
}

/// Returns the keys of a server: those of the settings. A sandbox without one of them uses the key in the data directory,
/// and makes it if it is missing.
pub fn keys_for(config: &Config, random: &dyn Random) -> Result<Keys, KeysError> {
    let mut made = Vec::new();
    let mut kept = |setting, file, fresh: &dyn Fn() -> Zeroizing<String>| {
        if !config.is_sandbox() {
            return Err(KeysError::NotSet(setting));
        }
        let path = config.data_directory.join(file);
        read_or_make(&path, fresh, &mut made).map(|text| (path, text))
    };
    let admin_api_key = match &config.admin_api_key {
        Some(key) => key.clone(),
        None => {
            let fresh = || Zeroizing::new(generate_admin_api_key(random).expose().to_owned());
            let (path, text) = kept(Setting::AdminApiKey, ADMIN_KEY_FILE, &fresh)?;
            if text.is_empty() {
                let reason = "it is empty".to_owned();
                return Err(KeysError::NotAKey { path, reason });
            }
            SecretText::new(text.as_str())
        }
    };
    let master_key = match &config.master_key {
        Some(key) => key.clone(),
        None => {
            let fresh = || MasterKey::generate(random).to_hex();
            let (path, text) = kept(Setting::MasterKey, MASTER_KEY_FILE, &fresh)?;
            MasterKey::from_hex(&text).map_err(|error| KeysError::NotAKey {
                path,
                reason: format!("it {error}"),
            })?
        }
    };
    Ok(Keys {
        admin_api_key,
        former_admin_api_key: config.former_admin_api_key.clone(),
        master_key,
        made,
    })
}

/// Returns the master key of the settings, or the one in the data directory; makes none.
///
/// # Errors
/// Fails when there is none, or the file holds something else.
pub fn present_master_key(config: &Config) -> Result<MasterKey, KeysError> {
    if let Some(key) = &config.master_key {
        return Ok(key.clone());
    }
    let path = config.data_directory.join(MASTER_KEY_FILE);
    let text = read(&path)?.ok_or(KeysError::NotSet(Setting::MasterKey))?;
    MasterKey::from_hex(&text).map_err(|error| KeysError::NotAKey {
        path,
        reason: format!("it {error}"),
    })
}

/// Returns the key in a file; makes it if the file is missing.
pub fn key_in(
    path: &Path,
    fresh: &dyn Fn() -> Zeroizing<String>,
) -> Result<Zeroizing<String>, KeysError> {
    read_or_make(path, fresh, &mut Vec::new())
}

/// Writes new keys into a folder, for a server outside of the sandbox. Returns the paths of the admin key and of the master
/// key.
pub fn write_fresh_keys(
    directory: &Path,
    random: &dyn Random,
) -> Result<(PathBuf, PathBuf), KeysError> {
    let admin = directory.join(ADMIN_KEY_FILE);
    let master = directory.join(MASTER_KEY_FILE);
    for path in [&admin, &master] {
        if path.exists() {
            return Err(KeysError::Exists(path.clone()));
        }
    }
    for (path, text) in [
        (&admin, generate_admin_api_key(random).expose()),
        (&master, MasterKey::generate(random).to_hex().as_str()),
    ] {
        if !write_new(path, text)? {
            return Err(KeysError::Exists(path.clone()));
        }
    }
    Ok((admin, master))
}

/// Replaces a key of the sandbox in a file; the older one is of no use any more.
pub fn keep_instead(path: &Path, key: &SecretText) -> Result<(), KeysError> {
    let unfinished = unfinished(path);
    let written = create_directory(path.parent().unwrap_or(Path::new(""))).and_then(|()| {
        let _ = fs::remove_file(&unfinished);
        // The older one stays until the other is on the disk, which may be full.
        write_private(&unfinished, key.expose())?;
        fs::rename(&unfinished, path)
    });
    let _ = fs::remove_file(&unfinished);
    written.map_err(|error| KeysError::File {
        attempt: "replace",
        path: path.to_owned(),
        error,
    })
}

/// Returns the path at which a key is written before it gets its name. A file of an earlier process with the same number is
/// unused.
fn unfinished(path: &Path) -> PathBuf {
    path.with_extension(format!("key.{}", std::process::id()))
}

fn read_or_make(
    path: &Path,
    fresh: &dyn Fn() -> Zeroizing<String>,
    made: &mut Vec<PathBuf>,
) -> Result<Zeroizing<String>, KeysError> {
    if let Some(text) = read(path)? {
        return Ok(text);
    }
    let text = fresh();
    if write_new(path, &text)? {
        made.push(path.to_owned());
        return Ok(text);
    }
    // Another process was faster: its key is used.
    read(path)?.ok_or_else(|| KeysError::File {
        attempt: "read",
        path: path.to_owned(),
        error: io::ErrorKind::NotFound.into(),
    })
}

fn read(path: &Path) -> Result<Option<Zeroizing<String>>, KeysError> {
    match fs::read_to_string(path).map(Zeroizing::new) {
        Ok(text) => Ok(Some(Zeroizing::new(text.trim().to_owned()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(KeysError::File {
            attempt: "read",
            path: path.to_owned(),
            error,
        }),
    }
}

/// Writes a file that only its owner may read; returns `false` if it exists already.
///
/// It gets its name when it is complete and on the disk, so that half a key is never read.
fn write_new(path: &Path, text: &str) -> Result<bool, KeysError> {
    let failed = |attempt| {
        let path = path.to_owned();
        move |error| KeysError::File {
            attempt,
            path,
            error,
        }
    };
    let directory = path.parent().unwrap_or(Path::new(""));
    create_directory(directory).map_err(failed("make the folder of"))?;
    let unfinished = unfinished(path);
    let _ = fs::remove_file(&unfinished);
    let written = write_private(&unfinished, text).and_then(|()| {
        // Linking fails if the name is taken, where renaming would overwrite.
        match fs::hard_link(&unfinished, path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(_) if path.exists() => Ok(false),
            // Some file systems have no links.
            Err(_) => fs::rename(&unfinished, path).map(|()| true),
        }
    });
    let _ = fs::remove_file(&unfinished);
    written.map_err(failed("write"))
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}

/// Creates a folder that only its owner may read, with those above it; does nothing if it exists.
pub(crate) fn create_directory(directory: &Path) -> io::Result<()> {
    if directory.as_os_str().is_empty() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

#[cfg(test)]
mod tests;
