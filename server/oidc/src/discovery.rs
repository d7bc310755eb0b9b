//! The provider's discovery document. (OpenID Connect Discovery 1.0)

use jsonwebtoken::jwk::JwkSet;
use multirail_identity::ports::ProviderFailure;
use oauth2::{AuthType, AuthUrl, TokenUrl};
use serde::Deserialize;

use super::OidcSettings;
use super::caller::Caller;

/// The members of the document that are read.
#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// A provider's addresses and keys.
pub struct Discovered {
    pub sign_in_page: AuthUrl,
    pub token_endpoint: TokenUrl,
    pub user_info_endpoint: Option<String>,
    /// The way in which the provider wants to receive the client's secret.
    pub auth_type: AuthType,
    pub keys: JwkSet,
}

impl Discovered {
    /// Fetches the document and the keys.
    ///
    /// # Errors
    ///
    /// [`ProviderFailure::Unavailable`]
    pub async fn ask(caller: &Caller, settings: &OidcSettings) -> Result<Self, ProviderFailure> {
        let issuer = settings.issuer.trim_end_matches('/');
        let url = format!("{issuer}/.well-known/openid-configuration");
        let document: Document = caller.get(&url, None).await?;
        let unusable = |why: String| ProviderFailure::Unavailable(format!("{url}: {why}"));
        // Otherwise one provider could pose as another one. (Discovery, 4.3)
        if document.issuer != settings.issuer {
            return Err(unusable(format!(
                "its issuer is not {}, which oidc_issuer names",
                settings.issuer
            )));
        }
        // The other addresses are checked when they are called.
        let sign_in_page = &document.authorization_endpoint;
        caller
            .check(sign_in_page)
            .map_err(|forbidden| unusable(format!("authorization_endpoint {forbidden}")))?;
        let no_address = |_| unusable("an endpoint is no address".to_owned());
        Ok(Discovered {
            sign_in_page: AuthUrl::new(sign_in_page.clone()).map_err(no_address)?,
            token_endpoint: TokenUrl::new(document.token_endpoint).map_err(no_address)?,
            user_info_endpoint: document.userinfo_endpoint,
            auth_type: auth_type(document.token_endpoint_auth_methods_supported.as_deref()),
            keys: caller.get(&document.jwks_uri, None).await?,
        })
    }
}

/// Returns how the client secret is sent: in the header, unless the provider accepts only the form. (Discovery, 3)
fn auth_type(supported: Option<&[String]>) -> AuthType {
    let takes =
        |method: &str| supported.is_some_and(|methods| methods.iter().any(|known| known == method));
    if takes("client_secret_post") && !takes("client_secret_basic") {
        AuthType::RequestBody
    } else {
        AuthType::BasicAuth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_goes_into_the_header_unless_it_has_to_stand_in_the_form() {
        let chosen = |methods: &[&str]| {
            let methods: Vec<String> = methods.iter().map(ToString::to_string).collect();
            matches!(auth_type(Some(&methods)), AuthType::BasicAuth)
        };
        assert!(matches!(auth_type(None), AuthType::BasicAuth));
        assert!(chosen(&["client_secret_post", "client_secret_basic"]));
        assert!(chosen(&["private_key_jwt"]));
        assert!(!chosen(&["client_secret_post", "private_key_jwt"]));
    }
}
