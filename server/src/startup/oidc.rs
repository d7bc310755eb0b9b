//! Builds the identity provider.

use std::sync::Arc;
use std::time::Duration;

use multirail_app::platform::ports::Clock;
use multirail_identity::ports::IdentityProvider;
use multirail_identity_domain::{Newcomers, OidcRules};
use multirail_oidc::{Oidc, OidcSettings};
use multirail_outbound::{Certificate, Manner};

use super::StartupError;
use crate::config::Config;

/// A provider, and the rules for its users.
type Known = (Arc<dyn IdentityProvider>, OidcRules);

/// The longest time for each call to the provider.
const LONGEST: Duration = Duration::from_secs(10);

/// Returns the operator's provider, if there is one, and the rules for its users.
///
/// # Errors
/// Fails when certificates can't be read.
pub(super) fn provider(
    config: &Config,
    clock: Arc<dyn Clock>,
) -> Result<Option<Known>, StartupError> {
    let oidc = &config.oidc;
    let Some(settings) = settings(config)? else {
        return Ok(None);
    };
    let newcomers = match (&oidc.new_user_merchant, oidc.new_user_role) {
        (Some(merchant_id), Some(role)) => Newcomers::Role {
            merchant_id: merchant_id.clone(),
            role,
        },
        (Some(_), None) | (None, Some(_)) | (None, None) if config.open_sign_up => {
            Newcomers::OwnAccount
        }
        (Some(_), None) | (None, Some(_)) | (None, None) => Newcomers::Refused,
    };
    let rules = OidcRules {
        label: oidc.label(),
        email_domains: oidc.email_domains.clone(),
        newcomers,
    };
    let provider = Oidc::new(settings, clock);
    Ok(Some((Arc::new(provider), rules)))
}

/// Returns the settings of the client for the operator's provider, if there is one.
///
/// # Errors
/// Fails when certificates can't be read.
pub(super) fn settings(config: &Config) -> Result<Option<OidcSettings>, StartupError> {
    let oidc = &config.oidc;
    let (Some(issuer), Some(client_id), Some(redirect_url)) =
        (&oidc.issuer, &oidc.client_id, &oidc.redirect_url)
    else {
        return Ok(None);
    };
    let certificates = config
        .oidc_certificates()
        .map_err(|problem| StartupError::Refused(problem.to_string()))?;
    let trusted = certificates.iter();
    let trusted = trusted.map(|der| Certificate::from_der(der).expect("DER is taken as it is"));
    Ok(Some(OidcSettings {
        issuer: issuer.clone(),
        client_id: client_id.clone(),
        client_secret: oidc.client_secret.clone(),
        redirect_url: redirect_url.clone(),
        targets: config.oidc_targets(),
        // A user waits in front of a page.
        deadline: config.processor_deadline.min(LONGEST),
        manner: Manner {
            proxy: oidc.proxy.clone(),
            trusted: trusted.collect(),
            ..Manner::webhooks()
        },
    }))
}
