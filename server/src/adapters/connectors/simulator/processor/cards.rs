//! What each test card does. Expiry and code are not looked at, and neither is what the merchant wants about 3-D
//! Secure: only the number decides.

use crate::adapters::connectors::simulator::errors::ErrorCode;
use crate::adapters::connectors::simulator::wire::ErrorBody;

/// What becomes of an authorization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Approve,
    Decline(ErrorBody),
    /// The payer decides at the processor's page.
    AskCustomer,
    /// Approved when it is asked about.
    Pend,
    /// Declined when it is asked about.
    PendThenDecline(ErrorBody),
    /// The processor has trouble of its own and files nothing.
    Trouble,
}

/// What this card does at this processor.
pub fn verdict(connector: &str, number: &str) -> Verdict {
    match number {
        "4111111111111111" | "4242424242424242" | "5555555555554444" | "38000000000006"
        | "378282246310005" | "6011111111111117" => Verdict::Approve,
        // Will raise a dispute, once there are disputes.
        "4000000000000259" => Verdict::Approve,
        "5105105105105100" | "4000000000000002" => declined("Card declined"),
        "4000000000009995" if connector == "stripe_test" => Verdict::Approve,
        "4000000000009995" => {
            declined("Internal Server Error from Connector, Please try again later")
        }
        "4000000000009987" => declined("Lost card"),
        "4000000000009979" => declined("Stolen card"),
        "4000003800000446" => Verdict::AskCustomer,
        "4000000000000341" => Verdict::Pend,
        "4000000000000119" => Verdict::Trouble,
        _ => Verdict::Decline(ErrorCode::CardNotSupported.plain()),
    }
}

fn declined(reason: &str) -> Verdict {
    Verdict::Decline(ErrorCode::Declined.saying(format!("Payment declined: {reason}")))
}
