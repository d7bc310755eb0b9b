//! The signal that ends a server: SIGTERM or Ctrl-C.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens from its creation: a signal during the start doesn't kill the server in the middle of an answer.
pub(super) struct StopSignal {
    #[cfg(unix)]
    terminate: Option<Signal>,
    #[cfg(unix)]
    interrupt: Option<Signal>,
}

#[cfg(unix)]
impl StopSignal {
    pub(super) fn listen() -> Self {
        let heard = |kind, name| {
            signal(kind)
                .inspect_err(|error| tracing::warn!(%error, "{name} can't be waited for"))
                .ok()
        };
        Self {
            terminate: heard(SignalKind::terminate(), "SIGTERM"),
            interrupt: heard(SignalKind::interrupt(), "SIGINT"),
        }
    }

    pub(super) async fn comes(&mut self) {
        tokio::select! {
            () = next(self.terminate.as_mut()) => {}
            () = next(self.interrupt.as_mut()) => {}
        }
    }
}

#[cfg(unix)]
async fn next(signal: Option<&mut Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

#[cfg(not(unix))]
impl StopSignal {
    pub(super) fn listen() -> Self {
        Self {}
    }

    pub(super) async fn comes(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
