//! The effect of an outcome on an attempt.

use multirail_sdk::connector::outcome::fill;
use multirail_sdk::connector::{Approval, Decline, Outcome, StepKind};

use crate::payments::payment::attempt::OperationIndex;
use crate::payments::payment::transfer::is_outdated;
use crate::payments::payment::{Attempt, Operation};

impl Attempt {
    pub(crate) fn approve(&mut self, approved: i64, approval: Approval) {
        self.authorized_amount = Some(approved);
        // An amount of 0 is never held for review, and a held amount isn't captured.
        self.review = approval.review.filter(|_| approved > 0);
        self.captures_at_once &= self.review.is_none();
        self.network_transaction_id = approval.network_transaction_id;
        self.connector_mandate = approval.mandate;
        self.card_checks = approval.checks.map(Box::new);
        self.remarks = approval.remarks;
        self.hold = approval.hold;
        self.excess = self.excess.max(excess_of(approval.excess));
    }

    /// Fills in members that were missing; returns whether there were any. `known` is the earlier decline of the operation.
    pub(crate) fn fill(
        &mut self,
        of: OperationIndex,
        outcome: &Outcome,
        known: Option<&Decline>,
    ) -> bool {
        let decline = self.operation_mut(of).decline.clone();
        if known.is_some() && self.decline.as_ref() == known {
            self.decline = decline;
        }
        let (OperationIndex::Authorization, Outcome::Done(approval)) = (of, outcome) else {
            return false;
        };
        let has_excess_grown = self.fill_excess(approval);
        let mandate = self.connector_mandate.clone();
        let before = (
            self.network_transaction_id.clone(),
            self.card_checks.clone(),
            self.hold.clone(),
            self.remarks.clone(),
        );
        fill(
            &mut self.network_transaction_id,
            &approval.network_transaction_id,
        );
        fill(&mut self.connector_mandate, &approval.mandate);
        match (&mut self.card_checks, &approval.checks) {
            (Some(known), Some(told)) => known.fill(told),
            (known, told) => fill(known, &told.clone().map(Box::new)),
        }
        fill(&mut self.remarks, &approval.remarks);
        match (&mut self.hold, &approval.hold) {
            (Some(known), Some(told)) => known.fill(told),
            (known, told) => fill(known, told),
        }
        has_excess_grown
            || mandate != self.connector_mandate
            || before.0 != self.network_transaction_id
            || before.1 != self.card_checks
            || before.2 != self.hold
            || before.3 != self.remarks
    }

    /// Fills in the excess of a transfer, which grows with each later part; returns whether it grew. A transfer that the
    /// processor took back brought none.
    fn fill_excess(&mut self, approval: &Approval) -> bool {
        let is_done = self.authorization.as_ref().is_some_and(Operation::is_done);
        let told = excess_of(approval.excess);
        if !is_done || told <= self.excess {
            return false;
        }
        self.excess = told;
        true
    }

    /// Keeps the details of an authorization's end, such as what went back to its payer; returns whether they are new.
    pub(crate) fn keep_remarks(&mut self, of: OperationIndex, outcome: &mut Outcome) -> bool {
        let told = match (of, outcome) {
            (OperationIndex::Authorization, Outcome::Declined(decline)) => decline.remarks.take(),
            (OperationIndex::Void(_), Outcome::Done(approval)) => approval.remarks.take(),
            (
                OperationIndex::Authorization
                | OperationIndex::Increment(_)
                | OperationIndex::Capture(_)
                | OperationIndex::Void(_)
                | OperationIndex::PostCaptureVoid(_),
                _,
            ) => None,
        };
        let Some(told) = told else { return false };
        let before = self.remarks.clone();
        self.remarks.get_or_insert_default().merge(*told);
        self.remarks != before
    }

    /// Returns the part of an outcome that counts: an authorization without capture took nothing that could be reversed.
    pub(crate) fn as_it_counts(&self, of: OperationIndex, outcome: Outcome) -> Outcome {
        match of {
            OperationIndex::Authorization if !self.captures_at_once => {
                outcome.without_taking_back()
            }
            OperationIndex::Increment(_) => outcome.without_taking_back(),
            OperationIndex::Authorization
            | OperationIndex::Capture(_)
            | OperationIndex::Void(_)
            | OperationIndex::PostCaptureVoid(_) => outcome,
        }
    }

    /// Returns whether a capture was reversed after it was done or could have been announced as done.
    pub(crate) fn was_taken_back(&self) -> bool {
        let mut captures = self.captures.iter();
        captures.any(|capture| capture.operation.is_taken_back())
    }

    /// Removes the step that the payer, or their device, was asked for.
    pub(crate) fn end_step(&mut self) {
        self.redirect_url = None;
        self.shown_step = None;
        self.step_expires_at = None;
        self.device_data_url = None;
    }

    /// Returns the processor's page where the payer can act, if there is one.
    pub fn payers_page(&self) -> Option<&str> {
        let shown = self.shown_step.as_deref();
        let of_shown = shown.and_then(|shown| shown.url.as_deref());
        self.redirect_url.as_deref().or(of_shown)
    }

    /// Returns whether the payer's step is new: another one, or the first after the device data.
    pub(crate) fn moves_step(&self, of: OperationIndex, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::CustomerMustAct { step, .. } => {
                let differs = match &step.kind {
                    StepKind::Page { url } => {
                        self.redirect_url.as_ref().is_some_and(|known| known != url)
                    }
                    StepKind::Shown(shown) => {
                        let known = self.shown_step.as_ref();
                        known.is_some_and(|known| known != shown && !is_outdated(shown, known))
                    }
                };
                of == OperationIndex::Authorization && (self.awaits_device_data() || differs)
            }
            // Device data is collected before any page.
            Outcome::DeviceDataNeeded { .. } => false,
            Outcome::Done(_)
            | Outcome::Declined(_)
            | Outcome::Pending { .. }
            | Outcome::NeverHappened { .. }
            | Outcome::Unknown(_) => false,
        }
    }
}

/// Returns the part of a transfer above its amount, if the processor reported one.
fn excess_of(told: Option<i64>) -> Option<i64> {
    told.filter(|excess| *excess > 0)
}
