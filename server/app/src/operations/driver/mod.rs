//! The driver: command, step, commit, call, fact, commit, for every object with operations at a processor.
//!
//! The driver commits the intention and calls the processor outside any transaction. The answer goes through the
//! object's own transition, and the outcome is committed with its events. After a crash in between, a worker finishes
//! from the stored operation.
//!
//! A new object needs, in the domain: a transition from commands and facts to a step, operations ([`Operation`]) with
//! keys, and statuses in [`AnnouncedStatus`]. Here it needs an implementation of `Aggregate`. A use case decides a
//! command and commits the step with `Driver::commit_step`. After a conflict it decides again ([`Decisions`]); then
//! `Driver::carry_out` makes the calls. An object may also change another one, as a refund reduces the refundable
//! amount of its payment. It adds that change to the same change-set (`StepParts::changes`).
//!
//! The step of a request with an idempotency key has no call that only asks: a question without an outcome makes no
//! commit that could store the answer.
//!
//! [`AnnouncedStatus`]: multirail_kernel::announcement::AnnouncedStatus
//! [`Decisions`]: crate::platform::decisions::Decisions
//! [`Operation`]: multirail_domain::operations::operation::Operation

use std::sync::Arc;

use crate::customers::mandates::announce::MandateContent;
use crate::platform::announcer::Announcer;
use crate::platform::base::Base;
use crate::platform::ended_requests::EndedRequests;

mod aggregate;
mod carry_out;
mod commit;
mod sync;
#[cfg(test)]
mod tests;
mod uncalled;

pub(crate) use aggregate::{Aggregate, Due, ProcessorCall, StepParts};
pub(crate) use carry_out::CarriedOut;
pub(crate) use commit::{Stage, Stored};

/// Drives objects through their operations at processors. It knows no kind of object: each brings its own services.
pub struct Driver {
    pub base: Arc<Base>,
    pub announcer: Arc<Announcer>,
    pub mandates: Arc<dyn MandateContent>,
    pub ended_requests: EndedRequests,
}
