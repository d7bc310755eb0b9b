//! Apple Pay's merchant validation: one TLS request with the merchant's certificate.

use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use multirail_app::payments::ports::merchant_sessions::{MerchantSessions, NoMerchantSession};
use multirail_domain::payments::session::UnreadablePart;
use multirail_domain::payments::session::apple_pay::{AppleSession, MerchantValidation};
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Identity, Method};
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use serde::Serialize;

use multirail_outbound::{BodyEnd, Bounds, GuardedClient, Manner, Outgoing};

/// The largest answer; Apple's have four kilobytes.
const ANSWER_BYTES: usize = 65_536;

/// The beginning of a certificate in PEM rather than in base64 of PEM.
const PEM: &str = "-----BEGIN";

/// The settings of calls to Apple.
#[derive(Clone, Debug)]
pub struct AppleSettings {
    /// The address that opens sessions.
    pub url: String,
    /// The rules for that address.
    pub targets: TargetRules,
    /// The deadline for everything from resolving the name to the last byte of the answer.
    pub deadline: Duration,
    pub manner: Manner,
}

/// Opens merchant sessions at Apple or at its test double.
pub struct Apple {
    settings: AppleSettings,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    merchant_identifier: &'a str,
    display_name: &'a str,
    initiative: &'a str,
    initiative_context: &'a str,
}

impl Apple {
    pub fn new(settings: AppleSettings) -> Self {
        Apple { settings }
    }

    /// Returns a client with the merchant's certificate. Each call has its own, so merchants never share a connection.
    async fn client(
        &self,
        validation: &MerchantValidation,
    ) -> Result<GuardedClient, NoMerchantSession> {
        let bad = || NoMerchantSession::BadCertificate;
        let pem = identity_pem(validation).ok_or_else(bad)?;
        let AppleSettings {
            targets, manner, ..
        } = self.settings.clone();
        // Building the client reads the machine's certificate authorities.
        let built = tokio::task::spawn_blocking(move || {
            let identity = Identity::from_pem(pem.expose().as_bytes()).ok()?;
            GuardedClient::identified(targets, &manner, identity)
        });
        built.await.ok().flatten().ok_or_else(bad)
    }
}

#[async_trait]
impl MerchantSessions for Apple {
    fn check(&self, validation: &MerchantValidation) -> Result<(), UnreadablePart> {
        let no_certificate =
            || UnreadablePart::new("certificate", "a certificate in PEM, or base64 of it");
        let no_key = || {
            let expected = "the private key of `certificate` in PEM, or base64 of it";
            UnreadablePart::new("certificate_keys", expected)
        };
        let certificate = pem(&validation.certificate).ok_or_else(no_certificate)?;
        let chain = CertificateDer::pem_slice_iter(certificate.expose().as_bytes());
        let chain: Result<Vec<_>, _> = chain.collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let chain = chain.ok_or_else(no_certificate)?;
        let key = pem(&validation.certificate_key).ok_or_else(no_key)?;
        let key = PrivateKeyDer::from_pem_slice(key.expose().as_bytes()).map_err(|_| no_key())?;
        match CertifiedKey::from_der(chain, key, &default_provider()) {
            Ok(_) => Ok(()),
            Err(rustls::Error::InvalidCertificate(_)) => Err(no_certificate()),
            Err(_) => Err(no_key()),
        }
    }

    async fn open(
        &self,
        validation: &MerchantValidation,
    ) -> Result<AppleSession, NoMerchantSession> {
        let client = self.client(validation).await?;
        let body = Request {
            merchant_identifier: &validation.merchant_identifier,
            display_name: &validation.display_name,
            initiative: "web",
            initiative_context: &validation.domain,
        };
        let body = serde_json::to_vec(&body).map_err(|_| NoMerchantSession::Unreadable)?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let outgoing = Outgoing {
            method: Method::POST,
            url: &self.settings.url,
            headers,
            body: Bytes::from(body),
        };
        let bounds = Bounds {
            time: self.settings.deadline,
            body_bytes: ANSWER_BYTES,
        };
        let response = client
            .send(outgoing, bounds)
            .await
            .map_err(|error| NoMerchantSession::NoAnswer(error.to_string()))?;
        if response.status != 200 {
            return Err(NoMerchantSession::Refused(response.status));
        }
        if response.body_end != BodyEnd::Complete {
            return Err(NoMerchantSession::Unreadable);
        }
        serde_json::from_slice(&response.body).map_err(|_| NoMerchantSession::Unreadable)
    }
}

/// Returns certificate and key as one PEM text. Accounts store each as PEM or as base64 of PEM.
fn identity_pem(validation: &MerchantValidation) -> Option<SecretText> {
    let certificate = pem(&validation.certificate)?;
    let key = pem(&validation.certificate_key)?;
    Some(SecretText::new(format!(
        "{}\n{}\n",
        certificate.expose().trim_end(),
        key.expose().trim_end()
    )))
}

fn pem(text: &SecretText) -> Option<SecretText> {
    let given = text.expose().trim();
    if given.starts_with(PEM) {
        return Some(SecretText::new(given));
    }
    let compact: String = given.split_whitespace().collect();
    let decoded = String::from_utf8(STANDARD.decode(compact).ok()?).ok()?;
    let decoded = SecretText::new(decoded);
    decoded.expose().trim().starts_with(PEM).then_some(decoded)
}
