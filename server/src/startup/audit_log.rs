//! `multirail audit verify` and `multirail audit export`: calls a running server, a portion at a time.

use std::io;
use std::time::Duration;

use http::Method;
use multirail_types::{AuditCheck, AuditEntry};
use serde::de::DeserializeOwned;
use url::Url;

use super::StartupError;
use super::operator_call::{call, reason, unasked};
use crate::cli::{AuditRequest, AuditWanted};

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long to wait if the server checks its database file.
const PATIENCE_WITH_FILE: Duration = Duration::from_secs(1_800);
/// Entries that one request checks.
const CHECKED_AT_ONCE: i64 = 1_000;
/// Entries that one request fetches: the longest ones fit into the limit of an answer.
const FETCHED_AT_ONCE: usize = 40;

pub(super) async fn run(
    asked: AuditRequest,
    tell: &mut dyn FnMut(&str) -> io::Result<()>,
) -> Result<(), StartupError> {
    match &asked.wanted {
        AuditWanted::Check { noted } => verify(&asked, noted.as_ref(), tell).await,
        AuditWanted::Entries { after } => export(&asked, *after, tell).await,
    }
}

async fn verify(
    asked: &AuditRequest,
    noted: Option<&(i64, String)>,
    tell: &mut dyn FnMut(&str) -> io::Result<()>,
) -> Result<(), StartupError> {
    let mut after = 0;
    let check = loop {
        let (limit, behind) = (CHECKED_AT_ONCE.to_string(), after.to_string());
        let query = [("after", behind.as_str()), ("limit", limit.as_str())];
        let check: AuditCheck = json(asked, &with(&asked.address, &query)).await?;
        if check.finished {
            break check;
        }
        if check.until <= after {
            return Err(unasked(&asked.address, "the server gets no further"));
        }
        after = check.until;
    };
    if let Some(fault) = check.fault {
        return Err(StartupError::AuditLogNotWhole(format!(
            "entry {} of the audit log is {}; {} entries before it are whole, and {} are counted",
            fault.sequence,
            in_words(&fault.kind),
            check.until,
            check.entries
        )));
    }
    if let Some((sequence, hash)) = noted {
        check_noted(asked, *sequence, hash).await?;
    }
    check_file(asked).await?;
    let last = check.hash.map_or_else(String::new, |hash| {
        format!("; the last one is {}:{hash}", check.until)
    });
    say(tell, &format!("{} entries are whole{last}", check.until))
}

pub(super) fn in_words(kind: &str) -> &str {
    match kind {
        "altered" => "not what was written",
        "missing" => "missing",
        "not_counted" => "not counted",
        "head_altered" => "the last one, but the separately stored number and hash were changed",
        other => other,
    }
}

/// Checks the database file: a valid log may be in a file that is damaged elsewhere.
async fn check_file(asked: &AuditRequest) -> Result<(), StartupError> {
    let address = with(&asked.address, &[("limit", "1"), ("check_file", "true")]);
    let text = text_within(asked, &address, PATIENCE_WITH_FILE).await?;
    let check: Result<AuditCheck, _> = serde_json::from_str(&text);
    let check = check.map_err(|_| unasked(&address, "the answer can't be read"))?;
    let faults = check.file_faults.unwrap_or_default();
    if faults.is_empty() {
        return Ok(());
    }
    Err(StartupError::AuditLogNotWhole(format!(
        "the database file is damaged, though the audit log in it is whole: {}",
        faults.join("; ")
    )))
}

/// Checks that the log still has the noted entry, with its hash.
async fn check_noted(asked: &AuditRequest, sequence: i64, hash: &str) -> Result<(), StartupError> {
    let before = (sequence + 1).to_string();
    let query = [("before", before.as_str()), ("limit", "1")];
    let listed: Vec<AuditEntry> = json(asked, &with(&asked.listed_at, &query)).await?;
    match listed.first() {
        Some(entry) if entry.sequence == sequence && entry.hash == hash => Ok(()),
        Some(entry) if entry.sequence == sequence => Err(StartupError::AuditLogNotWhole(format!(
            "entry {sequence} of the audit log has another hash than was noted: the log was rewritten up to it"
        ))),
        _ => Err(StartupError::AuditLogNotWhole(format!(
            "the audit log has no entry {sequence}, which was noted: it was put back to an earlier state"
        ))),
    }
}

async fn export(
    asked: &AuditRequest,
    mut after: i64,
    tell: &mut dyn FnMut(&str) -> io::Result<()>,
) -> Result<(), StartupError> {
    loop {
        let (limit, behind) = (FETCHED_AT_ONCE.to_string(), after.to_string());
        let query = [("after", behind.as_str()), ("limit", limit.as_str())];
        let lines = text(asked, &with(&asked.address, &query)).await?;
        let Some(last) = lines.lines().next_back() else {
            return Ok(());
        };
        let last: Result<AuditEntry, _> = serde_json::from_str(last);
        let last = last.map_err(|_| unasked(&asked.address, "the answer can't be read"))?;
        if last.sequence <= after {
            return Err(unasked(&asked.address, "the server gets no further"));
        }
        say(tell, lines.trim_end())?;
        after = last.sequence;
    }
}

fn with(address: &Url, query: &[(&str, &str)]) -> Url {
    let mut address = address.clone();
    address.query_pairs_mut().extend_pairs(query);
    address
}

async fn json<T: DeserializeOwned>(asked: &AuditRequest, address: &Url) -> Result<T, StartupError> {
    let read = serde_json::from_str(&text(asked, address).await?);
    read.map_err(|_| unasked(address, "the answer can't be read"))
}

async fn text(asked: &AuditRequest, address: &Url) -> Result<String, StartupError> {
    text_within(asked, address, PATIENCE).await
}

async fn text_within(
    asked: &AuditRequest,
    address: &Url,
    patience: Duration,
) -> Result<String, StartupError> {
    let answer = call(
        Method::GET,
        address,
        &asked.admin_key,
        None,
        patience,
        &asked.trusted,
    )
    .await?;
    if answer.status != 200 {
        return Err(unasked(address, &reason(&answer)));
    }
    let read = String::from_utf8(answer.body.to_vec());
    read.map_err(|_| unasked(address, "the answer can't be read"))
}

fn say(tell: &mut dyn FnMut(&str) -> io::Result<()>, line: &str) -> Result<(), StartupError> {
    tell(line).map_err(|error| StartupError::Refused(format!("cannot write: {error}")))
}
