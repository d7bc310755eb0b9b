//! `multirail logs tail`: prints the requests of a merchant account when they get into the request log.

#[cfg(test)]
mod fixture;
mod operation;
mod seen;
mod show;

use std::convert::Infallible;
use std::future::ready;
use std::io::{self, Write};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::{StreamExt, TryStreamExt};
use multirail_client::types::RequestLogEntry;
use multirail_client::{Client, Error, builder};
use tokio::time::sleep;

use crate::Document;
use crate::access::Access;
use crate::failure::Failure;
use crate::options::TailOptions;
use crate::receiver::StopSignals;
use crate::terminal::one_line;
use operation::check_operation;
use seen::{Past, Seen};
use show::print;

/// The pause between two looks at the log.
const PAUSE: Duration = Duration::from_secs(2);
/// The most requests of one look: as many as a server keeps for a merchant account by default.
const MOST: usize = 10_000;
const CALL: &str = "the list of logged requests";

/// Runs `multirail logs tail`.
pub(crate) async fn run(
    options: TailOptions,
    document: Document<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if let Some(operation) = &options.operation {
        let document = document().map_err(Failure::Unexpected)?;
        check_operation(operation, &document).map_err(Failure::Usage)?;
    }
    let access = Access::find(&options.access)?;
    let client = access.client(options.profile_id.as_deref())?;
    let mut stop = StopSignals::catch()?;
    tokio::select! {
        ended = follow(&client, &options, out) => ended.map(|never| match never {}),
        () = stop.wait() => Ok(()),
    }
}

/// Prints the latest requests, and then every new one, until a call fails for good.
async fn follow(
    client: &Client,
    options: &TailOptions,
    out: &mut dyn Write,
) -> Result<Infallible, Failure> {
    let mut seen = Seen::default();
    let mut past = Past::new(usize::from(options.lines));
    let first = look(list(client, options, options.since), |entry| {
        past.reaches(entry)
    });
    let first = first.await.map_err(|error| Failure::call(CALL, error))?;
    let latest = seen.take_new(first);
    let unwanted = latest.len().saturating_sub(usize::from(options.lines));
    print(latest.iter().skip(unwanted), options.json, out)?;
    let mut is_lost = false;
    loop {
        sleep(PAUSE).await;
        let from = seen.horizon().max(options.since);
        match look(list(client, options, from), |_| true).await {
            Ok(found) => {
                is_lost = false;
                print(&seen.take_new(found), options.json, out)?;
            }
            Err(error) if error.is_retryable() => {
                if !is_lost {
                    // A closed standard error can't be reported anywhere.
                    let why = one_line(&error.to_string());
                    let _ = writeln!(io::stderr(), "multirail: {why}; trying again");
                }
                is_lost = true;
            }
            Err(error) => return Err(Failure::call(CALL, error)),
        }
    }
}

/// Reads requests, newest first, while they are wanted.
async fn look(
    call: builder::RequestLogList<'_>,
    mut is_wanted: impl FnMut(&RequestLogEntry) -> bool,
) -> Result<Vec<RequestLogEntry>, Error> {
    let wanted = call
        .stream()
        .try_take_while(|entry| ready(Ok(is_wanted(entry))));
    wanted.take(MOST).try_collect().await
}

/// Returns the call that lists the requests of the options, from this time on.
fn list<'a>(
    client: &'a Client,
    options: &TailOptions,
    from: Option<DateTime<Utc>>,
) -> builder::RequestLogList<'a> {
    let mut call = client.request_log_list();
    if let Some(class) = &options.status_class {
        call = call.status_class(class.as_str());
    }
    if let Some(operation) = &options.operation {
        call = call.operation(operation.as_str());
    }
    if let Some(payment_id) = &options.payment_id {
        call = call.payment_id(payment_id.as_str());
    }
    match from {
        Some(from) => call.requested_at_gte(from),
        None => call,
    }
}
