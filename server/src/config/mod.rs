//! The configuration: options before environment before file before defaults.
//!
//! [`Config::read`] reads every value and reports everything that is wrong at once. [`Config::check`] then applies the
//! rules between settings, above all those that keep a server outside of the sandbox from starting half protected.

mod check;
mod connectors;
mod console;
mod foreign;
pub mod key_files;
mod layers;
mod mail;
mod oidc;
mod permissions;
mod print;
mod problem;
mod request_log;
mod setting;
mod trusted_certificates;
mod values;
mod webhooks;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use multirail_billing_domain::dunning::{DunningSchedule, UnreadableDunning};
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::{AllowedTargets, TargetRules};
use multirail_seal::MasterKey;
use rustls::pki_types::CertificateDer;
use url::Url;

use crate::telemetry::LogFormat;
use key_files::MASTER_KEY_FILE;
use layers::{Layers, Raw};
use values::Value;

pub use connectors::Connectors;
pub use layers::Inputs;
pub use mail::{MailSecurity, MailServer, MailSettings};
pub use oidc::OidcConfig;
pub use problem::{Problem, Problems, Source};
pub use request_log::RequestLog;
pub use setting::{Setting, Shown};
pub use trusted_certificates::read as read_certificates;
pub use values::{ConnectionGuard, CorsOrigins, DatabaseCheck, DatabaseEngine, DatabaseUrl};
pub use webhooks::Webhooks;

/// The default of connections of one client: a quarter of all.
const MAX_CONNECTIONS_PER_CLIENT: u64 = 256;

/// The default of requests of one client: a quarter of all.
const MAX_REQUESTS_PER_CLIENT: u64 = 256;

/// The kind of server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mode {
    /// Moves real money.
    Production,
    /// For trials on this machine; reachable from here only.
    Sandbox,
    /// For shared trials; prints no keys, calls no loopback addresses.
    PublicSandbox,
}

/// Certificate and key of a server that speaks TLS itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Tls {
    /// PEM file with the certificate chain.
    pub certificate: PathBuf,
    /// PEM file with the private key, PKCS#8.
    pub key: PathBuf,
}

/// The settings of one server. Prints without secrets.
#[derive(Clone)]
pub struct Config {
    /// Address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database of the payments.
    pub database_url: DatabaseUrl,
    /// Folder for the files that the server creates.
    pub data_directory: PathBuf,
    /// Production or one of the sandboxes.
    pub mode: Mode,
    /// As given: use [`crate::sandbox_keys::keys_for`], which knows the sandbox's.
    pub admin_api_key: Option<SecretText>,
    /// The former admin key, while it is still accepted.
    pub former_admin_api_key: Option<SecretText>,
    /// As given: use [`crate::sandbox_keys::keys_for`], which knows the sandbox's.
    pub master_key: Option<MasterKey>,
    /// As given: use [`Config::public_url`], which knows the default.
    pub given_public_url: Option<String>,
    /// The console's own origin, if it has one.
    pub console_origin: Option<Url>,
    /// Whether a proxy in front terminates TLS.
    pub behind_proxy: bool,
    /// Certificate and key, when this server speaks TLS itself.
    pub tls: Option<Tls>,
    /// The origins whose pages may call client operations.
    pub cors_allowed_origins: CorsOrigins,
    /// Whether error answers get the nested `error` object too.
    pub nested_error_body: bool,
    /// Whether anybody may sign up as a user.
    pub open_sign_up: bool,
    /// The server that takes mail to users.
    pub mail: MailSettings,
    /// The provider by which users may sign in, in addition to passwords.
    pub oidc: OidcConfig,
    /// The format of log lines.
    pub log_format: LogFormat,
    /// The level of log lines, in the form that [`crate::telemetry::filter`] reads.
    pub log_level: String,
    /// Connections to the database.
    pub database_pool_size: u32,
    /// Limit for one database statement.
    pub statement_timeout: Duration,
    /// How long a start waits for a database that is not up yet.
    pub database_wait: Duration,
    /// How a start looks for damage of the SQLite file.
    pub database_check: DatabaseCheck,
    /// Largest accepted request body, in bytes.
    pub request_body_limit_bytes: usize,
    /// Limit for receiving a request body.
    pub body_timeout: Duration,
    /// Requests worked on at once.
    pub max_requests: usize,
    /// The most requests worked on at once from one client's network.
    pub max_requests_per_client: usize,
    /// Requests a second for each caller; 0 for no limit.
    pub rate_limit_per_second: u32,
    /// Requests that a caller may make at once after a pause.
    pub rate_limit_burst: u32,
    /// As given: use [`Config::has_connection_guard`], which resolves `auto`.
    pub connection_guard: ConnectionGuard,
    /// Connections that the guard lets in at once.
    pub max_connections: usize,
    /// The most connections from one address, or from one /56 network of IPv6.
    pub max_connections_per_client: usize,
    /// The address of the metrics.
    pub metrics_listen: Option<SocketAddr>,
    /// How long the answers of requests with an idempotency key are stored, in hours.
    pub idempotency_retention_hours: i64,
    /// The most answers that may be stored for one merchant.
    pub idempotency_answers_per_merchant: u32,
    /// How long the rows that prove commits are stored, in days.
    pub change_set_retention_days: i64,
    /// Limits of the request log.
    pub request_log: RequestLog,
    /// Pauses between the attempts to charge an invoice.
    pub subscription_dunning: DunningSchedule,
    /// How long a processor may take to answer.
    pub processor_deadline: Duration,
    /// The settings of calls to processors.
    pub connectors: Connectors,
    /// How long a stopping server goes on while it reports that it isn't ready.
    pub shutdown_delay: Duration,
    /// How long a stop waits for requests in flight.
    pub shutdown_grace: Duration,
    /// As given: use [`Config::webhook_targets`], which knows what the mode allows.
    pub webhook_allowed_targets: AllowedTargets,
    /// The settings of webhook deliveries.
    pub webhooks: Webhooks,
    /// The address of the simulated processors, if they run in a process of their own.
    pub simulator_address: Option<SocketAddr>,
    /// Whether the simulated processors send notices to every account that is opened at them.
    pub simulator_notices: bool,
    /// How long the simulated processors take to answer.
    pub simulator_delay: Duration,
    sources: BTreeMap<Setting, Source>,
}

impl Config {
    /// Reads all settings.
    ///
    /// # Errors
    ///
    /// Every value of the wrong form, every unknown key of the file or variable, and every file that can't be read,
    /// together.
    pub fn read(inputs: &Inputs) -> Result<Self, Problems> {
        let layers = Layers::gather(inputs);
        let mut reader = Reader {
            found: layers.found,
            problems: layers.problems,
            sources: BTreeMap::new(),
        };
        let mode = reader.mode(inputs.is_sandbox_by_default);
        let data_directory = reader.or(
            Setting::DataDirectory,
            values::path,
            "multirail-data".into(),
        );
        let database_url = reader
            .maybe(Setting::DatabaseUrl, values::database_url)
            .unwrap_or_else(|| {
                let path = data_directory.join("multirail.sqlite");
                DatabaseUrl::parse(&format!("sqlite:{}", path.display()))
                    .expect("sqlite: and a path is an address")
            });
        let default_origins = match mode {
            Mode::Production => CorsOrigins::Listed(Vec::new()),
            Mode::Sandbox | Mode::PublicSandbox => CorsOrigins::Any,
        };
        let default_rate = match mode {
            Mode::Production => 100,
            Mode::PublicSandbox => 20,
            Mode::Sandbox => 0,
        };
        let default_answers = match mode {
            Mode::Production | Mode::Sandbox => 10_000_000,
            Mode::PublicSandbox => 100_000,
        };
        let is_sandbox = match mode {
            Mode::Production => false,
            Mode::Sandbox | Mode::PublicSandbox => true,
        };
        let behind_proxy = reader.or(Setting::BehindProxy, values::yes_or_no, false);
        let max_connections = reader.number(Setting::MaxConnections, 1..=100_000, 1_024);
        // All connections of a proxy come from one address.
        let default_per_client = if behind_proxy {
            max_connections
        } else {
            MAX_CONNECTIONS_PER_CLIENT
        };
        let max_requests = reader.number(Setting::MaxRequests, 1..=100_000, 1_024);
        let config = Self {
            listen: reader.or(Setting::Listen, values::address, default_listen()),
            database_url,
            data_directory,
            mode,
            admin_api_key: reader.maybe(Setting::AdminApiKey, values::admin_api_key),
            former_admin_api_key: reader.maybe(Setting::FormerAdminApiKey, values::admin_api_key),
            master_key: reader.maybe(Setting::MasterKey, values::master_key),
            given_public_url: reader.maybe(Setting::PublicUrl, values::public_url),
            console_origin: reader.maybe(Setting::ConsoleOrigin, console::origin),
            behind_proxy,
            tls: reader.tls(),
            cors_allowed_origins: reader.or(
                Setting::CorsAllowedOrigins,
                values::origins,
                default_origins,
            ),
            nested_error_body: reader.or(Setting::NestedErrorBody, values::yes_or_no, false),
            open_sign_up: reader.or(Setting::OpenSignUp, values::yes_or_no, is_sandbox),
            mail: MailSettings::read(&mut reader),
            oidc: OidcConfig::read(&mut reader),
            log_format: reader.or(Setting::LogFormat, values::log_format, LogFormat::Auto),
            log_level: reader.or(Setting::LogLevel, values::log_level, "info".to_owned()),
            database_pool_size: reader.number(Setting::DatabasePoolSize, 1..=1_000, 10) as u32,
            statement_timeout: reader.ms(Setting::StatementTimeoutMs, 1..=600_000, 5_000),
            database_wait: Duration::from_secs(reader.number(
                Setting::DatabaseWaitSeconds,
                0..=3_600,
                30,
            )),
            database_check: reader.or(
                Setting::DatabaseCheck,
                values::database_check,
                DatabaseCheck::Auto,
            ),
            request_body_limit_bytes: reader.number(
                Setting::RequestBodyLimitBytes,
                1_024..=16_777_216,
                32_768,
            ) as usize,
            body_timeout: reader.ms(Setting::BodyTimeoutMs, 100..=600_000, 10_000),
            max_requests: max_requests as usize,
            max_requests_per_client: reader.number(
                Setting::MaxRequestsPerClient,
                1..=100_000,
                MAX_REQUESTS_PER_CLIENT.min(max_requests),
            ) as usize,
            rate_limit_per_second: reader.number(
                Setting::RateLimitPerSecond,
                0..=1_000_000,
                default_rate,
            ) as u32,
            rate_limit_burst: reader.number(Setting::RateLimitBurst, 1..=1_000_000, 200) as u32,
            connection_guard: reader.or(
                Setting::ConnectionGuard,
                values::connection_guard,
                ConnectionGuard::Auto,
            ),
            max_connections: max_connections as usize,
            max_connections_per_client: reader.number(
                Setting::MaxConnectionsPerClient,
                1..=100_000,
                default_per_client,
            ) as usize,
            metrics_listen: reader.maybe(Setting::MetricsListen, values::address),
            idempotency_retention_hours: reader.number(
                Setting::IdempotencyRetentionHours,
                24..=8_760,
                72,
            ) as i64,
            idempotency_answers_per_merchant: reader.number(
                Setting::IdempotencyAnswersPerMerchant,
                1_000..=1_000_000_000,
                default_answers,
            ) as u32,
            change_set_retention_days: reader.number(Setting::ChangeSetRetentionDays, 1..=3_650, 30)
                as i64,
            request_log: RequestLog::read(&mut reader),
            subscription_dunning: reader.or(
                Setting::SubscriptionDunning,
                dunning,
                DunningSchedule::default(),
            ),
            processor_deadline: reader.ms(Setting::ProcessorDeadlineMs, 100..=600_000, 30_000),
            connectors: Connectors::read(&mut reader),
            shutdown_delay: Duration::from_secs(reader.number(
                Setting::ShutdownDelaySeconds,
                0..=600,
                if is_sandbox { 0 } else { 5 },
            )),
            shutdown_grace: Duration::from_secs(reader.number(
                Setting::ShutdownGraceSeconds,
                0..=3_600,
                30,
            )),
            webhook_allowed_targets: reader.or(
                Setting::WebhookAllowedTargets,
                values::targets,
                AllowedTargets::default(),
            ),
            webhooks: Webhooks::read(&mut reader),
            simulator_address: reader.maybe(Setting::SimulatorUrl, values::loopback_url),
            simulator_notices: reader.or(Setting::SimulatorNotices, values::yes_or_no, true),
            simulator_delay: reader.ms(Setting::SimulatorDelayMs, 0..=600_000, 0),
            sources: reader.sources,
        };
        if reader.problems.is_empty() {
            Ok(config)
        } else {
            Err(Problems(reader.problems))
        }
    }

    /// Returns whether this is a sandbox, public or not.
    pub fn is_sandbox(&self) -> bool {
        match self.mode {
            Mode::Production => false,
            Mode::Sandbox | Mode::PublicSandbox => true,
        }
    }

    /// Returns the file with the master key, if the key comes from a file that can be read again.
    pub fn master_key_file(&self) -> Option<PathBuf> {
        match self.sources.get(&Setting::MasterKey) {
            Some(Source::FileOf { path, .. }) => Some(path.clone()),
            Some(Source::Option(_) | Source::Variable(_) | Source::ConfigFile(_)) => None,
            Some(Source::Default | Source::NoSubcommand | Source::Implied(_)) | None => {
                let is_made = self.is_sandbox() && self.master_key.is_none();
                is_made.then(|| self.data_directory.join(MASTER_KEY_FILE))
            }
        }
    }

    /// Returns whether the connection guard stands in front of the server.
    pub fn has_connection_guard(&self) -> bool {
        match (self.connection_guard, self.mode) {
            (ConnectionGuard::On, _) => true,
            (ConnectionGuard::Off, _) | (ConnectionGuard::Auto, Mode::Sandbox) => false,
            (ConnectionGuard::Auto, Mode::Production | Mode::PublicSandbox) => !self.behind_proxy,
        }
    }

    /// Returns the start of every link that payers get, without a slash at its end. `bound` is the address that the server
    /// listens on, which port 0 leaves open until then.
    pub fn public_url(&self, bound: SocketAddr) -> String {
        if let Some(url) = &self.given_public_url {
            return url.clone();
        }
        self.own_url(bound)
    }

    /// Returns the address by which this machine reaches the server, whatever its public address is. `bound` is as for
    /// [`Self::public_url`].
    pub fn own_url(&self, bound: SocketAddr) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        // The wildcard address can't be connected to.
        let reachable = match bound.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        format!("{scheme}://{}", SocketAddr::new(reachable, bound.port()))
    }

    /// Returns the allowed targets of webhooks. A private sandbox may call this machine: whoever configures it is on this
    /// machine already.
    pub fn webhook_targets(&self) -> TargetRules {
        TargetRules {
            allows_http: self.is_sandbox(),
            allows_loopback: self.mode == Mode::Sandbox,
            allowed: self.webhook_allowed_targets.clone(),
        }
    }

    /// Returns the allowed targets of an account's own `base_url`: cards are sent there, so that a public address is not
    /// enough. A private sandbox may call a stand-in on this machine.
    pub fn connector_targets(&self) -> TargetRules {
        let is_private_sandbox = self.mode == Mode::Sandbox;
        TargetRules {
            allows_http: is_private_sandbox,
            allows_loopback: is_private_sandbox,
            allowed: self.connectors.allowed_targets.clone(),
        }
    }

    /// Returns the allowed targets of the identity provider. In a private sandbox it may be on this machine.
    pub fn oidc_targets(&self) -> TargetRules {
        let is_private_sandbox = self.mode == Mode::Sandbox;
        TargetRules {
            allows_http: is_private_sandbox,
            allows_loopback: is_private_sandbox,
            allowed: self.oidc.allowed_targets.clone(),
        }
    }

    /// Returns the certificates, in DER, that are trusted in calls to processors, in addition to the machine's.
    ///
    /// # Errors
    /// Fails when a file can't be read, or holds something else.
    pub fn connector_certificates(&self) -> Result<Vec<CertificateDer<'static>>, Problem> {
        let path = self.connectors.trusted_certificates.as_ref();
        self.certificates(Setting::ConnectorTrustedCertificates, path)
    }

    /// Returns the certificates that are trusted in calls to the identity provider, in addition to the machine's.
    ///
    /// # Errors
    /// As [`Config::connector_certificates`].
    pub fn oidc_certificates(&self) -> Result<Vec<CertificateDer<'static>>, Problem> {
        let path = self.oidc.trusted_certificates.as_ref();
        self.certificates(Setting::OidcTrustedCertificates, path)
    }

    fn certificates(
        &self,
        setting: Setting,
        path: Option<&PathBuf>,
    ) -> Result<Vec<CertificateDer<'static>>, Problem> {
        let Some(path) = path else {
            return Ok(Vec::new());
        };
        trusted_certificates::read(path)
            .map_err(|what| Problem::new(setting, self.source(setting), what))
    }

    /// Returns the source of a setting's value.
    pub fn source(&self, setting: Setting) -> &Source {
        self.sources.get(&setting).unwrap_or(&Source::Default)
    }
}

fn default_listen() -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080)
}

/// Takes values out of the layers, and collects their sources and problems.
struct Reader {
    found: BTreeMap<Setting, (Raw, Source)>,
    problems: Vec<Problem>,
    sources: BTreeMap<Setting, Source>,
}

impl Reader {
    fn maybe<T>(&mut self, setting: Setting, read: impl FnOnce(&Raw) -> Value<T>) -> Option<T> {
        let (raw, source) = self.found.remove(&setting)?;
        let value = read(&raw)
            .map_err(|what| self.problems.push(Problem::new(setting, &source, what)))
            .ok();
        self.sources.insert(setting, source);
        value
    }

    fn or<T>(&mut self, setting: Setting, read: impl FnOnce(&Raw) -> Value<T>, default: T) -> T {
        self.maybe(setting, read).unwrap_or(default)
    }

    fn number(
        &mut self,
        setting: Setting,
        range: std::ops::RangeInclusive<u64>,
        default: u64,
    ) -> u64 {
        self.or(setting, |raw| values::whole_number(raw, range), default)
    }

    fn ms(
        &mut self,
        setting: Setting,
        range: std::ops::RangeInclusive<u64>,
        default: u64,
    ) -> Duration {
        Duration::from_millis(self.number(setting, range, default))
    }

    fn mode(&mut self, is_sandbox_by_default: bool) -> Mode {
        let is_public = self.or(Setting::SandboxPublic, values::yes_or_no, false);
        let sandbox = self.maybe(Setting::Sandbox, values::yes_or_no);
        let implied = if is_public {
            Some(Source::Implied(Setting::SandboxPublic))
        } else {
            is_sandbox_by_default.then_some(Source::NoSubcommand)
        };
        match (sandbox, is_public, implied) {
            (Some(false), true, _) => {
                let source = self.sources[&Setting::Sandbox].clone();
                let what = "is false, yet sandbox_public asks for a sandbox; keep one of them";
                self.problems
                    .push(Problem::new(Setting::Sandbox, &source, what));
                Mode::Production
            }
            (Some(false), false, _) | (None, _, None) => Mode::Production,
            (Some(true), true, _) => Mode::PublicSandbox,
            (Some(true), false, _) => Mode::Sandbox,
            (None, is_public, Some(source)) => {
                self.sources.entry(Setting::Sandbox).or_insert(source);
                if is_public {
                    Mode::PublicSandbox
                } else {
                    Mode::Sandbox
                }
            }
        }
    }

    fn tls(&mut self) -> Option<Tls> {
        let certificate = self.maybe(Setting::TlsCertificate, values::path);
        let key = self.maybe(Setting::TlsKey, values::path);
        let (given, missing) = match (certificate, key) {
            (Some(certificate), Some(key)) => return Some(Tls { certificate, key }),
            (None, None) => return None,
            (Some(_), None) => (Setting::TlsCertificate, Setting::TlsKey),
            (None, Some(_)) => (Setting::TlsKey, Setting::TlsCertificate),
        };
        let source = self.sources[&given].clone();
        let what = format!("needs {missing} beside it");
        self.problems.push(Problem::new(given, &source, what));
        None
    }
}

fn dunning(raw: &Raw) -> Value<DunningSchedule> {
    let text = values::text(raw)?;
    text.parse()
        .map_err(|error: UnreadableDunning| format!("{error}, not {text:?}"))
}

#[cfg(test)]
mod tests;
