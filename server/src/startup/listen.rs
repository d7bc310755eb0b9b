//! Binding the address and everything that has to know it.

use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use dropshot::{ConfigDropshot, ConfigTls, HandlerTaskMode, HttpServer, ServerBuilder};
use multirail_api::{Limits, RESERVED, register};
use multirail_app::audit::Notes;
use multirail_app::card_codes::CardCodes;
use multirail_app::customers::RedactionNotifier;
use multirail_app::ended_requests::EndedRequests;
use multirail_app::events::DeliveryNotifier;
use multirail_app::keys::KeyNotifier;
use multirail_app::notices::NoticeNotifier;
use multirail_app::ports::{Clock, NoticeRegistrar, PayerPages};
use multirail_app::questions::Questions;
use multirail_app::subscriptions::BillingNotifier;
use multirail_app::users::MailNotifier;
use multirail_app::{App, Settings};
use multirail_domain::random::Random;
use multirail_guard::Guard;
use multirail_seal::Argon2Passwords;
use multirail_simulator::processor::{Ledger, Processor};

use super::StartupError;
use super::connectors;
use super::mail;
use super::oidc;
use super::open::Opened;
use super::pages::SimulatorPages;
use super::public_listener::PublicListener;
use super::simulated_notices::SimulatedRegistrar;
use super::webhooks;
use crate::config::{Config, CorsOrigins, DatabaseEngine};
use crate::sandbox_keys::{Keys, create_directory};
use crate::telemetry;
use multirail_http::cors::Cors;
use multirail_http::document::Document;
use multirail_http::event_content::AsAnswered;
use multirail_http::hooks::HttpHooks;
use multirail_http::stopping::Stopping;
use multirail_http::{Api, Context, HttpState};

/// How often a free port is looked for: another program may take it between looking and binding.
const TRIES: usize = 16;

/// A bound server.
pub(super) struct Bound {
    pub address: SocketAddr,
    pub url: String,
    pub app: Arc<App>,
    pub processor: Option<Arc<Processor>>,
    pub server: HttpServer<Context>,
    /// The state that every request can reach.
    pub state: Context,
    /// What stands in front of the server, if anything does.
    pub guard: Option<Guard>,
}

pub(super) async fn listen(
    config: &Config,
    keys: &Keys,
    opened: &Opened,
    random: &Arc<dyn Random>,
) -> Result<Bound, StartupError> {
    let mut refused = String::new();
    let tries = if config.listen.port() == 0 { TRIES } else { 1 };
    for _ in 0..tries {
        // Links that payers get contain the port, so it is settled before anything is built.
        let listener = PublicListener::open(config).await?;
        let address = match (listener.address(), config.listen.port()) {
            (Some(address), _) => address,
            (None, 0) => free_port(config.listen)?,
            (None, _) => config.listen,
        };
        let url = config.public_url(address);
        let processor = match (config.is_sandbox(), config.simulator_address) {
            (true, None) => Some(processor(config, &url, opened, random)?),
            (true, Some(_)) | (false, _) => None,
        };
        let own_url = config.own_url(address);
        let app = app(config, &url, &own_url, opened, random, processor.as_ref())?;
        let app = Arc::new(app);
        match serve(config, keys, address, &app, processor.as_ref(), &listener) {
            Ok((server, state)) => {
                return Ok(Bound {
                    state,
                    address,
                    url,
                    app,
                    processor,
                    guard: listener.guard(config, server.local_addr()),
                    server,
                });
            }
            Err(why) => refused = why,
        }
    }
    Err(StartupError::Listen {
        address: config.listen,
        reason: refused,
    })
}

/// The simulated processor, with a ledger of its own beside our database.
pub(super) fn processor(
    config: &Config,
    url: &str,
    opened: &Opened,
    random: &Arc<dyn Random>,
) -> Result<Arc<Processor>, StartupError> {
    // With PostgreSQL and keys that were given nobody else has made it.
    create_directory(&config.data_directory).map_err(|error| {
        let folder = config.data_directory.display();
        StartupError::Refused(format!("can't make {folder}: {error}"))
    })?;
    let path = config.data_directory.join("simulator.sqlite");
    let ledger = Ledger::open(&path)
        .map_err(|error| StartupError::Database(format!("the simulator's ledger: {error}")))?;
    let clock: Arc<dyn Clock> = opened.clock.clone();
    let processor = Processor::new(ledger, url, clock, Arc::clone(random));
    processor.script().set_delay(config.simulator_delay);
    Ok(Arc::new(processor))
}

fn free_port(listen: SocketAddr) -> Result<SocketAddr, StartupError> {
    TcpListener::bind(listen)
        .and_then(|listener| listener.local_addr())
        .map_err(|error| StartupError::Listen {
            address: listen,
            reason: error.to_string(),
        })
}

pub(super) fn app(
    config: &Config,
    url: &str,
    own_url: &str,
    opened: &Opened,
    random: &Arc<dyn Random>,
    processor: Option<&Arc<Processor>>,
) -> Result<App, StartupError> {
    Ok(App {
        store: opened.store.clone(),
        events: opened.store.clone(),
        webhooks: webhooks::sender(config),
        event_content: Arc::new(AsAnswered),
        deliveries: DeliveryNotifier::default(),
        clock: opened.clock.clone(),
        random: Arc::clone(random),
        seal: opened.seal.clone(),
        installation_keys: opened.seal.clone(),
        key_store: opened.store.clone(),
        passwords: Arc::new(Argon2Passwords::new(
            opened.ring.clone(),
            Arc::clone(random),
        )),
        tokens: opened.seal.clone(),
        key_changes: KeyNotifier::default(),
        vault: Arc::clone(&opened.vault),
        connectors: Arc::new(connectors::directory(config, processor)?),
        notice_registrar: registrar(config, own_url, processor),
        merchant_sessions: Arc::new(connectors::apple_pay(config)?),
        wallet_opener: Arc::new(connectors::wallets(config)?),
        codes: CardCodes::default(),
        notices: NoticeNotifier::default(),
        redactions: RedactionNotifier::default(),
        mailer: mail::mailer(config)?,
        mails: MailNotifier::default(),
        oidc: oidc::provider(config, opened.clock.clone())?,
        billing: BillingNotifier::default(),
        ended_requests: EndedRequests::default(),
        questions: Questions::default(),
        account_questions: connectors::questions(config),
        audit_notes: Notes::default(),
        worker_health: Arc::default(),
        settings: Settings {
            sandbox: config.is_sandbox(),
            open_sign_up: config.open_sign_up,
            password_page: config.mail.password_page.clone(),
            public_url: url.to_owned(),
            processor_deadline: config.processor_deadline,
            alone_since: opened.alone_since,
            reserved_payment_ids: reserved("payment_id"),
            reserved_customer_ids: reserved("customer_id"),
            reserved_refund_ids: reserved("refund_id"),
            client_secret_seconds: config.client_secret_seconds,
            idempotency_retention_seconds: config.idempotency_retention_hours * 3_600,
            change_set_retention_seconds: config.change_set_retention_days * 86_400,
            key_settling_seconds: key_settling_seconds(config),
            deliveries: webhooks::terms(config),
            dunning: config.subscription_dunning.clone(),
            webhook_targets: config.webhook_targets(),
            connector_targets: config.connector_targets(),
        },
    })
}

fn registrar(
    config: &Config,
    own_url: &str,
    processor: Option<&Arc<Processor>>,
) -> Option<Arc<dyn NoticeRegistrar>> {
    let is_wanted = config.simulator_notices && config.tls.is_none();
    let transport = connectors::to_simulators(config, processor).filter(|_| is_wanted)?;
    Some(Arc::new(SimulatedRegistrar {
        transport,
        own_url: own_url.to_owned(),
    }))
}

/// A server looks every second what was changed elsewhere, and a statement that is on its way has its limit, as has the wait
/// for a connection. Where one process has the database, what was sealed is stored at once.
fn key_settling_seconds(config: &Config) -> i64 {
    match config.database_url.engine() {
        DatabaseEngine::Sqlite => 1,
        DatabaseEngine::Postgres => 2 + 2 * config.statement_timeout.as_secs().cast_signed(),
    }
}

fn serve(
    config: &Config,
    keys: &Keys,
    address: SocketAddr,
    app: &Arc<App>,
    processor: Option<&Arc<Processor>>,
    listener: &PublicListener,
) -> Result<(HttpServer<Context>, Context), String> {
    let processor_pages = processor.map(|processor| {
        let pages: Arc<dyn PayerPages> = Arc::new(SimulatorPages(Arc::clone(processor)));
        pages
    });
    let state = Arc::new(HttpState {
        app: Arc::clone(app),
        admin_keys: keys.admin_keys(),
        cors: match &config.cors_allowed_origins {
            CorsOrigins::Any => Cors::Any,
            CorsOrigins::Listed(origins) => Cors::Only(origins.clone()),
        },
        document: Document::at(&app.settings.public_url),
        nested_error_body: config.nested_error_body,
        limits: Limits {
            body_bytes: config.request_body_limit_bytes,
            body_deadline: config.body_timeout,
        },
        traffic: listener.traffic(config),
        stopping: Stopping::default(),
        processor_pages,
    });
    let hooks = Arc::new(HttpHooks(Arc::clone(&state)));
    let description = register::<Context, HttpHooks, Api>(hooks);
    let dropshot = ConfigDropshot {
        bind_address: listener.behind(address),
        default_request_body_max_bytes: config.request_body_limit_bytes,
        default_handler_task_mode: HandlerTaskMode::Detached,
        ..ConfigDropshot::default()
    };
    let tls = config.tls.as_ref().map(|tls| ConfigTls::AsFile {
        cert_file: tls.certificate.clone(),
        key_file: tls.key.clone(),
    });
    let server = ServerBuilder::new(description, Arc::clone(&state), telemetry::slog_logger())
        .config(dropshot)
        .tls(tls)
        .start()
        .map_err(|error| with_causes(&error))?;
    Ok((server, state))
}

/// The cause says more than the error: which of many things kept it from binding.
fn with_causes(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(&format!(": {error}"));
        cause = error.source();
    }
    line
}

/// The words that the generated matcher reads before an id of this kind.
fn reserved(parameter: &str) -> &'static [&'static str] {
    RESERVED
        .iter()
        .find(|(name, _)| *name == parameter)
        .map_or(&[], |(_, words)| words)
}
