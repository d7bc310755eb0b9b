//! The two steps of the authorization code flow, with the OAuth library: the address of the sign-in page, and the
//! exchange of the code.

use std::fmt;

use multirail_identity::ports::{ProviderFailure, ReturnPage};
use multirail_identity_domain::OidcTies;
use multirail_kernel::secret::SecretText;
use oauth2::basic::{
    BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse,
    BasicTokenType,
};
use oauth2::{
    AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    ExtraTokenFields, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenResponse,
};
use serde::{Deserialize, Serialize};

use super::OidcSettings;
use super::caller::{Caller, NoAnswer};
use super::discovery::Discovered;

/// OpenID Connect's addition to the answer. It has no `Debug` output.
#[derive(Serialize, Deserialize)]
pub struct IdTokenField {
    id_token: Option<String>,
}

impl fmt::Debug for IdTokenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdTokenField")
    }
}

impl ExtraTokenFields for IdTokenField {}

/// The OAuth library's client, for the two addresses of the provider that a sign-in needs.
pub type OidcClient = Client<
    BasicErrorResponse,
    StandardTokenResponse<IdTokenField, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// The provider's tokens. They are used at once and dropped.
pub struct Tokens {
    pub id_token: SecretText,
    pub access_token: SecretText,
}

/// Returns the address of the sign-in page.
pub fn sign_in_page(client: &OidcClient, ties: &OidcTies) -> SecretText {
    let state = ties.state.expose().to_owned();
    let verifier = PkceCodeVerifier::new(ties.verifier.expose().to_owned());
    let (url, _) = client
        .authorize_url(move || CsrfToken::new(state))
        .add_scopes(["openid", "email"].map(|scope| Scope::new(scope.to_owned())))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
        .add_extra_param("nonce", ties.nonce.expose())
        .url();
    SecretText::new(url.as_str())
}

/// Exchanges the code for the provider's tokens.
///
/// # Errors
/// [`ProviderFailure`]
pub async fn redeem(
    caller: &Caller,
    client: OidcClient,
    code: &SecretText,
    ties: &OidcTies,
) -> Result<Tokens, ProviderFailure> {
    let verifier = PkceCodeVerifier::new(ties.verifier.expose().to_owned());
    let answer = client
        .exchange_code(AuthorizationCode::new(code.expose().to_owned()))
        .set_pkce_verifier(verifier)
        .request_async(caller)
        .await
        .map_err(failure)?;
    let id_token = answer.extra_fields().id_token.as_ref();
    let id_token = id_token.ok_or_else(|| {
        ProviderFailure::Rejected("the token endpoint gives no id_token".to_owned())
    })?;
    Ok(Tokens {
        id_token: SecretText::new(id_token),
        access_token: SecretText::new(answer.access_token().secret()),
    })
}

/// Returns the client of a sign-in from which the browser comes back to `page`. The exchange of the code repeats that
/// address. (RFC 6749, 4.1.3)
pub fn client(settings: &OidcSettings, discovered: &Discovered, page: &ReturnPage) -> OidcClient {
    let redirect_url = match page {
        ReturnPage::Dashboard => &settings.redirect_url,
        ReturnPage::Console(address) => address,
    };
    let redirect_url = RedirectUrl::new(redirect_url.clone());
    let client = Client::new(ClientId::new(settings.client_id.clone()))
        .set_auth_uri(discovered.sign_in_page.clone())
        .set_token_uri(discovered.token_endpoint.clone())
        .set_auth_type(discovered.auth_type.clone())
        .set_redirect_uri(redirect_url.expect("settings are read as addresses"));
    match &settings.client_secret {
        Some(secret) => client.set_client_secret(ClientSecret::new(secret.expose().to_owned())),
        None => client,
    }
}

/// Returns the failure for a provider's error. It contains only the provider's error word, which comes from a fixed
/// list, and no other text.
fn failure(error: RequestTokenError<NoAnswer, BasicErrorResponse>) -> ProviderFailure {
    match error {
        RequestTokenError::Request(no_answer) => {
            ProviderFailure::Unavailable(format!("the token endpoint: {no_answer}"))
        }
        RequestTokenError::ServerResponse(refused) => {
            let word: String = refused.error().to_string().chars().take(64).collect();
            ProviderFailure::Rejected(format!("the token endpoint refuses the code: {word:?}"))
        }
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => ProviderFailure::Unavailable(
            "the token endpoint: its answer is neither tokens nor an error".to_owned(),
        ),
    }
}
