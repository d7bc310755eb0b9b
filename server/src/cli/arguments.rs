//! Subcommands and options.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::{Inputs, Setting, Shown};

/// One API in front of many payment processors.
///
/// Without a subcommand this is `multirail serve --sandbox`: a server for trials on this machine, with simulated processors
/// and keys that the first start makes.
#[derive(Parser)]
#[command(
    name = "multirail",
    bin_name = "multirail",
    version,
    after_long_help = settings_help()
)]
pub(super) struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Serve the API until SIGTERM or Ctrl-C.
    ///
    /// Outside of the sandbox this needs an admin key, a master key, and either TLS or a proxy in front; `multirail
    /// check-config` says what is missing.
    Serve,
    /// Migrate the database to this version, then exit.
    Migrate,
    /// Show every setting and its source, and say whether `serve` would start.
    CheckConfig(CheckConfigOptions),
    /// Copy the SQLite database while the server runs.
    ///
    /// The folder then holds the database as of one moment and manifest.json: versions, counts and checksums. The master
    /// key is not in it. PostgreSQL is backed up by its own tools (server/deploy/BACKUP.md).
    Backup(BackupOptions),
    /// Check a backup, and put it in the place of a lost database.
    ///
    /// Checks the files against the manifest, the database for damage, its references, the sums of money and the audit log.
    /// Also checks that the master key opens everything that is sealed. Ends with 0 if everything is in order, otherwise
    /// with 4.
    Restore(RestoreOptions),
    /// Run the simulated processors in a process of their own, on this machine.
    ///
    /// A sandbox with MULTIRAIL_SIMULATOR_URL uses them in place of its own. --listen sets the address (127.0.0.1:8090 by
    /// default), on loopback only: every caller can read the whole ledger. That is at /ledger/authorizations,
    /// /ledger/captures, /ledger/voids, /ledger/refunds, /ledger/disputes and /ledger/dispute_requests. Accounts that
    /// register an address (POST /<connector>/account/notices) get notices of late outcomes.
    Simulator {
        /// The SQLite file with the ledger; created if it doesn't exist.
        #[arg(long, value_name = "FILE")]
        data: PathBuf,
    },
    /// Tools for developing a receiver of webhooks.
    Webhooks {
        #[command(subcommand)]
        command: WebhooksCommand,
    },
    /// Check merchants' accounts at processors.
    Connector {
        #[command(subcommand)]
        command: ConnectorCommand,
    },
    /// Try routing configurations.
    Routing {
        #[command(subcommand)]
        command: RoutingCommand,
    },
    /// Print the interface document (OpenAPI 3.0).
    Openapi {
        /// The text form.
        #[arg(long, value_enum, default_value_t = DocumentFormat::Yaml)]
        format: DocumentFormat,
    },
    /// Make and change the keys that a server needs to start, and the keys that seal its data.
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Check and print the log of all changes.
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
}

#[derive(Args)]
pub(super) struct CheckConfigOptions {
    /// Also try the services that the settings name: the database, the mail server, the identity provider, the simulator,
    /// the proxies.
    #[arg(long)]
    pub(super) connect: bool,
}

#[derive(Args)]
pub(super) struct BackupOptions {
    /// The folder to write to: a new one, or an empty one.
    #[arg(long, value_name = "FOLDER")]
    pub(super) to: PathBuf,
}

#[derive(Args)]
pub(super) struct RestoreOptions {
    /// The folder of the backup. Leave it out with PostgreSQL, whose database is checked in its place, while no server
    /// runs.
    #[arg(value_name = "FOLDER")]
    pub(super) from: Option<PathBuf>,
    /// Check only, and change nothing.
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Subcommand)]
pub(super) enum AuditCommand {
    /// Have a running server check that nothing in the audit log was altered or removed.
    ///
    /// Prints the number of valid entries and the hash of the last one, or the first invalid one. Ends with 0 if all are
    /// valid, with 4 if not, and with 1 if the check could not be made. Servers go on meanwhile.
    Verify(VerifyOptions),
    /// Print the audit log, oldest entry first, a JSON object in each line.
    Export(ExportOptions),
}

#[derive(Args)]
pub(super) struct VerifyOptions {
    /// The result of an earlier check, <number>:<hash>: the log must still have that entry, with that hash. This also
    /// detects that the whole database was put back to an earlier state.
    #[arg(long, value_name = "NOTED")]
    pub(super) noted: Option<String>,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

#[derive(Args)]
pub(super) struct ExportOptions {
    /// Only entries after the one with this number.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(super) after: u32,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

#[derive(Subcommand)]
pub(super) enum WebhooksCommand {
    /// Receive webhooks on this machine and print each, with the result of its signature checks.
    ///
    /// Set http://127.0.0.1:4242/ as the webhook_url of a profile in a sandbox. Each delivery is answered 200; --fail-next
    /// lets the first ones fail, to show how they are retried.
    Listen(ListenOptions),
}

#[derive(Args)]
pub(super) struct ListenOptions {
    /// Port on 127.0.0.1; 0 takes a free one and prints it.
    #[arg(long, default_value_t = 4242)]
    pub(super) port: u16,
    /// The profile's webhook secret (whsec_...), to check webhook-signature. Can be given twice while a profile changes its
    /// secret, in the variable separated by commas.
    #[arg(
        long,
        value_name = "SECRET",
        env = "WEBHOOK_SECRET",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub(super) secret: Vec<String>,
    /// The profile's payment_response_hash_key, to check x-webhook-signature-512.
    #[arg(
        long,
        value_name = "KEY",
        env = "WEBHOOK_HASH_KEY",
        hide_env_values = true
    )]
    pub(super) hash_key: Option<String>,
    /// Answer the first so many deliveries with 500.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(super) fail_next: u32,
    /// Print the whole body of each delivery.
    #[arg(long)]
    pub(super) show_body: bool,
}

#[derive(Subcommand)]
pub(super) enum ConnectorCommand {
    /// Have a running server ask the processor whether an account's credentials are valid.
    ///
    /// Ends with 0 if they are, with 4 if the processor refuses them, and with 1 if no answer could be had. The request
    /// uses the operator's key: MULTIRAIL_ADMIN_API_KEY, or the one in the data directory of a sandbox.
    Check(CheckOptions),
}

#[derive(Args)]
pub(super) struct CheckOptions {
    /// The merchant account.
    #[arg(long, value_name = "ID")]
    pub(super) merchant: String,
    /// The connector account, such as mca_...
    #[arg(long, value_name = "ID")]
    pub(super) account: String,
    /// The server's address, if it differs from the settings.
    #[arg(long, value_name = "URL")]
    pub(super) server: Option<String>,
    /// PEM file with certificates of authorities that are trusted in addition to the machine's.
    #[arg(long, value_name = "FILE")]
    pub(super) ca_file: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(super) enum RoutingCommand {
    /// Replay payments against a routing configuration; prints split, success and cost.
    ///
    /// Here --config names a JSON file of its own, not settings: {"accounts": [...], "algorithm": {"type", "data"}}. Each
    /// account has connector, merchant_connector_id and optionally disabled, payment_methods_enabled (flat) and fee_table.
    /// No server is asked, and nothing is stored.
    Simulate(SimulateOptions),
}

#[derive(Args)]
pub(super) struct SimulateOptions {
    /// A JSON object in each line: the payment as for POST /routing/evaluate. Payments that were made also have
    /// merchant_connector_id and succeeded.
    #[arg(long, value_name = "FILE")]
    pub(super) payments: PathBuf,
    /// Another configuration to compare with.
    #[arg(long, value_name = "FILE")]
    pub(super) against: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(super) enum KeysCommand {
    /// Make an admin key and a master key.
    ///
    /// Prints them as lines for an environment file, unless --into names a folder. Keep the master key safe: without it the
    /// data in the database is unreadable.
    Generate {
        /// Write them as admin.key and master.key into this folder, readable by their owner only, instead of printing them.
        #[arg(long, value_name = "FOLDER")]
        into: Option<PathBuf>,
    },
    /// Change the keys of a service while it runs.
    ///
    /// Without options the service, its merchants and their customers get new data keys, and all sealed data is sealed
    /// again with them. The servers do it while they go on, and this command shows the progress. If it is interrupted, run
    /// it again or leave it: the servers go on by themselves.
    ///
    /// A new master key takes three steps. First, --master-key names it; from then on the former one and the new one open
    /// the database. Second, put it into the settings of every server. Third, --finish removes the former one. Running
    /// servers go on all the time.
    Rotate(RotateOptions),
    /// Show the state of the keys, and the progress of a change.
    Status(ServerOptions),
}

#[derive(Args)]
pub(super) struct RotateOptions {
    /// The file with the next master key, which is created if it doesn't exist. The present one is read from the settings.
    #[arg(long, value_name = "FILE", conflicts_with = "finish")]
    pub(super) master_key: Option<PathBuf>,
    /// Remove the former master key: every server has the next one in its settings.
    #[arg(long)]
    pub(super) finish: bool,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

#[derive(Args)]
pub(super) struct ServerOptions {
    /// The server's address, if it differs from the settings. The request uses the operator's key: MULTIRAIL_ADMIN_API_KEY,
    /// or the one in the data directory of a sandbox.
    #[arg(long, value_name = "URL")]
    pub(super) server: Option<String>,
    /// PEM file with certificates of authorities that are trusted in addition to the machine's.
    #[arg(long, value_name = "FILE")]
    pub(super) ca_file: Option<PathBuf>,
}

/// A text form of the interface document.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum DocumentFormat {
    /// For programs.
    Json,
    /// For people: the document as written.
    Yaml,
}

#[derive(Args)]
#[command(next_help_heading = "Settings")]
struct Options {
    /// Configuration file; ./multirail.toml is read when it is there [env: MULTIRAIL_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The database of the payments: sqlite:<path> or postgres://… [env: MULTIRAIL_DATABASE_URL]
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,

    /// Address and port to listen on [default: 127.0.0.1:8080] [env: MULTIRAIL_LISTEN]
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,

    /// A server for trials on this machine: processor simulator, movable clock, keys made on the first start [env:
    /// MULTIRAIL_SANDBOX]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    sandbox: Option<String>,

    /// A sandbox that other machines may reach: listens on any address, prints no keys [env: MULTIRAIL_SANDBOX_PUBLIC]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    sandbox_public: Option<String>,

    /// A proxy in front terminates TLS [env: MULTIRAIL_BEHIND_PROXY]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    behind_proxy: Option<String>,

    /// The address by which payers reach this server; every redirect and return link begins with it [default:
    /// http://<listen>] [env: MULTIRAIL_PUBLIC_URL]
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,

    /// text, json, or auto: text on a terminal, JSON otherwise [env: MULTIRAIL_LOG_FORMAT]
    #[arg(long, global = true, value_name = "FORMAT")]
    log_format: Option<String>,
}

impl Arguments {
    /// Returns the value of `--listen`.
    pub(super) fn listen(&self) -> Option<&str> {
        self.options.listen.as_deref()
    }

    /// Returns the value of `--config`.
    pub(super) fn config(&self) -> Option<&Path> {
        self.options.config.as_deref()
    }

    /// Adds the options of the command line to the process's inputs.
    pub(super) fn inputs(&self, process: Inputs) -> Inputs {
        let options = &self.options;
        let mut inputs = Inputs {
            config_file: options.config.clone(),
            // A bare `multirail` is a trial; a plain `serve` is for production.
            is_sandbox_by_default: self.command.is_none(),
            ..process
        };
        for (setting, value) in [
            (Setting::DatabaseUrl, &options.database_url),
            (Setting::Listen, &options.listen),
            (Setting::Sandbox, &options.sandbox),
            (Setting::SandboxPublic, &options.sandbox_public),
            (Setting::BehindProxy, &options.behind_proxy),
            (Setting::PublicUrl, &options.public_url),
            (Setting::LogFormat, &options.log_format),
        ] {
            if let Some(value) = value {
                inputs = inputs.with(setting, value);
            }
        }
        inputs
    }
}

/// Returns the list of all settings for `multirail --help`.
fn settings_help() -> String {
    let mut help = "\
All settings, by environment variable. Options win over the environment, the environment \
over multirail.toml, where the same names stand in small letters without MULTIRAIL_.\n"
        .to_owned();
    for setting in Setting::ALL.iter().copied() {
        let file = match setting.shown() {
            Shown::Plainly => "",
            Shown::Never | Shown::WithoutPassword => " (or _FILE, naming a file with it)",
        };
        help.push_str(&format!(
            "\n  {}{file}\n          {}\n          [default: {}]\n",
            setting.variable(),
            setting.purpose(),
            setting.default_text(),
        ));
    }
    help
}
