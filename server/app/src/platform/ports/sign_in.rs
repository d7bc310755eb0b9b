//! Ports for signing in: slow hashes, and signed tokens.

use async_trait::async_trait;
use multirail_kernel::secret::SecretText;

/// Slow hashes of passwords.
#[async_trait]
pub trait Passwords: Send + Sync {
    /// Returns the stored hash of a password. Works on a blocking thread, and waits where many hashes are under way.
    async fn hash(&self, password: &SecretText) -> SecretText;

    /// Returns whether the password matches this hash. Without a hash it takes as long, and returns `false`.
    async fn is_of(&self, password: &SecretText, hash: Option<&SecretText>) -> bool;
}

/// The claims of a token. Its holder can read them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenClaims {
    pub session_id: String,
    pub user_id: String,
    pub merchant_id: String,
    pub role_id: String,
    pub org_id: String,
    pub profile_id: Option<String>,
    /// True if the token is valid only in the console's cookie.
    pub is_for_console: bool,
    /// The expiry, in Unix seconds of business time.
    pub exp: i64,
}

/// Signs tokens. Each names its key, which is derived from the installation's data keys and changes with them.
pub trait Tokens: Send + Sync {
    fn sign(&self, claims: &TokenClaims) -> SecretText;

    /// Returns the claims of a token that we signed, else `None`. Doesn't check the expiry.
    fn read(&self, token: &str) -> Option<TokenClaims>;
}
