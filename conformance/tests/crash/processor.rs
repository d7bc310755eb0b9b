//! The processor of a run. It is the simulator, a process that can be killed too, or the stand-in of a real
//! processor, which lives in the test's process behind TLS.

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
use crate::method::Method;
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
        /// The certificate in PEM.
        certificate: PathBuf,
    },
}

impl Processor {
    /// Starts the processor. Every answer takes `delay_ms`.
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

    /// Kills the simulator in the middle of its work. A stand-in stays up, and its next answer is lost.
    pub fn kill(&self) {
        match self {
            Processor::Simulator(simulator) => simulator.kill(),
            Processor::Stripe { peer, .. } => peer.faults().next(Fault::LosesAnswer),
        }
    }

    /// Restarts the simulator.
    pub async fn returns(&self) {
        match self {
            Processor::Simulator(simulator) => simulator.start().await,
            Processor::Stripe { .. } => {}
        }
    }

    /// Returns the server's setting that points to this processor.
    pub fn setting(&self) -> (&'static str, String) {
        match self {
            Processor::Simulator(simulator) => ("MULTIRAIL_SIMULATOR_URL", simulator.url.clone()),
            Processor::Stripe { certificate, .. } => (
                "MULTIRAIL_CONNECTOR_TRUSTED_CERTIFICATES",
                certificate.to_string_lossy().into_owned(),
            ),
        }
    }

    /// Returns the body of the merchant's connector account.
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

    /// Returns the processor's card that behaves like this card of the simulator. Cards without a counterpart are
    /// approved.
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

    /// Returns the methods that payers finish elsewhere, each with its weight.
    pub fn methods(&self) -> &'static [(u64, Method)] {
        match self {
            Processor::Simulator(_) => Method::AT_SIMULATOR,
            Processor::Stripe { .. } => Method::AT_STRIPE,
        }
    }

    /// Lets time pass at the processor, so that pending refunds end.
    pub fn time_passes(&self) {
        match self {
            // A look-up ends what is pending there. Its clock is the machine's, so that no payer's time ends under load.
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

    /// Returns whether the processor debits bank accounts and returns some of the debits later.
    pub fn debits(&self) -> bool {
        match self {
            Processor::Simulator(_) => true,
            Processor::Stripe { .. } => false,
        }
    }

    /// Moves the clock of the simulator forward.
    pub async fn clock_advances(&self, seconds: i64) {
        if let Processor::Simulator(simulator) = self {
            let url = format!("{}/clock?advance_seconds={seconds}", simulator.url);
            let http = reqwest::Client::builder().no_proxy().build();
            let moved = http.expect("a client").post(url).send().await;
            assert_eq!(moved.expect("the simulator answers").status(), 200);
        }
    }

    /// Returns whether the processor disputes captures of its dispute cards.
    pub fn disputes(&self) -> bool {
        match self {
            Processor::Simulator(_) => true,
            Processor::Stripe { .. } => false,
        }
    }

    /// Returns whether "not found" proves at once that an operation was never done. Otherwise the proof takes minutes
    /// of real time.
    pub fn proves_absence(&self) -> bool {
        match self {
            Processor::Simulator(_) => true,
            Processor::Stripe { .. } => false,
        }
    }

    /// Ends all faults.
    pub fn recovers(&self) {
        match self {
            Processor::Simulator(_) => {}
            Processor::Stripe { peer, .. } => peer.faults().forget(),
        }
    }
}
