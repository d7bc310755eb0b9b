//! Log lines for people: the time of day, the level, the message, and then the fields, in one line that fits.
//!
//! An access line is `06:35:17.123Z INFO  request answered POST /payments 200 3.2 ms merchant_id=demo`. Values with a clear
//! form have no name, and empty ones are left out.

use std::fmt::{self, Write};
use std::ops::Range;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// Fields whose values need no name.
const NAMELESS: [&str; 3] = ["method", "path", "status"];

/// The request id is long and comes last, so that the lines are aligned.
const LAST: &str = "request_id";

/// The position of the time of day in `2026-11-22T06:35:17.123456Z`.
const TIME_OF_DAY: Range<usize> = 11..23;

/// Our own modules, which aren't printed.
const OURS: &str = "multirail";

/// The format.
pub(super) struct Terminal;

impl<S, N> FormatEvent<S, N> for Terminal
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Line::default();
        event.record(&mut line);
        let metadata = event.metadata();
        let (dim, colour, plain) = if writer.has_ansi_escapes() {
            ("\x1b[2m", colour(metadata.level()), "\x1b[0m")
        } else {
            ("", "", "")
        };
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        write!(
            writer,
            "{dim}{}Z{plain} {colour}{:5}{plain}",
            time.get(TIME_OF_DAY).unwrap_or(&time),
            metadata.level()
        )?;
        if !metadata.target().starts_with(OURS) {
            write!(writer, " {dim}{}:{plain}", metadata.target())?;
        }
        writeln!(
            writer,
            " {}{}{dim}{}{}{plain}",
            line.message,
            line.said(),
            line.named,
            line.last
        )
    }
}

fn colour(level: &Level) -> &'static str {
    match *level {
        Level::ERROR => "\x1b[31m",
        Level::WARN => "\x1b[33m",
        Level::INFO => "\x1b[32m",
        Level::DEBUG => "\x1b[34m",
        Level::TRACE => "\x1b[35m",
    }
}

/// The parts of a line, each with a space before it.
#[derive(Default)]
struct Line {
    message: String,
    nameless: String,
    named: String,
    last: String,
    operation: String,
    has_path: bool,
}

impl Line {
    /// Returns the values without names. The path implies the operation; without a path, the operation's name is printed.
    fn said(&self) -> String {
        let operation = if self.has_path { "" } else { &self.operation };
        format!("{operation}{}", self.nameless)
    }

    fn add(&mut self, name: &str, value: &str) {
        // A text from outside may have any content; a line stays one.
        let value = value.replace(char::is_control, " ");
        if value.is_empty() || value == "-" {
            return;
        }
        self.has_path |= name == "path";
        match name {
            "message" => self.message.push_str(&value),
            "operation" => self.operation = format!(" {value}"),
            LAST => self.last = format!(" {LAST}={value}"),
            _ if NAMELESS.contains(&name) => {
                self.nameless.push(' ');
                self.nameless.push_str(&value);
            }
            _ => {
                self.named.push(' ');
                self.named.push_str(name);
                self.named.push('=');
                self.named.push_str(&value);
            }
        }
    }
}

impl Visit for Line {
    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "duration_ms" {
            // Writing to a text doesn't fail.
            let _ = write!(self.nameless, " {value:.1} ms");
        } else {
            self.add(field.name(), &value.to_string());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field.name(), &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns the written lines, without their times.
    fn shown(act: impl FnOnce()) -> String {
        let screen = Screen::default();
        let writer = screen.clone();
        let layer = tracing_subscriber::fmt::layer()
            .event_format(Terminal)
            .with_ansi(false)
            .with_writer(move || writer.clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), act);
        let bytes = screen.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines()
            .map(|line| {
                let (time, rest) = line.split_once(' ').unwrap();
                assert_eq!(time.len(), "06:35:17.123Z".len(), "{line}");
                format!("{rest}\n")
            })
            .collect()
    }

    #[test]
    fn a_line_fits() {
        let text = shown(|| {
            tracing::info!(
                request_id = "0199a2b4-7c1e-7b52-9d2e-1d6a4f3c2b10",
                operation = "payments_confirm",
                method = %"POST",
                path = "/payments/{payment_id}/confirm",
                merchant_id = "merchant_01jabcdefghijklmnop",
                client = %"203.0.113.7",
                status = 200_u16,
                duration_ms = 3.214_159,
                "request answered"
            );
            tracing::warn!(target: "dropshot", error = "broken\npipe", others = "-", "connection");
        });
        insta::assert_snapshot!(text, @r"
        INFO  request answered POST /payments/{payment_id}/confirm 200 3.2 ms merchant_id=merchant_01jabcdefghijklmnop client=203.0.113.7 request_id=0199a2b4-7c1e-7b52-9d2e-1d6a4f3c2b10
        WARN  dropshot: connection error=broken pipe
        ");
        assert!(text.lines().all(|line| line.len() < 200));
    }
}
