//! Options of the load program.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use crate::scenario::Scenario;
use crate::stand_in::Connector;

/// Measures a multirail sandbox: payments a second, the latency of each request, and the cost.
///
/// Without --base-url it starts a server of its own: the program `multirail` beside this one (cargo build --release -p
/// multirail-server).
#[derive(Clone, Debug, Parser)]
#[command(name = "load", version)]
pub struct Arguments {
    /// A server that runs already, such as http://127.0.0.1:8080, instead of one of our own.
    #[arg(long, requires = "admin_key")]
    pub base_url: Option<String>,
    /// The operator key of that server.
    #[arg(long, env = "MULTIRAIL_ADMIN_API_KEY", hide_env_values = true)]
    pub admin_key: Option<String>,
    /// The process of that server, for CPU time and memory if it runs on this machine.
    #[arg(long, requires = "base_url")]
    pub pid: Option<u32>,
    /// The metrics address of that server, such as 127.0.0.1:9090, for commits a payment.
    #[arg(long, requires = "base_url")]
    pub metrics: Option<String>,
    /// The database engine of our own server.
    #[arg(long, value_enum, default_value_t = Engine::Sqlite)]
    pub engine: Engine,
    /// A PostgreSQL database for our own server; it has to be empty. Without it a PostgreSQL server is started, with fsync,
    /// from the installed programs.
    #[arg(long)]
    pub database_url: Option<String>,
    /// A folder on the disk that is to be measured; default: the folder of this program. A memory file system measures
    /// nothing.
    #[arg(long)]
    pub data_dir: Option<PathBuf>,
    /// The scenarios to measure.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Scenario::USUAL)]
    pub scenarios: Vec<Scenario>,
    /// Measures webhooks instead: payments a second of ten merchants together, the endpoint of one of them dead.
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub webhooks: Vec<u32>,
    /// Measures the lists of disputes instead: of a merchant with so many, raised by notices of the simulated processor.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "webhooks")]
    pub disputes: Option<u64>,
    /// Measures the lists of saved payment methods instead: with so many in the database, a thousand of them one
    /// customer's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["webhooks", "disputes"])]
    pub saved_methods: Option<u64>,
    /// Measures renewals instead: so many subscriptions that are due at once, and payers of another merchant meanwhile.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["webhooks", "disputes", "saved_methods"])]
    pub subscriptions: Option<u64>,
    /// The processor. A stand-in answers over TLS from a process of its own; everything is measured with the simulator too,
    /// and the difference is reported.
    #[arg(long, value_enum, default_value_t = Connector::Simulator, conflicts_with_all = ["base_url", "webhooks", "disputes", "saved_methods", "subscriptions"])]
    pub connector: Connector,
    /// Routes the simulator's payments among 20 accounts by 50 rules, of which the last one matches.
    #[arg(long, conflicts_with_all = ["webhooks", "disputes", "saved_methods"])]
    pub routing: bool,
    /// Makes this program the stand-in.
    #[arg(long, value_enum, hide = true)]
    pub stand_in: Option<Connector>,
    /// Numbers of connections, each with one request at a time.
    #[arg(long, value_delimiter = ',', default_values_t = [8, 32])]
    pub connections: Vec<usize>,
    /// Rounds a second of all connections together, to measure latency without queues. Without it each connection begins
    /// its next round when the last one has ended.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["webhooks", "disputes", "saved_methods"])]
    pub rate: Option<u32>,
    /// The time of each measurement, such as 10s.
    #[arg(long, value_parser = duration, default_value = "10s")]
    pub duration: Duration,
    /// The time of each warm-up, which doesn't count.
    #[arg(long, value_parser = duration, default_value = "2s")]
    pub warm_up: Duration,
    /// Measures, stores this many payments through the API, and measures again.
    #[arg(long, default_value_t = 0)]
    pub fill: u64,
    /// The delay of our own server's simulated processor, in milliseconds.
    #[arg(long, default_value_t = 0)]
    pub simulator_delay_ms: u64,
    /// The log level of our own server; the log goes to a file.
    #[arg(long, default_value = "info")]
    pub log_level: String,
    /// Connections of our own server to its database.
    #[arg(long)]
    pub pool_size: Option<u32>,
    /// Leaves the bare loop and pgbench out.
    #[arg(long)]
    pub no_yardstick: bool,
}

/// The database engine of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// Parses `500ms`, `10s`, `2m`, or plain seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits
        .parse()
        .map_err(|_| format!("{text} is no duration such as 10s"))?;
    match &text[digits.len()..] {
        "ms" => Ok(Duration::from_millis(number)),
        "" | "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number * 60)),
        unit => Err(format!("{unit} is no unit; take ms, s or m")),
    }
}
