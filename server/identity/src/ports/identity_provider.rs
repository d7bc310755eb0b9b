//! The operator's identity provider, by which users sign in (OpenID Connect).

use async_trait::async_trait;
use multirail_identity_domain::{Identity, OidcTies};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

/// The reason why the provider returned no identity, for the log. It contains no code, token or personal name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderFailure {
    /// The provider doesn't answer, or not in the expected way, so nothing is known about the person.
    #[error("{0}")]
    Unavailable(String),
    /// The provider refused the code, or its answer failed a check.
    #[error("{0}")]
    Rejected(String),
}

/// The page to which the provider sends a browser back. The provider has to know its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnPage {
    /// The page of the operator's own dashboard (`oidc_redirect_url`).
    Dashboard,
    /// The console's page, at this address.
    Console(String),
}

#[async_trait]
pub trait IdentityProvider: Send + Sync {
    /// Returns the issuer in the provider's tokens.
    fn issuer(&self) -> &str;

    /// Returns the provider's page for a browser to sign in. It sends the browser back to `page`.
    ///
    /// # Errors
    /// [`ProviderFailure::Unavailable`]
    async fn sign_in_page(
        &self,
        ties: &OidcTies,
        page: &ReturnPage,
    ) -> Result<SecretText, ProviderFailure>;

    /// Returns the person who has signed in, for the code that the browser brought back to `page`. `wall` is the current
    /// wall time.
    ///
    /// # Errors
    /// [`ProviderFailure`]
    async fn identity(
        &self,
        code: &SecretText,
        page: &ReturnPage,
        ties: &OidcTies,
        wall: Timestamp,
    ) -> Result<Identity, ProviderFailure>;
}
