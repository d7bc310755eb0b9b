//! Facts from processors. A fact is never refused. It may be late, repeated or out of order, and applying it twice changes
//! nothing.

use multirail_kernel::event::EventType;
use multirail_sdk::connector::{Outcome, PayerStep, StepKind};

use crate::operations::operation::Applied;
use crate::payments::payment::attempt::OperationIndex;
use crate::payments::payment::news::{Before, Said, news_is_about};
use crate::payments::payment::settle::Conflict;
use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    AnnouncedStatus, Announcement, AttemptStatus, AutoRetry, CaptureMethod, Context, Effect, Fact,
    Payment, PaymentStatus, Progress, Step,
};

impl Payment {
    /// Applies a fact. `retry` has the input for an automatic retry, if the fact is the answer to a confirm.
    pub(crate) fn apply(&self, fact: Fact, retry: Option<&AutoRetry>, context: &Context) -> Step {
        let mut payment = self.clone();
        let effects = match payment.find(&fact) {
            Some((index, of)) => payment.record_outcome(index, of, fact.outcome, retry, context),
            None => None,
        };
        let Some(mut effects) = effects else {
            return Step {
                payment: self.clone(),
                effects: Vec::new(),
                data: None,
            };
        };
        effects.extend(payment.delete_credentials(context.now));
        Step {
            payment,
            effects,
            data: None,
        }
    }

    fn find(&self, fact: &Fact) -> Option<(usize, OperationIndex)> {
        let attempts = self.attempts.iter().enumerate();
        let mut found = attempts.filter_map(|(i, a)| Some((i, a.index_of(&fact.about)?)));
        found.next()
    }

    /// Records an outcome and its effects; `None` if it isn't new.
    pub(crate) fn record_outcome(
        &mut self,
        index: usize,
        of: OperationIndex,
        outcome: Outcome,
        retry: Option<&AutoRetry>,
        context: &Context,
    ) -> Option<Vec<Effect>> {
        let currency = self.terms.currency;
        let payment_status = self.status;
        let attempt = &mut self.attempts[index];
        let mut outcome = attempt.as_it_counts(of, outcome);
        let is_remarked = attempt.keep_remarks(of, &mut outcome);
        if attempt.reports_expiry(of, &outcome) {
            return self.end_hold(index, context);
        }
        let moved = attempt.moves_step(of, &outcome);
        let status = attempt.status;
        let operation = attempt.operation_mut(of);
        let before = Before {
            progress: operation.progress,
            status,
            payment_status,
        };
        let known = operation.decline.clone();
        let told = operation.apply(&outcome, currency);
        let is_news = told == Applied::News || moved;
        if !is_news {
            let filled = attempt.fill(of, &outcome, known.as_ref());
            if told == Applied::Nothing && !filled && !is_remarked {
                return None;
            }
        }
        let authorization = attempt.authorization.as_ref();
        if authorization.is_some_and(|one| one.progress != Progress::AwaitingCustomer) {
            attempt.returned_with = None;
        }
        attempt.modified_at = context.now;
        self.modified_at = context.now;
        if !is_news {
            return Some(Vec::new());
        }
        let mut effects = match of {
            OperationIndex::Authorization if status.phase() == Phase::Authorizing => {
                self.apply_authorization(outcome, before, retry, context)
            }
            OperationIndex::Authorization if before.is_taken_back() => {
                self.take_back_authorization(index, before)
            }
            OperationIndex::Authorization => self.late_authorization(index, outcome, context),
            OperationIndex::Increment(i) => self.apply_increment(index, i),
            OperationIndex::Capture(i) => self.apply_capture(index, i, before),
            OperationIndex::Void(i) => self.apply_void(index, i, before),
            OperationIndex::PostCaptureVoid(i) => {
                self.apply_post_capture_void(index, i, before, context.now)
            }
        };
        match self.active().status.phase() {
            Phase::NotSent | Phase::Authorizing => {}
            // The same request may be repeated and then needs the held payment method data.
            Phase::Unwanted if self.was_never_processed() => {}
            // The authorization is decided: later calls need no payment method data.
            Phase::InReview
            | Phase::Held
            | Phase::Taken
            | Phase::Standing
            | Phase::Unwanted
            | Phase::Conflicted => effects.extend(self.delete_card()),
        }
        Some(effects)
    }

    pub(crate) fn is_active(&self, index: usize) -> bool {
        index + 1 == self.attempts.len()
    }

    /// Applies the answer to the active attempt's authorization.
    fn apply_authorization(
        &mut self,
        outcome: Outcome,
        before: Before,
        retry: Option<&AutoRetry>,
        context: &Context,
    ) -> Vec<Effect> {
        let partial_allowed = self.terms.enable_partial_authorization == Some(true);
        let attempt = self.active_mut();
        let authorization = attempt.operation_mut(OperationIndex::Authorization);
        let approved = authorization.amount_done();
        let is_given_up = authorization.is_given_up;
        attempt.decline = authorization.decline.clone();
        attempt.end_step();
        let status = match outcome {
            Outcome::Done(approval) => {
                attempt.approve(approved, approval);
                let whole = approved == attempt.amount;
                let part = approved > 0 && approved < attempt.amount && partial_allowed;
                match (whole, part, attempt.captures_at_once) {
                    (true, _, _) | (_, true, _) if attempt.review.is_some() => {
                        Ok(AttemptStatus::Unresolved)
                    }
                    (true, _, true) => Ok(AttemptStatus::Charged),
                    (true, _, false) => Ok(AttemptStatus::Authorized),
                    (false, true, true) => Ok(AttemptStatus::PartialCharged),
                    (false, true, false) => Ok(AttemptStatus::PartiallyAuthorized),
                    (false, false, _) => Err(Conflict::OtherAmount),
                }
            }
            Outcome::CustomerMustAct { step, .. } => {
                let PayerStep { kind, expires_at } = step;
                match kind {
                    StepKind::Page { url } => attempt.redirect_url = Some(url),
                    StepKind::Shown(shown) => attempt.shown_step = Some(shown),
                }
                attempt.step_expires_at = expires_at;
                Ok(attempt.status_at_step())
            }
            Outcome::DeviceDataNeeded { url, .. } => {
                attempt.device_data_url = Some(url);
                Ok(AttemptStatus::DeviceDataCollectionPending)
            }
            // It was approved, but the capture failed.
            Outcome::Declined(decline) if decline.takes_back => Ok(AttemptStatus::CaptureFailed),
            Outcome::Declined(decline) if decline.in_authentication => {
                Ok(AttemptStatus::AuthenticationFailed)
            }
            Outcome::Declined(_) | Outcome::NeverHappened { .. } => Ok(AttemptStatus::Failure),
            Outcome::Pending { .. } | Outcome::Unknown(_) => Ok(AttemptStatus::Pending),
        };
        // The payment was refused at once: no payer visited a page, and there was no earlier answer.
        let is_refused_at_once =
            status == Ok(AttemptStatus::Failure) && before.progress == Progress::Started;
        let retry = retry.filter(|_| is_refused_at_once);
        if let Some(call) = retry.and_then(|retry| self.begin_retry(retry, context)) {
            return vec![Effect::Call(call)];
        }
        let index = self.attempts.len() - 1;
        let mut effects = self.reach(index, status, before);
        if is_given_up {
            // The authorization may have been approved. A void by the server's own reference tells the processor to undo it.
            effects.push(Effect::Call(self.active_mut().begin_void(context)));
        }
        effects
    }

    /// Reverses an automatic capture. The authorization may still exist at the processor.
    fn take_back_authorization(&mut self, index: usize, before: Before) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        attempt.authorized_amount = None;
        // The voided amount is already released.
        if before.status.phase() != Phase::Taken || attempt.is_voided_after_capture() {
            return Vec::new();
        }
        let authorization = attempt.operation_mut(OperationIndex::Authorization);
        attempt.decline = authorization.decline.clone();
        let status = self.check_refunds(index, Ok(AttemptStatus::CaptureFailed));
        self.reach(index, status, before)
    }

    /// Sets the status that follows from an authorization's outcome, and announces it if it changed.
    fn reach(
        &mut self,
        index: usize,
        status: Result<AttemptStatus, Conflict>,
        before: Before,
    ) -> Vec<Effect> {
        if let Some(conflict) = self.set_status(index, status) {
            return vec![conflict];
        }
        let mut about = self.attempt_id(self.attempts[index].number).to_string();
        // The step at the payer's page may be announced later, so this event needs another name.
        if self.attempts[index].awaits_device_data() {
            about.push_str("_device_data");
        }
        // A call without an answer may have been announced as being processed before.
        if self.attempts[index].missing_of_transfer().is_some() {
            about.push_str("_part");
        }
        let changed = self.attempts[index].status != before.status && self.is_active(index);
        let event = self.status.event().filter(|_| changed);
        event
            .map(|event| self.announce(event, about))
            .into_iter()
            .collect()
    }

    /// Checks that a reversal leaves at least the refunded amount; otherwise the status is a conflict.
    fn check_refunds(
        &self,
        index: usize,
        status: Result<AttemptStatus, Conflict>,
    ) -> Result<AttemptStatus, Conflict> {
        let is_refunded = self.refunds_amount() > self.attempts[index].captured_amount();
        if is_refunded && self.is_active(index) {
            Err(Conflict::TakenBackAndRefunded)
        } else {
            status
        }
    }

    /// Records an approval that came too late, and voids it.
    fn late_authorization(
        &mut self,
        index: usize,
        outcome: Outcome,
        context: &Context,
    ) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        let approved = attempt
            .operation_mut(OperationIndex::Authorization)
            .amount_done();
        match outcome {
            Outcome::Done(approval) => {
                attempt.approve(approved, approval);
                vec![Effect::Call(attempt.begin_void(context))]
            }
            Outcome::CustomerMustAct { .. }
            | Outcome::DeviceDataNeeded { .. }
            | Outcome::Declined(_)
            | Outcome::Pending { .. }
            | Outcome::NeverHappened { .. }
            | Outcome::Unknown(_) => Vec::new(),
        }
    }

    fn apply_capture(&mut self, index: usize, capture: usize, before: Before) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        let is_newest = capture + 1 == attempt.captures.len();
        let capture = attempt.captures[capture].clone();
        let operation = &capture.operation;
        let decline = operation.decline.as_ref();
        let gone = decline.is_some_and(|decline| decline.authorization_gone);
        if before.is_undecided() && (is_newest || gone) {
            attempt.decline = decline.cloned();
        }
        let was_told_open = before.progress.is_open() && before.progress != Progress::Started;
        let said = Said {
            taken: operation.is_done(),
            first_word: before.progress == Progress::Started && operation.is_open(),
            refused: operation.progress == Progress::Declined
                && before.progress != Progress::Declined,
            lost: operation.progress == Progress::NeverHappened && was_told_open,
            about: news_is_about(
                self.capture_id(self.attempts[index].number, capture.sequence)
                    .to_string(),
                operation,
            ),
        };
        self.settle(index, before, said)
    }

    fn apply_void(&mut self, index: usize, number: usize, before: Before) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        let void = attempt.voids[number].clone();
        let is_end_taken_back = before.is_taken_back() && before.status.phase() == Phase::Taken;
        if before.status == AttemptStatus::VoidInitiated || is_end_taken_back {
            attempt.decline = void.decline.clone();
        }
        let was_told_open = before.progress.is_open() && before.progress != Progress::Started;
        let is_cancel = before.status == AttemptStatus::VoidInitiated || is_end_taken_back;
        let said = Said {
            taken: false,
            first_word: before.progress == Progress::Started && void.is_open(),
            refused: is_cancel
                && void.progress == Progress::Declined
                && before.progress != Progress::Declined,
            lost: is_cancel && void.progress == Progress::NeverHappened && was_told_open,
            about: news_is_about(self.void_name(index, number), &void),
        };
        let effects = self.settle(index, before, said);
        self.forget_reason(index);
        effects
    }

    /// Returns the name of a void in announcements. A payment whose void was refused can be voided again, which is a new event.
    fn void_name(&self, index: usize, number: usize) -> String {
        let attempt_id = self.attempt_id(self.attempts[index].number);
        match number {
            0 => format!("{attempt_id}_void"),
            later => format!("{attempt_id}_void_{}", later + 1),
        }
    }

    /// Sets the status that follows from captures and voids, and announces news.
    pub(crate) fn settle(&mut self, index: usize, before: Before, said: Said) -> Vec<Effect> {
        self.count_increments(index);
        let multiple = self.terms.capture_method == CaptureMethod::ManualMultiple;
        let mut settled = self.attempts[index].settled(multiple, before.is_taken_back());
        if before.is_taken_back() && before.status.phase() != Phase::Conflicted {
            settled = self.check_refunds(index, settled);
        }
        if settled == Ok(AttemptStatus::VoidedPostCharge)
            && self.is_active(index)
            && self.refunds_amount() > 0
        {
            settled = Err(Conflict::VoidedAndRefunded);
        }
        if let Some(conflict) = self.set_status(index, settled) {
            return vec![conflict];
        }
        if !self.is_active(index) {
            return Vec::new();
        }
        let gone = said.refused && self.active().authorization_is_gone();
        let cut_short = gone && self.status == PaymentStatus::PartiallyCaptured;
        if before.is_undecided()
            && self.status.is_terminal()
            && self.status != PaymentStatus::Failed
            && !cut_short
        {
            // A refused step on the way to success isn't the payment's error.
            self.active_mut().decline = None;
        }
        self.news(before, said).into_iter().collect()
    }

    /// Sets an attempt's status and, if it is active, the payment's. A new conflict is always announced, even for an attempt
    /// that a retry has replaced: otherwise its money would stay unnoticed.
    pub(crate) fn set_status(
        &mut self,
        index: usize,
        status: Result<AttemptStatus, Conflict>,
    ) -> Option<Effect> {
        let attempt = &mut self.attempts[index];
        let conflict = status.err();
        if let Some(conflict) = conflict {
            attempt.decline = Some(conflict.to_decline());
        }
        attempt.status = status.unwrap_or(AttemptStatus::IntegrityFailure);
        if self.is_active(index) {
            self.follow(self.active().status);
        }
        conflict.map(|_| {
            let attempt_id = self.attempt_id(self.attempts[index].number);
            Effect::Announce(Announcement {
                event_type: EventType::ActionRequired,
                status: AnnouncedStatus::Payment(PaymentStatus::Conflicted),
                about: format!("{attempt_id}_conflict"),
            })
        })
    }

    /// Removes the cancellation reason from a payment whose cancellation failed.
    fn forget_reason(&mut self, index: usize) {
        if !self.is_active(index) || self.active().is_being_voided() {
            return;
        }
        match self.active().status {
            AttemptStatus::Authorized
            | AttemptStatus::PartiallyAuthorized
            | AttemptStatus::CaptureInitiated
            | AttemptStatus::PartialChargedAndChargeable
            | AttemptStatus::Charged
            | AttemptStatus::PartialCharged => self.cancellation_reason = None,
            AttemptStatus::Started
            | AttemptStatus::PaymentMethodAwaited
            | AttemptStatus::ConfirmationAwaited
            | AttemptStatus::DeviceDataCollectionPending
            | AttemptStatus::AuthenticationPending
            | AttemptStatus::AuthenticationSuccessful
            | AttemptStatus::AuthenticationFailed
            | AttemptStatus::Authorizing
            | AttemptStatus::AuthorizationFailed
            | AttemptStatus::RouterDeclined
            | AttemptStatus::CodInitiated
            | AttemptStatus::CaptureFailed
            | AttemptStatus::VoidInitiated
            | AttemptStatus::Voided
            | AttemptStatus::VoidedPostCharge
            | AttemptStatus::VoidFailed
            | AttemptStatus::AutoRefunded
            | AttemptStatus::Unresolved
            | AttemptStatus::Pending
            | AttemptStatus::Failure
            | AttemptStatus::IntegrityFailure
            | AttemptStatus::Expired => {}
        }
    }
}
