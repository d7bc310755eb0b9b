//! What the command line of the kit says, and what it does: checks any running server and writes a report.

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

/// Checks a running server against the published document of multirail: every operation, its refusals, its keys and its
/// limits. It tells the life of a merchant, so point it at a sandbox or at an account made for this.
///
/// With the operator's key it opens merchant accounts of its own and, unless something failed, closes the one that it pays through; it
/// has the server change its data keys, and moves the clock of a sandbox on by a quarter of an hour, after which the secrets of payers
/// are good for nothing. Without it, it uses the account
/// whose secret key it is given, and leaves out what would change that account's settings. What a server can't do is skipped,
/// and the report says so by name: operations that its own /openapi.json lacks, stories that want a simulated processor.
///
/// Exit codes: 0 nothing failed, 1 a check failed, 2 the arguments are wrong, 3 nothing could be checked, as where nobody
/// answers, or the run ended early and nothing had failed, or the report can't be written.
#[derive(Parser)]
#[command(name = "multirail-conformance", version)]
pub struct Arguments {
    /// Where the server is, such as http://127.0.0.1:8080.
    #[arg(long)]
    base_url: String,
    /// The operator's key; a sandbox prints it when it starts.
    #[arg(long, env = "MULTIRAIL_ADMIN_API_KEY", hide_env_values = true)]
    admin_key: Option<String>,
    /// The secret key of a merchant, where there is no operator's key.
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
    /// That merchant's publishable key, with which the payer's side is checked; asked of the server where it isn't given.
    #[arg(long, requires = "secret_key")]
    publishable_key: Option<String>,
    /// The profile of that merchant that payments are taken with; its first one where none is given.
    #[arg(long, requires = "secret_key")]
    profile_id: Option<String>,
    /// The secret key of another merchant, from whom everything has to be out of reach.
    #[arg(
        long,
        env = "MULTIRAIL_OTHER_API_KEY",
        hide_env_values = true,
        requires = "secret_key"
    )]
    other_secret_key: Option<String>,
    /// Whether payments end at the simulated processor, so that its test cards may be used.
    #[arg(long, value_enum, default_value_t)]
    simulator: Simulator,
    /// Compares with this document, in YAML or JSON, instead of the one that is published with this program. The stories stay the
    /// same, so it has to have every operation that they call.
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// A report of these operations alone, such as payments_confirm or 'refunds_*'; what they need is called, too, and what of
    /// that fails is told where one of them never worked. May be repeated.
    #[arg(long, value_name = "OPERATION")]
    only: Vec<String>,
    /// Doesn't call these operations. May be repeated.
    #[arg(long, value_name = "OPERATION")]
    skip: Vec<String>,
    /// Tries the bounds inside each component for every operation that takes it, not for the first one only, and has each bound and
    /// word of the specification's operations understood.
    #[arg(long)]
    thorough: bool,
    /// How many seconds the server may take for one answer. After five calls in a row without one the run ends.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    timeout: Duration,
    /// How many seconds the whole run may take. What isn't tried by then is skipped by name.
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds)]
    max_time: Duration,
    /// The form of the report.
    #[arg(long, value_enum, default_value = "table")]
    report: Format,
    /// Where to write the report, instead of to standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Does what the arguments say and answers with the exit code.
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

/// More than none, in tenths and less where that is wanted.
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
