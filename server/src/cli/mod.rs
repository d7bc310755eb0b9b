//! The command line: parses the arguments and reads the settings.
//!
//! This module answers what needs no server. Everything else is [`Work`], which `main` hands in, so that tests cover every
//! way to start the program without starting a server.

mod arguments;
mod audit;
mod backup;
mod certify;
mod check_config;
mod client;
mod connector;
mod flags;
mod key_change;
mod keys;
mod routing;
mod simulator;
mod work;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::FromArgMatches;
use multirail_kernel::random::Random;
use multirail_system::random::OsRandom;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{Config, Inputs, Problem, Problems};
use arguments::{Arguments, AuditCommand, Command, ConnectorCommand, KeysCommand, RoutingCommand};

use client::{check_unused, run_client};

pub use arguments::DocumentFormat;
pub use audit::{AuditRequest, AuditWanted};
pub use backup::{BackupRequest, RestoreRequest, Tell};
pub use certify::Certification;
pub use check_config::{KnownConnector, Tried};
pub use client::{ClientCommands, Document};
pub use connector::ConnectorCheck;
pub use key_change::{KeysRequest, KeysWanted};
pub use simulator::Simulator;
pub use work::Work;

/// The exit code when work failed.
const FAILED: u8 = 1;
/// The exit code when the arguments or the settings are wrong.
const WRONGLY_ASKED: u8 = 2;

/// The output streams of the program.
struct Terminal<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

/// Runs the program with the process's arguments, environment and terminal.
pub fn run(work: &impl Work, client: &ClientCommands) -> ExitCode {
    let mut terminal = Terminal {
        out: &mut io::stdout(),
        err: &mut io::stderr(),
    };
    let arguments = std::env::args_os();
    let code = answer(
        arguments,
        Inputs::from_process(),
        (work, client),
        &OsRandom,
        &mut terminal,
    );
    ExitCode::from(code)
}

/// Runs the program; returns its exit code.
fn answer<W: Work>(
    arguments: impl IntoIterator<Item = OsString>,
    inputs: Inputs,
    (work, client): (&W, &ClientCommands),
    random: &dyn Random,
    terminal: &mut Terminal<'_>,
) -> u8 {
    let matches = match client.whole().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version come this way too, and clap decides about colours.
            let shown = if error.use_stderr() {
                write!(terminal.err, "{error}")
            } else {
                write!(terminal.out, "{error}")
            };
            return match (shown, error.use_stderr()) {
                (Ok(()), false) => 0,
                (Ok(()), true) | (Err(_), _) => WRONGLY_ASKED,
            };
        }
    };
    let done = match matches.subcommand_name() {
        Some(name) if client.has(name) => {
            check_unused(&matches).map(|()| run_client(work, client, &matches))
        }
        Some(_) | None => {
            let done = Arguments::from_arg_matches(&matches)
                .map_err(|error| Failure::from(Problems(vec![Problem(error.to_string())])))
                .and_then(|arguments| perform(arguments, inputs, (work, client), random, terminal));
            done.map(|()| 0)
        }
    };
    match done {
        Ok(code) => code,
        Err(Failure::Settings(problems)) => {
            for problem in problems.0 {
                tell(terminal.err, &format!("multirail: {problem}\n"));
            }
            WRONGLY_ASKED
        }
        Err(Failure::Work(code, error)) => {
            let mut line = format!("multirail: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                line.push_str(&format!(": {error}"));
                cause = error.source();
            }
            line.push('\n');
            tell(terminal.err, &line);
            code
        }
        // The reader of our output has gone: `multirail openapi | head`.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Failure::Output(error)) => {
            tell(terminal.err, &format!("multirail: cannot write: {error}\n"));
            FAILED
        }
    }
}

/// Why the program ends with another code than 0.
enum Failure {
    Settings(Problems),
    Work(u8, Box<dyn Error>),
    Output(io::Error),
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::Settings(problems)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn failed(error: impl Error + 'static) -> Failure {
    Failure::Work(FAILED, Box::new(error))
}

fn perform<W: Work>(
    arguments: Arguments,
    inputs: Inputs,
    (work, client): (&W, &ClientCommands),
    random: &dyn Random,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let ended = |error: W::Error| Failure::Work(work.exit_code(&error), Box::new(error));
    let flags = arguments.flags()?;
    let listen = Arguments::listen(&flags);
    let inputs = arguments.inputs(&flags, inputs);
    let Some(command) = arguments.command else {
        return serve(&inputs, work);
    };
    match command {
        Command::Serve(_) => serve(&inputs, work),
        Command::Migrate(_) => {
            // The rules are not checked: a migration needs neither keys nor TLS.
            let config = Config::read(&inputs)?;
            work.start_logging(&config).map_err(failed)?;
            runtime()?.block_on(work.migrate(config)).map_err(ended)
        }
        Command::Backup(options) => {
            let config = Config::read(&inputs)?;
            work.start_logging(&config).map_err(failed)?;
            let mut tell = line_by_line(terminal.out);
            let done = work.back_up(config, BackupRequest::new(options), &mut tell);
            runtime()?.block_on(done).map_err(ended)
        }
        Command::Restore(options) => {
            let config = Config::read(&inputs)?;
            let asked = RestoreRequest::read(options, &config)?;
            work.start_logging(&config).map_err(failed)?;
            let mut tell = line_by_line(terminal.out);
            let done = work.restore(config, asked, &mut tell);
            runtime()?.block_on(done).map_err(ended)
        }
        Command::Simulator { data, .. } => {
            let config = Config::read(&inputs)?;
            let simulator = Simulator::read(listen.as_deref(), data, &config)?;
            work.start_logging(&config).map_err(failed)?;
            runtime()?.block_on(work.simulate(simulator)).map_err(ended)
        }
        Command::Connector {
            command: ConnectorCommand::Check(options),
        } => {
            let config = Config::read(&inputs)?;
            let asked = ConnectorCheck::read(&options, &config)?;
            let said = runtime()?
                .block_on(work.check_connector(asked))
                .map_err(ended)?;
            writeln!(terminal.out, "{said}")?;
            Ok(terminal.out.flush()?)
        }
        Command::Connector {
            command: ConnectorCommand::Certify(options),
        } => {
            let config = Config::read(&inputs)?;
            let asked = Certification::read(&options.account, &options.currency, config)?;
            let mut tell = line_by_line(terminal.out);
            let done = work.certify_connector(asked, &mut tell);
            runtime()?.block_on(done).map_err(ended)
        }
        Command::Routing {
            command: RoutingCommand::Simulate(options),
        } => {
            let config = Config::read(&inputs)?;
            let parts = (&*work.connectors(&config), work.routing());
            routing::simulate(&options, parts, terminal.out)
        }
        Command::CheckConfig(options) => {
            check_config::perform(&inputs, &options, work, terminal.out)
        }
        Command::Openapi { format } => {
            let document = work.document(format).map_err(failed)?;
            terminal.out.write_all(document.as_bytes())?;
            Ok(terminal.out.flush()?)
        }
        Command::Completions { shell } => {
            // Into memory: `generate` panics if the output is closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut client.whole(), "multirail", &mut script);
            terminal.out.write_all(&script)?;
            Ok(terminal.out.flush()?)
        }
        Command::Keys {
            command: KeysCommand::Generate { into },
        } => keys::generate(into.as_deref(), random, terminal.out),
        Command::Keys {
            command: KeysCommand::Rotate(options),
        } => {
            let config = Config::read(&inputs)?;
            let asked = KeysRequest::of_change(&options, &config, random)?;
            ask_about_keys(work, asked, terminal.out)
        }
        Command::Keys {
            command: KeysCommand::Status(options),
        } => {
            let config = Config::read(&inputs)?;
            let asked = KeysRequest::of_status(&options, &config)?;
            ask_about_keys(work, asked, terminal.out)
        }
        Command::Audit { command } => {
            let config = Config::read(&inputs)?;
            let asked = match command {
                AuditCommand::Verify(options) => AuditRequest::of_check(&options, &config)?,
                AuditCommand::Export(options) => AuditRequest::of_export(&options, &config)?,
            };
            let mut tell = line_by_line(terminal.out);
            let done = runtime()?.block_on(work.ask_about_audit_log(asked, &mut tell));
            done.map_err(ended)
        }
    }
}

fn serve<W: Work>(inputs: &Inputs, work: &W) -> Result<(), Failure> {
    let config = Config::read(inputs)?;
    config.check()?;
    work.start_logging(&config).map_err(failed)?;
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let served = runtime()?.block_on(work.serve(config));
    served.map_err(|error| Failure::Work(work.exit_code(&error), Box::new(error)))
}

fn ask_about_keys<W: Work>(
    work: &W,
    asked: KeysRequest,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut tell = line_by_line(out);
    let done = runtime()?.block_on(work.ask_about_keys(asked, &mut tell));
    done.map_err(|error| Failure::Work(work.exit_code(&error), Box::new(error)))
}

fn line_by_line(out: &mut dyn Write) -> impl FnMut(&str) -> io::Result<()> {
    move |line: &str| {
        writeln!(out, "{line}")?;
        out.flush()
    }
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    {
        // If a file reaches the limit of its size (`ulimit -f`), the write fails. Without this handler, which stays even if
        // nothing awaits it, the system would kill the process.
        let _within = runtime.enter();
        let _ = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?;
    }
    Ok(runtime)
}

/// Prints a text; a failure could not be reported anywhere.
fn tell(to: &mut dyn Write, text: &str) {
    let _ = to.write_all(text.as_bytes());
}

#[cfg(test)]
mod tests;
