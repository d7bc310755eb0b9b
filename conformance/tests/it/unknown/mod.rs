//! Unknown outcomes over a faulty network: the answers meanwhile, the reserved amounts, and how the outcome becomes
//! known.

mod authorizations;
mod captures;
mod late;
mod operation_sync;
mod questions;
mod refunds;
mod several;
mod visits;
mod voids;
pub mod work;

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::{Value, json};

use crate::fault_proxy::{FaultProxy, NetworkFault};

/// The server's timeout for calls to the processor.
const DEADLINE_MS: &str = "2000";

/// Opens a shop whose processor is behind a proxy.
async fn shop_on(proxy: &FaultProxy) -> Shop {
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::SimulatorUrl, proxy.url())
            .with(Setting::ProcessorDeadlineMs, DEADLINE_MS)
    });
    server.await.shop("bookshop").await
}

/// Authorizes 65.40 US dollars for later captures.
async fn approved(shop: &Shop, capture_method: &str) -> Value {
    let more = json!({ "capture_method": capture_method, "confirm": true });
    let payment = shop.creates(with(order_with(APPROVED), more)).await.ok();
    assert_eq!(payment["status"], "requires_capture");
    payment
}

/// Returns status, capturable and received amount.
fn standing(payment: &Value) -> (&str, i64, i64) {
    let amount = |name: &str| payment[name].as_i64().unwrap_or(0);
    (
        payment["status"].as_str().expect("a status"),
        amount("amount_capturable"),
        amount("amount_received"),
    )
}

/// Returns the machine-readable reason of an unknown outcome.
///
/// # Panics
/// Panics when the payment's outcome is known.
#[track_caller]
fn reason(payment: &Value) -> &str {
    assert_eq!(payment["error_code"], "outcome_unknown", "{payment}");
    assert!(payment["error_message"].is_string());
    assert!(
        payment["unified_code"].is_null(),
        "not knowing is no failure"
    );
    payment["error_details"]["connector_details"]["reason"]
        .as_str()
        .expect("a reason")
}

/// Every network fault, its reason in the answer, and whether the processor did the operation.
fn network_faults() -> Vec<(NetworkFault, &'static str, bool)> {
    let page = "<html><title>Maintenance</title></html>";
    let bad_gateway = NetworkFault::answer(502, page);
    vec![
        (NetworkFault::Swallowed, "timeout", false),
        (NetworkFault::AnswerSwallowed, "timeout", true),
        (NetworkFault::Reset, "connection_lost", false),
        (NetworkFault::AnswerReset, "connection_lost", true),
        (NetworkFault::AnswerCutShort, "connection_lost", true),
        (
            NetworkFault::Instead(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()),
            "connection_lost",
            false,
        ),
        (
            NetworkFault::Instead(bad_gateway.clone()),
            "processor_error",
            false,
        ),
        (
            NetworkFault::AnswerReplaced(bad_gateway),
            "processor_error",
            true,
        ),
        (
            NetworkFault::Instead(NetworkFault::answer(200, page)),
            "unreadable_answer",
            false,
        ),
        (
            NetworkFault::AnswerReplaced(NetworkFault::answer(200, "{}")),
            "unreadable_answer",
            true,
        ),
    ]
}
