//! `multirail check-config --connect`: tries the services that the settings name. Nothing is changed or sent anywhere.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use multirail_database::sqlite::integrity::{Access, Depth, faults};
use multirail_database::{Engine, Options};
use multirail_kernel::proxy_address::ProxyAddress;
use multirail_oidc::Oidc;
use multirail_system::clock::SystemClock;
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::Url;

use super::{mail, oidc, public_listener};
use crate::cli::Tried;
use crate::config::{Config, Setting};

/// The time limit of one connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// Tries one after the other.
pub(super) async fn run(config: &Config) -> Vec<Tried> {
    public_listener::choose_cryptography();
    let mut tried = vec![Tried {
        setting: Setting::DatabaseUrl,
        found: database(config).await,
    }];
    let mut add = |setting, found| tried.push(Tried { setting, found });
    if config.mail.server.is_some() {
        add(Setting::MailServer, mail_server(config).await);
    }
    if let Some(found) = identity_provider(config).await {
        add(Setting::OidcIssuer, found);
    }
    for (setting, proxy) in [
        (Setting::ConnectorProxy, &config.connectors.proxy),
        (Setting::OidcProxy, &config.oidc.proxy),
    ] {
        if let Some(proxy) = proxy {
            add(setting, through(proxy).await);
        }
    }
    if config.is_sandbox()
        && let Some(address) = config.simulator_address
    {
        add(Setting::SimulatorUrl, simulator(address).await);
    }
    tried
}

async fn database(config: &Config) -> Result<String, String> {
    if let Some(path) = config.sqlite_file() {
        let look = move || sqlite(&path);
        let looked = tokio::task::spawn_blocking(look).await;
        return looked.map_err(|error| error.to_string())?;
    }
    let options = Options {
        connections: 1,
        acquire_timeout: PATIENCE,
        statement_timeout: config.statement_timeout,
        ..Options::default()
    };
    let engine = Engine::open(config.database_url.expose(), options);
    let engine = engine.await.map_err(|error| error.to_string())?;
    let asked = async {
        engine.ping().await?;
        Ok::<_, multirail_database::StoreError>((
            engine.last_migration().await?,
            engine.pending_migrations().await?.len(),
        ))
    };
    let asked = asked.await;
    engine.close().await;
    let (schema, pending) = asked.map_err(|error| error.to_string())?;
    let schema = schema.unwrap_or_else(|| "none yet".to_owned());
    Ok(format!(
        "PostgreSQL answers; schema {schema}, {pending} migrations are to come"
    ))
}

fn sqlite(path: &Path) -> Result<String, String> {
    match path.metadata() {
        Ok(found) if found.len() > 0 => {}
        Ok(_) | Err(_) => {
            return Ok("the file is not there yet: the first start makes it".to_owned());
        }
    }
    let faults = faults(path, Depth::Quick, Access::Shared).map_err(|error| error.to_string())?;
    match faults.first() {
        None => Ok("the file can be read and is not damaged".to_owned()),
        Some(_) => Err(format!("the file is damaged: {}", faults.join("; "))),
    }
}

async fn mail_server(config: &Config) -> Result<String, String> {
    let mailer = mail::smtp(config).map_err(|error| error.to_string())?;
    let Some(mailer) = mailer else {
        return Err("mail_from is missing beside it".to_owned());
    };
    mailer.try_connection().await?;
    Ok("the mail server answers and takes the login".to_owned())
}

async fn identity_provider(config: &Config) -> Option<Result<String, String>> {
    let settings = match oidc::settings(config) {
        Ok(settings) => settings?,
        Err(error) => return Some(Err(error.to_string())),
    };
    let provider = Oidc::new(settings, Arc::new(SystemClock::new()));
    let asked = provider.try_connection().await;
    Some(
        asked
            .map(|()| "the identity provider tells of itself and its keys".to_owned())
            .map_err(|failure| failure.to_string()),
    )
}

async fn through(proxy: &ProxyAddress) -> Result<String, String> {
    // The address may hold a password: no message repeats it.
    let url = Url::parse(proxy.expose()).map_err(|_| "it is no address".to_owned())?;
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Err("it names no host".to_owned());
    };
    let host = host.trim_matches(['[', ']']);
    connects((host, port)).await?;
    Ok("something answers there".to_owned())
}

async fn simulator(address: SocketAddr) -> Result<String, String> {
    connects(address).await?;
    Ok("something answers there".to_owned())
}

async fn connects(to: impl tokio::net::ToSocketAddrs) -> Result<(), String> {
    match timeout(PATIENCE, TcpStream::connect(to)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("no connection within {PATIENCE:?}")),
    }
}
