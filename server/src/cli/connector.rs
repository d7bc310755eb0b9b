//! `multirail connector check`: what it is asked to do.

use std::path::Path;
use std::time::Duration;

use multirail_kernel::secret::SecretText;
use rustls::pki_types::CertificateDer;
use url::Url;

use super::arguments::CheckOptions;
use crate::config::{Config, Problem, Problems, Setting, read_certificates};
use crate::sandbox_keys::ADMIN_KEY_FILE;

/// What the server needs beyond the time that it gives the processor.
const MARGIN: Duration = Duration::from_secs(5);

/// Which account to have checked, and by which server.
#[derive(Clone, Debug)]
pub struct ConnectorCheck {
    /// The operation at the server that runs.
    pub address: Url,
    pub admin_key: SecretText,
    /// Trusted beside the machine's authorities.
    pub trusted: Vec<CertificateDer<'static>>,
    /// How long its answer is waited for.
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

/// The address of an operation at the server that runs: there, or where the settings say.
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

/// The one that is set, or that of the sandbox whose data directory it is.
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

/// The certificates of `--ca-file`.
pub(super) fn trusted(file: Option<&Path>) -> Result<Vec<CertificateDer<'static>>, Problems> {
    match file {
        Some(file) => read_certificates(file).map_err(|what| wrong(&format!("--ca-file: {what}"))),
        None => Ok(Vec::new()),
    }
}

pub(super) fn wrong(what: &str) -> Problems {
    Problems(vec![Problem(what.to_owned())])
}
