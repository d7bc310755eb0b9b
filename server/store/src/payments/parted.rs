//! Moves personal data of payers out of the plaintext records of earlier versions.

use std::pin::Pin;

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::PaymentId;
use multirail_kernel::timestamp::Timestamp;

use super::lower_payment;
use crate::engine::{Row, WriteError};
use crate::payments;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::sealed_columns::payer;
use crate::platform::sql_store::SqlStore;

/// Seals the personal data of a payment in its own column; returns how many payments it found. The next pass finds a
/// payment that was changed at the same time.
pub(crate) fn part_row<'a>(
    store: &'a SqlStore,
    row: &'a Row,
    wall: Timestamp,
) -> Pin<Box<dyn Future<Output = Result<i64, StoreFailure>> + Send + 'a>> {
    Box::pin(part(store, row, wall))
}

async fn part(store: &SqlStore, row: &Row, wall: Timestamp) -> Result<i64, StoreFailure> {
    let subject = payer(row)?;
    let payment_id = PaymentId::parse(row.str("payment_id").map_err(failure)?);
    let payment_id = record::id(payment_id)?;
    let (engine, merchant_id) = (&store.engine, &subject.merchant_id);
    let found = payments::payment_without_payer(engine, merchant_id, &payment_id).await;
    let payment = match found {
        Ok(Some(payment)) => payment,
        Ok(None) => return Ok(0),
        // A later version wrote it: its servers seal it.
        Err(StoreFailure::Broken(_)) => return Ok(0),
        Err(failure) => return Err(failure),
    };
    let Some(personal) = payment.personal() else {
        return Ok(0);
    };
    let key = match store.keys.own(&subject, wall).await {
        Ok(key) => key,
        // The customer was redacted, and the payment will be.
        Err(StoreFailure::Destroyed(_)) => return Ok(0),
        Err(failure) => return Err(failure),
    };
    let writes = lower_payment::part(&payment, &personal, &key)?;
    match store.engine.write(writes).await {
        Ok(_) | Err(WriteError::Miss(_)) => Ok(1),
        Err(WriteError::Store(error)) => Err(failure(error)),
    }
}
