//! The command line of the kit, which checks any running server and writes a report.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::document;
use crate::endurance::Endurance;
use crate::kit::{self, Filter, Given, Options, Simulator};
use crate::progress::Progress;
use crate::report::{Format, Report};
use crate::wire::Wire;

/// Checks a running server against the published document of multirail: every operation with its refusals, keys and
/// limits. It plays the life of a merchant, so use a sandbox or an account made for this.
///
/// With the operator's key it opens its own merchant accounts and closes the paying one, unless a check failed. It
/// also rotates the data keys and moves a sandbox's clock on by a quarter of an hour, which expires the payers'
/// secrets.
///
/// Without that key it uses the account of the given secret key, and skips checks that would change the account's
/// settings. The report names everything that is skipped, such as operations that the server's /openapi.json lacks,
/// or stories that need a simulated processor.
///
/// Exit code 0 means that nothing failed, 1 that a check failed, 2 that the arguments are wrong. Exit code 3 means that
/// nothing could be checked, the run ended early without a failure, or the report couldn't be written.
#[derive(Parser)]
#[command(name = "multirail-conformance", version)]
pub struct Arguments {
    /// The server's address, such as http://127.0.0.1:8080.
    #[arg(long)]
    base_url: String,
    /// The operator's key; a sandbox prints it when it starts.
    #[arg(long, env = "MULTIRAIL_ADMIN_API_KEY", hide_env_values = true)]
    admin_key: Option<String>,
    /// The secret key of a merchant, if there is no operator's key.
    #[arg(
        long,
        env = "MULTIRAIL_API_KEY",
        hide_env_values = true,
        requires = "merchant_id"
    )]
    secret_key: Option<String>,
    /// The id of that merchant's account.
    #[arg(long, requires = "secret_key")]
    merchant_id: Option<String>,
    /// The merchant's publishable key, for checks of the payer's side. The default is to ask the server.
    #[arg(long, requires = "secret_key")]
    publishable_key: Option<String>,
    /// The profile of that merchant for payments. The default is the first one.
    #[arg(long, requires = "secret_key")]
    profile_id: Option<String>,
    /// The secret key of another merchant, which must not reach the first one's objects.
    #[arg(
        long,
        env = "MULTIRAIL_OTHER_API_KEY",
        hide_env_values = true,
        requires = "secret_key"
    )]
    other_secret_key: Option<String>,
    /// Whether payments go to the simulated processor, so that its test cards can be used.
    #[arg(long, value_enum, default_value_t)]
    simulator: Simulator,
    /// Compares with this document, in YAML or JSON, instead of the built-in one. The stories stay the same, so it
    /// must have every operation that they call.
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// Reports on these operations only, such as payments_confirm or 'refunds_*'. Operations that they need are
    /// called too, and their failures are reported if a chosen operation never worked. May be repeated.
    #[arg(long, value_name = "OPERATION")]
    only: Vec<String>,
    /// Doesn't call these operations. May be repeated.
    #[arg(long, value_name = "OPERATION")]
    skip: Vec<String>,
    /// Checks the bounds inside each component for every operation, not only for the first. Also checks that values
    /// at the bounds are accepted.
    #[arg(long)]
    thorough: bool,
    /// The longest time for one answer, in seconds. After five calls in a row without an answer the run ends.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    timeout: Duration,
    /// The longest time for the whole run, in seconds. The report names the checks that were skipped then.
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds)]
    max_time: Duration,
    /// The format of the report.
    #[arg(long, value_enum, default_value = "table")]
    report: Format,
    /// The file for the report, instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the checks and returns the exit code.
pub async fn run(arguments: &Arguments) -> ExitCode {
    let options = match compared(arguments).and_then(|()| options(arguments)) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let endurance = Endurance::new(arguments.timeout, arguments.max_time);
    let wire = Wire::new(&arguments.base_url).within(endurance);
    let progress = Progress::begin(wire.base_url());
    let report = kit::run(&wire, &options, progress.watcher()).await;
    progress.finish();
    if let Err(error) = write(&report, arguments) {
        eprintln!("the report can't be written: {error}");
        return ExitCode::from(3);
    }
    match &report.stopped {
        Some(why) => eprintln!("{why}"),
        None if report.is_empty() => eprintln!("nothing could be checked"),
        None => {}
    }
    if report.has_failures() {
        return ExitCode::from(1);
    }
    match report.stopped.is_some() || report.is_empty() {
        true => ExitCode::from(3),
        false => ExitCode::SUCCESS,
    }
}

fn compared(arguments: &Arguments) -> Result<(), String> {
    let Some(file) = &arguments.document else {
        return Ok(());
    };
    let told = |what: String| format!("{}: {what}", file.display());
    let text = fs::read_to_string(file).map_err(|error| told(error.to_string()))?;
    let name = file.file_name().unwrap_or(file.as_os_str());
    document::compare_with(&name.to_string_lossy(), text).map_err(told)
}

fn options(arguments: &Arguments) -> Result<Options, String> {
    let given = match (&arguments.secret_key, &arguments.merchant_id) {
        (Some(secret_key), Some(merchant_id)) => Some(Given {
            merchant_id: merchant_id.clone(),
            secret_key: secret_key.clone(),
            publishable_key: arguments.publishable_key.clone(),
            profile_id: arguments.profile_id.clone(),
        }),
        _ => None,
    };
    let filter = Filter {
        only: arguments.only.clone(),
        skip: arguments.skip.clone(),
    };
    match filter.unknown().as_slice() {
        [] => {}
        unknown => {
            let unknown = unknown.join(", ");
            return Err(format!("the document has no operation that is {unknown}"));
        }
    }
    if arguments.admin_key.is_none() && given.is_none() {
        return Err("give --admin-key, or --secret-key with --merchant-id".to_owned());
    }
    Ok(Options {
        admin_key: arguments.admin_key.clone(),
        given,
        other_secret_key: arguments.other_secret_key.clone(),
        filter,
        simulator: arguments.simulator,
        thorough: arguments.thorough,
        at_bounds: arguments.thorough,
        provider: None,
    })
}

/// Parses a positive number of seconds, with decimals.
fn seconds(text: &str) -> Result<Duration, String> {
    let count = text.parse().ok().filter(|count: &f64| *count > 0.0);
    let told = count.and_then(|count| Duration::try_from_secs_f64(count).ok());
    told.ok_or_else(|| "no number of seconds above 0".to_owned())
}

fn write(report: &Report, arguments: &Arguments) -> std::io::Result<()> {
    let text = report.render(arguments.report);
    match &arguments.output {
        Some(file) => fs::write(file, text),
        None => std::io::stdout().write_all(text.as_bytes()),
    }
}
