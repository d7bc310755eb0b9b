//! Sends the processor's notices: one connection for each, and one notice at a time per receiver.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, header};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use url::Url;

use crate::notice::{SIGNATURE_HEADER, sign};
use crate::processor::{DueNotice, LedgerError, Processor};
use crate::scripted::NoticeFault;

/// The time that a receiver has to accept a notice.
const PATIENCE: Duration = Duration::from_secs(5);
/// The interval of looks at the clock while a notice is waiting: tests may move the clock.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Sends due notices until it is dropped. Unsent notices stay in the ledger.
pub async fn send_notices(processor: Arc<Processor>) -> Infallible {
    loop {
        if let Err(error) = round(&processor).await {
            tracing::error!(%error, "the simulator's notices can't be read");
            sleep(PATIENCE).await;
        }
    }
}

async fn round(processor: &Arc<Processor>) -> Result<(), LedgerError> {
    match processor.next_notice_at()? {
        None => processor.notice_filed().await,
        Some(moment) if !processor.is_past(moment) => {
            tokio::select! {
                () = processor.notice_filed() => {}
                () = sleep(LOOK_EVERY) => {}
            }
        }
        Some(_) => {
            let mut receivers = BTreeMap::<String, Vec<DueNotice>>::new();
            let due = processor.due_notices()?;
            if due.is_empty() {
                sleep(LOOK_EVERY).await;
            }
            for due in due {
                receivers.entry(due.address.clone()).or_default().push(due);
            }
            let mut sending = JoinSet::new();
            for notices in receivers.into_values() {
                sending.spawn(send_all(Arc::clone(processor), notices));
            }
            while let Some(sent) = sending.join_next().await {
                sent.expect("sending a notice doesn't panic")?;
            }
        }
    }
    Ok(())
}

async fn send_all(processor: Arc<Processor>, notices: Vec<DueNotice>) -> Result<(), LedgerError> {
    let mut is_reached = true;
    for due in notices {
        if !is_reached {
            // Other receivers don't wait for an unresponsive one.
            processor.put_off_notice(&due.id)?;
            continue;
        }
        let is_first = due.tries == 0;
        let fault = is_first.then(|| processor.script().take_of_notice());
        match fault.flatten() {
            None => is_reached = send(&processor, &due).await?,
            Some(NoticeFault::Lost) => processor.end_notice(&due.id)?,
            Some(NoticeFault::SentTwice) => {
                let _ = post(&due, &signature(&due)).await;
                is_reached = send(&processor, &due).await?;
            }
            Some(NoticeFault::HeldOnTheWay) => processor.hold_notice(&due.id)?,
            Some(NoticeFault::SignedWrongly) => {
                let _ = post(&due, &sign("another account's secret", &due.body)).await;
                processor.end_notice(&due.id)?;
            }
        }
    }
    Ok(())
}

/// Sends a notice once and schedules its next try if needed. Returns whether the receiver answered.
async fn send(processor: &Processor, due: &DueNotice) -> Result<bool, LedgerError> {
    let (why, is_reached) = match post(due, &signature(due)).await {
        Ok(200..=299) => {
            processor.end_notice(&due.id)?;
            return Ok(true);
        }
        Ok(status) => (format!("answered with {status}"), true),
        Err(error) => (error.to_string(), false),
    };
    let again_in_seconds = processor.repeat_notice(due)?;
    tracing::info!(
        id = due.id,
        why,
        again_in_seconds,
        "a notice of the simulator was not accepted"
    );
    Ok(is_reached)
}

fn signature(due: &DueNotice) -> String {
    sign(due.secret.expose(), &due.body)
}

/// Returns the status of the answer.
async fn post(due: &DueNotice, signature: &str) -> Result<u16, Box<dyn Error + Send + Sync>> {
    let url = Url::parse(&due.address)?;
    let host = url.host_str().unwrap_or_default().to_owned();
    let port = url.port_or_known_default().unwrap_or(80);
    let request = Request::post(&url[url::Position::BeforePath..url::Position::AfterQuery])
        .header(header::HOST, format!("{host}:{port}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(SIGNATURE_HEADER, signature)
        .body(Full::new(Bytes::from(due.body.clone())))?;
    let exchange = async {
        let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // Ends with its sender.
        tokio::spawn(connection);
        let response = sender.send_request(request).await?;
        Ok(response.status().as_u16())
    };
    timeout(PATIENCE, exchange).await?
}
