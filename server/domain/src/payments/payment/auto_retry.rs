//! Automatic retries of a refused payment within the same confirm, through another account or with 3-D Secure. They need the
//! payment method data of the request. No earlier attempt may have left money at a processor, not even possibly.

use std::sync::Arc;

use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::connector::advice::Decision;

use crate::accounts::connector_account::Candidate;
use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    Attempt, AttemptStatus, AuthenticationType, CaptureMethod, Context, MethodRole, Payment,
    ProcessorCall, ProfileWishes, Progress,
};
use crate::routing::{
    Dynamic, RoutingInput, RoutingRecord, RoutingStrategy, RoutingTrace, StoredTrace,
};

/// The input of automatic retries. It exists only during the request and is never stored.
#[derive(Clone, Debug)]
pub struct AutoRetry {
    /// The candidates of the confirm.
    pub candidates: Vec<Candidate>,
    /// The profile's active configuration at the confirm.
    pub active: Option<Arc<RoutingRecord>>,
    /// The state of dynamic routing at the confirm.
    pub dynamic: Option<Dynamic>,
    /// The rules that chose the account of the confirm.
    pub routing: &'static dyn RoutingStrategy,
    /// The confirm's random number, so that the order stays the same.
    pub draw: u32,
    pub wishes: ProfileWishes,
    /// The largest number of automatic retries after the confirm's own attempt.
    pub at_most: u32,
    /// The attempt that the confirm began.
    pub first_attempt: u32,
}

impl AutoRetry {
    /// Returns this input for the attempt that the confirm has begun.
    pub fn after(self, begun: &Payment) -> Self {
        AutoRetry {
            first_attempt: begun.active().number,
            ..self
        }
    }
}

/// The next attempt.
struct Next<'a> {
    candidate: &'a Candidate,
    trace: RoutingTrace,
    steps_up: bool,
}

impl Payment {
    /// Begins a retry after a refusal, if one is permitted. The active attempt's status isn't updated yet; its operation has
    /// the refusal.
    pub(crate) fn begin_retry(
        &mut self,
        retry: &AutoRetry,
        context: &Context,
    ) -> Option<ProcessorCall> {
        let mut after = self.clone();
        after.active_mut().status = AttemptStatus::Failure;
        let Next {
            candidate,
            trace,
            steps_up,
        } = after.next_try(retry)?;
        let last = after.active();
        let mut attempt = Attempt::new(
            last.number + 1,
            after.terms.total(),
            last.instrument.clone(),
            context.now,
        );
        attempt.program = last.program.clone();
        attempt.recurring = last.recurring.clone();
        attempt.card_code_missing = last.card_code_missing;
        attempt.three_ds = last.three_ds.clone();
        attempt.is_stepped_up = steps_up || last.is_stepped_up;
        let method = last.method.clone();
        attempt.method = method.filter(|method| method.role == MethodRole::Pays);
        after.attempts.push(attempt);
        let call = after.begin_authorization(candidate, &retry.wishes, context);
        after.active_mut().routing = Some(StoredTrace::from_trace(&trace));
        *self = after;
        Some(call)
    }

    fn next_try<'a>(&self, retry: &'a AutoRetry) -> Option<Next<'a>> {
        let last = self.active();
        let made = last.number.checked_sub(retry.first_attempt)?;
        // Credentials of the request belong to one account only.
        let is_bound = last.brought.is_some();
        let several = self.terms.capture_method == CaptureMethod::ManualMultiple;
        let left_nothing = self.attempts.iter().all(Attempt::left_nothing);
        if made >= retry.at_most || is_bound || several || !left_nothing {
            return None;
        }
        let decline = last.decline.as_ref()?;
        if decline.forbids_another_try() {
            return None;
        }
        let instrument = last.instrument.as_ref()?;
        let input = RoutingInput {
            candidates: &retry.candidates,
            active: retry.active.as_deref(),
            dynamic: retry.dynamic.as_ref(),
            connectors: &[],
            draw: retry.draw,
        };
        let facts = self.facts(Some(instrument));
        let routed = retry.routing.consider(&facts, instrument, input);
        let (eligible, mut trace) = (routed.eligible, routed.trace);
        let advice = decline.advice.as_deref();
        let was_never_had = last
            .authorization
            .as_ref()
            .is_some_and(|operation| operation.progress == Progress::NeverHappened);
        let is_last = |id: &ConnectorAccountId| Some(id) == last.merchant_connector_id.as_ref();
        let is_tried = |id: &ConnectorAccountId| {
            let tried = self.attempts.iter();
            let mut tried = tried.filter(|attempt| attempt.number >= retry.first_attempt);
            tried.any(|attempt| attempt.merchant_connector_id.as_ref() == Some(id))
        };
        let helps = advice.is_some_and(|advice| advice.step_up_possible == Some(true));
        if helps && self.may_step_up() {
            let is_same = |it: &&Candidate| is_last(&it.account.merchant_connector_id);
            let mut again = eligible.iter().copied().filter(is_same);
            if let Some(candidate) = again.find(|candidate| candidate.capabilities.redirects) {
                trace.tried(|id| is_tried(id) && !is_last(id));
                return Some(Next {
                    candidate,
                    trace,
                    steps_up: true,
                });
            }
        }
        let is_worth_it = advice.is_some_and(|advice| advice.decision == Decision::Retry);
        if !is_worth_it && !was_never_had {
            return None;
        }
        let candidate = eligible
            .into_iter()
            .find(|candidate| !is_tried(&candidate.account.merchant_connector_id))?;
        trace.tried(is_tried);
        Some(Next {
            candidate,
            trace,
            steps_up: false,
        })
    }

    /// Returns whether a retry may add 3-D Secure: the payment didn't use it so far, and the payer is present.
    fn may_step_up(&self) -> bool {
        self.authentication_type(self.active()) == AuthenticationType::NoThreeDs
            && self.payer_can_authenticate()
    }
}

impl Attempt {
    /// Returns whether the processor refused the attempt finally or never received it. No money was moved or is held, and none
    /// can be moved later.
    pub(crate) fn left_nothing(&self) -> bool {
        let is_refused = self.status.phase() == Phase::Unwanted;
        let was_answered = match self.authorization.as_ref() {
            // It was cancelled before it was sent.
            None => true,
            Some(authorization) => match authorization.progress {
                Progress::Declined => !authorization.is_taken_back(),
                Progress::NeverHappened => true,
                Progress::Started
                | Progress::AwaitingCustomer
                | Progress::Pending
                | Progress::Unknown
                | Progress::Done => false,
            },
        };
        // Further operations exist only if there was an authorization.
        is_refused && was_answered && self.operations().count() <= 1
    }
}
