//! Continues an authorization after the collection of device data.

use multirail_simulator_wire::errors::{self, ErrorCode};
use multirail_simulator_wire::{AuthorizationStatus, DeviceDataBody, WireResponse};

use super::filed::Filed;
use super::notices::SETTLED_AFTER_SECONDS;
use super::record::AuthorizationRecord;
use super::{Failure, Processor, Twist};

/// The word for collected data.
const COLLECTED: &str = "Y";

impl Processor {
    /// Approves the authorization if data were collected; otherwise the payer is asked. A repeated
    /// call returns the current state.
    pub(super) fn complete(
        &self,
        account: &str,
        key: &str,
        body: &DeviceDataBody,
        twist: Option<Twist>,
    ) -> Result<WireResponse, Failure> {
        let record = self.ledger.write(|tx| {
            let found = AuthorizationRecord::find_for(tx, account, key)?;
            let mut record = found.ok_or(ErrorCode::NotFound)?;
            if record.status != AuthorizationStatus::AwaitingDeviceData {
                return Ok::<_, Failure>(record);
            }
            let is_known = body.collected.as_deref() == Some(COLLECTED);
            match twist {
                Some(Twist::Decline(error)) => {
                    record.status = AuthorizationStatus::Declined;
                    record.error = Some(error);
                }
                Some(Twist::PendThenDecline(error)) => {
                    record.status = AuthorizationStatus::Pending;
                    record.error = Some(error);
                }
                Some(Twist::Pend) => record.status = AuthorizationStatus::Pending,
                Some(Twist::ApproveOnly(_)) | None if is_known => {
                    let amount = record.amount;
                    self.approve(tx, &mut record, amount, self.now())?;
                }
                Some(Twist::ApproveOnly(_)) | None => {
                    record.status = AuthorizationStatus::AwaitingCustomer;
                }
            }
            record.save(tx)?;
            if record.status == AuthorizationStatus::Pending {
                self.tell_later(tx, &record, SETTLED_AFTER_SECONDS)?;
            }
            Ok(record)
        })?;
        Ok(match &record.error {
            Some(error) if record.status == AuthorizationStatus::Declined => {
                errors::answer(error.clone())
            }
            Some(_) | None => self.show_authorization(&record),
        })
    }
}
