//! Shows the progress of a run: as a changing line on a terminal, and elsewhere as a line from time to time.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::report::{Outcome, Row};
use crate::run::Watcher;

/// The pause between two lines outside of a terminal, which suits a log.
const PAUSE: Duration = Duration::from_secs(10);

/// Runs until it is finished.
pub struct Progress {
    seen: Arc<Mutex<Seen>>,
    bar: Option<ProgressBar>,
    lines: Option<JoinHandle<()>>,
}

/// The checks so far.
#[derive(Debug, Default)]
struct Seen {
    checks: usize,
    failed: usize,
    last: String,
}

impl Progress {
    /// Starts to write to standard error.
    pub fn begin(server: &str) -> Self {
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let bar = std::io::stderr().is_terminal().then(bar);
        let lines = bar.is_none().then(|| {
            eprintln!("checking {server}");
            tokio::spawn(tell(Arc::clone(&seen), |line| eprintln!("{line}")))
        });
        Self { seen, bar, lines }
    }

    /// Returns the function that records each check.
    pub fn watcher(&self) -> Watcher {
        let (seen, bar) = (Arc::clone(&self.seen), self.bar.clone());
        Box::new(move |row: &Row| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.note(row);
            if let Some(bar) = &bar {
                bar.set_message(seen.in_words());
            }
        })
    }

    /// Stops the output.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        if let Some(lines) = self.lines {
            lines.abort();
        }
    }
}

impl Seen {
    fn note(&mut self, row: &Row) {
        self.checks += 1;
        if matches!(row.outcome, Outcome::Failed(_)) {
            self.failed += 1;
        }
        self.last = format!("{} ({})", row.operation, row.kind);
    }

    fn in_words(&self) -> String {
        let Self {
            checks,
            failed,
            last,
        } = self;
        format!("{checks} checks, {failed} failed: {last}")
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Also writes when nothing happens, because that interests people who wait.
async fn tell(seen: Arc<Mutex<Seen>>, say: impl Fn(String)) {
    let began = Instant::now();
    loop {
        sleep(PAUSE).await;
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = began.elapsed().as_secs();
        say(format!("after {elapsed} s: {}", seen.in_words()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Kind;

    #[tokio::test(start_paused = true)]
    async fn a_line_comes_now_and_then_also_where_nothing_moves() {
        let (seen, said): (Arc<Mutex<Seen>>, Arc<Mutex<Vec<String>>>) = Default::default();
        seen.lock().expect("nobody panicked").note(&Row {
            operation: "refunds_create".to_owned(),
            kind: Kind::Limits,
            scenario: "amount missing".to_owned(),
            outcome: Outcome::Passed,
            took: Duration::ZERO,
        });
        let kept = Arc::clone(&said);
        let telling = tell(seen, move |line| {
            kept.lock().expect("nobody panicked").push(line);
        });
        let endless = tokio::time::timeout(PAUSE * 5 / 2, telling).await;
        assert!(endless.is_err());
        let end = "1 checks, 0 failed: refunds_create (limits)";
        assert_eq!(
            *said.lock().expect("nobody panicked"),
            [format!("after 10 s: {end}"), format!("after 20 s: {end}")]
        );
    }
}
