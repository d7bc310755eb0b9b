//! Apple's merchant validation: Apple decides whether a page may take payments for a merchant.

use async_trait::async_trait;
use multirail_domain::payments::session::UnreadablePart;
use multirail_domain::payments::session::apple_pay::{AppleSession, MerchantValidation};

/// The reason why there is no session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMerchantSession {
    /// No request was sent.
    #[error("the certificate or its key can't be read")]
    BadCertificate,
    #[error("the gateway can't be reached, or didn't answer: {0}")]
    NoAnswer(String),
    #[error("the gateway answered with status {0}")]
    Refused(u16),
    #[error("the gateway's answer can't be read")]
    Unreadable,
}

impl NoMerchantSession {
    /// Returns the word for metrics.
    pub fn as_str(&self) -> &'static str {
        match self {
            NoMerchantSession::BadCertificate => "bad_certificate",
            NoMerchantSession::NoAnswer(_) => "no_answer",
            NoMerchantSession::Refused(_) => "refused",
            NoMerchantSession::Unreadable => "unreadable_answer",
        }
    }
}

/// Opens merchant sessions of Apple Pay.
#[async_trait]
pub trait MerchantSessions: Send + Sync {
    /// Checks certificate and key before they are stored, without a request.
    ///
    /// # Errors
    /// The part that can't be read, or doesn't belong to the other.
    fn check(&self, validation: &MerchantValidation) -> Result<(), UnreadablePart>;

    /// Asks Apple for a session, with the merchant's certificate. The call has its own deadline.
    ///
    /// # Errors
    /// [`NoMerchantSession`]
    async fn open(
        &self,
        validation: &MerchantValidation,
    ) -> Result<AppleSession, NoMerchantSession>;
}
