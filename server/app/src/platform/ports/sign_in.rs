//! What signing in needs of the outside: slow hashes, and signed tokens.

use async_trait::async_trait;
use multirail_kernel::secret::SecretText;

/// Slow hashes of passwords.
#[async_trait]
pub trait Passwords: Send + Sync {
    /// What is stored of a password. Works on a thread that may block, and waits where many are at it.
    async fn hash(&self, password: &SecretText) -> SecretText;

    /// Whether the password is the one of this hash. Where there is none it takes as long, and it is not.
    async fn is_of(&self, password: &SecretText, hash: Option<&SecretText>) -> bool;
}

/// What a token says. Whoever holds it can read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenClaims {
    pub session_id: String,
    pub user_id: String,
    pub merchant_id: String,
    pub role_id: String,
    pub org_id: String,
    pub profile_id: Option<String>,
    /// Until when it is good, in Unix seconds of business time.
    pub exp: i64,
}

/// Signs tokens. Each names the key that signed it, which the data keys of the installation give: it changes with them.
pub trait Tokens: Send + Sync {
    fn sign(&self, claims: &TokenClaims) -> SecretText;

    /// What a token says that we signed; nothing where we didn't. Doesn't look at its time.
    fn read(&self, token: &str) -> Option<TokenClaims>;
}
