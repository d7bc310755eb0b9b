//! `multirail backup` and `multirail restore`: reads their options.

use std::io;
use std::path::PathBuf;

use multirail_seal::MasterKey;

use super::arguments::{BackupOptions, RestoreOptions};
use super::connector::wrong;
use crate::config::key_files::MASTER_KEY_FILE;
use crate::config::{Config, Problems, Setting};
use crate::sandbox_keys::present_master_key;

/// Prints the progress of some work, line by line.
pub type Tell<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

/// The folder that the database is copied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupRequest {
    pub to: PathBuf,
}

/// The backup that is checked, and perhaps put in place.
#[derive(Clone, Debug)]
pub struct RestoreRequest {
    /// The folder of the backup; none for the PostgreSQL database that the settings name.
    pub from: Option<PathBuf>,
    pub is_check: bool,
    /// The key that opens its sealed data.
    pub master_key: MasterKey,
}

impl BackupRequest {
    pub(super) fn new(options: BackupOptions) -> Self {
        BackupRequest { to: options.to }
    }
}

impl RestoreRequest {
    pub(super) fn read(options: RestoreOptions, config: &Config) -> Result<Self, Problems> {
        let master_key = present_master_key(config).map_err(|error| {
            wrong(&format!(
                "{error}, and {} holds none: without the master key nobody can tell whether what is sealed can be read again ({})",
                config.data_directory.join(MASTER_KEY_FILE).display(),
                Setting::MasterKey.file_variable().unwrap_or_default()
            ))
        })?;
        Ok(RestoreRequest {
            from: options.from,
            is_check: options.check,
            master_key,
        })
    }
}
