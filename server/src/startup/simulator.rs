//! `multirail simulator`: the simulated processors as a process of their own.

use std::net::SocketAddr;
use std::sync::Arc;

use multirail_simulator::processor::{Ledger, Processor};
use multirail_simulator::{send_notices, serve};
use multirail_system::clock::SystemClock;
use multirail_system::random::OsRandom;
use tokio::net::TcpListener;

use super::stop_signal::StopSignal;
use super::{StartupError, printout};
use crate::cli::Simulator;

/// Serves until SIGTERM or Ctrl-C. Nothing has to be finished then: all answers are in the ledger.
pub(super) async fn run(asked: Simulator) -> Result<(), StartupError> {
    let refused = |error: std::io::Error| StartupError::Listen {
        address: asked.listen,
        reason: error.to_string(),
    };
    let mut stop = StopSignal::listen();
    let listener = TcpListener::bind(asked.listen).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let processor = processor(&asked, address)?;
    printout::say(&format!(
        "multirail simulator listens on http://{address}\n"
    ));
    tokio::select! {
        never = serve::serve(listener, Arc::clone(&processor)) => match never {},
        never = send_notices(processor) => match never {},
        () = stop.comes() => {}
    }
    Ok(())
}

fn processor(asked: &Simulator, address: SocketAddr) -> Result<Arc<Processor>, StartupError> {
    let ledger =
        Ledger::open(&asked.data).map_err(|error| StartupError::Database(error.to_string()))?;
    let url = format!("http://{address}");
    // Its own clock: a server that moves business time doesn't move that of processors.
    let clock = Arc::new(SystemClock::new());
    let processor = Processor::new(ledger, &url, clock, Arc::new(OsRandom));
    processor.script().set_delay(asked.delay);
    Ok(Arc::new(processor))
}
