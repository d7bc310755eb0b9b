//! Reads of payments.

pub(crate) mod consents;
pub(crate) mod disputes;
pub(crate) mod held_cards;
pub(crate) mod held_credentials;
pub(crate) mod held_store;
pub(crate) mod lapsed;
pub(crate) mod lower_payment;
pub(crate) mod money_inspection;
pub(crate) mod parted;
pub(crate) mod past;
pub(crate) mod payment_operations;
pub(crate) mod payment_store;
pub(crate) mod redactions;
pub(crate) mod refunds;
pub(crate) mod search;
pub(crate) mod tables;
pub(crate) mod unfinished;
pub(crate) mod wallet_tokens;

use multirail_app::platform::ports::StoreFailure;
use multirail_domain::payments::payment::{Attempt, Capture, Payment, PaymentPersonal};
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::engine::{Engine, Read, Row, values};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::subject_keys::SubjectKeys;

crate::platform::record::records! {
    Payment: "payments.record",
    PaymentPersonal: "payments.personal",
    Attempt: "attempts.record",
    Capture: "captures.record",
}

/// A payment with its active attempt. The other attempts are few and are read only if there are any.
pub(super) const PAYMENT_COLUMNS: &str = "p.payment_id as payment_id, p.version as version, p.record as record, p.personal as personal, \
     p.attempt_count as attempt_count, p.capture_count as capture_count, a.record as attempt_record";

pub(super) const PAYMENT_TABLES: &str = "payments p join attempts a on a.merchant_id = p.merchant_id \
     and a.payment_id = p.payment_id and a.attempt_number = p.attempt_count";

const ONE_PAYMENT: &str = "select p.payment_id as payment_id, p.version as version, p.record as record, p.personal as personal, \
     p.attempt_count as attempt_count, p.capture_count as capture_count, a.record as attempt_record \
     from payments p join attempts a on a.merchant_id = p.merchant_id \
     and a.payment_id = p.payment_id and a.attempt_number = p.attempt_count \
     where p.merchant_id = $1 and p.payment_id = $2";

const NEWER: &str = "select p.payment_id as payment_id, p.version as version, p.record as record, p.personal as personal, \
     p.attempt_count as attempt_count, p.capture_count as capture_count, a.record as attempt_record \
     from payments p join attempts a on a.merchant_id = p.merchant_id \
     and a.payment_id = p.payment_id and a.attempt_number = p.attempt_count \
     where p.merchant_id = $1 and p.payment_id = $2 and p.version <> $3";

const ATTEMPTS: &str = "select record from attempts where merchant_id = $1 and payment_id = $2 \
     order by attempt_number";

const CAPTURES: &str = "select attempt_number, record from captures where merchant_id = $1 and payment_id = $2 \
     order by attempt_number, capture_sequence";

/// The column with the payer's personal data.
pub(super) const PERSONAL: &str = "personal";

pub(super) async fn payment(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
) -> Result<Option<Payment>, StoreFailure> {
    match row(engine, merchant_id, payment_id).await? {
        Some(row) => Ok(Some(assemble(engine, keys, merchant_id, row).await?)),
        None => Ok(None),
    }
}

/// Reads the payment without the payer's personal data.
pub(super) async fn payment_without_payer(
    engine: &Engine,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
) -> Result<Option<Payment>, StoreFailure> {
    match row(engine, merchant_id, payment_id).await? {
        Some(row) => Ok(Some(put_together(engine, merchant_id, row).await?.0)),
        None => Ok(None),
    }
}

async fn row(
    engine: &Engine,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
) -> Result<Option<Row>, StoreFailure> {
    let parameters = values![merchant_id.as_str(), payment_id.as_str()];
    let read = Read::new(ONE_PAYMENT, parameters);
    engine.fetch_optional(read).await.map_err(failure)
}

async fn assemble(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    row: Row,
) -> Result<Payment, StoreFailure> {
    let (mut payment, row) = put_together(engine, merchant_id, row).await?;
    let Some(sealed) = row.opt_bytes(PERSONAL).map_err(failure)? else {
        return Ok(payment);
    };
    let opening = keys.to_open_bytes(&sealed).await?;
    match opening.open_bytes(&place(merchant_id, &payment.payment_id), &sealed) {
        Ok(text) => payment.put_back(record::parse(text.expose())?),
        // The customer was redacted, so the personal data stays empty.
        Err(StoreFailure::Destroyed(_)) => {}
        Err(failure) => return Err(failure),
    }
    Ok(payment)
}

/// Returns the place that the personal data of a payment is sealed for.
pub(super) fn place(merchant_id: &MerchantId, payment_id: &PaymentId) -> String {
    ["payments:", merchant_id.as_str(), "/", payment_id.as_str()].concat()
}

/// Builds a payment from its row; returns the row as well. Each further read has its own snapshot. So the version is
/// checked after them, and if it moved, everything is read again: half a change is never seen.
async fn put_together(
    engine: &Engine,
    merchant_id: &MerchantId,
    mut row: Row,
) -> Result<(Payment, Row), StoreFailure> {
    loop {
        let mut payment: Payment = record::read(&row, "record")?;
        payment.version = row.int("version").map_err(failure)?;
        let has_more_attempts = row.int("attempt_count").map_err(failure)? > 1;
        let has_captures = row.int("capture_count").map_err(failure)? > 0;
        payment.attempts = if has_more_attempts {
            attempts(engine, merchant_id, &payment.payment_id).await?
        } else {
            vec![record::read(&row, "attempt_record")?]
        };
        if has_captures {
            add_captures(engine, merchant_id, &mut payment).await?;
        }
        if !has_more_attempts && !has_captures {
            return Ok((payment, row));
        }
        match newer(engine, merchant_id, &payment).await? {
            Some(moved) => row = moved,
            None => return Ok((payment, row)),
        }
    }
}

/// Returns the payment's row if its version moved since the payment was read.
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

/// Returns the payments of a list in order, with none for each that can't be read.
pub(super) async fn listed(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    rows: Vec<Row>,
) -> Result<Vec<Option<Payment>>, StoreFailure> {
    // Loads all keys at once, so that each read finds its key in memory.
    keys.to_open(&rows, PERSONAL).await?;
    let mut payments = Vec::with_capacity(rows.len());
    for row in rows {
        let payment_id = row.str("payment_id").map_err(failure)?;
        let place = format!("{merchant_id}/{payment_id}");
        let payment = assemble(engine, keys, merchant_id, row).await;
        payments.push(record::readable("payments", place, payment)?);
    }
    Ok(payments)
}
