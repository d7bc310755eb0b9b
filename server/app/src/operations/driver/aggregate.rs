//! What the driver has to know of an object.

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
use crate::operations::operated::Told;
use crate::operations::ports::open_operations::UnresolvedOperation;
use crate::operations::unresolved::Unresolved;
use crate::platform::announcer::{Content, Identity};
use crate::platform::idempotency::{Claim, Made};
use crate::platform::ports::{Change, ObjectClass};

/// An object with a version that asks something of a processor.
pub(crate) trait Aggregate: Clone + PartialEq + Send + Sync + Sized + 'static {
    type Id: Clone + Send + Sync;
    /// The services that its calls and changes take.
    type Services: Send + Sync;
    /// What its transition decides.
    type Step: Send;
    /// Names one of its operations.
    type Call: ProcessorCall;
    /// What a request brings for its calls and is never stored as it came.
    type Inputs: Default + Send + Sync;
    /// How messages call it.
    const OBJECT: Object;
    /// How stored rows call it.
    const CLASS: ObjectClass;

    fn id(&self) -> &Self::Id;

    /// The id as it stands in stored rows.
    fn parse_id(text: &str) -> Option<Self::Id>;

    fn identity(&self) -> Identity<'_>;

    /// Its version is the stored one from now on.
    fn set_version(&mut self, version: i64);

    /// Loads it as it is stored now.
    fn load(
        services: &Self::Services,
        merchant_id: &MerchantId,
        id: &Self::Id,
    ) -> impl Future<Output = Result<Self, AppError>> + Send;

    /// Its operation of this key.
    fn operation(&self, key: &ProcessorKey) -> Option<&Operation>;

    /// Whether a fact that was recorded can't be true beside what is known, and changed nothing.
    fn contradicts(&self, fact: &Fact) -> bool {
        let operation = self.operation(&fact.about);
        operation.is_some_and(|operation| operation.contradicts(&fact.outcome, self.currency()))
    }

    /// The currency of its amounts.
    fn currency(&self) -> Currency;

    /// Lets its transition decide on what a processor told us.
    fn decide_on(&self, fact: Fact, context: &Context) -> Result<Self::Step, Refusal>;

    /// Adds to a fact what is known of it here, before it is recorded.
    fn complete_fact(
        &self,
        _services: &Self::Services,
        _fact: &mut Fact,
    ) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }

    /// Adds what the commit of a fact has to count beside it.
    fn count_by(
        &self,
        _services: &Self::Services,
        _inputs: &mut Self::Inputs,
    ) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }

    /// As [`Aggregate::decide_on`], where the fact answers a call that a request has just made, and what the request brought
    /// is at hand. With the step what its commit stores of that.
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

    /// The step without what is gone by now, where it can do without that.
    fn without(step: Self::Step, _gone: &'static str) -> Self::Step {
        step
    }

    /// Lets its transition decide what to ask the processor about now; with a key what is due `about` its operation, and
    /// perhaps other questions, which are not put.
    fn decide_to_ask(
        &self,
        about: Option<&ProcessorKey>,
        context: &Context,
    ) -> Result<Self::Step, Refusal>;

    /// When the operation of this key is asked about next, if the last question was at `now`. A call may be under way for
    /// up to `in_flight_seconds`.
    fn next_question_at(
        &self,
        key: &ProcessorKey,
        now: Timestamp,
        in_flight_seconds: i64,
    ) -> Option<Timestamp>;

    /// Sorts what a step says by what becomes of it. `before` is unset where the step creates the object.
    fn lower(
        services: &Self::Services,
        before: Option<&Self>,
        step: Self::Step,
        inputs: &mut Self::Inputs,
    ) -> Lowered<Self>;

    /// The change that stores it.
    fn change(services: &Self::Services, before: Option<Arc<Self>>, after: Arc<Self>) -> Change;

    /// Asks the processor to carry out one operation.
    fn perform(
        &self,
        services: &Self::Services,
        call: &Self::Call,
        inputs: &mut Self::Inputs,
    ) -> impl Future<Output = Result<Outcome, AppError>> + Send;

    /// Asks the processor what became of one operation.
    fn look_up(
        &self,
        services: &Self::Services,
        call: &Self::Call,
        inputs: &Self::Inputs,
    ) -> impl Future<Output = Result<Outcome, AppError>> + Send;

    /// Whether the request of this claim is answered as a refusal although something of it was stored: what it wanted has come
    /// to nothing, and its key is free again.
    fn is_refused(&self, _claim: &Claim) -> bool {
        false
    }

    /// Whether nothing that the request of this claim wanted has taken place, so that its repeat is carried out.
    fn is_left_to_repeat(&self, claim: &Claim) -> bool;

    /// Describes its operation that was found without a final answer; nothing where the answer is stored by now.
    fn unresolved(
        services: &Self::Services,
        id: &Self::Id,
        found: &UnresolvedOperation,
    ) -> impl Future<Output = Result<Option<Unresolved>, AppError>> + Send;

    /// Reads a notice as it concerns this object.
    fn told_of(
        services: &Arc<Self::Services>,
        merchant_id: &MerchantId,
        id: &Self::Id,
        sender: Sender<'_>,
        about: &About,
        outcome: Option<&Outcome>,
    ) -> impl Future<Output = Result<Told, AppError>> + Send;

    /// The object as its events carry it.
    fn content(&self, services: &Self::Services) -> Content;

    /// Hands the object as the API answers it to `render`.
    fn answer<T>(&self, services: &Self::Services, render: impl FnOnce(Made<'_>) -> T) -> T;
}

/// One operation of an object, by its key.
pub(crate) trait ProcessorCall: Send + Sync {
    fn key(&self) -> &ProcessorKey;
}

/// A step, sorted by what becomes of it.
pub(crate) struct Lowered<A: Aggregate> {
    pub after: A,
    /// Stored in the same commit, beside the object.
    pub changes: Vec<Change>,
    /// Recorded in the same commit.
    pub announcements: Vec<Announcement>,
    /// The same of mandates that are active now.
    pub mandates: Vec<MandateView>,
    /// Made after the commit, in this order.
    pub calls: Vec<Due<A::Call>>,
}

/// A call to the processor that is now due.
pub(crate) enum Due<C> {
    Do(C),
    Ask(C),
}

impl<C: ProcessorCall> Due<C> {
    /// The key of the operation that it is about.
    pub(crate) fn key(&self) -> &ProcessorKey {
        match self {
            Due::Do(call) | Due::Ask(call) => call.key(),
        }
    }

    /// The key of an operation that is to be carried out; none where it is only asked about.
    pub(crate) fn key_to_do(&self) -> Option<ProcessorKey> {
        match self {
            Due::Do(call) => Some(call.key().clone()),
            Due::Ask(_) => None,
        }
    }
}
