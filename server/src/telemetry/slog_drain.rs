//! Turns dropshot's slog lines into tracing events, with their key-values.

use std::fmt;

use slog::{Drain, KV, Key, Level, Never, OwnedKVList, Record, Serializer};

use super::redact;

/// The name of slog's lines in `log_level`.
const TARGET: &str = "dropshot";

/// Lines that dropshot writes for every request or connection. The dispatcher writes the access line, which has more; these
/// are for debugging, except where dropshot answers an error of its own that the dispatcher never sees.
const EVERYDAY: [&str; 2] = ["request completed", "accepted connection"];

/// The keys of errors.
const ERROR_KEYS: [&str; 2] = ["error_message_internal", "error"];

/// The methods that are written unchanged.
const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
];

/// Returns a logger for dropshot whose lines become tracing events.
pub fn slog_logger() -> slog::Logger {
    slog::Logger::root(TracingDrain, slog::o!())
}

struct TracingDrain;

macro_rules! for_level {
    ($level:expr, $do:ident) => {
        match $level {
            Level::Critical | Level::Error => $do!(ERROR),
            Level::Warning => $do!(WARN),
            Level::Info => $do!(INFO),
            Level::Debug => $do!(DEBUG),
            Level::Trace => $do!(TRACE),
        }
    };
}

fn is_heard(level: Level) -> bool {
    macro_rules! enabled {
        ($level:ident) => {
            tracing::enabled!(target: TARGET, tracing::Level::$level)
        };
    }
    for_level!(level, enabled)
}

impl Drain for TracingDrain {
    type Ok = ();
    type Err = Never;

    fn is_enabled(&self, level: Level) -> bool {
        is_heard(level)
    }

    fn log(&self, record: &Record<'_>, values: &OwnedKVList) -> Result<(), Never> {
        if !is_heard(record.level()) {
            return Ok(());
        }
        if is_everyday(record) && !is_heard(Level::Debug) {
            return Ok(());
        }
        let mut fields = Fields::default();
        // The line's own values come first and win over the logger's.
        let complete = record
            .kv()
            .serialize(record, &mut fields)
            .and_then(|()| values.serialize(record, &mut fields));
        if complete.is_err() {
            fields.add_other("log_values", "incomplete");
        }
        let message = record.msg().to_string();
        let level = fields.level(record.level(), &message);
        if is_heard(level) {
            fields.send(level, &redact::text(&message));
        }
        Ok(())
    }
}

/// Returns whether a line is one of the [`EVERYDAY`] ones without an error. Called before reading its values, which every
/// request would pay for.
fn is_everyday(record: &Record<'_>) -> bool {
    let is_listed = |message| EVERYDAY.contains(&message);
    if record.level() != Level::Info || !record.msg().as_str().is_some_and(is_listed) {
        return false;
    }
    let mut errors = Errors(false);
    record.kv().serialize(record, &mut errors).is_ok() && !errors.0
}

/// Looks for an error among the key-values, without reading them.
struct Errors(bool);

impl Serializer for Errors {
    fn emit_arguments(&mut self, key: Key, _: &fmt::Arguments<'_>) -> slog::Result {
        self.0 |= ERROR_KEYS.contains(&AsRef::<str>::as_ref(&key));
        Ok(())
    }
}

/// The key-values of one line: those with a field of their own, and the rest.
#[derive(Default)]
struct Fields {
    request_id: Option<String>,
    method: Option<String>,
    uri: Option<&'static str>,
    remote_addr: Option<String>,
    status: Option<u64>,
    duration_us: Option<u64>,
    error: Option<String>,
    others: String,
}

impl Fields {
    fn level(&self, level: Level, message: &str) -> Level {
        let everyday = EVERYDAY.contains(&message) && self.error.is_none();
        if everyday && level == Level::Info {
            Level::Debug
        } else {
            level
        }
    }

    fn add(&mut self, key: &str, value: String) {
        let slot = match key {
            "req_id" => &mut self.request_id,
            // A client's invented method may be any text.
            "method" if !METHODS.contains(&value.as_str()) => {
                self.method.get_or_insert_with(|| "unknown".to_owned());
                return;
            }
            "method" => &mut self.method,
            "uri" => {
                let path = value.split('?').next().unwrap_or_default();
                self.uri.get_or_insert(multirail_api::path_template(path));
                return;
            }
            "remote_addr" => &mut self.remote_addr,
            key if ERROR_KEYS.contains(&key) => &mut self.error,
            "response_code" | "latency_us" => {
                let slot = match key {
                    "latency_us" => &mut self.duration_us,
                    _ => &mut self.status,
                };
                match value.parse() {
                    Ok(number) => *slot = slot.or(Some(number)),
                    Err(_) => self.add_other(key, &value),
                }
                return;
            }
            _ => return self.add_other(key, &value),
        };
        if slot.is_none() {
            *slot = Some(redact::text(&value).into_owned());
        }
    }

    fn add_other(&mut self, key: &str, value: &str) {
        if !self.others.is_empty() {
            self.others.push(' ');
        }
        let value = redact::text(value);
        self.others.push_str(&format!("{key}={value:?}"));
    }

    fn send(&self, level: Level, message: &str) {
        let others = (!self.others.is_empty()).then_some(self.others.as_str());
        macro_rules! event {
            ($level:ident) => {
                tracing::event!(
                    target: TARGET,
                    tracing::Level::$level,
                    request_id = self.request_id.as_deref(),
                    method = self.method.as_deref(),
                    uri = self.uri,
                    remote_addr = self.remote_addr.as_deref(),
                    status = self.status,
                    duration_us = self.duration_us,
                    error = self.error.as_deref(),
                    others,
                    "{message}"
                )
            };
        }
        for_level!(level, event);
    }
}

impl Serializer for Fields {
    fn emit_arguments(&mut self, key: Key, value: &fmt::Arguments<'_>) -> slog::Result {
        // With slog's `dynamic-keys`, which dropshot switches on, a key isn't a `&str`.
        self.add(AsRef::<str>::as_ref(&key), value.to_string());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
