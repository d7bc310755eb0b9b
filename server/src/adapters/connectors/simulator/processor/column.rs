//! Words of the wire as texts in the ledger's columns.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use super::record::VoidKind;
use crate::adapters::connectors::simulator::wire::{AuthorizationStatus, OperationStatus};

macro_rules! as_text {
    ($($name:ident { $($variant:ident = $word:literal),+ })+) => { $(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let word = match self { $($name::$variant => $word),+ };
                Ok(ToSqlOutput::from(word))
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                match value.as_str()? {
                    $($word => Ok($name::$variant),)+
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
        Pending = "pending",
        Cancelled = "cancelled"
    }
    OperationStatus {
        Done = "done",
        Declined = "declined",
        Pending = "pending"
    }
    VoidKind {
        Cancellation = "cancellation",
        Release = "release",
        Reversal = "reversal",
        Lapse = "lapse"
    }
}
