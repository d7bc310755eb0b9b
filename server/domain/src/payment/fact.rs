//! Taking in what a processor told us. A fact is never refused, may be late, repeated or out of order, and taking it in
//! twice changes nothing.

use crate::connector::{Approval, Outcome};
use crate::event::EventType;
use crate::payment::attempt::Place;
use crate::payment::settle::Conflict;
use crate::payment::status::Phase;
use crate::payment::{
    Announcement, AttemptStatus, CaptureMethod, Context, Effect, Fact, Operation, Payment,
    PaymentStatus, Progress, Step,
};

/// What was known of the operation that a fact is about.
#[derive(Clone, Copy)]
struct Before {
    progress: Progress,
    status: AttemptStatus,
}

impl Payment {
    pub(crate) fn take_in(&self, fact: Fact, context: &Context) -> Step {
        let mut payment = self.clone();
        let effects = match payment.find(&fact) {
            Some((index, place)) => payment.told(index, place, fact.outcome, context),
            None => None,
        };
        let Some(mut effects) = effects else {
            return Step {
                payment: self.clone(),
                effects: Vec::new(),
                card: None,
            };
        };
        effects.extend(payment.forget_credentials(context.now));
        Step {
            payment,
            effects,
            card: None,
        }
    }

    fn find(&self, fact: &Fact) -> Option<(usize, Place)> {
        let attempts = self.attempts.iter().enumerate();
        let mut found = attempts.filter_map(|(i, a)| Some((i, a.place_of(&fact.about)?)));
        found.next()
    }

    /// Records an outcome and what follows from it; `None` when it is no news.
    fn told(
        &mut self,
        index: usize,
        place: Place,
        outcome: Outcome,
        context: &Context,
    ) -> Option<Vec<Effect>> {
        let currency = self.terms.currency;
        let attempt = &mut self.attempts[index];
        let moved = attempt.moves_page(place, &outcome);
        let status = attempt.status;
        let operation = attempt.operation_mut(place);
        let before = Before {
            progress: operation.progress,
            status,
        };
        if !operation.take_in(&outcome, currency) && !moved {
            return None;
        }
        attempt.modified_at = context.now;
        self.modified_at = context.now;
        let mut effects = match place {
            Place::Authorization if status.phase() == Phase::Authorizing => {
                self.authorization_told(outcome, before)
            }
            Place::Authorization => self.late_authorization(index, outcome, context),
            Place::Capture(i) => self.capture_told(index, i, before),
            Place::Void(i) => self.void_told(index, i, before),
        };
        match self.active().status.phase() {
            Phase::NotSent | Phase::Authorizing => {}
            // The authorization is decided: whatever follows needs no card.
            Phase::Held | Phase::Taken | Phase::Standing | Phase::Unwanted | Phase::Conflicted => {
                effects.extend(self.forget_card())
            }
        }
        Some(effects)
    }

    fn is_active(&self, index: usize) -> bool {
        index + 1 == self.attempts.len()
    }

    /// The answer that the active attempt waits for.
    fn authorization_told(&mut self, outcome: Outcome, before: Before) -> Vec<Effect> {
        let partial_allowed = self.terms.enable_partial_authorization == Some(true);
        let attempt = self.active_mut();
        let authorization = attempt.operation_mut(Place::Authorization);
        let approved = authorization.amount_done();
        attempt.decline = authorization.decline.clone();
        attempt.redirect_url = None;
        let status = match outcome {
            Outcome::Done(approval) => {
                attempt.approve(approved, approval);
                let whole = approved == attempt.amount;
                let part = approved > 0 && approved < attempt.amount && partial_allowed;
                match (whole, part, attempt.captures_at_once) {
                    (true, _, true) => Ok(AttemptStatus::Charged),
                    (true, _, false) => Ok(AttemptStatus::Authorized),
                    (false, true, true) => Ok(AttemptStatus::PartialCharged),
                    (false, true, false) => Ok(AttemptStatus::PartiallyAuthorized),
                    (false, false, _) => Err(Conflict::OtherAmount),
                }
            }
            Outcome::CustomerMustAct { url, .. } => {
                attempt.redirect_url = Some(url);
                Ok(AttemptStatus::AuthenticationPending)
            }
            Outcome::Declined(decline) if decline.in_authentication => {
                Ok(AttemptStatus::AuthenticationFailed)
            }
            Outcome::Declined(_) | Outcome::NeverHappened { .. } => Ok(AttemptStatus::Failure),
            Outcome::Pending { .. } | Outcome::Unknown(_) => Ok(AttemptStatus::Pending),
        };
        let index = self.attempts.len() - 1;
        if let Some(conflict) = self.set_status(index, status) {
            return vec![conflict];
        }
        let about = self.attempt_id(self.active().number).to_string();
        let changed = self.active().status != before.status;
        let event = self.status.event().filter(|_| changed);
        event
            .map(|event| self.announce(event, about))
            .into_iter()
            .collect()
    }

    /// An approval nobody waits for any more is not lost: it is recorded and undone.
    fn late_authorization(
        &mut self,
        index: usize,
        outcome: Outcome,
        context: &Context,
    ) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        let approved = attempt.operation_mut(Place::Authorization).amount_done();
        match outcome {
            Outcome::Done(approval) => {
                attempt.approve(approved, approval);
                vec![Effect::Call(attempt.begin_void(context))]
            }
            Outcome::CustomerMustAct { .. }
            | Outcome::Declined(_)
            | Outcome::Pending { .. }
            | Outcome::NeverHappened { .. }
            | Outcome::Unknown(_) => Vec::new(),
        }
    }

    fn capture_told(&mut self, index: usize, place: usize, before: Before) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        let capture = attempt.captures[place].clone();
        if before.status.phase() == Phase::Held && place + 1 == attempt.captures.len() {
            attempt.decline = capture.operation.decline.clone();
        }
        let about = self.capture_id(self.attempts[index].number, capture.sequence);
        let taken = capture.operation.is_done();
        let first_word = before.progress == Progress::Started && capture.operation.is_open();
        self.settle(index, before, taken, first_word, about.to_string())
    }

    fn void_told(&mut self, index: usize, place: usize, before: Before) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        let void = attempt.voids[place].clone();
        if before.status == AttemptStatus::VoidInitiated {
            attempt.decline = void.decline.clone();
        }
        let about = format!("{}_void", self.attempt_id(self.attempts[index].number));
        let first_word = before.progress == Progress::Started && void.is_open();
        let effects = self.settle(index, before, false, first_word, about);
        self.forget_reason(index);
        effects
    }

    /// Follows what captures and voids add up to, and tells what is news of it.
    fn settle(
        &mut self,
        index: usize,
        before: Before,
        taken: bool,
        first_word: bool,
        about: String,
    ) -> Vec<Effect> {
        let multiple = self.terms.capture_method == CaptureMethod::ManualMultiple;
        let settled = self.attempts[index].settled(multiple);
        if let Some(conflict) = self.set_status(index, settled) {
            return vec![conflict];
        }
        if !self.is_active(index) {
            return Vec::new();
        }
        if before.status.phase() == Phase::Held
            && self.status.is_terminal()
            && self.status != PaymentStatus::Failed
        {
            // What was refused on the way to a good end is not the payment's error.
            self.active_mut().decline = None;
        }
        let changed = self.active().status != before.status;
        let was_processing = before.status.payment_status() == PaymentStatus::Processing;
        let news = self.status.event().filter(|event| match event {
            // Going back to `authorized` after something that came to nothing is no news of an authorization.
            EventType::PaymentAuthorized | EventType::PaymentPartiallyAuthorized => false,
            EventType::PaymentProcessing => first_word || (changed && !was_processing),
            EventType::PaymentSucceeded | EventType::PaymentCaptured => taken || changed,
            EventType::PaymentFailed
            | EventType::PaymentCancelled
            | EventType::PaymentCancelledPostCapture
            | EventType::PaymentExpired
            | EventType::ActionRequired => changed,
        });
        news.map(|event| self.announce(event, about))
            .into_iter()
            .collect()
    }

    /// Sets an attempt's status and, where it is the active one, the payment's. A new conflict is always announced:
    /// also one of an attempt that a retry has superseded, whose money nobody would look for.
    fn set_status(
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
                status: PaymentStatus::Conflicted,
                about: format!("{attempt_id}_conflict"),
            })
        })
    }

    /// A reason to cancel means nothing on a payment whose cancel came to nothing.
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

    fn announce(&self, event_type: EventType, about: String) -> Effect {
        let about = if event_type.comes_again() {
            about
        } else {
            self.payment_id.to_string()
        };
        Effect::Announce(Announcement {
            event_type,
            status: self.status,
            about,
        })
    }
}

impl crate::payment::Attempt {
    fn operation_mut(&mut self, place: Place) -> &mut Operation {
        match place {
            Place::Authorization => self
                .authorization
                .as_mut()
                .expect("place_of found the authorization"),
            Place::Capture(i) => &mut self.captures[i].operation,
            Place::Void(i) => &mut self.voids[i],
        }
    }

    fn approve(&mut self, approved: i64, approval: Approval) {
        self.authorized_amount = Some(approved);
        self.network_transaction_id = approval.network_transaction_id;
    }

    /// The payer, who is awaited at one page, is awaited at another.
    fn moves_page(&self, place: Place, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::CustomerMustAct { url, .. } => {
                place == Place::Authorization
                    && self.redirect_url.as_ref().is_some_and(|known| known != url)
            }
            Outcome::Done(_)
            | Outcome::Declined(_)
            | Outcome::Pending { .. }
            | Outcome::NeverHappened { .. }
            | Outcome::Unknown(_) => false,
        }
    }
}
