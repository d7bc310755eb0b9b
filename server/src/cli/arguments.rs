//! Subcommands and options.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::flags::{ConfigFlags, DatabaseFlags, Flag, ServeFlags, SimulatorFlags, merged};
use crate::config::{Inputs, Problems, Setting, Shown};

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
    flags: ServeFlags,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Serve the API until SIGTERM or Ctrl-C.
    ///
    /// Outside of the sandbox this needs an admin key, a master key, and either TLS or a proxy in front; `multirail
    /// check-config` says what is missing.
    Serve(ServeFlags),
    /// Migrate the database to this version, then exit.
    Migrate(DatabaseFlags),
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
        #[command(flatten)]
        flags: SimulatorFlags,
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
    /// Print completions for a shell.
    ///
    /// For bash: `source <(multirail completions bash)`. For zsh, write them to a file _multirail in a folder of $fpath.
    /// For fish: `multirail completions fish | source`.
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
}

impl Command {
    /// Returns the options that set settings.
    pub(super) fn flags(&self) -> Vec<Flag> {
        match self {
            Command::Serve(flags) => flags.flags(),
            Command::Migrate(flags) => flags.flags(),
            Command::CheckConfig(options) => options.flags.flags(),
            Command::Backup(options) => options.flags.flags(),
            Command::Restore(options) => options.flags.flags(),
            Command::Simulator { flags, .. } => flags.flags(),
            Command::Connector { command } => match command {
                ConnectorCommand::Check(options) => options.flags.flags(),
                ConnectorCommand::Certify(options) => options.flags.flags(),
            },
            Command::Routing {
                command: RoutingCommand::Simulate(options),
            } => options.flags.flags(),
            Command::Keys { command } => match command {
                KeysCommand::Generate { .. } => Vec::new(),
                KeysCommand::Rotate(options) => options.server.flags.flags(),
                KeysCommand::Status(options) => options.flags.flags(),
            },
            Command::Audit { command } => match command {
                AuditCommand::Verify(options) => options.server.flags.flags(),
                AuditCommand::Export(options) => options.server.flags.flags(),
            },
            Command::Openapi { .. } | Command::Completions { .. } => Vec::new(),
        }
    }
}

#[derive(Args)]
pub(super) struct CheckConfigOptions {
    /// Also try the services that the settings name: the database, the mail server, the identity provider, the simulator,
    /// the proxies.
    #[arg(long)]
    pub(super) connect: bool,
    #[command(flatten)]
    flags: ServeFlags,
}

#[derive(Args)]
pub(super) struct BackupOptions {
    /// The folder to write to: a new one, or an empty one.
    #[arg(long, value_name = "FOLDER")]
    pub(super) to: PathBuf,
    #[command(flatten)]
    flags: DatabaseFlags,
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
    #[command(flatten)]
    flags: DatabaseFlags,
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
pub(super) enum ConnectorCommand {
    /// Have a running server ask the processor whether an account's credentials are valid.
    ///
    /// Ends with 0 if they are, with 4 if the processor refuses them, and with 1 if no answer could be had. The request
    /// uses the operator's key: MULTIRAIL_ADMIN_API_KEY, or the one in the data directory of a sandbox.
    Check(CheckOptions),
    /// Play the stories of the connectors' tests through a merchant's test account, and say where the processor differs.
    ///
    /// No server is asked, and nothing is stored. Each story agrees, differs, or isn't offered by the connector. Outcomes that
    /// only a notice tells count as agreed. Ends with 0 if all agree, with 4 if one differs, and with 1 or 2 if the account
    /// can't be used. Accounts that may be live are refused. Test payments stay in the account.
    Certify(CertifyOptions),
}

#[derive(Args)]
pub(super) struct CertifyOptions {
    /// A file, or an environment variable, with a JSON object: connector_name, connector_account_details, test_mode true, and
    /// optionally metadata. None of it is printed.
    #[arg(long, value_name = "FILE_OR_NAME")]
    pub(super) account: String,
    /// The currency of card payments. Other methods are paid in a currency of theirs.
    #[arg(long, value_name = "CODE", default_value = "USD")]
    pub(super) currency: String,
    #[command(flatten)]
    flags: ConfigFlags,
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
    #[command(flatten)]
    flags: ConfigFlags,
}

#[derive(Subcommand)]
pub(super) enum RoutingCommand {
    /// Replay payments against a routing configuration; prints split, success and cost.
    ///
    /// The file of --routing is JSON: {"accounts": [...], "algorithm": {"type", "data"}}. Each account has connector,
    /// merchant_connector_id and optionally disabled, payment_methods_enabled (flat) and fee_table. No server is asked,
    /// and nothing is stored.
    Simulate(SimulateOptions),
}

#[derive(Args)]
pub(super) struct SimulateOptions {
    /// The routing configuration.
    #[arg(long, value_name = "FILE")]
    pub(super) routing: PathBuf,
    /// A JSON object in each line: the payment as for POST /routing/evaluate. Payments that were made also have
    /// merchant_connector_id and succeeded.
    #[arg(long, value_name = "FILE")]
    pub(super) payments: PathBuf,
    /// Another configuration to compare with.
    #[arg(long, value_name = "FILE")]
    pub(super) against: Option<PathBuf>,
    #[command(flatten)]
    flags: ConfigFlags,
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
    #[command(flatten)]
    flags: ConfigFlags,
}

/// A text form of the interface document.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum DocumentFormat {
    /// For programs.
    Json,
    /// For people: the document as written.
    Yaml,
}

impl Arguments {
    /// Returns the value of `--listen`, wherever it stands.
    pub(super) fn listen(flags: &[Flag]) -> Option<String> {
        flags.iter().find_map(|flag| match flag {
            Flag::Setting(Setting::Listen, value) => value.clone(),
            Flag::Setting(..) | Flag::Config(_) => None,
        })
    }

    /// Returns the options that set settings.
    ///
    /// # Errors
    /// Options in front of a subcommand that doesn't use them.
    pub(super) fn flags(&self) -> Result<Vec<Flag>, Problems> {
        merged(self.flags.flags(), self.command.as_ref())
    }

    /// Adds the options of the command line to the process's inputs.
    pub(super) fn inputs(&self, flags: &[Flag], process: Inputs) -> Inputs {
        let inputs = Inputs {
            // A bare `multirail` is a trial; a plain `serve` is for production.
            is_sandbox_by_default: self.command.is_none(),
            ..process
        };
        let flags = flags.iter().cloned();
        flags.fold(inputs, |inputs, flag| flag.add(inputs))
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
