//! `multirail trigger`: makes what leads to an event in a sandbox.

mod disputes;
mod mandates;
mod payments;
mod refunds;
mod stage;
mod subscriptions;

use std::io::Write;

use multirail_client::types::EventType;

use crate::access::Access;
use crate::failure::Failure;
use crate::options::TriggerOptions;
use stage::Stage;

/// Runs `multirail trigger`.
pub(crate) async fn run(options: TriggerOptions, out: &mut dyn Write) -> Result<(), Failure> {
    let access = Access::find_with_operator(&options.access, &options.operator)?;
    access.check_sandbox("trigger")?;
    let mut stage = Stage {
        client: access.client(options.profile_id.as_deref())?,
        operator: access.operator()?,
        access,
        out,
    };
    make(&EventType::from(options.event), &mut stage).await
}

/// Returns whether the service produces events of this type.
pub fn is_produced(event: &EventType) -> bool {
    match event {
        EventType::PaymentSucceeded
        | EventType::PaymentFailed
        | EventType::PaymentProcessing
        | EventType::PaymentCancelled
        | EventType::PaymentCancelledPostCapture
        | EventType::PaymentAuthorized
        | EventType::PaymentPartiallyAuthorized
        | EventType::PaymentCaptured
        | EventType::PaymentExpired
        | EventType::ActionRequired
        | EventType::RefundSucceeded
        | EventType::RefundFailed
        | EventType::DisputeOpened
        | EventType::DisputeExpired
        | EventType::DisputeAccepted
        | EventType::DisputeCancelled
        | EventType::DisputeChallenged
        | EventType::DisputeWon
        | EventType::DisputeLost
        | EventType::MandateActive
        | EventType::MandateRevoked
        | EventType::InvoicePaid => true,
        EventType::PayoutSuccess
        | EventType::PayoutFailed
        | EventType::PayoutInitiated
        | EventType::PayoutProcessing
        | EventType::PayoutCancelled
        | EventType::PayoutExpired
        | EventType::PayoutReversed
        | EventType::Unknown(_) => false,
    }
}

async fn make(event: &EventType, stage: &mut Stage<'_>) -> Result<(), Failure> {
    match event {
        EventType::PaymentSucceeded => payments::succeeded(stage).await,
        EventType::PaymentFailed => payments::failed(stage).await,
        EventType::PaymentProcessing => payments::processing(stage).await,
        EventType::PaymentCancelled => payments::cancelled(stage).await,
        EventType::PaymentCancelledPostCapture => payments::cancelled_post_capture(stage).await,
        EventType::PaymentAuthorized => payments::authorized(stage).await,
        EventType::PaymentPartiallyAuthorized => payments::partially_authorized(stage).await,
        EventType::PaymentCaptured => payments::captured(stage).await,
        EventType::PaymentExpired => payments::expired(stage).await,
        EventType::ActionRequired => payments::action_required(stage).await,
        EventType::RefundSucceeded => refunds::succeeded(stage).await,
        EventType::RefundFailed => refunds::failed(stage).await,
        EventType::DisputeOpened => disputes::opened(stage).await,
        EventType::DisputeExpired => disputes::expired(stage).await,
        EventType::DisputeAccepted => disputes::accepted(stage).await,
        EventType::DisputeCancelled => disputes::cancelled(stage).await,
        EventType::DisputeChallenged => disputes::challenged(stage).await,
        EventType::DisputeWon => disputes::won(stage).await,
        EventType::DisputeLost => disputes::lost(stage).await,
        EventType::MandateActive => mandates::active(stage).await,
        EventType::MandateRevoked => mandates::revoked(stage).await,
        EventType::InvoicePaid => subscriptions::invoice_paid(stage).await,
        EventType::PayoutSuccess
        | EventType::PayoutFailed
        | EventType::PayoutInitiated
        | EventType::PayoutProcessing
        | EventType::PayoutCancelled
        | EventType::PayoutExpired
        | EventType::PayoutReversed
        | EventType::Unknown(_) => Err(Failure::Usage(format!(
            "the service produces no event {event}"
        ))),
    }
}
