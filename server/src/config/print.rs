//! Shows a configuration: each setting, its value or `***`, and its source.

use std::fmt;

use super::{Config, Mode, Setting};

const HIDDEN: &str = "***";

impl Config {
    /// Returns a table for people: setting, value, source; a line each.
    pub fn printout(&self) -> String {
        let rows: Vec<_> = Setting::ALL
            .iter()
            .map(|setting| {
                let source = self.source(*setting).to_string();
                (setting.name(), self.shown(*setting), source)
            })
            .collect();
        let widest = |column: fn(&(&str, String, String)) -> usize| {
            rows.iter().map(column).max().unwrap_or_default()
        };
        let name_width = widest(|row| row.0.len());
        // One long value shouldn't push all sources out of sight.
        let value_width = widest(|row| row.1.chars().count()).min(48);
        let mut table = String::new();
        for (name, value, source) in rows {
            let line = format!("{name:name_width$}  {value:value_width$}  {source}");
            table.push_str(&line);
            table.push('\n');
        }
        table
    }

    /// Returns the value of a setting as everyone may see it.
    fn shown(&self, setting: Setting) -> String {
        match setting {
            Setting::Listen => self.listen.to_string(),
            Setting::DatabaseUrl => self.database_url.to_string(),
            Setting::DataDirectory => self.data_directory.display().to_string(),
            Setting::Sandbox => self.is_sandbox().to_string(),
            Setting::SandboxPublic => (self.mode == Mode::PublicSandbox).to_string(),
            Setting::AdminApiKey => self.shown_key(self.admin_api_key.is_some(), "admin.key"),
            Setting::FormerAdminApiKey => match &self.former_admin_api_key {
                Some(_) => HIDDEN.to_owned(),
                None => not_set(),
            },
            Setting::MasterKey => self.shown_key(self.master_key.is_some(), "master.key"),
            Setting::PublicUrl => self.public_url(self.listen),
            Setting::ConsoleOrigin => match &self.console_origin {
                Some(origin) => origin.origin().ascii_serialization(),
                None => not_set(),
            },
            Setting::BehindProxy => self.behind_proxy.to_string(),
            Setting::TlsCertificate => match &self.tls {
                Some(tls) => tls.certificate.display().to_string(),
                None => not_set(),
            },
            Setting::TlsKey => match &self.tls {
                Some(tls) => tls.key.display().to_string(),
                None => not_set(),
            },
            Setting::CorsAllowedOrigins => self.cors_allowed_origins.to_string(),
            Setting::NestedErrorBody => self.nested_error_body.to_string(),
            Setting::OpenSignUp => self.open_sign_up.to_string(),
            Setting::MailServer => match &self.mail.server {
                Some(server) => server.shown(),
                None => not_set(),
            },
            Setting::MailFrom => self.mail.from.clone().unwrap_or_else(not_set),
            Setting::MailUser => self.mail.user.clone().unwrap_or_else(not_set),
            Setting::MailPassword => match &self.mail.password {
                Some(_) => HIDDEN.to_owned(),
                None => not_set(),
            },
            Setting::MailPasswordPage => {
                let page = &self.mail.password_page;
                page.clone().unwrap_or_else(not_set)
            }
            Setting::OidcIssuer => self.oidc.issuer.clone().unwrap_or_else(not_set),
            Setting::OidcClientId => self.oidc.client_id.clone().unwrap_or_else(not_set),
            Setting::OidcClientSecret => match &self.oidc.client_secret {
                Some(_) => HIDDEN.to_owned(),
                None => not_set(),
            },
            Setting::OidcRedirectUrl => self.oidc.redirect_url.clone().unwrap_or_else(not_set),
            Setting::OidcLabel => match &self.oidc.issuer {
                Some(_) => self.oidc.label(),
                None => not_set(),
            },
            Setting::OidcEmailDomains if self.oidc.email_domains.is_empty() => "none".to_owned(),
            Setting::OidcEmailDomains => self.oidc.email_domains.join(", "),
            Setting::OidcNewUserMerchant => match &self.oidc.new_user_merchant {
                Some(merchant_id) => merchant_id.to_string(),
                None => not_set(),
            },
            Setting::OidcNewUserRole => match self.oidc.new_user_role {
                Some(role) => role.to_string(),
                None => not_set(),
            },
            Setting::OidcAllowedTargets => self.oidc.allowed_targets.to_string(),
            Setting::OidcTrustedCertificates => match &self.oidc.trusted_certificates {
                Some(path) => path.display().to_string(),
                None => not_set(),
            },
            Setting::OidcProxy => match &self.oidc.proxy {
                Some(proxy) => proxy.to_string(),
                None => not_set(),
            },
            Setting::LogFormat => self.log_format.to_string(),
            Setting::LogLevel => self.log_level.clone(),
            Setting::DatabasePoolSize => self.database_pool_size.to_string(),
            Setting::StatementTimeoutMs => self.statement_timeout.as_millis().to_string(),
            Setting::DatabaseWaitSeconds => self.database_wait.as_secs().to_string(),
            Setting::RequestBodyLimitBytes => self.request_body_limit_bytes.to_string(),
            Setting::BodyTimeoutMs => self.body_timeout.as_millis().to_string(),
            Setting::MaxRequests => self.max_requests.to_string(),
            Setting::MaxRequestsPerClient => self.max_requests_per_client.to_string(),
            Setting::RateLimitPerSecond => self.rate_limit_per_second.to_string(),
            Setting::RateLimitBurst => self.rate_limit_burst.to_string(),
            Setting::DatabaseCheck => self.database_check.to_string(),
            Setting::ConnectionGuard => self.connection_guard.to_string(),
            Setting::MaxConnections => self.max_connections.to_string(),
            Setting::MaxConnectionsPerClient => self.max_connections_per_client.to_string(),
            Setting::MetricsListen => match self.metrics_listen {
                Some(address) => address.to_string(),
                None => not_set(),
            },
            Setting::ShutdownDelaySeconds => self.shutdown_delay.as_secs().to_string(),
            Setting::ShutdownGraceSeconds => self.shutdown_grace.as_secs().to_string(),
            Setting::IdempotencyRetentionHours => self.idempotency_retention_hours.to_string(),
            Setting::IdempotencyAnswersPerMerchant => {
                self.idempotency_answers_per_merchant.to_string()
            }
            Setting::ChangeSetRetentionDays => self.change_set_retention_days.to_string(),
            Setting::RequestLogPerSecond => self.request_log.per_second.to_string(),
            Setting::RequestLogPerMerchant => self.request_log.per_merchant.to_string(),
            Setting::RequestLogRetentionDays => self.request_log.retention_days.to_string(),
            Setting::SubscriptionDunning => self.subscription_dunning.to_string(),
            Setting::ProcessorDeadlineMs => self.processor_deadline.as_millis().to_string(),
            Setting::ConnectorAllowedTargets => self.connectors.allowed_targets.to_string(),
            Setting::ConnectorTrustedCertificates => match &self.connectors.trusted_certificates {
                Some(path) => path.display().to_string(),
                None => not_set(),
            },
            Setting::ConnectorProxy => match &self.connectors.proxy {
                Some(proxy) => proxy.to_string(),
                None => not_set(),
            },
            Setting::ConnectorAccountConcurrency => self.connectors.account_concurrency.to_string(),
            Setting::ApplePayGatewayUrl => self.connectors.apple_pay_gateway_url.clone(),
            Setting::ApplePayRootCertificate => match &self.connectors.apple_pay_root_certificate {
                Some(path) => path.display().to_string(),
                None => not_set(),
            },
            Setting::WebhookTimeoutMs => self.webhooks.timeout.as_millis().to_string(),
            Setting::WebhookRetrySchedule => self.webhooks.retry_schedule.to_string(),
            Setting::WebhookRetryJitterPercent => self.webhooks.retry_jitter.0.to_string(),
            Setting::WebhookConcurrency => self.webhooks.concurrency.to_string(),
            Setting::WebhookEndpointConcurrency => self.webhooks.endpoint_concurrency.to_string(),
            Setting::WebhookAnswerLimitBytes => self.webhooks.answer_limit_bytes.to_string(),
            Setting::WebhookOrderPatienceSeconds => {
                self.webhooks.order_patience_seconds.to_string()
            }
            Setting::WebhookPauseAfterSeconds => self.webhooks.pause_after_seconds.to_string(),
            Setting::EventRetentionDays => self.webhooks.event_retention_days.to_string(),
            Setting::WebhookAllowedTargets => self.webhook_allowed_targets.to_string(),
            Setting::SimulatorUrl => match &self.simulator_address {
                Some(address) => format!("http://{address}"),
                None => not_set(),
            },
            Setting::SimulatorNotices => self.simulator_notices.to_string(),
            Setting::SimulatorDelayMs => self.simulator_delay.as_millis().to_string(),
        }
    }

    fn shown_key(&self, is_given: bool, file: &str) -> String {
        match (is_given, self.is_sandbox()) {
            (true, _) => HIDDEN.to_owned(),
            (false, true) => format!("{HIDDEN} in {}", self.data_directory.join(file).display()),
            (false, false) => not_set(),
        }
    }
}

fn not_set() -> String {
    "(not set)".to_owned()
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = f.debug_struct("Config");
        for setting in Setting::ALL {
            settings.field(setting.name(), &format_args!("{}", self.shown(*setting)));
        }
        settings.finish()
    }
}
