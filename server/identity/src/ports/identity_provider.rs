//! The operator's identity provider, by which users sign in (OpenID Connect).

use async_trait::async_trait;
use multirail_identity_domain::{Identity, OidcTies};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

/// Why the provider has told nobody's identity. For the log: without codes, tokens and names of people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderFailure {
    /// It doesn't answer, or not as providers do: nothing can be said of who wants to sign in.
    #[error("{0}")]
    Unavailable(String),
    /// It refuses the code, or what it says can't be believed.
    #[error("{0}")]
    Rejected(String),
}

#[async_trait]
pub trait IdentityProvider: Send + Sync {
    /// As which it signs.
    fn issuer(&self) -> &str;

    /// Where a browser is sent so that its user signs in.
    ///
    /// # Errors
    /// [`ProviderFailure::Unavailable`]
    async fn sign_in_page(&self, ties: &OidcTies) -> Result<SecretText, ProviderFailure>;

    /// Who has signed in, for the code that came back with the browser. `wall`: now, as the provider has it.
    ///
    /// # Errors
    /// [`ProviderFailure`]
    async fn identity(
        &self,
        code: &SecretText,
        ties: &OidcTies,
        wall: Timestamp,
    ) -> Result<Identity, ProviderFailure>;
}
