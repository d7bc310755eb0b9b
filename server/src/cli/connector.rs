//! `multirail connector check`: reads its options.

use std::path::Path;
use std::time::Duration;

use multirail_kernel::secret::SecretText;
use rustls::pki_types::CertificateDer;
use url::Url;

use super::arguments::CheckOptions;
use crate::config::key_files::ADMIN_KEY_FILE;
use crate::config::{Config, Problem, Problems, Setting, read_certificates};

/// The time that the server needs in addition to the processor's.
const MARGIN: Duration = Duration::from_secs(5);

/// The account to check, and the server that does it.
#[derive(Clone, Debug)]
pub struct ConnectorCheck {
    /// The operation at the running server.
    pub address: Url,
    pub admin_key: SecretText,
    /// Trusted in addition to the machine's authorities.
    pub trusted: Vec<CertificateDer<'static>>,
    /// How long to wait for its answer.
    pub patience: Duration,
}

impl ConnectorCheck {
    pub(super) fn read(options: &CheckOptions, config: &Config) -> Result<Self, Problems> {
        let (merchant, account) = (options.merchant.as_str(), options.account.as_str());
        let path = ["account", merchant, "connectors", account, "check"];
        let address = operation(options.server.as_deref(), config, &path)?;
        Ok(ConnectorCheck {
            address,
            admin_key: admin_key(config)?,
            trusted: trusted(options.ca_file.as_deref())?,
            patience: config.processor_deadline + MARGIN,
        })
    }
}

/// Returns the address of an operation at the given server, or at the one of the settings.
pub(super) fn operation(
    server: Option<&str>,
    config: &Config,
    path: &[&str],
) -> Result<Url, Problems> {
    let server = match server {
        Some(server) => server.to_owned(),
        None => config.public_url(config.listen),
    };
    let read = Url::parse(&server).ok();
    let mut address = read
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or_else(|| wrong("--server has to be an address such as http://127.0.0.1:8080"))?;
    if let Ok(mut segments) = address.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    Ok(address)
}

/// Returns the admin key of the settings, or the one in a sandbox's data directory.
pub(super) fn admin_key(config: &Config) -> Result<SecretText, Problems> {
    if let Some(key) = &config.admin_api_key {
        return Ok(key.clone());
    }
    let path = config.data_directory.join(ADMIN_KEY_FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) if !text.trim().is_empty() => Ok(SecretText::new(text.trim())),
        Ok(_) | Err(_) => Err(wrong(&format!(
            "{} is not set, and {} holds no key: the server is asked with the operator's key",
            Setting::AdminApiKey,
            path.display()
        ))),
    }
}

/// Reads the certificates of `--ca-file`.
pub(super) fn trusted(file: Option<&Path>) -> Result<Vec<CertificateDer<'static>>, Problems> {
    match file {
        Some(file) => read_certificates(file).map_err(|what| wrong(&format!("--ca-file: {what}"))),
        None => Ok(Vec::new()),
    }
}

pub(super) fn wrong(what: &str) -> Problems {
    Problems(vec![Problem(what.to_owned())])
}
