//! `multirail audit verify` and `multirail audit export`: builds the request to a running server.

use multirail_kernel::secret::SecretText;
use rustls::pki_types::CertificateDer;
use url::Url;

use super::arguments::{ExportOptions, ServerOptions, VerifyOptions};
use super::connector::{admin_key, operation, trusted, wrong};
use crate::config::{Config, Problems};

/// A request about a running server's audit log.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// The address of the operation, without the query.
    pub address: Url,
    /// The address of the list of entries.
    pub listed_at: Url,
    pub admin_key: SecretText,
    /// Trusted in addition to the machine's authorities.
    pub trusted: Vec<CertificateDer<'static>>,
    pub wanted: AuditWanted,
}

/// The wanted operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditWanted {
    /// A check of the whole log.
    Check {
        /// The number and the hash of an entry, noted at an earlier check.
        noted: Option<(i64, String)>,
    },
    /// The entries after this number.
    Entries { after: i64 },
}

impl AuditRequest {
    pub(super) fn of_check(options: &VerifyOptions, config: &Config) -> Result<Self, Problems> {
        let noted = options.noted.as_deref().map(noted).transpose()?;
        let wanted = AuditWanted::Check { noted };
        AuditRequest::read(&options.server, config, "verify", wanted)
    }

    pub(super) fn of_export(options: &ExportOptions, config: &Config) -> Result<Self, Problems> {
        let wanted = AuditWanted::Entries {
            after: i64::from(options.after),
        };
        AuditRequest::read(&options.server, config, "export", wanted)
    }

    fn read(
        options: &ServerOptions,
        config: &Config,
        name: &str,
        wanted: AuditWanted,
    ) -> Result<Self, Problems> {
        let server = options.server.as_deref();
        Ok(AuditRequest {
            address: operation(server, config, &["audit", name])?,
            listed_at: operation(server, config, &["audit"])?,
            admin_key: admin_key(config)?,
            trusted: trusted(options.ca_file.as_deref())?,
            wanted,
        })
    }
}

/// Parses `1412:5b1f...`.
fn noted(text: &str) -> Result<(i64, String), Problems> {
    let read = text.split_once(':').and_then(|(sequence, hash)| {
        let sequence: i64 = sequence.parse().ok()?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        (sequence > 0 && is_hash).then(|| (sequence, hash.to_ascii_lowercase()))
    });
    read.ok_or_else(|| wrong("--noted has to be what an earlier check printed, <number>:<hash>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_earlier_check_printed_is_read() {
        let hash = "5B".repeat(32);
        let read = noted(&format!("1412:{hash}")).ok();
        assert_eq!(read, Some((1412, "5b".repeat(32))));
        for wrong in ["1412", "0:5b", &format!("0:{hash}"), "1412:xyz", ""] {
            assert!(noted(wrong).is_err(), "{wrong}");
        }
    }
}
