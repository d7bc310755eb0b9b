//! Parsers of single values, with the messages about wrong ones.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use multirail_kernel::proxy_address::ProxyAddress;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::AllowedTargets;
use multirail_seal::MasterKey;
use url::Url;

use super::layers::Raw;
use crate::telemetry::{self, LogFormat};

/// A value, or the problem of its text.
pub(super) type Value<T> = Result<T, String>;

/// The engine that a database address names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DatabaseEngine {
    /// A file on this machine.
    Sqlite,
    /// A server.
    Postgres,
}

/// Address of the database. Prints without its password.
#[derive(Clone, Eq, PartialEq)]
pub struct DatabaseUrl {
    text: SecretText,
    engine: DatabaseEngine,
}

impl DatabaseUrl {
    /// Reads `sqlite:<path>`, `postgres://…` or `postgresql://…`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let engine = match text.split_once(':') {
            Some(("sqlite", path)) if !path.is_empty() => DatabaseEngine::Sqlite,
            Some(("postgres" | "postgresql", rest))
                if rest.starts_with("//") && Url::parse(text).is_ok() =>
            {
                DatabaseEngine::Postgres
            }
            // The text may hold a password, so it isn't repeated.
            _ => {
                return Err(
                    "must be sqlite:<path> or postgres://<user>:<password>@<host>/<database> \
                     (special characters in the password percent-encoded)"
                        .to_owned(),
                );
            }
        };
        Ok(Self {
            text: SecretText::new(text),
            engine,
        })
    }

    /// Returns the whole address, password included.
    pub fn expose(&self) -> &str {
        self.text.expose()
    }

    /// Returns the engine that it names.
    pub fn engine(&self) -> DatabaseEngine {
        self.engine
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.engine, Url::parse(self.expose())) {
            (DatabaseEngine::Sqlite, _) => f.write_str(self.expose()),
            (DatabaseEngine::Postgres, Ok(mut url)) => {
                if url.password().is_some() && url.set_password(Some("***")).is_err() {
                    return f.write_str("postgres://***");
                }
                // Drivers also take the password as a parameter.
                if url.query().is_some() {
                    url.set_query(Some("***"));
                }
                write!(f, "{url}")
            }
            (DatabaseEngine::Postgres, Err(_)) => f.write_str("postgres://***"),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

/// Web origins that may call the client operations.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CorsOrigins {
    /// Every origin.
    Any,
    /// These origins, as browsers write them: `https://shop.example`.
    Listed(Vec<String>),
}

impl CorsOrigins {
    /// Returns whether a page of this `Origin` may call.
    pub fn allows(&self, origin: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(origins) => origins.iter().any(|listed| listed == origin),
        }
    }
}

impl fmt::Display for CorsOrigins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Listed(origins) if origins.is_empty() => f.write_str("none"),
            Self::Listed(origins) => f.write_str(&origins.join(", ")),
        }
    }
}

pub(super) fn text(raw: &Raw) -> Value<&str> {
    match raw {
        Raw::Text(text) | Raw::Toml(toml::Value::String(text)) => Ok(text),
        Raw::Toml(other) => Err(format!("must be a text in quotes, not a {}", kind(other))),
    }
}

pub(super) fn yes_or_no(raw: &Raw) -> Value<bool> {
    match raw {
        Raw::Toml(toml::Value::Boolean(yes)) => Ok(*yes),
        Raw::Toml(other) => Err(format!("must be true or false, not a {}", kind(other))),
        Raw::Text(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Ok(true),
            "false" | "no" | "off" | "0" => Ok(false),
            _ => Err(format!("must be true or false, not {text:?}")),
        },
    }
}

pub(super) fn whole_number(raw: &Raw, range: RangeInclusive<u64>) -> Value<u64> {
    let number = match raw {
        Raw::Text(text) => text.parse().ok(),
        Raw::Toml(toml::Value::Integer(number)) => u64::try_from(*number).ok(),
        Raw::Toml(_) => None,
    };
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let given = match raw {
                Raw::Text(text) => format!("{text:?}"),
                Raw::Toml(toml::Value::Integer(number)) => number.to_string(),
                Raw::Toml(other) => format!("a {}", kind(other)),
            };
            let (least, most) = (range.start(), range.end());
            format!("must be a whole number from {least} to {most}, not {given}")
        })
}

pub(super) fn path(raw: &Raw) -> Value<PathBuf> {
    match text(raw)? {
        "" => Err("must name a path".to_owned()),
        path => Ok(PathBuf::from(path)),
    }
}

pub(super) fn address(raw: &Raw) -> Value<SocketAddr> {
    let text = text(raw)?;
    let local = text
        .strip_prefix("localhost:")
        .and_then(|port| port.parse().ok())
        .map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    local.or_else(|| text.parse().ok()).ok_or_else(|| {
        format!(
            "must be an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080, not {text:?}"
        )
    })
}

/// The use of the connection guard in front of the server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ConnectionGuard {
    /// If clients connect to this server directly.
    Auto,
    On,
    Off,
}

impl fmt::Display for ConnectionGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::On => "on",
            Self::Off => "off",
        })
    }
}

pub(super) fn connection_guard(raw: &Raw) -> Value<ConnectionGuard> {
    match text(raw)? {
        "auto" => Ok(ConnectionGuard::Auto),
        "on" => Ok(ConnectionGuard::On),
        "off" => Ok(ConnectionGuard::Off),
        other => Err(format!("must be auto, on or off, not {other:?}")),
    }
}

/// The depth of a start's search for damage in the SQLite file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DatabaseCheck {
    /// Fully, if that takes a second or two.
    Auto,
    Full,
    /// Without the indexes.
    Quick,
    Off,
}

impl fmt::Display for DatabaseCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Full => "full",
            Self::Quick => "quick",
            Self::Off => "off",
        })
    }
}

pub(super) fn database_check(raw: &Raw) -> Value<DatabaseCheck> {
    match text(raw)? {
        "auto" => Ok(DatabaseCheck::Auto),
        "full" => Ok(DatabaseCheck::Full),
        "quick" => Ok(DatabaseCheck::Quick),
        "off" => Ok(DatabaseCheck::Off),
        other => Err(format!("must be auto, full, quick or off, not {other:?}")),
    }
}

/// Reads an address and removes the slash at its end, so that paths can follow.
pub(super) fn public_url(raw: &Raw) -> Value<String> {
    let text = text(raw)?;
    let is_plain = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    };
    Url::parse(text)
        .ok()
        .filter(is_plain)
        .map(|url| url.as_str().trim_end_matches('/').to_owned())
        .ok_or_else(|| {
            "must be an http or https address without user, query and fragment, \
             such as https://pay.example"
                .to_owned()
        })
}

/// Reads `http://<loopback address>:<port>`. Names are not accepted: they can change their meaning between check and use.
pub(super) fn loopback_url(raw: &Raw) -> Value<SocketAddr> {
    let given = text(raw)?;
    given
        .strip_prefix("http://")
        .and_then(|rest| rest.strip_suffix('/').unwrap_or(rest).parse().ok())
        .filter(|address: &SocketAddr| address.ip().is_loopback() && address.port() != 0)
        .ok_or_else(|| {
            format!(
                "must be an address of this machine such as http://127.0.0.1:8090, not {given:?}"
            )
        })
}

/// Reads a list, or a text with commas between words.
pub(super) fn words(raw: &Raw) -> Value<Vec<&str>> {
    match raw {
        Raw::Text(text) => text
            .split(',')
            .map(str::trim)
            .filter(|w| !w.is_empty())
            .map(Ok)
            .collect(),
        Raw::Toml(toml::Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().ok_or("must be a list of texts".to_owned()))
            .collect(),
        Raw::Toml(other) => Err(format!("must be a list of texts, not a {}", kind(other))),
    }
}

pub(super) fn targets(raw: &Raw) -> Value<AllowedTargets> {
    AllowedTargets::read(words(raw)?).map_err(|error| error.to_string())
}

pub(super) fn proxy(raw: &Raw) -> Value<ProxyAddress> {
    ProxyAddress::parse(text(raw)?).map_err(|error| error.to_string())
}

pub(super) fn origins(raw: &Raw) -> Value<CorsOrigins> {
    let words = words(raw)?;
    if words.contains(&"*") {
        return Ok(CorsOrigins::Any);
    }
    words
        .into_iter()
        .map(|word| {
            let origin = Url::parse(word)
                .ok()
                .filter(|url| matches!(url.scheme(), "http" | "https"))
                .filter(|url| {
                    url.path() == "/" && url.query().is_none() && url.fragment().is_none()
                })
                .filter(|url| url.username().is_empty() && url.password().is_none())
                .map(|url| url.origin().ascii_serialization());
            origin.ok_or_else(|| {
                format!(
                    "must list origins such as https://shop.example, without a path; not {word:?}"
                )
            })
        })
        .collect::<Result<_, _>>()
        .map(CorsOrigins::Listed)
}

pub(super) fn log_format(raw: &Raw) -> Value<LogFormat> {
    let word = text(raw)?;
    LogFormat::ALL
        .into_iter()
        .find(|format| format.as_str() == word)
        .ok_or_else(|| format!("must be text, json or auto, not {word:?}"))
}

pub(super) fn log_level(raw: &Raw) -> Value<String> {
    let level = text(raw)?;
    match telemetry::filter(level) {
        Ok(_) if !level.trim().is_empty() => Ok(level.to_owned()),
        _ => Err(format!(
            "must be error, warn, info, debug, trace or off, by module too (info,dropshot=debug); not {level:?}"
        )),
    }
}

/// Reads a secret. No message repeats any of it.
pub(super) fn secret(raw: &Raw) -> Value<SecretText> {
    let text = text(raw).map_err(|_| "must be a text in quotes")?;
    if text.is_empty() {
        return Err("must not be empty".to_owned());
    }
    Ok(SecretText::new(text))
}

/// Reads an admin key. No message repeats any of it.
pub(super) fn admin_api_key(raw: &Raw) -> Value<SecretText> {
    let key = text(raw).map_err(|_| "must be a text in quotes")?;
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("must be visible ASCII characters without spaces".to_owned());
    }
    if key.starts_with("pk_") {
        return Err("must not start with pk_, which marks publishable keys".to_owned());
    }
    Ok(SecretText::new(key))
}

pub(super) fn master_key(raw: &Raw) -> Value<MasterKey> {
    let digits = text(raw).map_err(|_| "must be a text in quotes")?;
    MasterKey::from_hex(digits).map_err(|error| error.to_string())
}

pub(super) fn database_url(raw: &Raw) -> Value<DatabaseUrl> {
    DatabaseUrl::parse(text(raw)?)
}

fn kind(value: &toml::Value) -> &'static str {
    match value {
        toml::Value::String(_) => "text",
        toml::Value::Integer(_) => "whole number",
        toml::Value::Float(_) => "decimal number",
        toml::Value::Boolean(_) => "true or false",
        toml::Value::Datetime(_) => "date",
        toml::Value::Array(_) => "list",
        toml::Value::Table(_) => "table",
    }
}
