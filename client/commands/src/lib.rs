//! The commands of `multirail` that are clients of a running server, for developers who integrate it.
//!
//! They reach the server by the published API alone. The program adds them to its own subcommands ([`described`]) and
//! hands their arguments over ([`run`]).

mod access;
mod address;
mod demo;
mod document;
mod failure;
mod fixtures;
mod listen;
mod login;
mod logins;
mod logs;
mod mcp;
mod options;
mod raw_call;
mod receiver;
mod shop;
mod terminal;
mod trigger;

use std::io::{self, Write};

use clap::{ArgMatches, FromArgMatches, Subcommand};

use failure::{Failure, USAGE};
use listen::options::ListenOptions;
use options::{
    FixturesOptions, LoginName, LoginOptions, McpOptions, ReceiveOptions, SeedOptions, TailOptions,
};
use trigger::options::TriggerOptions;

pub use trigger::is_produced;

#[derive(Subcommand)]
enum ClientCommand {
    /// Store a server's address and a key for the other commands, after checking them.
    ///
    /// Asks for both on a terminal. The file is readable by its owner only. The key is never printed.
    Login(LoginOptions),
    /// Remove a stored login from this machine. The key itself stays valid.
    Logout(LoginName),
    /// Make what leads to an event in a sandbox, and print the ids.
    ///
    /// All calls go through the public API, with the simulator's test cards. The sandbox's clock moves on for
    /// `payment_expired` and `debit_returned`, which therefore need the operator's key.
    Trigger(TriggerOptions),
    /// Tools for trying the console.
    Demo {
        #[command(subcommand)]
        command: DemoCommand,
    },
    /// Run the requests of a JSON file in their order, with references to earlier answers.
    ///
    /// The file is {"env": {...}, "fixtures": [{"name", "method", "path", "params"}, ...]}. In a path or a parameter,
    /// ${name:member} stands for a member of an earlier answer, and ${.env:NAME} for a variable of `env` or of the
    /// process. Unlike in files for Stripe's CLI, references have no default value, and list items are counted by number.
    /// All steps are checked before the first request; a variable that is missing ends the run at its step.
    Fixtures(FixturesOptions),
    /// Receive a sandbox's webhooks on this machine, check, print and forward them.
    ///
    /// Makes itself the webhook address of a business profile, for every status, and restores the merchant's settings when
    /// Ctrl-C, SIGTERM or the end of the terminal ends it.
    Listen(ListenOptions),
    /// Tools for developing a receiver of webhooks.
    Webhooks {
        #[command(subcommand)]
        command: WebhooksCommand,
    },
    /// Watch the requests of a merchant account.
    Logs {
        #[command(subcommand)]
        command: LogsCommand,
    },
    /// Serve the API's operations to AI tools: the Model Context Protocol over standard input and output.
    ///
    /// Offers only operations that change nothing and send nothing out, unless --write.
    Mcp(McpOptions),
}

#[derive(Subcommand)]
enum DemoCommand {
    /// Make a week of a shop's business in a sandbox: payments, refunds, disputes, customers, subscriptions.
    ///
    /// The sandbox's clock moves on through the seven days, for everything in the sandbox; it never goes back. That
    /// needs the operator's key. A second run with the same seed completes an interrupted one and doubles nothing.
    Seed(SeedOptions),
}

#[derive(Subcommand)]
enum WebhooksCommand {
    /// Receive webhooks on this machine and print each, with the result of its signature checks.
    ///
    /// Set http://127.0.0.1:4242/ as the webhook_url of a profile in a sandbox; `multirail listen` does that by itself.
    /// Each delivery is answered 200; --fail-next lets the first ones fail, to show how they are retried.
    Listen(ReceiveOptions),
}

#[derive(Subcommand)]
enum LogsCommand {
    /// Print each request of a merchant account when it gets into the request log, until Ctrl-C.
    ///
    /// A line has the time, status, method, path, operation, error code, duration and request id. Reads of the log are
    /// not logged.
    Tail(TailOptions),
}

/// Returns the interface document as JSON.
pub type Document<'a> = &'a dyn Fn() -> Result<String, String>;

/// Describes the commands with their options.
pub fn described() -> Vec<clap::Command> {
    let parent = ClientCommand::augment_subcommands(clap::Command::new("multirail"));
    parent.get_subcommands().cloned().collect()
}

/// Runs the command that the program's arguments name, and returns the exit code. `document` returns the interface
/// document as JSON.
pub fn run(given: &ArgMatches, document: Document<'_>) -> u8 {
    let command = match ClientCommand::from_arg_matches(given) {
        Ok(command) => command,
        Err(error) => {
            // Errors of options have a form of their own. A closed standard error can't be reported anywhere.
            let _ = write!(io::stderr(), "{error}");
            return USAGE;
        }
    };
    match perform(command, document, &mut io::stdout()) {
        Ok(()) => 0,
        Err(failure) => {
            // A closed standard error can't be reported anywhere.
            let _ = failure.tell(&mut io::stderr());
            failure.exit_code()
        }
    }
}

fn perform(
    command: ClientCommand,
    document: Document<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    match command {
        ClientCommand::Login(options) => runtime.block_on(login::login(options, out)),
        ClientCommand::Logout(login) => login::logout(&login.profile, out),
        ClientCommand::Trigger(options) => runtime.block_on(trigger::run(options, out)),
        ClientCommand::Demo {
            command: DemoCommand::Seed(options),
        } => runtime.block_on(demo::seed(options, out)),
        ClientCommand::Fixtures(options) => runtime.block_on(fixtures::run(options, out)),
        ClientCommand::Listen(options) => runtime.block_on(listen::run(options, out)),
        ClientCommand::Webhooks {
            command: WebhooksCommand::Listen(options),
        } => runtime.block_on(receiver::run(options, out)),
        ClientCommand::Logs {
            command: LogsCommand::Tail(options),
        } => runtime.block_on(logs::run(options, document, out)),
        ClientCommand::Mcp(options) => {
            let document = document().map_err(Failure::Unexpected)?;
            let served = runtime.block_on(mcp::run(options, &document));
            // A pending read of standard input must not hold up the end.
            runtime.shutdown_background();
            served
        }
    }
}
