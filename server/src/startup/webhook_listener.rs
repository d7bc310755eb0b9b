//! `multirail webhooks listen`.

use std::io::stdout;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use multirail_system::clock::SystemClock;
use tokio::net::TcpListener;

use super::stop_signal::StopSignal;
use super::{StartupError, printout};
use crate::cli;
use crate::webhook_listener::{WebhookListener, serve};

/// Listens until SIGTERM or Ctrl-C.
pub(super) async fn run(asked: cli::WebhookListener) -> Result<(), StartupError> {
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, asked.port));
    let refused = |error: std::io::Error| StartupError::Listen {
        address: wanted,
        reason: error.to_string(),
    };
    let mut stop = StopSignal::listen();
    let socket = TcpListener::bind(wanted).await.map_err(refused)?;
    let address = socket.local_addr().map_err(refused)?;
    printout::say(&format!(
        "multirail listens for webhooks on http://{address}\n\
         Make that the webhook_url of a profile, with any path. Ctrl-C ends it.\n\n"
    ));
    let clock = Arc::new(SystemClock::new());
    let listener = WebhookListener::new(asked.manners, clock, Box::new(stdout()));
    tokio::select! {
        never = serve(socket, Arc::new(listener)) => match never {},
        () = stop.comes() => {}
    }
    Ok(())
}
