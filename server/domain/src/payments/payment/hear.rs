//! How far an outcome counts for an attempt, and what the attempt keeps of it.

use multirail_sdk::connector::outcome::fill;
use multirail_sdk::connector::{Approval, Decline, Outcome};

use crate::payments::payment::Attempt;
use crate::payments::payment::attempt::OperationIndex;

impl Attempt {
    pub(crate) fn approve(&mut self, approved: i64, approval: Approval) {
        self.authorized_amount = Some(approved);
        // Of nothing there is nothing to hold, and what is held is not taken.
        self.review = approval.review.filter(|_| approved > 0);
        self.captures_at_once &= self.review.is_none();
        self.network_transaction_id = approval.network_transaction_id;
        self.connector_mandate = approval.mandate;
        self.card_checks = approval.checks.map(Box::new);
        self.remarks = approval.remarks;
        self.hold = approval.hold;
    }

    /// Keeps what is missing of news that tell nothing else; false where nothing was. `known`: what the operation was declined
    /// for, before.
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
        mandate != self.connector_mandate
            || before.0 != self.network_transaction_id
            || before.1 != self.card_checks
            || before.2 != self.hold
            || before.3 != self.remarks
    }

    /// An outcome of an operation as far as it can count: an authorization that only reserves takes nothing that could be
    /// taken back.
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

    /// A capture that was done, or could have been told as done, was taken back.
    pub(crate) fn was_taken_back(&self) -> bool {
        let mut captures = self.captures.iter();
        captures.any(|capture| capture.operation.is_taken_back())
    }

    /// The payer, who is awaited at one page, is awaited at another, or at one at last.
    pub(crate) fn moves_page(&self, of: OperationIndex, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::CustomerMustAct { url, .. } => {
                let known = self.redirect_url.as_ref();
                of == OperationIndex::Authorization
                    && (self.awaits_device_data() || known.is_some_and(|known| known != url))
            }
            // What comes after a page was told before it.
            Outcome::DeviceDataNeeded { .. } => false,
            Outcome::Done(_)
            | Outcome::Declined(_)
            | Outcome::Pending { .. }
            | Outcome::NeverHappened { .. }
            | Outcome::Unknown(_) => false,
        }
    }
}
