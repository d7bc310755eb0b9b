//! `multirail keys rotate` and `multirail keys status`: builds the request to a running server.

use std::path::Path;

use multirail_kernel::random::Random;
use multirail_kernel::secret::SecretText;
use multirail_seal::MasterKey;
use rustls::pki_types::CertificateDer;
use url::Url;

use super::arguments::{RotateOptions, ServerOptions};
use super::connector::{admin_key, operation, trusted, wrong};
use crate::config::key_files::MASTER_KEY_FILE;
use crate::config::{Config, Problems, Setting};
use crate::sandbox_keys::{key_in, present_master_key};

/// A request about a running server's keys.
#[derive(Clone, Debug)]
pub struct KeysRequest {
    /// The address that shows them.
    pub shown_at: Url,
    /// The address that changes them.
    pub changed_at: Url,
    pub admin_key: SecretText,
    /// Trusted in addition to the machine's authorities.
    pub trusted: Vec<CertificateDer<'static>>,
    pub wanted: KeysWanted,
}

/// The wanted operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysWanted {
    Status,
    NewDataKeys,
    /// The next master key, sealed with the present one.
    NextMasterKey {
        handed_over: String,
        /// The file where the operator finds it.
        file: String,
    },
    FinishMasterKey,
}

impl KeysRequest {
    pub(super) fn of_status(options: &ServerOptions, config: &Config) -> Result<Self, Problems> {
        KeysRequest::read(options, config, KeysWanted::Status)
    }

    pub(super) fn of_change(
        options: &RotateOptions,
        config: &Config,
        random: &dyn Random,
    ) -> Result<Self, Problems> {
        let wanted = match (&options.master_key, options.finish) {
            (Some(file), _) => KeysWanted::NextMasterKey {
                handed_over: handed_over(file, config, random)?,
                file: file.display().to_string(),
            },
            (None, true) => KeysWanted::FinishMasterKey,
            (None, false) => KeysWanted::NewDataKeys,
        };
        KeysRequest::read(&options.server, config, wanted)
    }

    fn read(
        options: &ServerOptions,
        config: &Config,
        wanted: KeysWanted,
    ) -> Result<Self, Problems> {
        let server = options.server.as_deref();
        Ok(KeysRequest {
            shown_at: operation(server, config, &["keys"])?,
            changed_at: operation(server, config, &["keys", "rotate"])?,
            admin_key: admin_key(config)?,
            trusted: trusted(options.ca_file.as_deref())?,
            wanted,
        })
    }
}

/// Returns the key in the file, encrypted for servers with the present one: neither key is sent in plaintext.
fn handed_over(file: &Path, config: &Config, random: &dyn Random) -> Result<String, Problems> {
    let present = present_master_key(config).map_err(|_| {
        wrong(&format!(
            "{} is not set, and {} holds no key: the next master key is handed over with the present one",
            Setting::MasterKey,
            config.data_directory.join(MASTER_KEY_FILE).display()
        ))
    })?;
    let fresh = || MasterKey::generate(random).to_hex();
    let text = key_in(file, &fresh).map_err(|error| wrong(&error.to_string()))?;
    let next = MasterKey::from_hex(&text);
    let next =
        next.map_err(|error| wrong(&format!("{}: the key in it {error}", file.display())))?;
    Ok(present.hand_over(&next, random))
}
