//! The list of settings: names, defaults and purposes, in one place.

use std::fmt;

/// The part of a setting's value that may be shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shown {
    /// All of it.
    Plainly,
    /// Never. Such a setting can also come from a file that `MULTIRAIL_<NAME>_FILE` names.
    Never,
    /// Without its password; may come from a file as well.
    WithoutPassword,
}

macro_rules! settings {
    ($($variant:ident $name:literal $shown:ident $default:literal $purpose:literal;)*) => {
        /// A setting of the server.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Setting {
            $(#[doc = concat!("`", $name, "`; [`Setting::purpose`] says what it is for.")] $variant,)*
        }

        impl Setting {
            /// Every setting, in the order in which they are printed.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the setting's name in `multirail.toml`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the default, described if it depends on other settings.
            pub fn default_text(self) -> &'static str {
                match self { $(Self::$variant => $default,)* }
            }

            /// Returns the sentence with which `--help` explains the setting.
            pub fn purpose(self) -> &'static str {
                match self { $(Self::$variant => $purpose,)* }
            }

            /// Returns how much of the value may be shown.
            pub fn shown(self) -> Shown {
                match self { $(Self::$variant => Shown::$shown,)* }
            }
        }
    };
}

settings! {
    Listen "listen" Plainly "127.0.0.1:8080"
        "Address and port to listen on; port 0 takes a free one.";
    DatabaseUrl "database_url" WithoutPassword "sqlite:<data_directory>/multirail.sqlite"
        "Address of the database: sqlite:<path> or postgres://<user>:<password>@<host>/<database>.";
    DataDirectory "data_directory" Plainly "multirail-data"
        "Folder of the SQLite file and of the sandbox's key files.";
    Sandbox "sandbox" Plainly "false (true when no subcommand is given)"
        "Runs a server for trials on one machine: with simulated processors, a movable clock, and keys made on the first start.";
    SandboxPublic "sandbox_public" Plainly "false"
        "Runs a sandbox that other machines may reach: it listens on any address and prints no keys. Implies sandbox.";
    AdminApiKey "admin_api_key" Never "none (sandbox: made on the first start)"
        "API key of the operator, who manages merchants and their API keys. Required outside of the sandbox.";
    FormerAdminApiKey "former_admin_api_key" Never "none"
        "Former admin key, accepted in addition to admin_api_key while its users change to the new key. Remove it afterwards.";
    MasterKey "master_key" Never "none (sandbox: made on the first start)"
        "32 bytes as 64 hexadecimal digits; encrypts all keys in the database. Required outside of the sandbox.";
    PublicUrl "public_url" Plainly "http(s)://<listen>"
        "Address by which payers reach this server; every redirect and return link begins with it.";
    ConsoleOrigin "console_origin" Plainly "none (sandbox: at public_url)"
        "Origin of the console, such as https://console.example, with another host than public_url. Outside of the sandbox there is no console without it.";
    BehindProxy "behind_proxy" Plainly "false"
        "Accepts plain HTTP, because a proxy in front of the server terminates TLS.";
    TlsCertificate "tls_certificate" Plainly "none"
        "PEM file with the certificate chain; needs tls_key.";
    TlsKey "tls_key" Plainly "none"
        "PEM file with the certificate's private key, PKCS#8; needs tls_certificate.";
    CorsAllowedOrigins "cors_allowed_origins" Plainly "none (sandbox: any)"
        "Web origins whose pages may call the client operations, such as https://shop.example.";
    NestedErrorBody "nested_error_body" Plainly "false"
        "Adds a nested \"error\" object to error answers, for clients that expect one.";
    OpenSignUp "open_sign_up" Plainly "false (sandbox: true)"
        "Lets anybody sign up as a user. Otherwise the operator invites users (users_invite).";
    MailServer "mail_server" Plainly "none (sandbox: mail is printed in the log)"
        "Server that sends mail to users: smtp://<host> (with STARTTLS), smtps://<host>, or smtp+plain://<host>; a port may follow.";
    MailFrom "mail_from" Plainly "none"
        "Sender of mail, such as payments@shop.example; needs mail_server.";
    MailUser "mail_user" Plainly "none"
        "User name at the mail server; needs mail_password.";
    MailPassword "mail_password" Never "none"
        "Password of mail_user.";
    MailPasswordPage "mail_password_page" Plainly "none (the mail contains the token)"
        "Page on which users choose a password; links in mail lead there, with the token behind #token=.";
    OidcIssuer "oidc_issuer" Plainly "none"
        "Issuer of the OpenID Connect provider by which users may sign in, exactly as in its discovery document: https://id.shop.example.";
    OidcClientId "oidc_client_id" Plainly "none"
        "Client id of this service at the identity provider; needs oidc_issuer.";
    OidcClientSecret "oidc_client_secret" Never "none (a public client)"
        "Secret that the identity provider issued for oidc_client_id.";
    OidcRedirectUrl "oidc_redirect_url" Plainly "none"
        "Page of yours to which the identity provider sends browsers back; needs oidc_issuer.";
    OidcLabel "oidc_label" Plainly "none (the host of oidc_issuer)"
        "Name of the identity provider on pages where users choose how to sign in.";
    OidcEmailDomains "oidc_email_domains" Plainly "none (any user of the provider)"
        "Domains of e-mail addresses, such as shop.example. Only users with a verified address in one of them may sign in by the provider.";
    OidcNewUserMerchant "oidc_new_user_merchant" Plainly "none"
        "Merchant account in which users whom only the provider knows get oidc_new_user_role; needs oidc_email_domains.";
    OidcNewUserRole "oidc_new_user_role" Plainly "none (unknown users are refused unless open_sign_up)"
        "merchant_admin, merchant_developer, merchant_operator or merchant_view_only; needs oidc_new_user_merchant.";
    OidcAllowedTargets "oidc_allowed_targets" Plainly "none"
        "Hosts, IP addresses and networks (10.0.0.0/8) where the identity provider may be although they are not public, also by plain http.";
    OidcTrustedCertificates "oidc_trusted_certificates" Plainly "none"
        "PEM file with certificates to trust in calls to the identity provider, in addition to the machine's.";
    OidcProxy "oidc_proxy" WithoutPassword "none"
        "HTTP proxy for all calls to the identity provider, such as http://proxy.internal:3128.";
    LogFormat "log_format" Plainly "auto"
        "text, json, or auto: text when standard error is a terminal, JSON otherwise.";
    LogLevel "log_level" Plainly "info"
        "error, warn, info, debug, trace or off; by module too, such as info,dropshot=debug.";
    DatabasePoolSize "database_pool_size" Plainly "10"
        "Connections to the database, 1 to 1000.";
    StatementTimeoutMs "statement_timeout_ms" Plainly "5000"
        "Time limit of one database statement, in milliseconds.";
    DatabaseWaitSeconds "database_wait_seconds" Plainly "30"
        "Seconds that a starting server waits for PostgreSQL.";
    DatabaseCheck "database_check" Plainly "auto"
        "Check of the SQLite file for damage at the start: full, quick (without indexes), off, or auto (full up to 256 MB, then quick).";
    RequestBodyLimitBytes "request_body_limit_bytes" Plainly "32768"
        "Largest accepted request body, in bytes.";
    BodyTimeoutMs "body_timeout_ms" Plainly "10000"
        "Time limit for receiving a request body, in milliseconds.";
    MaxRequests "max_requests" Plainly "1024"
        "Requests handled at once, 1 to 100000; further ones are answered with 503 and Retry-After.";
    MaxRequestsPerClient "max_requests_per_client" Plainly "256 (max_requests where that is less)"
        "Requests handled at once from one IPv4 address or one /56 network of IPv6; further ones are answered with 429 and Retry-After.";
    RateLimitPerSecond "rate_limit_per_second" Plainly "100 (public sandbox: 20, sandbox: 0, no limit)"
        "Requests a second for each secret key, and for each publishable key and client address; 0 for no limit.";
    RateLimitBurst "rate_limit_burst" Plainly "200"
        "Requests that such a caller may make at once after a pause.";
    ConnectionGuard "connection_guard" Plainly "auto"
        "Limits connections and closes silent ones: on, off, or auto (on, except in a sandbox on loopback or behind a proxy).";
    MaxConnections "max_connections" Plainly "1024"
        "Open connections that the connection guard allows, 1 to 100000; beyond that the guard closes the slowest.";
    MaxConnectionsPerClient "max_connections_per_client" Plainly "256 (with behind_proxy: max_connections)"
        "Open connections from one IPv4 address or one /56 network of IPv6; beyond that the guard closes the client's slowest.";
    MetricsListen "metrics_listen" Plainly "none"
        "Address and port that serve /metrics for Prometheus, such as 127.0.0.1:9090. Needs no key.";
    IdempotencyRetentionHours "idempotency_retention_hours" Plainly "72"
        "Hours for which the answer to a request with an Idempotency-Key is stored, at least 24.";
    IdempotencyAnswersPerMerchant "idempotency_answers_per_merchant" Plainly "10000000 (public sandbox: 100000)"
        "Stored answers of idempotency keys of one merchant; payers' clients together get a tenth, each of them 100.";
    ChangeSetRetentionDays "change_set_retention_days" Plainly "30"
        "Days for which the ids of commits, with request and API key, are stored.";
    RequestLogPerSecond "request_log_per_second" Plainly "100"
        "Requests a second that a server writes to the request log of its merchants; 0 writes none.";
    RequestLogPerMerchant "request_log_per_merchant" Plainly "10000"
        "Latest requests of one merchant account that the request log keeps.";
    RequestLogRetentionDays "request_log_retention_days" Plainly "7"
        "Days for which the request log keeps requests.";
    SubscriptionDunning "subscription_dunning" Plainly "1d, 3d, 5d, 7d"
        "Pauses between the attempts to charge an invoice, in s, m, h or d, at most ten; none gives up after the first.";
    ProcessorDeadlineMs "processor_deadline_ms" Plainly "30000"
        "Time limit for a processor's answer, in milliseconds; after that the outcome is unknown.";
    ConnectorAllowedTargets "connector_allowed_targets" Plainly "none"
        "Hosts, IP addresses and networks (10.0.0.0/8) that a connector account may name as its base_url, also by plain http.";
    ConnectorTrustedCertificates "connector_trusted_certificates" Plainly "none"
        "PEM file with certificates to trust in calls to processors, in addition to the machine's, such as those of a private authority.";
    ConnectorProxy "connector_proxy" WithoutPassword "none"
        "HTTP proxy for all calls to processors, such as http://proxy.internal:3128.";
    ConnectorAccountConcurrency "connector_account_concurrency" Plainly "64"
        "Concurrent calls of one connector account to its processor, 1 to 1000.";
    ApplePayGatewayUrl "apple_pay_gateway_url" Plainly "https://apple-pay-gateway.apple.com/paymentservices/paymentSession"
        "Address at which Apple Pay validates merchants; it must be public or listed in connector_allowed_targets.";
    ApplePayRootCertificate "apple_pay_root_certificate" Plainly "none"
        "PEM file with a root certificate for Apple Pay's signatures instead of Apple Root CA - G3; for tests.";
    ShutdownDelaySeconds "shutdown_delay_seconds" Plainly "5 (sandbox: 0)"
        "Seconds that a stopping server still takes requests while /health/ready fails, so that load balancers turn away first.";
    ShutdownGraceSeconds "shutdown_grace_seconds" Plainly "30"
        "Seconds that a stopping server waits for requests in flight.";
    WebhookTimeoutMs "webhook_timeout_ms" Plainly "30000"
        "Time limit of one delivery attempt to a merchant's endpoint, in milliseconds.";
    WebhookRetrySchedule "webhook_retry_schedule" Plainly "1m, 2x5m, 5x10m, 5x1h, 3x6h"
        "Pauses before the automatic retries of a webhook, in s, m, h or d; none turns retries off.";
    WebhookRetryJitterPercent "webhook_retry_jitter_percent" Plainly "10"
        "Random extension of each pause, at most this many percent of it; 0 keeps to the schedule.";
    WebhookConcurrency "webhook_concurrency" Plainly "256"
        "Concurrent webhook deliveries, 1 to 10000.";
    WebhookEndpointConcurrency "webhook_endpoint_concurrency" Plainly "16"
        "Concurrent webhook deliveries to one profile's endpoint, 1 to 1000.";
    WebhookAnswerLimitBytes "webhook_answer_limit_bytes" Plainly "16384"
        "Bytes of an endpoint's answer that are stored.";
    WebhookOrderPatienceSeconds "webhook_order_patience_seconds" Plainly "600"
        "Seconds for which a failing webhook delays later ones about the same object.";
    WebhookPauseAfterSeconds "webhook_pause_after_seconds" Plainly "432000"
        "Seconds without a successful delivery after which an endpoint is paused; 0 never pauses one.";
    WebhookAllowedTargets "webhook_allowed_targets" Plainly "none"
        "Hosts, IP addresses and networks (10.0.0.0/8) to which webhooks may go although they are not public, also by plain http.";
    EventRetentionDays "event_retention_days" Plainly "90"
        "Days for which events and their delivery attempts are stored.";
    SimulatorUrl "simulator_url" Plainly "none (the simulator runs inside the server)"
        "Sandbox: address of a separate `multirail simulator`, such as http://127.0.0.1:8090.";
    SimulatorNotices "simulator_notices" Plainly "true"
        "Sandbox: makes the simulated processors send notices to every account that is opened at them.";
    SimulatorDelayMs "simulator_delay_ms" Plainly "0"
        "Sandbox: delay of the simulated processors' answers, in milliseconds.";
}

impl Setting {
    /// Returns the setting with this name in `multirail.toml`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|setting| setting.name() == name)
    }

    /// Returns the name of its environment variable, such as `MULTIRAIL_LISTEN`.
    pub fn variable(self) -> String {
        format!("MULTIRAIL_{}", self.name().to_ascii_uppercase())
    }

    /// Returns the environment variable that names a file with the value, such as `MULTIRAIL_MASTER_KEY_FILE`; `None` unless
    /// the setting is a secret.
    pub fn file_variable(self) -> Option<String> {
        match self.shown() {
            Shown::Plainly => None,
            Shown::Never | Shown::WithoutPassword => Some(format!("{}_FILE", self.variable())),
        }
    }

    /// Returns the option of the command line, such as `--listen`.
    pub fn option(self) -> String {
        format!("--{}", self.name().replace('_', "-"))
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
