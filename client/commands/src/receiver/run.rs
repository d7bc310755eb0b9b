//! Runs the receiver until it is told to stop.

use std::io::{self, Write, stdout};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use chrono::Utc;
use multirail_webhooks::{UnusableSecret, Verifier};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{Manners, WebhookListener, serve};
use crate::failure::Failure;
use crate::options::ReceiveOptions;

/// Runs `multirail webhooks listen`.
pub(crate) async fn run(options: ReceiveOptions, out: &mut dyn Write) -> Result<(), Failure> {
    let port = options.port;
    let manners = read(options)?;
    let stop = StopSignals::catch()?;
    let socket = bind(port).await?;
    let address = socket.local_addr()?;
    writeln!(
        out,
        "multirail listens for webhooks on http://{address}\n\
         Make that the webhook_url of a profile, with any path. Ctrl-C ends it.\n"
    )?;
    out.flush()?;
    serve_until_stopped(socket, manners, stop).await;
    Ok(())
}

/// Listens on this machine only.
pub(crate) async fn bind(port: u16) -> Result<TcpListener, Failure> {
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let socket = TcpListener::bind(wanted).await;
    socket.map_err(|error| Failure::Unexpected(format!("cannot listen on {wanted}: {error}")))
}

/// The signals that end the receiver.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

impl StopSignals {
    /// From now on, the signals don't end the process.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for one of the signals.
    pub(crate) async fn wait(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}

/// Receives until SIGTERM, Ctrl-C or the end of the terminal.
pub(crate) async fn serve_until_stopped(
    socket: TcpListener,
    manners: Manners,
    mut stop: StopSignals,
) {
    let listener = WebhookListener::new(manners, Utc::now, Box::new(stdout()));
    tokio::select! {
        never = serve(socket, Arc::new(listener)) => match never {},
        () = stop.wait() => {}
    }
}

fn read(options: ReceiveOptions) -> Result<Manners, Failure> {
    let by_secret = read_secrets(options.secret.iter().map(String::as_str));
    let by_secret = by_secret.map_err(|_| wrong("--secret", "whsec_ and base64"))?;
    let by_hash_key = options.hash_key.map(Verifier::with_hash_key).transpose();
    Ok(Manners {
        by_secret,
        by_hash_key: by_hash_key.map_err(|_| wrong("--hash-key", "a text"))?,
        fail_next: options.fail_next,
        shows_body: options.show_body,
        ..Manners::default()
    })
}

/// Reads the secrets that check `webhook-signature`, if there are any. While a profile changes its secret, it has two.
pub(crate) fn read_secrets<'a>(
    secrets: impl IntoIterator<Item = &'a str>,
) -> Result<Option<Verifier>, UnusableSecret> {
    let mut secrets = secrets.into_iter();
    let Some(first) = secrets.next() else {
        return Ok(None);
    };
    let verifier = Verifier::with_secret(first)?;
    secrets.try_fold(verifier, Verifier::or_secret).map(Some)
}

/// Returns the problem of an option. The value isn't repeated: it may be a mistyped secret.
fn wrong(option: &str, form: &str) -> Failure {
    Failure::Usage(format!("{option} has to be {form}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(secrets: &[&str], hash_key: Option<&str>) -> ReceiveOptions {
        ReceiveOptions {
            port: 0,
            secret: secrets.iter().map(|secret| (*secret).to_owned()).collect(),
            hash_key: hash_key.map(str::to_owned),
            fail_next: 2,
            show_body: true,
        }
    }

    #[test]
    fn secrets_are_read_and_never_shown() {
        let bare = read(options(&[], None)).expect("read");
        assert!(bare.by_secret.is_none() && bare.by_hash_key.is_none());
        let full = read(options(&["whsec_b25l", "whsec_dHdv"], Some("three"))).expect("read");
        assert!(full.by_secret.is_some() && full.by_hash_key.is_some());
        assert_eq!((full.fail_next, full.shows_body), (2, true));
        let refused = read(options(&["whsec_b25l", "sesame"], None)).expect_err("refused");
        assert_eq!(refused.to_string(), "--secret has to be whsec_ and base64");
        assert!(read(options(&[], Some(""))).is_err());
    }
}
