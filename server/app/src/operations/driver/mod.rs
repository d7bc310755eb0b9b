//! The driver: command, step, commit, call, fact, commit, for every object that asks something of a processor.
//!
//! The intention is committed, the processor is called outside any transaction, its answer goes through the object's own
//! transition, and the outcome is committed with its events. Whatever happens in between, the stored operation is enough
//! for a worker to finish.
//!
//! What a new object brings, in the domain: a transition from commands and facts to a step, operations
//! ([`Operation`]) that the object keeps by their keys, statuses in [`AnnouncedStatus`]. Here: an implementation of
//! `Aggregate`. A use case then decides a command, commits the step by `Driver::commit_step`, decides again where that
//! meets a conflict ([`Decisions`]), and has the calls made by `Driver::carry_out`. An object that takes something from another one (a
//! refund, from what its payment captured) adds that change to the same change-set (`Lowered::changes`).
//!
//! A step that a request with an idempotency key decides has no call that only asks: where a question tells nothing there is
//! no commit that could bring the answer.
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

pub(crate) use aggregate::{Aggregate, Due, Lowered, ProcessorCall};
pub(crate) use carry_out::CarriedOut;
pub(crate) use commit::{Stage, Stored};

/// Drives objects through their operations at processors. It knows no object: each brings its own services.
pub struct Driver {
    pub base: Arc<Base>,
    pub announcer: Arc<Announcer>,
    pub mandates: Arc<dyn MandateContent>,
    pub ended_requests: EndedRequests,
}
