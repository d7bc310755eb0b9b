//! Binds the address, and builds everything that has to know it.

use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Instant;

use dropshot::{ConfigDropshot, ConfigTls, HandlerTaskMode, HttpServer, ServerBuilder};
use multirail_api::{Limits, register};
use multirail_app::Services;
use multirail_app::payments::ports::PayerPages;
use multirail_app::platform::ports::Clock;
use multirail_billing::app::subscriptions::Billing;
use multirail_billing_http::BillingState;
use multirail_billing_http::pages::Pages;
use multirail_billing_http::replays;
use multirail_billing_http::subscribers::SubscriberSecrets;
use multirail_guard::Guard;
use multirail_http::accounts::check_limit::CheckLimit;
use multirail_http::hooks::HttpHooks;
use multirail_http::platform::admin_keys::AdminKeys;
use multirail_http::platform::console::ConsoleSite;
use multirail_http::platform::console_origins::Origins;
use multirail_http::platform::cors::Cors;
use multirail_http::platform::document::Document;
use multirail_http::platform::satellite_replays::SatelliteReplays;
use multirail_http::platform::satellites::Satellites;
use multirail_http::platform::stopping::Stopping;
use multirail_http::{Context, HttpState};
use multirail_identity::app::Identity;
use multirail_identity_http::{IdentityState, UserTokens};
use multirail_kernel::random::Random;
use multirail_simulator::processor::{Ledger, Processor};
use url::Url;

use super::StartupError;
use super::billing;
use super::connectors::Sources;
use super::identity;
use super::open::Opened;
use super::operations::ARMS;
use super::pages::SimulatorPages;
use super::public_listener::PublicListener;
use super::services;
use crate::BuiltIn;
use crate::config::{Config, CorsOrigins};
use crate::sandbox_keys::{Keys, create_directory};
use crate::telemetry;

/// How often a free port is looked for: another program may take it between looking and binding.
const TRIES: usize = 16;

/// A bound server.
pub(super) struct Bound {
    pub address: SocketAddr,
    pub url: String,
    pub services: Arc<Services>,
    pub billing: Arc<Billing>,
    pub identity: Arc<Identity>,
    pub processor: Option<Arc<Processor>>,
    pub server: HttpServer<Context>,
    /// The state that every request can reach.
    pub state: Context,
    /// The connection guard in front of the server, if there is one.
    pub guard: Option<Guard>,
}

pub(super) async fn listen(
    config: &Config,
    built_in: BuiltIn,
    keys: &Keys,
    opened: &Opened,
    random: &Arc<dyn Random>,
) -> Result<Bound, StartupError> {
    let mut refused = String::new();
    let tries = if config.listen.port() == 0 { TRIES } else { 1 };
    for _ in 0..tries {
        // Links that payers get contain the port, so it is determined before anything is built.
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
        let sources = Sources {
            built_in,
            simulated: processor.as_ref(),
        };
        let mut core = services::of_core(config, &url, &own_url, opened, random, sources)?;
        let identity = identity::services(config, opened, &core.base, random)?;
        core.purges.push(identity.users.clone());
        let billing = Arc::new(billing::services(config, &url, opened, &core));
        core.replays.objects.push(billing.subscriptions.clone());
        let (core, identity) = (Arc::new(core), Arc::new(identity));
        let services = (&core, &billing, &identity);
        match serve(
            config,
            keys,
            (address, &url),
            services,
            processor.as_ref(),
            &listener,
        ) {
            Ok((server, state)) => {
                return Ok(Bound {
                    state,
                    address,
                    url,
                    services: core,
                    billing,
                    identity,
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

/// Builds the simulated processor, with a ledger of its own next to our database.
pub(super) fn processor(
    config: &Config,
    url: &str,
    opened: &Opened,
    random: &Arc<dyn Random>,
) -> Result<Arc<Processor>, StartupError> {
    // With PostgreSQL and keys from the settings, nothing else has created it.
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

fn serve(
    config: &Config,
    keys: &Keys,
    (address, url): (SocketAddr, &str),
    (services, billing, identity): (&Arc<Services>, &Arc<Billing>, &Arc<Identity>),
    processor: Option<&Arc<Processor>>,
    listener: &PublicListener,
) -> Result<(HttpServer<Context>, Context), String> {
    let processor_pages = processor.map(|processor| {
        let pages: Arc<dyn PayerPages> = Arc::new(SimulatorPages(Arc::clone(processor)));
        pages
    });
    let state = Arc::new(HttpState {
        services: Arc::clone(services),
        is_sandbox: config.is_sandbox(),
        public_url: url.to_owned(),
        given_public_url: config.given_public_url.clone(),
        console: console_site(config, url)?,
        tokens: Arc::new(UserTokens(Arc::clone(&identity.sessions))),
        subscribers: Arc::new(SubscriberSecrets(Arc::clone(&billing.reads))),
        satellites: Satellites::default()
            .with(BillingState(Arc::clone(billing)))
            .with(IdentityState::new(Arc::clone(identity))),
        satellite_pages: Arc::new(Pages(Arc::clone(&billing.invoice_pages))),
        replays: SatelliteReplays {
            subscriptions: replays::subscriptions,
            user_subscriptions: replays::user_subscriptions,
            billing: replays::billing,
        },
        admin_keys: keys.into(),
        cors: match &config.cors_allowed_origins {
            CorsOrigins::Any => Cors::Any,
            CorsOrigins::Listed(origins) => Cors::Only(origins.clone()),
        },
        document: Document::at(url),
        nested_error_body: config.nested_error_body,
        limits: Limits {
            body_bytes: config.request_body_limit_bytes,
            body_deadline: config.body_timeout,
        },
        credential_checks: CheckLimit::new(Instant::now()),
        traffic: listener.traffic(config),
        stopping: Stopping::default(),
        processor_pages,
    });
    let hooks = Arc::new(HttpHooks(Arc::clone(&state)));
    let description = register(hooks, ARMS);
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

/// Returns the place of the console. Where real money moves, it needs an origin of its own.
fn console_site(config: &Config, url: &str) -> Result<ConsoleSite, String> {
    let Some(console) = &config.console_origin else {
        return Ok(match config.is_sandbox() {
            true => ConsoleSite::Shared,
            false => ConsoleSite::Closed,
        });
    };
    let public = Url::parse(url).map_err(|error| format!("public_url: {error}"))?;
    Ok(ConsoleSite::Own(Origins::new(console.clone(), public)))
}

/// Returns the error with its causes, which say why binding failed.
fn with_causes(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(&format!(": {error}"));
        cause = error.source();
    }
    line
}

/// The keys for the operator's operations.
impl From<&Keys> for AdminKeys {
    fn from(keys: &Keys) -> Self {
        AdminKeys {
            current: keys.admin_api_key.clone(),
            former: keys.former_admin_api_key.clone(),
        }
    }
}
