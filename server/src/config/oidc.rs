//! Settings of the identity provider by which users may sign in.

use std::path::PathBuf;

use multirail_identity_domain::Role;
use multirail_kernel::email::Email;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::proxy_address::ProxyAddress;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::AllowedTargets;
use url::Url;

use super::values::{self, Value};
use super::{Raw, Reader, Setting};

/// The settings of the identity provider. Prints without secrets.
#[derive(Clone)]
pub struct OidcConfig {
    /// As the provider writes it; none without a provider.
    pub issuer: Option<String>,
    pub client_id: Option<String>,
    pub client_secret: Option<SecretText>,
    pub redirect_url: Option<String>,
    /// As given: use [`OidcConfig::label`], which knows the default.
    pub given_label: Option<String>,
    pub email_domains: Vec<String>,
    pub new_user_merchant: Option<MerchantId>,
    pub new_user_role: Option<Role>,
    pub allowed_targets: AllowedTargets,
    pub trusted_certificates: Option<PathBuf>,
    pub proxy: Option<ProxyAddress>,
}

impl OidcConfig {
    pub(super) fn read(reader: &mut Reader) -> Self {
        OidcConfig {
            issuer: reader.maybe(Setting::OidcIssuer, issuer),
            client_id: reader.maybe(Setting::OidcClientId, given),
            client_secret: reader.maybe(Setting::OidcClientSecret, values::secret),
            redirect_url: reader.maybe(Setting::OidcRedirectUrl, page),
            given_label: reader.maybe(Setting::OidcLabel, given),
            email_domains: reader.or(Setting::OidcEmailDomains, domains, Vec::new()),
            new_user_merchant: reader.maybe(Setting::OidcNewUserMerchant, merchant_id),
            new_user_role: reader.maybe(Setting::OidcNewUserRole, role),
            allowed_targets: reader.or(
                Setting::OidcAllowedTargets,
                values::targets,
                AllowedTargets::default(),
            ),
            trusted_certificates: reader.maybe(Setting::OidcTrustedCertificates, values::path),
            proxy: reader.maybe(Setting::OidcProxy, values::proxy),
        }
    }

    /// Returns the name of the provider for users.
    pub fn label(&self) -> String {
        let host = |issuer: &String| Url::parse(issuer).ok()?.host_str().map(str::to_owned);
        let given = self.given_label.clone();
        given
            .or_else(|| self.issuer.as_ref().and_then(host))
            .unwrap_or_default()
    }
}

/// Reads the address without normalizing it: a slash at its end makes it another issuer.
fn issuer(raw: &Raw) -> Value<String> {
    let text = values::text(raw)?;
    values::public_url(raw)?;
    Ok(text.to_owned())
}

/// Reads an address to which parameters can be added.
fn page(raw: &Raw) -> Value<String> {
    let text = values::text(raw)?;
    values::public_url(raw)?;
    Ok(text.to_owned())
}

fn given(raw: &Raw) -> Value<String> {
    let text = values::text(raw)?.trim();
    if text.is_empty() || text.chars().any(char::is_control) || text.chars().count() > 256 {
        return Err("must be a text of 1 to 256 characters".to_owned());
    }
    Ok(text.to_owned())
}

fn domains(raw: &Raw) -> Value<Vec<String>> {
    let read = |word: &str| {
        // A valid domain makes a valid address.
        let email = Email::parse(&format!("someone@{word}"));
        let domain = email.ok().map(|email| email.domain().to_owned());
        domain.ok_or_else(|| {
            format!("must list domains of e-mail addresses such as shop.example, not {word:?}")
        })
    };
    values::words(raw)?.into_iter().map(read).collect()
}

fn merchant_id(raw: &Raw) -> Value<MerchantId> {
    let text = values::text(raw)?;
    MerchantId::parse(text)
        .map_err(|_| format!("must be the id of a merchant account, not {text:?}"))
}

/// Reads a role in one merchant account. Roles in a whole organization are given to users by name, not by an address.
fn role(raw: &Raw) -> Value<Role> {
    let text = values::text(raw)?;
    let role: Option<Role> = text.parse().ok();
    role.filter(|role| !role.is_of_organization())
        .ok_or_else(|| {
            let known = Role::ALL.iter().filter(|role| !role.is_of_organization());
            let known: Vec<&str> = known.map(|role| role.as_str()).collect();
            format!("must be one of {}, not {text:?}", known.join(", "))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw {
        Raw::Text(text.to_owned())
    }

    #[test]
    fn an_issuer_stays_as_it_is_written() {
        for fine in [
            "https://id.example",
            "https://id.example/",
            "https://id.example/realms/shop",
        ] {
            assert_eq!(issuer(&raw(fine)).as_deref(), Ok(fine));
        }
        for wrong in [
            "id.example",
            "https://id.example?realm=shop",
            "https://ada@id.example",
        ] {
            assert!(issuer(&raw(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn domains_are_read_in_lower_case_and_without_addresses() {
        let read = |text: &str| domains(&raw(text));
        let known = vec!["shop.example".to_owned(), "books.example".to_owned()];
        assert_eq!(read("Shop.example, books.example"), Ok(known));
        assert_eq!(read(""), Ok(Vec::new()));
        for wrong in ["ada@shop.example", "shop..example", "a b"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn newcomers_get_no_whole_organization() {
        assert_eq!(role(&raw("merchant_view_only")), Ok(Role::MerchantViewOnly));
        for wrong in ["org_admin", "owner", ""] {
            assert!(role(&raw(wrong)).is_err(), "{wrong}");
        }
    }
}
