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

            /// Returns its name in `multirail.toml`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns its default, in words if it depends on other settings.
            pub fn default_text(self) -> &'static str {
                match self { $(Self::$variant => $default,)* }
            }

            /// Returns its purpose.
            pub fn purpose(self) -> &'static str {
                match self { $(Self::$variant => $purpose,)* }
            }

            /// Returns whether its value may be shown.
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
        "Where payments are kept: sqlite:<path> or postgres://<user>:<password>@<host>/<database>.";
    DataDirectory "data_directory" Plainly "multirail-data"
        "Folder of the SQLite file and of the sandbox's key files.";
    Sandbox "sandbox" Plainly "false (true when no subcommand is given)"
        "Try everything on one machine: processor simulator, movable clock, keys made on the first start.";
    SandboxPublic "sandbox_public" Plainly "false"
        "A sandbox that others may reach: listens anywhere, prints no keys. Implies sandbox.";
    AdminApiKey "admin_api_key" Never "none (sandbox: made on the first start)"
        "The key that manages merchants and their API keys. Required outside of the sandbox.";
    FormerAdminApiKey "former_admin_api_key" Never "none"
        "The admin key of before, taken beside admin_api_key while whoever uses it changes over. Remove it afterwards.";
    MasterKey "master_key" Never "none (sandbox: made on the first start)"
        "32 bytes as 64 hexadecimal digits; protects all keys in the database. Required outside of the sandbox.";
    PublicUrl "public_url" Plainly "http(s)://<listen>"
        "How payers reach this server: the start of every redirect and return link.";
    BehindProxy "behind_proxy" Plainly "false"
        "A proxy in front ends TLS, so that plain HTTP is right here.";
    TlsCertificate "tls_certificate" Plainly "none"
        "PEM file with the certificate chain; goes together with tls_key.";
    TlsKey "tls_key" Plainly "none"
        "PEM file with the certificate's private key in PKCS#8 form.";
    CorsAllowedOrigins "cors_allowed_origins" Plainly "none (sandbox: any)"
        "Web origins whose pages may call the client operations, such as https://shop.example.";
    NestedErrorBody "nested_error_body" Plainly "false"
        "Adds a nested \"error\" object to error answers, for clients that expect one.";
    OpenSignUp "open_sign_up" Plainly "false (sandbox: true)"
        "Whether anybody may sign up as a user. Otherwise the operator invites: users_invite.";
    MailServer "mail_server" Plainly "none (sandbox: mail is printed in the log)"
        "Where mail to users is handed over: smtp://<host> (with STARTTLS), smtps://<host>, or smtp+plain://<host>; a port may follow.";
    MailFrom "mail_from" Plainly "none"
        "From whom mail comes, such as payments@shop.example; goes together with mail_server.";
    MailUser "mail_user" Plainly "none"
        "Who signs in to the mail server; goes together with mail_password.";
    MailPassword "mail_password" Never "none"
        "The password of mail_user.";
    MailPasswordPage "mail_password_page" Plainly "none (the mail says the token)"
        "Where a password is chosen in a browser; mail leads there with the token behind #token=.";
    OidcIssuer "oidc_issuer" Plainly "none"
        "The identity provider that users may sign in by (OpenID Connect), as it writes itself: https://id.shop.example.";
    OidcClientId "oidc_client_id" Plainly "none"
        "What this service is called at the identity provider; goes together with oidc_issuer.";
    OidcClientSecret "oidc_client_secret" Never "none (a public client)"
        "The secret that the identity provider has given out for oidc_client_id.";
    OidcRedirectUrl "oidc_redirect_url" Plainly "none"
        "The page of yours that the identity provider sends browsers back to; goes together with oidc_issuer.";
    OidcLabel "oidc_label" Plainly "none (the host of oidc_issuer)"
        "What the identity provider is called where people choose how to sign in.";
    OidcEmailDomains "oidc_email_domains" Plainly "none (everybody whom the provider lets in)"
        "Domains of e-mail addresses, such as shop.example: with them only who has a verified one there signs in by the provider.";
    OidcNewUserMerchant "oidc_new_user_merchant" Plainly "none"
        "The merchant account in which whoever comes by the provider and has no account gets oidc_new_user_role; needs oidc_email_domains.";
    OidcNewUserRole "oidc_new_user_role" Plainly "none (who has no account is refused unless open_sign_up)"
        "merchant_admin, merchant_developer, merchant_operator or merchant_view_only; goes together with oidc_new_user_merchant.";
    OidcAllowedTargets "oidc_allowed_targets" Plainly "none"
        "Hosts, IP addresses and networks (10.0.0.0/8) where the identity provider may be although they are not public; plain http too.";
    OidcTrustedCertificates "oidc_trusted_certificates" Plainly "none"
        "PEM file with certificates that are trusted in calls to the identity provider beside the machine's.";
    OidcProxy "oidc_proxy" WithoutPassword "none"
        "An HTTP proxy that all calls to the identity provider go through, such as http://proxy.internal:3128.";
    LogFormat "log_format" Plainly "auto"
        "text, json, or auto: text when standard error is a terminal, JSON otherwise.";
    LogLevel "log_level" Plainly "info"
        "error, warn, info, debug or trace; by module too, such as info,dropshot=debug.";
    DatabasePoolSize "database_pool_size" Plainly "10"
        "Connections kept to the database, 1 to 1000.";
    StatementTimeoutMs "statement_timeout_ms" Plainly "5000"
        "How long one database statement may take, in milliseconds.";
    DatabaseWaitSeconds "database_wait_seconds" Plainly "30"
        "How long a start waits for a PostgreSQL that is not up yet, in seconds.";
    DatabaseCheck "database_check" Plainly "auto"
        "How a start looks for damage of the SQLite file: full, quick (not the indexes), off, or auto: full up to 256 MB, then quick.";
    RequestBodyLimitBytes "request_body_limit_bytes" Plainly "32768"
        "Largest accepted request body, in bytes.";
    BodyTimeoutMs "body_timeout_ms" Plainly "10000"
        "How long a client may take to send its request body, in milliseconds.";
    MaxRequests "max_requests" Plainly "1024"
        "Requests worked on at once, 1 to 100000; more are answered with 503 and Retry-After.";
    MaxRequestsPerClient "max_requests_per_client" Plainly "256 (max_requests where that is less)"
        "Of these from one address, or from one /56 network of IPv6; more are answered with 429 and Retry-After.";
    RateLimitPerSecond "rate_limit_per_second" Plainly "100 (public sandbox: 20, sandbox: 0, no limit)"
        "Requests a second for each secret key, and for each publishable key and client address; 0 for no limit.";
    RateLimitBurst "rate_limit_burst" Plainly "200"
        "Requests that such a caller may make at once after a pause.";
    ConnectionGuard "connection_guard" Plainly "auto"
        "on, off, or auto: on unless this is a sandbox on loopback or a proxy is in front. Limits connections and ends silent ones.";
    MaxConnections "max_connections" Plainly "1024"
        "Connections that the connection guard lets in at once, 1 to 100000; beyond that the slowest are closed.";
    MaxConnectionsPerClient "max_connections_per_client" Plainly "256 (with behind_proxy: max_connections)"
        "Of these from one address, or from one /56 network of IPv6; beyond that the client's slowest are closed.";
    MetricsListen "metrics_listen" Plainly "none"
        "Address and port that serve /metrics for Prometheus, such as 127.0.0.1:9090. It asks for no key.";
    IdempotencyRetentionHours "idempotency_retention_hours" Plainly "72"
        "How long the answer to a request with an Idempotency-Key is kept, in hours, at least 24.";
    IdempotencyAnswersPerMerchant "idempotency_answers_per_merchant" Plainly "10000000 (public sandbox: 100000)"
        "How many such answers may be stored for one merchant; a tenth for all its payers' clients, 100 for each.";
    ChangeSetRetentionDays "change_set_retention_days" Plainly "30"
        "How long it is remembered who committed what in which request, in days.";
    SubscriptionDunning "subscription_dunning" Plainly "1d, 3d, 5d, 7d"
        "Pauses before the invoice of a subscription is charged again, in s, m, h or d, at most ten; none to give up at once.";
    ProcessorDeadlineMs "processor_deadline_ms" Plainly "30000"
        "How long a processor may take to answer, in milliseconds; after that the outcome is unknown.";
    ConnectorAllowedTargets "connector_allowed_targets" Plainly "none"
        "Hosts, IP addresses and networks (10.0.0.0/8) that a connector account may name as its base_url; plain http too.";
    ConnectorTrustedCertificates "connector_trusted_certificates" Plainly "none"
        "PEM file with certificates that are trusted in calls to processors beside the machine's: of a gateway with an authority of its own.";
    ConnectorProxy "connector_proxy" WithoutPassword "none"
        "An HTTP proxy that all calls to processors go through, such as http://proxy.internal:3128.";
    ConnectorAccountConcurrency "connector_account_concurrency" Plainly "64"
        "Calls that one connector account may have under way at its processor, 1 to 1000.";
    ApplePayGatewayUrl "apple_pay_gateway_url" Plainly "https://apple-pay-gateway.apple.com/paymentservices/paymentSession"
        "Where Apple Pay validates merchants; another address has to be public, or one of connector_allowed_targets.";
    ApplePayRootCertificate "apple_pay_root_certificate" Plainly "none"
        "PEM file with the certificate that signatures of Apple Pay have to come from, where it isn't Apple Root CA - G3: for tests.";
    ShutdownDelaySeconds "shutdown_delay_seconds" Plainly "5 (sandbox: 0)"
        "How long a server that is told to stop says so at /health/ready and goes on, so that load balancers turn away first.";
    ShutdownGraceSeconds "shutdown_grace_seconds" Plainly "30"
        "How long a stop waits for requests in flight, in seconds.";
    WebhookTimeoutMs "webhook_timeout_ms" Plainly "30000"
        "How long a whole exchange with a merchant's endpoint may take, in milliseconds.";
    WebhookRetrySchedule "webhook_retry_schedule" Plainly "1m, 2x5m, 5x10m, 5x1h, 3x6h"
        "Pauses before the automatic retries of a webhook, in s, m, h or d; none for no retries.";
    WebhookRetryJitterPercent "webhook_retry_jitter_percent" Plainly "10"
        "By how much of itself such a pause is drawn out at most, by chance; 0 keeps to the schedule.";
    WebhookConcurrency "webhook_concurrency" Plainly "256"
        "Webhooks on their way at once, 1 to 10000.";
    WebhookEndpointConcurrency "webhook_endpoint_concurrency" Plainly "16"
        "Of these to one profile's endpoint, 1 to 1000.";
    WebhookAnswerLimitBytes "webhook_answer_limit_bytes" Plainly "16384"
        "How much of an endpoint's answer is kept, in bytes.";
    WebhookOrderPatienceSeconds "webhook_order_patience_seconds" Plainly "600"
        "How long a failing webhook holds up later ones of the same object, in seconds.";
    WebhookPauseAfterSeconds "webhook_pause_after_seconds" Plainly "432000"
        "After how long without a single success an endpoint is paused, in seconds; 0 for never.";
    WebhookAllowedTargets "webhook_allowed_targets" Plainly "none"
        "Hosts, IP addresses and networks (10.0.0.0/8) that webhooks may go to although they are not public; plain http too.";
    EventRetentionDays "event_retention_days" Plainly "90"
        "How long events and the tries to deliver them are kept, in days.";
    SimulatorUrl "simulator_url" Plainly "none (the simulator runs inside the server)"
        "Sandbox: where `multirail simulator` listens, such as http://127.0.0.1:8090, when it runs on its own.";
    SimulatorNotices "simulator_notices" Plainly "true"
        "Sandbox: the simulated processors send notices to every account that is opened at them.";
    SimulatorDelayMs "simulator_delay_ms" Plainly "0"
        "Sandbox: how long the simulated processors take to answer, in milliseconds.";
}

impl Setting {
    /// Returns the setting with this name in `multirail.toml`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|setting| setting.name() == name)
    }

    /// Returns the environment variable that sets it: `MULTIRAIL_LISTEN`.
    pub fn variable(self) -> String {
        format!("MULTIRAIL_{}", self.name().to_ascii_uppercase())
    }

    /// Returns the environment variable that names a file with its value, for secrets: `MULTIRAIL_MASTER_KEY_FILE`.
    pub fn file_variable(self) -> Option<String> {
        match self.shown() {
            Shown::Plainly => None,
            Shown::Never | Shown::WithoutPassword => Some(format!("{}_FILE", self.variable())),
        }
    }

    /// Returns the option that sets it: `--listen`.
    pub fn option(self) -> String {
        format!("--{}", self.name().replace('_', "-"))
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
