//! Reading payments back.

use multirail_app::ports::StoreFailure;
use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::{Attempt, Capture, Payment};

use super::engine::{Engine, Read, Row, values};
use super::record::{self, failure};

/// A payment with its active attempt; the others are few and fetched when there are any.
pub(super) const PAYMENT_COLUMNS: &str = "p.payment_id as payment_id, p.version as version, p.record as record, \
     p.attempt_count as attempt_count, p.capture_count as capture_count, a.record as attempt_record";

pub(super) const PAYMENT_TABLES: &str = "payments p join attempts a on a.merchant_id = p.merchant_id \
     and a.payment_id = p.payment_id and a.attempt_number = p.attempt_count";

const ONE_PAYMENT: &str = "select p.payment_id as payment_id, p.version as version, p.record as record, \
     p.attempt_count as attempt_count, p.capture_count as capture_count, a.record as attempt_record \
     from payments p join attempts a on a.merchant_id = p.merchant_id \
     and a.payment_id = p.payment_id and a.attempt_number = p.attempt_count \
     where p.merchant_id = $1 and p.payment_id = $2";

const NEWER: &str = "select p.payment_id as payment_id, p.version as version, p.record as record, \
     p.attempt_count as attempt_count, p.capture_count as capture_count, a.record as attempt_record \
     from payments p join attempts a on a.merchant_id = p.merchant_id \
     and a.payment_id = p.payment_id and a.attempt_number = p.attempt_count \
     where p.merchant_id = $1 and p.payment_id = $2 and p.version <> $3";

const ATTEMPTS: &str = "select record from attempts where merchant_id = $1 and payment_id = $2 \
     order by attempt_number";

const CAPTURES: &str = "select attempt_number, record from captures where merchant_id = $1 and payment_id = $2 \
     order by attempt_number, capture_sequence";

pub(super) async fn payment(
    engine: &Engine,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
) -> Result<Option<Payment>, StoreFailure> {
    let read = Read::new(
        ONE_PAYMENT,
        values![merchant_id.as_str(), payment_id.as_str()],
    );
    match engine.fetch_optional(read).await.map_err(failure)? {
        Some(row) => Ok(Some(assemble(engine, merchant_id, &row).await?)),
        None => Ok(None),
    }
}

/// Puts a payment together from its row. Each further read is on a snapshot of its own, so where there are any, the
/// version is looked at once more, and if it moved in between all is read again: no half of a change is ever seen.
pub(super) async fn assemble(
    engine: &Engine,
    merchant_id: &MerchantId,
    row: &Row,
) -> Result<Payment, StoreFailure> {
    let mut moved = None;
    loop {
        let row = moved.as_ref().unwrap_or(row);
        let mut payment: Payment = record::read(row, "record")?;
        payment.version = row.int("version").map_err(failure)?;
        let has_more_attempts = row.int("attempt_count").map_err(failure)? > 1;
        let has_captures = row.int("capture_count").map_err(failure)? > 0;
        payment.attempts = if has_more_attempts {
            attempts(engine, merchant_id, &payment.payment_id).await?
        } else {
            vec![record::read(row, "attempt_record")?]
        };
        if has_captures {
            add_captures(engine, merchant_id, &mut payment).await?;
        }
        if !has_more_attempts && !has_captures {
            return Ok(payment);
        }
        moved = newer(engine, merchant_id, &payment).await?;
        if moved.is_none() {
            return Ok(payment);
        }
    }
}

/// The payment's row, if it moved since the payment was read.
async fn newer(
    engine: &Engine,
    merchant_id: &MerchantId,
    payment: &Payment,
) -> Result<Option<Row>, StoreFailure> {
    let read = Read::new(
        NEWER,
        values![
            merchant_id.as_str(),
            payment.payment_id.as_str(),
            payment.version
        ],
    );
    engine.fetch_optional(read).await.map_err(failure)
}

async fn attempts(
    engine: &Engine,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
) -> Result<Vec<Attempt>, StoreFailure> {
    let read = Read::new(ATTEMPTS, values![merchant_id.as_str(), payment_id.as_str()]);
    let rows = engine.fetch(read).await.map_err(failure)?;
    rows.iter().map(|row| record::read(row, "record")).collect()
}

async fn add_captures(
    engine: &Engine,
    merchant_id: &MerchantId,
    payment: &mut Payment,
) -> Result<(), StoreFailure> {
    let read = Read::new(
        CAPTURES,
        values![merchant_id.as_str(), payment.payment_id.as_str()],
    );
    for row in engine.fetch(read).await.map_err(failure)? {
        let number = row.int("attempt_number").map_err(failure)?;
        let capture: Capture = record::read(&row, "record")?;
        let attempt = payment
            .attempts
            .iter_mut()
            .find(|attempt| i64::from(attempt.number) == number)
            .ok_or_else(|| StoreFailure::Broken("a capture has no attempt".to_owned()))?;
        attempt.captures.push(capture);
    }
    Ok(())
}

/// A payment of a list, unless it can't be read.
pub(super) async fn listed(
    engine: &Engine,
    merchant_id: &MerchantId,
    row: &Row,
) -> Result<Option<Payment>, StoreFailure> {
    let payment_id = row.str("payment_id").map_err(failure)?;
    let place = format!("{merchant_id}/{payment_id}");
    let payment = assemble(engine, merchant_id, row).await;
    record::readable("payments", place, payment)
}
