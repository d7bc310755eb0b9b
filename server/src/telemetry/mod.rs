//! Logging: tracing, on standard error.
//!
//! Text for a terminal, one JSON object a line for everything else. dropshot uses slog; [`slog_logger`] forwards its lines.
//! No line may contain a secret: see [`redact`].

pub mod figures;
pub mod figures_page;
pub mod redact;
mod slog_drain;
mod terminal;

use std::fmt;
use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{LevelFilter, ParseError};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

pub use slog_drain::slog_logger;

/// The format of log lines.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For programs: one JSON object a line.
    Json,
    /// Text when standard error is a terminal, JSON otherwise.
    #[default]
    Auto,
}

impl LogFormat {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Text, Self::Json, Self::Auto];

    /// Returns the word in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Auto => "auto",
        }
    }

    /// Returns whether lines are JSON, given whether they go to a terminal.
    fn is_json(self, is_terminal: bool) -> bool {
        match self {
            Self::Text => false,
            Self::Json => true,
            Self::Auto => !is_terminal,
        }
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a level can't be read.
#[derive(Debug, thiserror::Error)]
pub enum WrongLevel {
    /// The library would take it for the name of a module with all its lines, and leave out the others.
    #[error("\"{0}\" is no level: error, warn, info, debug, trace or off")]
    NoLevel(String),
    #[error(transparent)]
    Form(#[from] ParseError),
}

/// Reads a level (`info`) or a list of levels by module (`info,sqlx=warn`).
///
/// # Errors
/// Fails for a word that is no level, or another form.
pub fn filter(level: &str) -> Result<EnvFilter, WrongLevel> {
    let alone = level
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    for word in alone.filter(|part| !part.contains(['=', '[', ']'])) {
        if word.parse::<LevelFilter>().is_err() {
            return Err(WrongLevel::NoLevel(word.to_owned()));
        }
    }
    Ok(EnvFilter::builder().parse(level)?)
}

/// Why logging can't start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The level has another form than `filter` reads.
    #[error("log_level: {0}")]
    Level(#[from] WrongLevel),
    /// Another subscriber in the process receives the lines.
    #[error("logging was started twice: {0}")]
    Twice(#[from] TryInitError),
}

/// Sends the lines of the whole process to standard error. Once a process.
pub fn init(format: LogFormat, level: &str) -> Result<(), TelemetryError> {
    let is_terminal = std::io::stderr().is_terminal();
    let registry = tracing_subscriber::registry().with(filter(level)?);
    // If the log's disk is full, code that logs must not fail.
    let lines = tracing_subscriber::fmt::layer()
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    if format.is_json(is_terminal) {
        registry
            .with(lines.json().flatten_event(true).with_span_list(false))
            .try_init()?;
    } else {
        let wants_color = is_terminal && std::env::var_os("NO_COLOR").is_none();
        let lines = lines.event_format(terminal::Terminal);
        registry.with(lines.with_ansi(wants_color)).try_init()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_text_on_a_terminal_only() {
        assert!(!LogFormat::Auto.is_json(true));
        assert!(LogFormat::Auto.is_json(false));
        assert!(LogFormat::Json.is_json(true));
        assert!(!LogFormat::Text.is_json(false));
    }

    #[test]
    fn levels_may_differ_by_module() {
        for level in ["info", "WARN", "info,dropshot=debug,sqlx=off"] {
            assert!(filter(level).is_ok(), "{level}");
        }
        for level in ["info,=", "multirail=loudly", "loud", "info,dropshot"] {
            assert!(filter(level).is_err(), "{level}");
        }
    }
}
