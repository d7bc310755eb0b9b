//! The operator's identity provider, asked who signs in: OpenID Connect with the authorization code flow and PKCE.
//!
//! The addresses of the provider come from its discovery document and its keys from the address there; both are asked for by the
//! guarded client when somebody signs in, and kept for an hour. A token that names an unknown key has the keys asked for anew. What
//! the provider says passes through here and is kept nowhere; the access token is used for its user info endpoint at most.

mod caller;
mod discovery;
mod exchange;
mod id_token;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_identity::ports::{IdentityProvider, ProviderFailure};
use multirail_identity_domain::{Expected, Identity, OidcTies, UserInfoClaims};
use multirail_kernel::clock::Clock;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use multirail_kernel::timestamp::Timestamp;
use multirail_outbound::Manner;
use tokio::sync::Mutex;

use caller::Caller;
use discovery::Discovered;
use id_token::Unproved;

/// How long what the provider tells of itself is kept, in seconds of wall time.
const KEPT_SECONDS: i64 = 3_600;

/// How long nobody asks again after a provider did not answer, in seconds: those who wait don't wait one after the other.
const PAUSE_SECONDS: i64 = 2;

/// What the operator has agreed with his provider.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// As the provider writes it in its tokens.
    pub issuer: String,
    pub client_id: String,
    /// None for a client that the provider knows as a public one.
    pub client_secret: Option<SecretText>,
    /// Where the provider sends browsers back to.
    pub redirect_url: String,
    /// Where the provider may be.
    pub targets: TargetRules,
    /// For each call, from resolving the name to the last byte of the answer.
    pub deadline: Duration,
    pub manner: Manner,
}

/// One identity provider.
pub struct Oidc {
    settings: OidcSettings,
    caller: Caller,
    clock: Arc<dyn Clock>,
    /// Held while the provider is asked, so that it is asked once.
    known: Mutex<Known>,
}

/// What is known of the provider, and since when.
#[derive(Default)]
struct Known {
    discovered: Option<(Timestamp, Arc<Discovered>)>,
    failed: Option<(Timestamp, ProviderFailure)>,
}

impl Oidc {
    pub fn new(settings: OidcSettings, clock: Arc<dyn Clock>) -> Self {
        let caller = Caller::new(&settings);
        Oidc {
            settings,
            caller,
            clock,
            known: Mutex::default(),
        }
    }

    /// Asks the provider what it tells of itself, and for its keys.
    ///
    /// # Errors
    /// The provider doesn't answer, or not as providers do.
    pub async fn try_connection(&self) -> Result<(), ProviderFailure> {
        self.discovered(None).await.map(drop)
    }

    /// What the provider tells of itself, lately. `than`: newer than this.
    async fn discovered(
        &self,
        than: Option<&Arc<Discovered>>,
    ) -> Result<Arc<Discovered>, ProviderFailure> {
        let mut known = self.known.lock().await;
        let now = self.clock.wall();
        let is_of_the_last = |at: Timestamp, seconds| (0..seconds).contains(&now.seconds_since(at));
        if let Some((at, discovered)) = &known.discovered
            && is_of_the_last(*at, KEPT_SECONDS)
            && than.is_none_or(|old| !Arc::ptr_eq(old, discovered))
        {
            return Ok(Arc::clone(discovered));
        }
        if let Some((at, failure)) = &known.failed
            && is_of_the_last(*at, PAUSE_SECONDS)
        {
            return Err(failure.clone());
        }
        match Discovered::ask(&self.caller, &self.settings).await {
            Ok(discovered) => {
                let discovered = Arc::new(discovered);
                known.discovered = Some((now, Arc::clone(&discovered)));
                known.failed = None;
                Ok(discovered)
            }
            Err(failure) => {
                known.failed = Some((self.clock.wall(), failure.clone()));
                Err(failure)
            }
        }
    }

    /// Who the token is about, by a key of the provider. Keys change: one that isn't known may be new.
    async fn prove(
        &self,
        token: &SecretText,
        discovered: &Arc<Discovered>,
        expected: &Expected<'_>,
    ) -> Result<Identity, ProviderFailure> {
        let proved = match id_token::claims(token, &discovered.keys) {
            Err(Unproved::UnknownKey) => {
                let newer = self.discovered(Some(discovered)).await?;
                id_token::claims(token, &newer.keys)
            }
            known => known,
        };
        let claims = proved.map_err(|why| rejected(&why))?;
        claims.identity(expected).map_err(|fault| rejected(&fault))
    }
}

#[async_trait]
impl IdentityProvider for Oidc {
    fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    async fn sign_in_page(&self, ties: &OidcTies) -> Result<SecretText, ProviderFailure> {
        let discovered = self.discovered(None).await?;
        Ok(exchange::sign_in_page(&self.settings, &discovered, ties))
    }

    async fn identity(
        &self,
        code: &SecretText,
        ties: &OidcTies,
        wall: Timestamp,
    ) -> Result<Identity, ProviderFailure> {
        let discovered = self.discovered(None).await?;
        let tokens =
            exchange::redeem(&self.caller, &self.settings, &discovered, code, ties).await?;
        let expected = Expected {
            issuer: &self.settings.issuer,
            client_id: &self.settings.client_id,
            nonce: ties.nonce.expose(),
            wall,
        };
        let identity = self.prove(&tokens.id_token, &discovered, &expected).await?;
        // In this flow many providers tell addresses only there. (OpenID Connect Core, 5.4)
        match &discovered.user_info_endpoint {
            Some(url) if identity.email.is_none() => {
                let told: UserInfoClaims = self.caller.get(url, Some(&tokens.access_token)).await?;
                identity.with(&told).map_err(|fault| rejected(&fault))
            }
            Some(_) | None => Ok(identity),
        }
    }
}

fn rejected(why: &dyn std::error::Error) -> ProviderFailure {
    ProviderFailure::Rejected(why.to_string())
}
