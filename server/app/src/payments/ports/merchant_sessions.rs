//! The way to Apple, who says whether a page may take payments for a merchant.

use async_trait::async_trait;
use multirail_domain::payments::session::UnreadablePart;
use multirail_domain::payments::session::apple_pay::{AppleSession, MerchantValidation};

/// Why there is no session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMerchantSession {
    /// Nothing was sent.
    #[error("the certificate or its key can't be read")]
    BadCertificate,
    #[error("it can't be reached, or didn't answer: {0}")]
    NoAnswer(String),
    #[error("it answered with status {0}")]
    Refused(u16),
    #[error("its answer can't be read")]
    Unreadable,
}

impl NoMerchantSession {
    /// In figures.
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
    /// Checks certificate and key before an account has them. Nobody is asked.
    ///
    /// # Errors
    /// The one of them that can't be read, or doesn't belong to the other.
    fn check(&self, validation: &MerchantValidation) -> Result<(), UnreadablePart>;

    /// Proves with the merchant's certificate who asks, and answers Apple's session. It ends within a deadline of its own.
    ///
    /// # Errors
    /// [`NoMerchantSession`]
    async fn open(
        &self,
        validation: &MerchantValidation,
    ) -> Result<AppleSession, NoMerchantSession>;
}
