//! The rules between settings.

use std::path::Path;

use super::{
    Config, CorsOrigins, DatabaseCheck, MailSecurity, Mode, Problem, Problems, Setting, Source,
};

/// Settings that have no meaning without an identity provider.
const OIDC: [Setting; 10] = [
    Setting::OidcClientId,
    Setting::OidcClientSecret,
    Setting::OidcRedirectUrl,
    Setting::OidcLabel,
    Setting::OidcEmailDomains,
    Setting::OidcNewUserMerchant,
    Setting::OidcNewUserRole,
    Setting::OidcAllowedTargets,
    Setting::OidcTrustedCertificates,
    Setting::OidcProxy,
];

/// Shorter admin keys are only for a private sandbox.
const SHORTEST_ADMIN_KEY: usize = 32;

impl Config {
    /// Checks whether a server may start with these settings.
    ///
    /// # Errors
    ///
    /// Every broken rule, each in one line that says what to do.
    pub fn check(&self) -> Result<(), Problems> {
        let mut problems = Vec::new();
        match self.mode {
            Mode::Production => self.check_production(&mut problems),
            Mode::Sandbox => {
                self.check_sandbox(&mut problems);
                self.check_metrics(&mut problems);
            }
            Mode::PublicSandbox => {}
        }
        match self.mode {
            Mode::Production | Mode::PublicSandbox => self.check_admin_key(&mut problems),
            Mode::Sandbox => {}
        }
        if let Some(tls) = &self.tls {
            self.check_file(Setting::TlsCertificate, &tls.certificate, &mut problems);
            self.check_file(Setting::TlsKey, &tls.key, &mut problems);
        }
        self.check_console(&mut problems);
        self.check_mail(&mut problems);
        self.check_oidc(&mut problems);
        for certificates in [self.connector_certificates(), self.oidc_certificates()] {
            problems.extend(certificates.err());
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(Problems(problems))
        }
    }

    /// Returns settings that are allowed but probably a mistake, a line each.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.mode == Mode::Production {
            if self.given_public_url.is_none() {
                warnings.push(format!(
                    "public_url is not set: payers will be sent to {}",
                    self.public_url(self.listen)
                ));
            }
            for setting in [
                Setting::SimulatorUrl,
                Setting::SimulatorNotices,
                Setting::SimulatorDelayMs,
            ] {
                if *self.source(setting) != Source::Default {
                    warnings.push(format!("{setting} has no effect outside of the sandbox"));
                }
            }
        }
        let per_client = Setting::MaxConnectionsPerClient;
        if *self.source(per_client) != Source::Default {
            if !self.has_connection_guard() {
                warnings.push(format!(
                    "{per_client} has no effect without the connection guard (connection_guard)"
                ));
            } else if self.behind_proxy {
                warnings.push(format!(
                    "{per_client} bounds the proxy: behind one, all connections are its own"
                ));
            }
        }
        if let Some(listen) = self.metrics_listen
            && !listen.ip().is_loopback()
        {
            warnings.push(format!(
                "metrics_listen {listen} is not on loopback: everyone who reaches it can read the metrics"
            ));
        }
        if self.former_admin_api_key.is_some() {
            warnings.push(format!(
                "{} is set: the admin key of before is still taken",
                Setting::FormerAdminApiKey
            ));
        }
        if self.database_check == DatabaseCheck::Off {
            warnings.push(format!(
                "{} is off: a start does not notice a damaged database file",
                Setting::DatabaseCheck
            ));
        }
        warnings.extend(self.open_permissions());
        warnings
    }

    fn check_production(&self, problems: &mut Vec<Problem>) {
        for (setting, is_missing) in [
            (Setting::AdminApiKey, self.admin_api_key.is_none()),
            (Setting::MasterKey, self.master_key.is_none()),
        ] {
            if is_missing {
                let variable = setting.variable();
                problems.push(Problem(format!(
                    "{setting} is not set: make one with `multirail keys generate` and give it as \
                     {variable} or in a file that {variable}_FILE names (to try multirail out: \
                     `multirail serve --sandbox`)"
                )));
            }
        }
        if self.tls.is_none() && !self.behind_proxy {
            problems.push(Problem(
                "TLS is not set up: give tls_certificate and tls_key, or say --behind-proxy \
                 when a proxy in front speaks TLS"
                    .to_owned(),
            ));
        }
        if self.cors_allowed_origins == CorsOrigins::Any {
            let setting = Setting::CorsAllowedOrigins;
            problems.push(Problem::new(
                setting,
                self.source(setting),
                "\"*\" is for the sandbox only; list the origins of your shops",
            ));
        }
    }

    fn check_sandbox(&self, problems: &mut Vec<Problem>) {
        if !self.listen.ip().is_loopback() {
            problems.push(Problem::new(
                Setting::Listen,
                self.source(Setting::Listen),
                format!(
                    "the sandbox listens on loopback only, and {} is not: choose 127.0.0.1, \
                     or say --sandbox-public to let others in",
                    self.listen.ip()
                ),
            ));
        }
    }

    fn check_mail(&self, problems: &mut Vec<Problem>) {
        let mail = &self.mail;
        let mut needs = |given: Setting, missing: Setting| {
            let what = format!("needs {missing} beside it");
            problems.push(Problem::new(given, self.source(given), what));
        };
        match (&mail.server, &mail.from) {
            (Some(_), None) => needs(Setting::MailServer, Setting::MailFrom),
            (None, Some(_)) => needs(Setting::MailFrom, Setting::MailServer),
            (Some(_), Some(_)) | (None, None) => {}
        }
        match (&mail.user, &mail.password) {
            (Some(_), None) => needs(Setting::MailUser, Setting::MailPassword),
            (None, Some(_)) => needs(Setting::MailPassword, Setting::MailUser),
            (Some(_), Some(_)) | (None, None) => {}
        }
        if let Some(server) = &mail.server
            && server.security == MailSecurity::Plain
            && mail.password.is_some()
            && !server.is_loopback()
        {
            let setting = Setting::MailServer;
            let what = "has no TLS, and mail_password would go there in the clear: say smtp:// or smtps://";
            problems.push(Problem::new(setting, self.source(setting), what));
        }
    }

    fn check_oidc(&self, problems: &mut Vec<Problem>) {
        let oidc = &self.oidc;
        let is_given = |setting: &Setting| *self.source(*setting) != Source::Default;
        let mut wrong = |setting: Setting, what: String| {
            problems.push(Problem::new(setting, self.source(setting), what));
        };
        let mut needs = |given: Setting, missing: Setting| {
            wrong(given, format!("needs {missing} beside it"));
        };
        if oidc.issuer.is_some() {
            for needed in [Setting::OidcClientId, Setting::OidcRedirectUrl] {
                if !is_given(&needed) {
                    needs(Setting::OidcIssuer, needed);
                }
            }
        } else {
            let given = OIDC.iter().copied().filter(|setting| is_given(setting));
            given.for_each(|setting| needs(setting, Setting::OidcIssuer));
        }
        match (&oidc.new_user_merchant, &oidc.new_user_role) {
            (Some(_), None) => needs(Setting::OidcNewUserMerchant, Setting::OidcNewUserRole),
            (None, Some(_)) => needs(Setting::OidcNewUserRole, Setting::OidcNewUserMerchant),
            // Many providers accept users with any address.
            (Some(_), Some(_)) if oidc.email_domains.is_empty() => {
                needs(Setting::OidcNewUserRole, Setting::OidcEmailDomains);
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
        let is_plain = |url: &Option<String>| {
            let url = url.as_ref();
            url.is_some_and(|url| url.starts_with("http://"))
        };
        if !self.is_sandbox() && is_plain(&oidc.redirect_url) {
            wrong(
                Setting::OidcRedirectUrl,
                "must begin with https:// outside of the sandbox: what comes back there signs people in".to_owned(),
            );
        }
        if let Some(issuer) = &oidc.issuer
            && let Err(forbidden) = self.oidc_targets().check_url(issuer)
        {
            wrong(
                Setting::OidcIssuer,
                format!("{forbidden}, or be one of oidc_allowed_targets"),
            );
        }
    }

    fn check_metrics(&self, problems: &mut Vec<Problem>) {
        let outside = self
            .metrics_listen
            .filter(|listen| !listen.ip().is_loopback());
        if let Some(listen) = outside {
            let what = format!(
                "the sandbox serves its figures on loopback only, and {} is not",
                listen.ip()
            );
            let setting = Setting::MetricsListen;
            problems.push(Problem::new(setting, self.source(setting), what));
        }
    }

    fn check_admin_key(&self, problems: &mut Vec<Problem>) {
        for (setting, key) in [
            (Setting::AdminApiKey, &self.admin_api_key),
            (Setting::FormerAdminApiKey, &self.former_admin_api_key),
        ] {
            let is_short = key
                .as_ref()
                .is_some_and(|key| key.expose().len() < SHORTEST_ADMIN_KEY);
            if is_short {
                problems.push(Problem::new(
                    setting,
                    self.source(setting),
                    format!(
                        "must have at least {SHORTEST_ADMIN_KEY} characters; \
                         `multirail keys generate` makes one"
                    ),
                ));
            }
        }
    }

    fn check_file(&self, setting: Setting, path: &Path, problems: &mut Vec<Problem>) {
        // Opened, not just looked at: permissions count too.
        let opened = std::fs::File::open(path).and_then(|file| file.metadata());
        let what = match opened {
            Ok(metadata) if metadata.is_file() => return,
            Ok(_) => "is not a file".to_owned(),
            Err(error) => format!("cannot be read: {error}"),
        };
        let what = format!("{} {what}", path.display());
        problems.push(Problem::new(setting, self.source(setting), what));
    }
}
