//! Words of the wire as texts in the ledger's columns.

use multirail_sdk::connector::{DisputeActionKind, DisputeStage, DisputeStatus};
use multirail_simulator_wire::{AuthorizationStatus, OperationStatus};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use super::refund_behavior::RefundBehavior;
use super::void_kind::VoidKind;

/// A word of the wire in a column.
pub(super) struct Word<T>(pub T);

macro_rules! as_text {
    ($($name:ident { $($variant:ident = $word:literal),+ })+) => { $(
        impl ToSql for Word<$name> {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let word = match self.0 { $($name::$variant => $word),+ };
                Ok(ToSqlOutput::from(word))
            }
        }

        impl FromSql for Word<$name> {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                match value.as_str()? {
                    $($word => Ok(Word($name::$variant)),)+
                    _ => Err(FromSqlError::InvalidType),
                }
            }
        }
    )+ };
}

as_text! {
    AuthorizationStatus {
        Approved = "approved",
        Declined = "declined",
        AwaitingCustomer = "awaiting_customer",
        AwaitingDeviceData = "awaiting_device_data",
        Pending = "pending",
        Cancelled = "cancelled",
        Lapsed = "lapsed"
    }
    OperationStatus {
        Done = "done",
        Declined = "declined",
        Pending = "pending"
    }
    RefundBehavior {
        Done = "done",
        PendingThenDone = "pending_then_done",
        PendingThenDeclined = "pending_then_declined",
        Declined = "declined"
    }
    VoidKind {
        Cancellation = "cancellation",
        Release = "release",
        Reversal = "reversal",
        Lapse = "lapse"
    }
}

/// The domain's words are spelled as on the wire.
macro_rules! of_the_domain {
    ($($name:ident)+) => { $(
        impl FromSql for Word<$name> {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let word = value.as_str()?.parse();
                word.map(Word).map_err(|_| FromSqlError::InvalidType)
            }
        }
    )+ };
}

of_the_domain! { DisputeActionKind DisputeStage DisputeStatus }
