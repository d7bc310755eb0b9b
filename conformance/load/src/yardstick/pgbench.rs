//! PostgreSQL's own benchmark, if it is installed.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The result of pgbench.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub connections: usize,
    /// Transactions a second.
    pub tps: f64,
    /// Milliseconds a transaction, on average.
    pub latency_ms: f64,
}

/// Returns the program, beside the server's or in the path.
pub fn find(binaries: Option<&Path>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let beside = binaries.map(|directory| directory.join("pgbench"));
    beside
        .into_iter()
        .chain(std::env::split_paths(&path).map(|dir| dir.join("pgbench")))
        .find(|file| file.is_file())
}

/// Fills the tables of its usual transaction, TPC-B, with a million rows.
///
/// # Errors
/// Fails when the program doesn't run.
pub fn fill(program: &Path, url: &str) -> io::Result<()> {
    run(program, &["-i", "-q", "-s", "10", url]).map(drop)
}

/// Runs TPC-B, each statement prepared once.
///
/// # Errors
/// Fails when the program doesn't run or its answer can't be read.
pub fn tpc_b(
    program: &Path,
    url: &str,
    connections: usize,
    duration: Duration,
) -> io::Result<Rate> {
    measure(program, url, connections, duration, &[])
}

/// Runs commits of one inserted kilobyte: about the smallest possible.
///
/// # Errors
/// As [`tpc_b`].
pub fn insert(
    program: &Path,
    url: &str,
    directory: &Path,
    connections: usize,
    duration: Duration,
) -> io::Result<Rate> {
    let script = directory.join("insert.pgbench");
    std::fs::write(
        &script,
        "\\set a random(1, 9000000000000000)\n\
         insert into bare_change_sets values ('cs_' || :a, 'merchant', repeat('r', 1000), 'request', 0)\n\
         on conflict do nothing;\n",
    )?;
    measure(
        program,
        url,
        connections,
        duration,
        &["-f", &script.to_string_lossy()],
    )
}

fn measure(
    program: &Path,
    url: &str,
    connections: usize,
    duration: Duration,
    more: &[&str],
) -> io::Result<Rate> {
    let (clients, seconds) = (
        connections.to_string(),
        duration.as_secs().max(1).to_string(),
    );
    let mut arguments = vec!["-n", "-M", "prepared", "-c", &clients, "-T", &seconds];
    arguments.extend(more);
    arguments.push(url);
    let text = run(program, &arguments)?;
    let number = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix(name))?;
        line.trim_start_matches([' ', '='])
            .split(' ')
            .next()?
            .parse()
            .ok()
    };
    match (number("tps"), number("latency average")) {
        (Some(tps), Some(latency_ms)) => Ok(Rate {
            connections,
            tps,
            latency_ms,
        }),
        _ => Err(io::Error::other(format!(
            "pgbench says something else: {text}"
        ))),
    }
}

fn run(program: &Path, arguments: &[&str]) -> io::Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(io::Error::other(format!(
        "pgbench: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    )))
}
