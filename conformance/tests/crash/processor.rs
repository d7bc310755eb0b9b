//! Who takes the payments of a run: the simulator, which is a process that can be killed too, or the stand-in of a real
//! processor, which lives in this one and is at the other end of TLS.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use multirail_conformance::bodies::{
    APPROVED, CAPTURES_REFUSED, DECLINED, DISPUTED, LAPSING, PENDING, REFUNDS_DECLINED,
    REFUNDS_FAIL_LATER, REFUNDS_PEND, THREE_DS, UNKNOWN,
};
use multirail_peers::stripe::Stripe;
use multirail_peers::{CardThat, Fault, Peer, StandIn, system_time};
use serde_json::{Value, json};

use crate::ledger::Ledger;
use crate::options::Connector;
use crate::processes::Process;
use crate::stripe_books;

/// Stripe's card whose refunds are pending until time passes.
const SLOW_REFUNDS: &str = "4000000000007726";

pub enum Processor {
    Simulator(Process),
    Stripe {
        stripe: Arc<Stripe>,
        peer: Peer,
        /// In PEM.
        certificate: PathBuf,
    },
}

impl Processor {
    /// Every answer takes `delay_ms`.
    pub async fn start(connector: Connector, folder: &Path, delay_ms: u64) -> Self {
        match connector {
            Connector::Simulator => {
                let simulator = Process::simulator(folder, delay_ms);
                simulator.start().await;
                Processor::Simulator(simulator)
            }
            Connector::Stripe => {
                let stripe = Arc::new(Stripe::new(system_time));
                let peer = Peer::start(stripe.clone()).await;
                peer.answers_after(Duration::from_millis(delay_ms));
                let certificate = folder.join("stripe.pem");
                std::fs::write(&certificate, peer.certificate_pem()).expect("it is written");
                Processor::Stripe {
                    stripe,
                    peer,
                    certificate,
                }
            }
        }
    }

    /// Dies in the middle of what it does. A stand-in stays, and the next answer is lost on its way.
    pub fn kill(&self) {
        match self {
            Processor::Simulator(simulator) => simulator.kill(),
            Processor::Stripe { peer, .. } => peer.faults().next(Fault::LosesAnswer),
        }
    }

    /// Is there again.
    pub async fn returns(&self) {
        match self {
            Processor::Simulator(simulator) => simulator.start().await,
            Processor::Stripe { .. } => {}
        }
    }

    /// What a server has to be told to find it.
    pub fn setting(&self) -> (&'static str, String) {
        match self {
            Processor::Simulator(simulator) => ("MULTIRAIL_SIMULATOR_URL", simulator.url.clone()),
            Processor::Stripe { certificate, .. } => (
                "MULTIRAIL_CONNECTOR_TRUSTED_CERTIFICATES",
                certificate.to_string_lossy().into_owned(),
            ),
        }
    }

    /// The merchant's account.
    pub fn account(&self) -> Value {
        match self {
            Processor::Simulator(_) => json!({
                "connector_type": "payment_processor",
                "connector_name": "fauxpay",
                "connector_account_details": { "auth_type": "HeaderKey", "api_key": "simulator-key" },
            }),
            Processor::Stripe { stripe, peer, .. } => json!({
                "connector_type": "payment_processor",
                "connector_name": "stripe",
                "connector_account_details": stripe.credentials(),
                "metadata": stripe.metadata(&peer.origin()),
            }),
        }
    }

    /// The card that does what this one of the simulator's does. What the processor has no card for is approved.
    pub fn card(&self, simulated: &'static str) -> &'static str {
        match self {
            Processor::Simulator(_) => simulated,
            Processor::Stripe { stripe, .. } => match simulated {
                DECLINED => stripe.card(CardThat::IsDeclined).number,
                THREE_DS => stripe.card(CardThat::AsksThePayer).number,
                REFUNDS_PEND | REFUNDS_FAIL_LATER => SLOW_REFUNDS,
                APPROVED | CAPTURES_REFUSED | DISPUTED | LAPSING | PENDING | REFUNDS_DECLINED
                | UNKNOWN => stripe.card(CardThat::IsApproved).number,
                other => panic!("no card for {other}"),
            },
        }
    }

    /// Time passes at the processor: what was pending is over.
    pub fn time_passes(&self) {
        match self {
            // It goes by the clock of who asks.
            Processor::Simulator(_) => {}
            Processor::Stripe { stripe, .. } => stripe.accounts().ledger().settle_refunds(),
        }
    }

    pub async fn ledger(&self) -> Ledger {
        match self {
            Processor::Simulator(simulator) => Ledger::read(&simulator.url).await,
            Processor::Stripe { stripe, .. } => stripe_books::read(stripe),
        }
    }

    /// Whether it disputes what was taken of cards that are known for it.
    pub fn disputes(&self) -> bool {
        match self {
            Processor::Simulator(_) => true,
            Processor::Stripe { .. } => false,
        }
    }

    /// Whether what it doesn't find was never done, and not only after minutes of real time.
    pub fn proves_absence(&self) -> bool {
        match self {
            Processor::Simulator(_) => true,
            Processor::Stripe { .. } => false,
        }
    }

    /// Nothing goes wrong any more.
    pub fn recovers(&self) {
        match self {
            Processor::Simulator(_) => {}
            Processor::Stripe { peer, .. } => peer.faults().forget(),
        }
    }
}
