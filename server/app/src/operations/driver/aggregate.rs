//! The trait through which the driver sees an object.

use std::sync::Arc;

use multirail_domain::customers::mandate::MandateView;
use multirail_domain::operations::operation::Operation;
use multirail_domain::operations::received_notice::Sender;
use multirail_kernel::announcement::Announcement;
use multirail_kernel::context::Context;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{About, Fact, Outcome};

use crate::AppError;
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::operations::told::Told;
use crate::operations::unresolved_operation::Unresolved;
use crate::platform::announcer::{Content, Identity};
use crate::platform::idempotency::{Claim, Made};
use crate::platform::ports::failure::Gone;
use crate::platform::ports::{Change, ObjectClass};

/// An object with a version and with operations at a processor.
pub(crate) trait Aggregate: Clone + PartialEq + Send + Sync + Sized + 'static {
    type Id: Clone + Send + Sync;
    /// The services that its calls and changes need.
    type Services: Send + Sync;
    /// The result of the object's transition.
    type Step: Send;
    /// A reference to one of the object's operations.
    type Call: ProcessorCall;
    /// Inputs of a request that the object's calls need, and that are never stored as they came.
    type Inputs: Default + Send + Sync;
    /// The object's name in messages.
    const OBJECT: Object;
    /// The object's class in stored rows.
    const CLASS: ObjectClass;

    fn id(&self) -> &Self::Id;

    /// Parses an id from a stored row.
    fn parse_id(text: &str) -> Option<Self::Id>;

    fn identity(&self) -> Identity<'_>;

    /// Sets the version to the stored one.
    fn set_version(&mut self, version: i64);

    /// Loads the object as it is stored now.
    fn load(
        services: &Self::Services,
        merchant_id: &MerchantId,
        id: &Self::Id,
    ) -> impl Future<Output = Result<Self, AppError>> + Send;

    /// Returns the operation with this key.
    fn operation(&self, key: &ProcessorKey) -> Option<&Operation>;

    /// Returns whether a recorded fact contradicts what is known, so that it changed nothing.
    fn contradicts(&self, fact: &Fact) -> bool {
        let operation = self.operation(&fact.about);
        operation.is_some_and(|operation| operation.contradicts(&fact.outcome, self.currency()))
    }

    /// Returns the currency of the object's amounts.
    fn currency(&self) -> Currency;

    /// Decides on an answer of the processor.
    fn decide_on(&self, fact: Fact, context: &Context) -> Result<Self::Step, Refusal>;

    /// Adds this server's own knowledge to a fact before it is recorded.
    fn complete_fact(
        &self,
        _services: &Self::Services,
        _fact: &mut Fact,
    ) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }

    /// Adds the counters that the commit of a fact increments.
    fn count_by(
        &self,
        _services: &Self::Services,
        _inputs: &mut Self::Inputs,
    ) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }

    /// As [`Aggregate::decide_on`], for the answer to a call that a request has just made, with the request's inputs.
    /// Returns the step and the inputs that its commit stores.
    fn decide_on_answer(
        &self,
        _services: &Self::Services,
        fact: Fact,
        _inputs: &Self::Inputs,
        context: &Context,
    ) -> impl Future<Output = Result<(Self::Step, Self::Inputs), Refusal>> + Send {
        let decided = self.decide_on(fact, context);
        std::future::ready(decided.map(|step| (step, Self::Inputs::default())))
    }

    /// Returns the step without the thing that is gone, where the step can do without it.
    fn without(step: Self::Step, _gone: Gone) -> Self::Step {
        step
    }

    /// Decides which questions to ask the processor now. With a key, the driver asks only the questions `about` that
    /// operation; the step may contain others.
    fn decide_to_ask(
        &self,
        about: Option<&ProcessorKey>,
        context: &Context,
    ) -> Result<Self::Step, Refusal>;

    /// Returns when to ask about the operation next, if the last question was at `now`. A call may be under way for up
    /// to `in_flight_seconds`.
    fn next_question_at(
        &self,
        key: &ProcessorKey,
        now: Timestamp,
        in_flight_seconds: i64,
    ) -> Option<Timestamp>;

    /// Sorts the parts of a step by the place where they go. `before` is absent where the step creates the object.
    fn split_step(
        services: &Self::Services,
        before: Option<&Self>,
        step: Self::Step,
        inputs: &mut Self::Inputs,
    ) -> StepParts<Self>;

    /// Returns the change that stores the object.
    fn change(services: &Self::Services, before: Option<Arc<Self>>, after: Arc<Self>) -> Change;

    /// Asks the processor to carry out one operation.
    fn perform(
        &self,
        services: &Self::Services,
        call: &Self::Call,
        inputs: &mut Self::Inputs,
    ) -> impl Future<Output = Result<Outcome, AppError>> + Send;

    /// Asks the processor for the outcome of one operation.
    fn look_up(
        &self,
        services: &Self::Services,
        call: &Self::Call,
        inputs: &Self::Inputs,
    ) -> impl Future<Output = Result<Outcome, AppError>> + Send;

    /// Returns whether the request of this claim is answered as a refusal, although a part of it was stored. Its key is
    /// then free again.
    fn is_refused(&self, _claim: &Claim) -> bool {
        false
    }

    /// Returns whether nothing that the request wanted has happened, so that a repeat carries it out.
    fn is_left_to_repeat(&self, claim: &Claim) -> bool;

    /// Describes one of its operations without a final answer; `None` where the answer is stored by now.
    fn unresolved(
        services: &Self::Services,
        id: &Self::Id,
        found: &UnresolvedOperation,
    ) -> impl Future<Output = Result<Option<Unresolved>, AppError>> + Send;

    /// Reads the part of a notice that concerns this object.
    fn read_notice(
        services: &Arc<Self::Services>,
        merchant_id: &MerchantId,
        id: &Self::Id,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> impl Future<Output = Result<Told, AppError>> + Send;

    /// Returns the object as its events carry it.
    fn content(&self, services: &Self::Services) -> Content;

    /// Passes the object, as the API answers it, to `render`.
    fn answer<T>(&self, services: &Self::Services, render: impl FnOnce(Made<'_>) -> T) -> T;
}

/// A reference to one operation of an object, by its key.
pub(crate) trait ProcessorCall: Send + Sync {
    fn key(&self) -> &ProcessorKey;
}

/// A step, sorted by the place where its parts go.
pub(crate) struct StepParts<A: Aggregate> {
    pub after: A,
    /// Changes for the same commit, next to the object's own.
    pub changes: Vec<Change>,
    /// Events for the same commit.
    pub announcements: Vec<Announcement>,
    /// Mandates that are active now, for events in the same commit.
    pub mandates: Vec<MandateView>,
    /// Calls for the time after the commit, in this order.
    pub calls: Vec<Due<A::Call>>,
}

/// A call to the processor that is now due.
pub(crate) enum Due<C> {
    Do(C),
    Ask(C),
}

impl<C: ProcessorCall> Due<C> {
    /// Returns the key of the operation.
    pub(crate) fn key(&self) -> &ProcessorKey {
        match self {
            Due::Do(call) | Due::Ask(call) => call.key(),
        }
    }

    /// Returns the key of an operation that is to be carried out; `None` for a question.
    pub(crate) fn key_to_do(&self) -> Option<ProcessorKey> {
        match self {
            Due::Do(call) => Some(call.key().clone()),
            Due::Ask(_) => None,
        }
    }
}
