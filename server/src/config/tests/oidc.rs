//! The identity provider.

use super::*;

const WHOLE: [(Setting, &str); 3] = [
    (Setting::OidcIssuer, "https://id.shop.example"),
    (Setting::OidcClientId, "multirail"),
    (
        Setting::OidcRedirectUrl,
        "https://dashboard.shop.example/signed-in",
    ),
];

fn with(settings: &[(Setting, &str)]) -> Inputs {
    let given = settings.iter();
    given.fold(production(), |inputs, (setting, value)| {
        inputs.with(*setting, *value)
    })
}

/// Returns the three required settings, replaced or extended by these.
fn whole(more: &[(Setting, &'static str)]) -> Inputs {
    let is_other = |(setting, _): &&(Setting, &str)| more.iter().all(|(given, _)| given != setting);
    let rest: Vec<(Setting, &str)> = WHOLE.iter().filter(is_other).copied().collect();
    with(&[&rest[..], more].concat())
}

/// Returns the problems of these settings.
fn wrong(more: &[(Setting, &'static str)]) -> String {
    problems(&whole(more)).join("\n")
}

fn is_fine(more: &[(Setting, &'static str)]) {
    let config = Config::read(&whole(more)).unwrap();
    config.check().unwrap();
}

#[test]
fn what_belongs_together_is_given_together() {
    is_fine(&[]);
    assert!(problems(&with(&WHOLE[..2]))[0].contains("oidc_redirect_url"));
    let without = problems(&with(&[(Setting::OidcEmailDomains, "shop.example")]));
    assert!(without[0].contains("needs oidc_issuer"), "{without:?}");
    let merchant = (Setting::OidcNewUserMerchant, "bookshop");
    let role = (Setting::OidcNewUserRole, "merchant_view_only");
    let domains = (Setting::OidcEmailDomains, "shop.example");
    is_fine(&[merchant, role, domains]);
    assert!(wrong(&[merchant, domains]).contains("oidc_new_user_role"));
    assert!(wrong(&[role, domains]).contains("oidc_new_user_merchant"));
    // Otherwise every user of the provider would get a role here.
    assert!(wrong(&[merchant, role]).contains("oidc_email_domains"));
    let too_much = (Setting::OidcNewUserRole, "org_admin");
    assert!(wrong(&[merchant, too_much, domains]).contains("merchant_admin"));
}

#[test]
fn a_provider_is_on_the_internet_or_where_the_operator_says() {
    let inside = (Setting::OidcIssuer, "http://10.0.0.7/realms/shop");
    assert!(wrong(&[inside]).contains("oidc_allowed_targets"));
    is_fine(&[inside, (Setting::OidcAllowedTargets, "10.0.0.0/8")]);
    let plain = (Setting::OidcRedirectUrl, "http://dashboard.shop.example");
    assert!(wrong(&[plain]).contains("https://"));
}

#[test]
fn the_secret_is_not_shown_and_the_label_has_a_default() {
    let secret = (Setting::OidcClientSecret, "s3cret-canary");
    let config = Config::read(&whole(&[secret])).unwrap();
    assert!(!format!("{config:?}").contains("s3cret-canary"));
    assert_eq!(config.oidc.label(), "id.shop.example");
    assert_eq!(
        Setting::OidcClientSecret.file_variable().as_deref(),
        Some("MULTIRAIL_OIDC_CLIENT_SECRET_FILE")
    );
}
