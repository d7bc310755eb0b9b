//! The options of a run.

use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::chance::Chance;

const KILLS: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// The processor that takes the payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    Simulator,
    Stripe,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub kills: u64,
    pub seed: u64,
    pub keep: Option<PathBuf>,
    engine: Option<Engine>,
}

impl Options {
    /// # Panics
    /// Panics when a variable can't be read.
    pub fn from_environment() -> Self {
        let number = |name: &str| {
            let text = given(name)?;
            Some(
                text.parse()
                    .unwrap_or_else(|_| panic!("{name} is a whole number, not {text}")),
            )
        };
        Options {
            kills: number("MULTIRAIL_CRASH_KILLS").unwrap_or(KILLS),
            seed: number("MULTIRAIL_CRASH_SEED").unwrap_or_else(nobodys_choice),
            keep: given("MULTIRAIL_CRASH_KEEP").map(PathBuf::from),
            engine: given("MULTIRAIL_CRASH_ENGINE").map(|name| match name.as_str() {
                "sqlite" => Engine::Sqlite,
                "postgres" => Engine::Postgres,
                other => panic!("MULTIRAIL_CRASH_ENGINE is sqlite or postgres, not {other}"),
            }),
        }
    }

    pub fn wants(&self, engine: Engine) -> bool {
        self.engine.is_none_or(|wanted| wanted == engine)
    }
}

fn given(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

fn nobodys_choice() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Chance::new(now.as_nanos() as u64).between(1, 999_999_999)
}

/// Prints a line to stderr directly, because the test harness hides the output of passing tests.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "crash test: {line}");
}
