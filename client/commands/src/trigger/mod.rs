//! `multirail trigger`: makes what leads to an event in a sandbox.

pub(crate) mod debits;
pub(crate) mod disputes;
pub(crate) mod mandates;
pub(crate) mod options;
pub(crate) mod payers;
pub(crate) mod payments;
pub(crate) mod refunds;
pub(crate) mod stage;
mod story;
pub(crate) mod subscriptions;

use std::io::Write;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use multirail_client::types::EventType;

use crate::access::Access;
use crate::failure::Failure;
use options::TriggerOptions;
use stage::Stage;
pub(crate) use story::Story;

/// Makes an event in a sandbox.
type Maker = for<'a, 'b> fn(&'a mut Stage<'b>) -> LocalBoxFuture<'a, Result<(), Failure>>;

/// Runs `multirail trigger`.
pub(crate) async fn run(options: TriggerOptions, out: &mut dyn Write) -> Result<(), Failure> {
    let sandbox = &options.sandbox;
    let access = Access::find_with_operator(&sandbox.access, &sandbox.operator)?;
    access.check_sandbox("trigger")?;
    let mut stage = Stage {
        client: access.client(sandbox.profile_id.as_deref())?,
        operator: access.operator()?,
        access,
        out,
    };
    let event = options.event;
    let make = match Story::named(&event) {
        Some(story) => Some(story.maker()),
        None => maker(&EventType::from(event.as_str())),
    };
    let make =
        make.ok_or_else(|| Failure::Usage(format!("the service produces no event {event}")))?;
    make(&mut stage).await
}

/// Returns whether the service produces events of this type.
pub fn is_produced(event: &EventType) -> bool {
    maker(event).is_some()
}

/// Returns the words of the event types that the service produces.
pub(crate) fn produced() -> impl Iterator<Item = &'static str> {
    let all = EventType::ALL.iter().filter(|event| is_produced(event));
    all.map(EventType::as_str)
}

/// Returns the function that makes an event of this type, if the service produces it.
fn maker(event: &EventType) -> Option<Maker> {
    let make: Maker = match event {
        EventType::PaymentSucceeded => |stage| payments::succeeded(stage).boxed_local(),
        EventType::PaymentFailed => |stage| payments::failed(stage).boxed_local(),
        EventType::PaymentProcessing => |stage| payments::processing(stage).boxed_local(),
        EventType::PaymentCancelled => |stage| payments::cancelled(stage).boxed_local(),
        EventType::PaymentCancelledPostCapture => {
            |stage| payments::cancelled_post_capture(stage).boxed_local()
        }
        EventType::PaymentAuthorized => |stage| payments::authorized(stage).boxed_local(),
        EventType::PaymentPartiallyAuthorized => {
            |stage| payments::partially_authorized(stage).boxed_local()
        }
        EventType::PaymentCaptured => |stage| payments::captured(stage).boxed_local(),
        EventType::PaymentExpired => |stage| payments::expired(stage).boxed_local(),
        EventType::ActionRequired => |stage| payments::action_required(stage).boxed_local(),
        EventType::RefundSucceeded => |stage| refunds::succeeded(stage).boxed_local(),
        EventType::RefundFailed => |stage| refunds::failed(stage).boxed_local(),
        EventType::DisputeOpened => |stage| disputes::opened(stage).boxed_local(),
        EventType::DisputeExpired => |stage| disputes::expired(stage).boxed_local(),
        EventType::DisputeAccepted => |stage| disputes::accepted(stage).boxed_local(),
        EventType::DisputeCancelled => |stage| disputes::cancelled(stage).boxed_local(),
        EventType::DisputeChallenged => |stage| disputes::challenged(stage).boxed_local(),
        EventType::DisputeWon => |stage| disputes::won(stage).boxed_local(),
        EventType::DisputeLost => |stage| disputes::lost(stage).boxed_local(),
        EventType::MandateActive => |stage| mandates::active(stage).boxed_local(),
        EventType::MandateRevoked => |stage| mandates::revoked(stage).boxed_local(),
        EventType::InvoicePaid => |stage| subscriptions::invoice_paid(stage).boxed_local(),
        EventType::PayoutSuccess
        | EventType::PayoutFailed
        | EventType::PayoutInitiated
        | EventType::PayoutProcessing
        | EventType::PayoutCancelled
        | EventType::PayoutExpired
        | EventType::PayoutReversed
        | EventType::Unknown(_) => return None,
    };
    Some(make)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use multirail_kernel::event::EventType as Emitted;

    use super::*;

    /// The kernel has only the types that the service emits.
    #[test]
    fn exactly_the_emitted_events_are_triggered() {
        let triggered = EventType::ALL.iter().filter(|event| is_produced(event));
        let triggered: BTreeSet<_> = triggered.map(EventType::as_str).collect();
        let emitted: BTreeSet<_> = Emitted::ALL.iter().map(|event| event.as_str()).collect();
        assert_eq!(triggered, emitted);
    }

    #[test]
    fn no_story_has_the_name_of_an_event() {
        for story in Story::ALL {
            assert_eq!(Story::named(story.as_str()), Some(story));
            assert!(
                EventType::ALL
                    .iter()
                    .all(|event| event.as_str() != story.as_str())
            );
        }
    }
}
