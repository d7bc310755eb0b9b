//! The operator's identity provider, which signs users in: OpenID Connect with the authorization code flow and PKCE.
//!
//! The provider's addresses come from its discovery document, and its keys from an address there. The guarded client
//! fetches both at a sign-in, and they are cached for an hour. A token with an unknown key makes the server fetch the
//! keys again. No data of the provider is stored. The access token is used at most for the user info endpoint.

mod caller;
mod discovery;
mod exchange;
mod id_token;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_identity::ports::{IdentityProvider, ProviderFailure, ReturnPage};
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

/// The lifetime of the cached discovery document, in seconds of wall time.
const KEPT_SECONDS: i64 = 3_600;

/// Seconds after a failed call in which no other is made, so that waiting sign-ins don't fail one after another.
const PAUSE_SECONDS: i64 = 2;

/// The settings that the operator agreed with the provider.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// The issuer, as the provider writes it in its tokens.
    pub issuer: String,
    pub client_id: String,
    /// Absent for a public client.
    pub client_secret: Option<SecretText>,
    /// The page of the operator's own dashboard to which the provider sends browsers back.
    pub redirect_url: String,
    /// The addresses that the provider may have.
    pub targets: TargetRules,
    /// The deadline of each call, from resolving the name to the last byte of the answer.
    pub deadline: Duration,
    pub manner: Manner,
}

/// One identity provider.
pub struct Oidc {
    settings: OidcSettings,
    caller: Caller,
    clock: Arc<dyn Clock>,
    /// Locked during a call to the provider, so that only one is made.
    known: Mutex<Known>,
}

/// The cached document and the last failure, with their times.
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

    /// Fetches the provider's document and keys.
    ///
    /// # Errors
    /// The provider doesn't answer, or its answer is invalid.
    pub async fn try_connection(&self) -> Result<(), ProviderFailure> {
        self.discovered(None).await.map(drop)
    }

    /// Returns the recent document of the provider. With `than` it has to be newer than that one.
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

    /// Returns the identity of a token that one of the provider's keys signed. An unknown key may be new, so the keys
    /// are fetched again.
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

    async fn sign_in_page(
        &self,
        ties: &OidcTies,
        page: &ReturnPage,
    ) -> Result<SecretText, ProviderFailure> {
        let discovered = self.discovered(None).await?;
        let client = exchange::client(&self.settings, &discovered, page);
        Ok(exchange::sign_in_page(&client, ties))
    }

    async fn identity(
        &self,
        code: &SecretText,
        page: &ReturnPage,
        ties: &OidcTies,
        wall: Timestamp,
    ) -> Result<Identity, ProviderFailure> {
        let discovered = self.discovered(None).await?;
        let client = exchange::client(&self.settings, &discovered, page);
        let tokens = exchange::redeem(&self.caller, client, code, ties).await?;
        let expected = Expected {
            issuer: &self.settings.issuer,
            client_id: &self.settings.client_id,
            nonce: ties.nonce.expose(),
            wall,
        };
        let identity = self.prove(&tokens.id_token, &discovered, &expected).await?;
        // In this flow many providers return e-mail addresses only there. (OpenID Connect Core, 5.4)
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
