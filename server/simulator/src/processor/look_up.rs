//! Looks operations up by their keys. A look-up completes pending operations.

use multirail_sdk::connector::OperationKind;
use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{AuthorizationStatus, OperationStatus, WireResponse};

use super::capture::{lapse_if_gone, show_capture};
use super::filed::Filed;
use super::increment::{IncrementRecord, show_increment};
use super::payer;
use super::record::{AuthorizationRecord, CaptureRecord, VoidRecord};
use super::refund::show_refund;
use super::refund_record::RefundRecord;
use super::void::show_void;
use super::{Failure, Processor};

impl Processor {
    pub(super) fn look_up(
        &self,
        account: &str,
        kind: OperationKind,
        key: &str,
    ) -> Result<WireResponse, Failure> {
        let now = self.now();
        self.ledger.write(|tx| match kind {
            OperationKind::Authorize => {
                let found = AuthorizationRecord::find_for(tx, account, key)?;
                let mut record = found.ok_or(ErrorCode::NotFound)?;
                self.let_lapse(tx, key)?;
                if record.status == AuthorizationStatus::Pending && record.error.is_some() {
                    record.status = AuthorizationStatus::Declined;
                    record.save(tx)?;
                } else if record.status == AuthorizationStatus::Pending {
                    let amount = record.amount;
                    self.approve(tx, &mut record, amount, now)?;
                    record.save(tx)?;
                    self.raise_dispute(tx, key)?;
                    self.plan_return(tx, &record, now)?;
                } else if payer::acts_by(&record, now) {
                    self.agree(tx, &mut record, now)?;
                    record.save(tx)?;
                } else if payer::is_overdue(&record, now) {
                    payer::give_up(&mut record);
                    record.save(tx)?;
                }
                Ok(self.show_held(tx, record)?)
            }
            OperationKind::Increment => {
                let found = IncrementRecord::find_for(tx, account, key)?;
                let mut record = found.ok_or(ErrorCode::NotFound)?;
                if record.status == OperationStatus::Pending {
                    record.status = ends_as(record.error.is_some());
                    record.save(tx)?;
                }
                Ok(show_increment(record))
            }
            OperationKind::Capture => {
                let found = CaptureRecord::find_for(tx, account, key)?;
                let mut record = found.ok_or(ErrorCode::NotFound)?;
                if record.status == OperationStatus::Pending {
                    record.status = ends_as(record.error.is_some());
                    record.save(tx)?;
                    lapse_if_gone(tx, &record, self.reference(), now)?;
                    self.raise_dispute(tx, &record.authorization_key)?;
                }
                Ok(show_capture(record))
            }
            OperationKind::Void => {
                let found = VoidRecord::find_for(tx, account, key)?;
                let mut record = found.ok_or(ErrorCode::NotFound)?;
                if record.status == OperationStatus::Pending {
                    record.status = ends_as(record.error.is_some());
                    record.save(tx)?;
                }
                let sent_back = record.sent_back(tx)?;
                Ok(show_void(record, sent_back))
            }
            OperationKind::Refund => {
                let found = RefundRecord::find_for(tx, account, key)?;
                let mut record = found.ok_or(ErrorCode::RefundNotFound)?;
                if record.status == OperationStatus::Pending {
                    record.status = ends_as(record.error.is_some());
                    record.save(tx)?;
                }
                Ok(show_refund(record))
            }
        })
    }
}

/// Returns the final status of a pending operation.
fn ends_as(refused: bool) -> OperationStatus {
    if refused {
        OperationStatus::Declined
    } else {
        OperationStatus::Done
    }
}
