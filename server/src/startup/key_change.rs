//! `multirail keys rotate` and `multirail keys status`: calls a running server, and shows its progress.

use std::io;
use std::time::{Duration, Instant};

use http::Method;
use multirail_types::{KeyRotation, ServiceKeys};
use serde_json::{Value, json};

use super::StartupError;
use super::operator_call::{call, reason, unasked};
use crate::cli::{KeysRequest, KeysWanted};

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The interval between questions about the progress.
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// How long a server may be unreachable during the work, as during a restart.
const AWAY_AT_MOST: Duration = Duration::from_secs(120);

pub(super) async fn run(
    asked: KeysRequest,
    tell: &mut dyn FnMut(&str) -> io::Result<()>,
) -> Result<(), StartupError> {
    match &asked.wanted {
        KeysWanted::Status => {
            let keys = shown(&asked).await?;
            for line in status(&keys) {
                say(tell, &line)?;
            }
            Ok(())
        }
        KeysWanted::NewDataKeys => {
            changed(&asked, &json!({ "change": "data_keys" })).await?;
            until_finished(&asked, tell).await
        }
        KeysWanted::NextMasterKey { handed_over, file } => {
            let body = json!({ "change": "master_key", "next_master_key": handed_over });
            let keys = changed(&asked, &body).await?;
            let name = |name: Option<String>| name.unwrap_or_default();
            let (present, next) = (name(keys.master_key), name(keys.next_master_key));
            say(
                tell,
                &format!("the master keys {present} and {next} open the database now"),
            )?;
            say(
                tell,
                &format!("next: give every server {next}, the key in {file}, as its master key"),
            )?;
            say(tell, "then:  multirail keys rotate --finish")
        }
        KeysWanted::FinishMasterKey => {
            let keys = changed(&asked, &json!({ "change": "finish_master_key" })).await?;
            let name = keys.master_key.unwrap_or_default();
            say(
                tell,
                &format!("{name} is the master key; the former one opens nothing any more"),
            )
        }
    }
}

/// Shows each new step, until there is nothing left to do. A server that is unreachable for a while continues when it is
/// back.
async fn until_finished(
    asked: &KeysRequest,
    tell: &mut dyn FnMut(&str) -> io::Result<()>,
) -> Result<(), StartupError> {
    let mut said = String::new();
    let mut away_since: Option<Instant> = None;
    loop {
        match shown(asked).await {
            Ok(keys) => {
                away_since = None;
                let Some(rotation) = keys.rotation else {
                    return Err(unasked(
                        &asked.shown_at,
                        "the server knows of no change of keys",
                    ));
                };
                let line = step(&rotation);
                if line != said {
                    say(tell, &line)?;
                    said = line;
                }
                if rotation.finished_at.is_some() {
                    return end(&rotation);
                }
            }
            Err(error) => {
                let since = *away_since.get_or_insert_with(Instant::now);
                if since.elapsed() > AWAY_AT_MOST {
                    return Err(error);
                }
            }
        }
        tokio::time::sleep(ASK_AGAIN).await;
    }
}

fn end(rotation: &KeyRotation) -> Result<(), StartupError> {
    match rotation.unreadable {
        0 => Ok(()),
        rows => Err(StartupError::Refused(format!(
            "{rows} rows could not be opened and stay under their former keys: the log of the server names them"
        ))),
    }
}

async fn shown(asked: &KeysRequest) -> Result<ServiceKeys, StartupError> {
    let answer = call(
        Method::GET,
        &asked.shown_at,
        &asked.admin_key,
        None,
        PATIENCE,
        &asked.trusted,
    )
    .await?;
    if answer.status != 200 {
        return Err(unasked(&asked.shown_at, &reason(&answer)));
    }
    let read = serde_json::from_slice(&answer.body);
    read.map_err(|_| unasked(&asked.shown_at, "the answer can't be read"))
}

async fn changed(asked: &KeysRequest, body: &Value) -> Result<ServiceKeys, StartupError> {
    let (address, key) = (&asked.changed_at, &asked.admin_key);
    let answer = call(
        Method::POST,
        address,
        key,
        Some(body),
        PATIENCE,
        &asked.trusted,
    )
    .await?;
    if answer.status != 200 {
        return Err(unasked(address, &reason(&answer)));
    }
    let read = serde_json::from_slice(&answer.body);
    read.map_err(|_| unasked(address, "the answer can't be read"))
}

fn say(tell: &mut dyn FnMut(&str) -> io::Result<()>, line: &str) -> Result<(), StartupError> {
    tell(line).map_err(|error| StartupError::Refused(format!("cannot write: {error}")))
}

fn step(rotation: &KeyRotation) -> String {
    let KeyRotation {
        rotation_id,
        pass,
        at,
        rows_in_all,
        looked_at,
        sealed_anew,
        ..
    } = rotation;
    if rotation.finished_at.is_some() {
        return format!(
            "{rotation_id} finished: {sealed_anew} rows sealed anew, nothing is left under a former key"
        );
    }
    let at = at.as_deref().unwrap_or("nothing");
    let in_all = rows_in_all.map_or_else(|| "?".to_owned(), |rows| rows.to_string());
    format!(
        "{rotation_id} pass {pass}: {looked_at} of {in_all} rows looked at, {sealed_anew} sealed anew, at {at}"
    )
}

fn status(keys: &ServiceKeys) -> Vec<String> {
    let unknown = "not known to this server: start it again with the present one";
    let master = keys.master_key.as_deref().unwrap_or(unknown);
    let mut lines = vec![format!("master key    {master}")];
    if let Some(next) = &keys.next_master_key {
        lines.push(format!(
            "              {next} comes next; both open the database until `keys rotate --finish`"
        ));
    }
    for key in &keys.data_keys {
        let made = key
            .created_at
            .to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        lines.push(format!(
            "data key      {} {}, made {made}",
            key.key_id, key.status
        ));
    }
    lines.push(format!(
        "merchants     {} with a key of their own",
        keys.merchants_with_keys
    ));
    lines.push(format!(
        "customers     {} with a key of their own, {} whose key was destroyed",
        keys.customers_with_keys, keys.customers_with_destroyed_keys
    ));
    let rotation = keys.rotation.as_ref();
    let rotation = rotation.map_or_else(|| "none yet".to_owned(), step);
    lines.push(format!("change        {rotation}"));
    lines
}
