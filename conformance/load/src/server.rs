//! The measured server: one that runs already, or one of our own.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use multirail_test_postgres::{Cluster, TestPostgres};
use tempfile::TempDir;

use crate::arguments::{Arguments, Engine};

/// A server to measure. Our own ends when this value is dropped, and its data is deleted.
pub struct Server {
    /// `host:port`.
    pub address: String,
    pub admin_key: String,
    /// Process id, if the server is on this machine.
    pub pid: Option<u32>,
    /// The address of its metrics, if it has one.
    pub metrics: Option<String>,
    /// Database engine, if known.
    pub engine: Option<Engine>,
    /// The folder for the yardstick, on the same disk.
    pub directory: PathBuf,
    pub postgres: Option<Postgres>,
    child: Option<Child>,
    _data: TempDir,
}

/// The PostgreSQL server behind ours.
pub struct Postgres {
    pub url: String,
    /// The server that we started, if we did.
    pub cluster: Option<Arc<Cluster>>,
}

/// The operator key of our own server, which lives as long as the measurement and listens on loopback only.
const ADMIN_KEY: &str = "admin_of_the_load_program_0123456789abcdef";

impl Server {
    /// Returns the server that the arguments name or ask for; our own trusts these certificates in calls to processors.
    ///
    /// # Errors
    /// Fails when a program is missing or doesn't start.
    pub fn find(arguments: &Arguments, trusted: Option<&Path>) -> io::Result<Self> {
        let data = tempfile::Builder::new()
            .prefix("multirail-load-")
            .tempdir_in(disk(arguments)?)?;
        let directory = data.path().to_owned();
        if let (Some(url), Some(key)) = (&arguments.base_url, &arguments.admin_key) {
            let address = url.trim_end_matches('/').strip_prefix("http://");
            let address =
                address.ok_or_else(|| io::Error::other("the address has to begin with http://"))?;
            return Ok(Self {
                address: address.to_owned(),
                admin_key: key.clone(),
                pid: arguments.pid,
                metrics: arguments.metrics.clone(),
                engine: None,
                directory,
                postgres: None,
                child: None,
                _data: data,
            });
        }
        let postgres = match arguments.engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(postgres(arguments, &directory)?),
        };
        let metrics = free_address()?;
        let (child, address) = start(arguments, &directory, &metrics, postgres.as_ref(), trusted)?;
        Ok(Self {
            address,
            admin_key: ADMIN_KEY.to_owned(),
            pid: Some(child.id()),
            metrics: Some(metrics),
            engine: Some(arguments.engine),
            directory,
            postgres,
            child: Some(child),
            _data: data,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Its data is deleted with it, so nothing is lost.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns the folder on the measured disk.
fn disk(arguments: &Arguments) -> io::Result<PathBuf> {
    match &arguments.data_dir {
        Some(directory) => {
            std::fs::create_dir_all(directory)?;
            directory.canonicalize()
        }
        None => {
            let program = std::env::current_exe()?;
            Ok(program.parent().unwrap_or(Path::new(".")).to_owned())
        }
    }
}

fn postgres(arguments: &Arguments, directory: &Path) -> io::Result<Postgres> {
    if let Some(url) = &arguments.database_url {
        return Ok(Postgres {
            url: url.clone(),
            cluster: None,
        });
    }
    let parent = directory.parent().unwrap_or(directory);
    let cluster = TestPostgres::start_durable(parent).map_err(io::Error::other)?;
    let url = cluster.create_local_database();
    let way = if url.contains("?host=/") {
        "its Unix socket"
    } else {
        "TCP, as its socket's path is too long"
    };
    println!("PostgreSQL over {way}\n");
    Ok(Postgres {
        url,
        cluster: Some(cluster),
    })
}

/// Returns a free address, which hardly any program takes before the server does.
fn free_address() -> io::Result<String> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()
        .map(|address| address.to_string())
}

fn start(
    arguments: &Arguments,
    directory: &Path,
    metrics: &str,
    postgres: Option<&Postgres>,
    trusted: Option<&Path>,
) -> io::Result<(Child, String)> {
    let program = std::env::current_exe()?.with_file_name("multirail");
    let log = File::create(directory.join("log"))?;
    let mut command = Command::new(&program);
    command
        .arg("serve")
        .current_dir(directory)
        .env("MULTIRAIL_SANDBOX", "true")
        .env("MULTIRAIL_LISTEN", "127.0.0.1:0")
        .env("MULTIRAIL_METRICS_LISTEN", metrics)
        .env("MULTIRAIL_DATA_DIRECTORY", directory)
        .env("MULTIRAIL_ADMIN_API_KEY", ADMIN_KEY)
        .env(
            "MULTIRAIL_SIMULATOR_DELAY_MS",
            arguments.simulator_delay_ms.to_string(),
        )
        .env("MULTIRAIL_LOG_LEVEL", &arguments.log_level)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log);
    if let Some(postgres) = postgres {
        command.env("MULTIRAIL_DATABASE_URL", &postgres.url);
    }
    if let Some(trusted) = trusted {
        command.env("MULTIRAIL_CONNECTOR_TRUSTED_CERTIFICATES", trusted);
    }
    if let Some(size) = arguments.pool_size {
        command.env("MULTIRAIL_DATABASE_POOL_SIZE", size.to_string());
    }
    let mut child = command.spawn().map_err(|error| {
        let what = "cargo build --release -p multirail-program";
        io::Error::other(format!("{}: {error}; {what}", program.display()))
    })?;
    match address(&mut child) {
        Some(address) => Ok((child, address)),
        None => {
            let _ = child.wait();
            let log = std::fs::read_to_string(directory.join("log")).unwrap_or_default();
            Err(io::Error::other(format!(
                "the server doesn't start: {}",
                log.trim()
            )))
        }
    }
}

/// Reads the first line of the server: `multirail listens on http://127.0.0.1:…`. The pipe holds the rest.
fn address(child: &mut Child) -> Option<String> {
    let mut lines = BufReader::new(child.stdout.take()?).lines();
    let line = lines
        .by_ref()
        .map_while(Result::ok)
        .find(|line| line.contains("http://"))?;
    // Reads on, so that the server never writes into a closed pipe.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    line.split_once("http://")
        .map(|(_, address)| address.trim().to_owned())
}
