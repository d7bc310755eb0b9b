//! `multirail check-config`: prints the settings, and whether `serve` would start.

use std::io::{self, Write};

use multirail_kernel::target::AllowedTargets;
use multirail_sdk::connector::Capabilities;

use super::arguments::CheckConfigOptions;
use super::{Failure, Work, runtime};
use crate::config::{Config, Inputs, Mode, Problem, Problems, Setting};

/// A connector of this program.
#[derive(Clone, Copy, Debug)]
pub struct KnownConnector {
    pub capabilities: &'static Capabilities,
    pub name: &'static str,
    /// The version of the processor's interface, if that has versions.
    pub api_version: Option<&'static str>,
    /// Whether the connector is simulated and moves no money.
    pub is_simulator: bool,
    /// Whether a server with these settings has the connector.
    pub is_usable: bool,
}

/// A service that the settings name, and the result of trying it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    pub setting: Setting,
    /// The service that was reached, or the reason why it was not.
    pub found: Result<String, String>,
}

pub(super) fn perform(
    inputs: &Inputs,
    options: &CheckConfigOptions,
    work: &impl Work,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let config = Config::read(inputs)?;
    write!(out, "{}", config.printout())?;
    connectors(&config, &work.connectors(&config), out)?;
    for warning in config.warnings() {
        writeln!(out, "\nwarning: {warning}")?;
    }
    out.flush()?;
    // Problems come last, where people look.
    config.check()?;
    let kind = match config.mode {
        Mode::Production => "a production server",
        Mode::Sandbox => "a sandbox",
        Mode::PublicSandbox => "a public sandbox",
    };
    if options.connect {
        connect(&config, work, out)?;
    }
    writeln!(out, "\nThese settings start {kind}.")?;
    Ok(())
}

/// Tries the services that the settings name and prints the results.
fn connect(config: &Config, work: &impl Work, out: &mut dyn Write) -> Result<(), Failure> {
    let tried = runtime()?.block_on(work.try_connections(config));
    writeln!(out, "\ntried")?;
    let mut problems = Vec::new();
    for Tried { setting, found } in tried {
        let name = setting.to_string();
        match found {
            Ok(what) => writeln!(out, "  {name:24}{what}")?,
            Err(why) => {
                writeln!(out, "  {name:24}NOT REACHED")?;
                problems.push(Problem(format!("{name}: {why}")));
            }
        }
    }
    out.flush()?;
    if problems.is_empty() {
        return Ok(());
    }
    Err(Problems(problems).into())
}

/// Prints all processors, and how they are reached.
fn connectors(
    config: &Config,
    connectors: &[KnownConnector],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\nconnectors")?;
    for connector in connectors {
        let version = match connector.api_version {
            Some(version) => format!("API version {version}"),
            None => "-".to_owned(),
        };
        let state = match (connector.is_simulator, connector.is_usable) {
            (false, true) => "usable",
            (true, true) => "usable, simulated",
            (true, false) => "simulated, in a sandbox only",
            (false, false) => "not usable",
        };
        writeln!(out, "  {:15}{version:32}{state}", connector.name)?;
    }
    let way = match &config.connectors.proxy {
        Some(proxy) => format!("through the proxy {proxy}"),
        None => "directly".to_owned(),
    };
    let targets = config.connector_targets();
    let lead_to = match (targets.allows_loopback, &targets.allowed) {
        (false, listed) => listed.to_string(),
        (true, none) if *none == AllowedTargets::default() => "this machine".to_owned(),
        (true, listed) => format!("this machine, {listed}"),
    };
    writeln!(
        out,
        "Processors are called {way}, with at most {} calls of an account at once, and waited for {} ms.\n\
         metadata.base_url of an account may lead to: {lead_to}.",
        config.connectors.account_concurrency,
        config.processor_deadline.as_millis(),
    )
}
