//! Subcommands and options.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::{Inputs, Setting, Shown};

/// One API in front of many payment processors.
///
/// Without a subcommand this is `multirail serve --sandbox`: everything to try it out on
/// this machine, with simulated processors and keys made on the first start.
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
    /// Outside of the sandbox this needs an admin key, a master key, and either TLS or a
    /// proxy in front; `multirail check-config` says what is missing.
    Serve,
    /// Bring the database up to date, then exit.
    Migrate,
    /// Show every setting and where it came from, and say whether `serve` would start.
    CheckConfig(CheckConfigOptions),
    /// Copy the SQLite database while the server goes on.
    ///
    /// The folder then holds the database as of one moment and manifest.json: versions, counts and checksums. The master
    /// key is not in it. PostgreSQL is backed up by its own tools (server/deploy/BACKUP.md).
    Backup(BackupOptions),
    /// Check a backup, and put it in the place of a database that is gone.
    ///
    /// Checks the files against the manifest, the database for damage, its references, that the money adds up, the audit
    /// log, and that the master key opens everything that is sealed. Ends with 0 where all is whole, and with 4 where not.
    Restore(RestoreOptions),
    /// Run the simulated processors on their own, on this machine.
    ///
    /// A sandbox that is told so by MULTIRAIL_SIMULATOR_URL uses them in place of its own.
    /// --listen says where (127.0.0.1:8090 unless given), on loopback only: whoever reaches it reads
    /// everybody's ledger. That is at /ledger/authorizations, /ledger/captures, /ledger/voids,
    /// /ledger/refunds, /ledger/disputes and /ledger/dispute_requests. Accounts that enter an address
    /// (POST /<connector>/account/notices) are told what ends late.
    Simulator {
        /// The SQLite file with the ledger; made when it isn't there.
        #[arg(long, value_name = "FILE")]
        data: PathBuf,
    },
    /// For people who build a receiver of webhooks.
    Webhooks {
        #[command(subcommand)]
        command: WebhooksCommand,
    },
    /// Work with merchants' accounts at processors.
    Connector {
        #[command(subcommand)]
        command: ConnectorCommand,
    },
    /// Work with routing configurations.
    Routing {
        #[command(subcommand)]
        command: RoutingCommand,
    },
    /// Print the interface document (OpenAPI 3.0).
    Openapi {
        /// As which text.
        #[arg(long, value_enum, default_value_t = DocumentFormat::Yaml)]
        format: DocumentFormat,
    },
    /// Work with the keys that a server needs to start, and with those that seal what it stores.
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Work with the log of who changed what.
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
}

#[derive(Args)]
pub(super) struct CheckConfigOptions {
    /// Also try what the settings name: the database, the mail server, the identity provider, the simulator, the proxies.
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
    /// The folder of the backup. Left out with PostgreSQL, whose database is checked where it is, while no server runs.
    #[arg(value_name = "FOLDER")]
    pub(super) from: Option<PathBuf>,
    /// Check only, and change nothing.
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Subcommand)]
pub(super) enum AuditCommand {
    /// Have a running server check that nothing in the audit log was altered or taken out.
    ///
    /// Prints how many entries are whole and the hash of the last one, or the first one that isn't. Ends
    /// with 0 where all are whole, with 4 where not, and with 1 where nobody can tell. Servers go on meanwhile.
    Verify(VerifyOptions),
    /// Print the audit log, oldest entry first, a JSON object in each line.
    Export(ExportOptions),
}

#[derive(Args)]
pub(super) struct VerifyOptions {
    /// What an earlier check printed, <number>:<hash>: that entry has to be there still, with that hash. This
    /// shows, too, that the whole database was put back to an earlier state.
    #[arg(long, value_name = "NOTED")]
    pub(super) noted: Option<String>,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

#[derive(Args)]
pub(super) struct ExportOptions {
    /// Only entries after the one of this number.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(super) after: u32,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

#[derive(Subcommand)]
pub(super) enum WebhooksCommand {
    /// Take webhooks on this machine and print each, with the result of its signature checks.
    ///
    /// Make http://127.0.0.1:4242/ the webhook_url of a profile in a sandbox. Each delivery is
    /// answered 200; --fail-next has the first ones fail, to see how they come again.
    Listen(ListenOptions),
}

#[derive(Args)]
pub(super) struct ListenOptions {
    /// Port on 127.0.0.1; 0 takes a free one and prints it.
    #[arg(long, default_value_t = 4242)]
    pub(super) port: u16,
    /// The profile's webhook secret (whsec_...), to check webhook-signature. Can be given twice
    /// while a profile changes its secret, in the variable separated by commas.
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
    /// Have a running server ask the processor whether it takes an account's credentials.
    ///
    /// Ends with 0 where it does, with 4 where it refuses them, and with 1 where nobody can
    /// tell. The server is asked with the operator's key: MULTIRAIL_ADMIN_API_KEY, or that
    /// in the data directory of a sandbox.
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
    /// The server, unless it is where the settings say.
    #[arg(long, value_name = "URL")]
    pub(super) server: Option<String>,
    /// PEM file with certificates of authorities that are trusted beside the machine's.
    #[arg(long, value_name = "FILE")]
    pub(super) ca_file: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(super) enum RoutingCommand {
    /// Replay payments against a routing configuration; prints split, success and cost.
    ///
    /// Here --config names a JSON file of its own, not settings: {"accounts": [...], "algorithm": {"type", "data"}}, each account
    /// with connector, merchant_connector_id and, where there are, disabled, payment_methods_enabled (flat) and fee_table.
    /// No server is asked, and nothing is stored.
    Simulate(SimulateOptions),
}

#[derive(Args)]
pub(super) struct SimulateOptions {
    /// A JSON object in each line: what POST /routing/evaluate takes of a payment and, of those that were made,
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
    /// Prints them as lines for an environment file, unless --into names a folder. Keep
    /// the master key safe: without it nothing that rests in the database can be read.
    Generate {
        /// Write them as admin.key and master.key into this folder, readable by their
        /// owner only, instead of printing them.
        #[arg(long, value_name = "FOLDER")]
        into: Option<PathBuf>,
    },
    /// Change the keys of a service while it runs.
    ///
    /// Without options the service, its merchants and their customers are given new data keys, and
    /// everything that rests sealed is sealed anew: the servers do it while they go on, and this shows
    /// how far they are. Where it is cut off, run it again, or leave it: the servers go on by themselves.
    ///
    /// A new master key takes three steps: --master-key names it, and from then on the former one and
    /// it open the database; put it into the settings of every server; --finish, and the former one
    /// opens nothing any more. Servers that are running go on all the time.
    Rotate(RotateOptions),
    /// Show how the keys stand, and how far a change of them has come.
    Status(ServerOptions),
}

#[derive(Args)]
pub(super) struct RotateOptions {
    /// The file with the next master key, which is made where there is none. The present one is read
    /// from the settings.
    #[arg(long, value_name = "FILE", conflicts_with = "finish")]
    pub(super) master_key: Option<PathBuf>,
    /// The former master key shall open nothing any more: every server has the next one in its settings.
    #[arg(long)]
    pub(super) finish: bool,
    #[command(flatten)]
    pub(super) server: ServerOptions,
}

#[derive(Args)]
pub(super) struct ServerOptions {
    /// The server, unless it is where the settings say. It is asked with the operator's key:
    /// MULTIRAIL_ADMIN_API_KEY, or that in the data directory of a sandbox.
    #[arg(long, value_name = "URL")]
    pub(super) server: Option<String>,
    /// PEM file with certificates of authorities that are trusted beside the machine's.
    #[arg(long, value_name = "FILE")]
    pub(super) ca_file: Option<PathBuf>,
}

/// A text form of the interface document.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum DocumentFormat {
    /// For programs.
    Json,
    /// As it was written.
    Yaml,
}

#[derive(Args)]
#[command(next_help_heading = "Settings")]
struct Options {
    /// Configuration file; ./multirail.toml is read when it is there [env: MULTIRAIL_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Where payments are kept: sqlite:<path> or postgres://… [env: MULTIRAIL_DATABASE_URL]
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,

    /// Address and port to listen on [default: 127.0.0.1:8080] [env: MULTIRAIL_LISTEN]
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,

    /// Try everything on this machine: processor simulator, movable clock, keys made on the
    /// first start [env: MULTIRAIL_SANDBOX]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    sandbox: Option<String>,

    /// A sandbox that others may reach: listens anywhere, prints no keys
    /// [env: MULTIRAIL_SANDBOX_PUBLIC]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    sandbox_public: Option<String>,

    /// A proxy in front ends TLS [env: MULTIRAIL_BEHIND_PROXY]
    #[arg(long, global = true, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    behind_proxy: Option<String>,

    /// How payers reach this server; starts every redirect and return link
    /// [default: http://<listen>] [env: MULTIRAIL_PUBLIC_URL]
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,

    /// text, json, or auto: text on a terminal, JSON otherwise [env: MULTIRAIL_LOG_FORMAT]
    #[arg(long, global = true, value_name = "FORMAT")]
    log_format: Option<String>,
}

impl Arguments {
    /// What `--listen` says.
    pub(super) fn listen(&self) -> Option<&str> {
        self.options.listen.as_deref()
    }

    /// What `--config` says.
    pub(super) fn config(&self) -> Option<&Path> {
        self.options.config.as_deref()
    }

    /// Adds what the command line says to what the process brings along.
    pub(super) fn inputs(&self, process: Inputs) -> Inputs {
        let options = &self.options;
        let mut inputs = Inputs {
            config_file: options.config.clone(),
            // A bare `multirail` is somebody trying it out; a plain `serve` means it.
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

/// The list of all settings under `multirail --help`.
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
