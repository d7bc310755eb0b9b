//! Which payments are to be asked about at their processor, and who does it.
//!
//! `payments.sync_at` is both the date and the lease: a claim moves it to the lease's end, on the condition that it is what
//! was read. Of several servers one succeeds, and the end of its lease tells its claim from any later one.

use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::timestamp::Timestamp;

use super::engine::{Engine, Read, Row, Write, values};
use super::record::{self, failure};
use crate::ports::StoreFailure;
use crate::ports::store::ClaimedSync;

const DUE: &str = "select merchant_id, payment_id, sync_at from payments where sync_at <= $1 \
     order by sync_at, merchant_id, payment_id limit $2";

const MOVE: &str =
    "update payments set sync_at = $4 where merchant_id = $1 and payment_id = $2 and sync_at = $3";

/// A payment whose call was cut off is to be asked about when the call must be over, that is within this time.
const ASK_NOW: &str = "update payments set sync_at = $1 where sync_at > $1 and sync_at <= $2";

pub(super) async fn claim(
    engine: &Engine,
    due_by: Timestamp,
    lease_until: Timestamp,
    limit: i64,
) -> Result<Vec<ClaimedSync>, StoreFailure> {
    let read = Read::new(DUE, values![due_by.as_micros(), limit]);
    let due = engine.fetch(read).await.map_err(failure)?;
    let mut wanted = Vec::with_capacity(due.len());
    let mut writes = Vec::with_capacity(due.len());
    for row in &due {
        let claimed = of_row(row, lease_until)?;
        let seen = row.int("sync_at").map_err(failure)?;
        writes.push(move_to(&claimed, seen, Some(lease_until)));
        wanted.push(claimed);
    }
    let moved = record::write_any(engine, writes).await?;
    let ours = wanted.into_iter().zip(moved);
    Ok(ours
        .filter(|(_, rows)| *rows == 1)
        .map(|(claimed, _)| claimed)
        .collect())
}

pub(super) async fn end(
    engine: &Engine,
    claimed: &ClaimedSync,
    next: Option<Timestamp>,
) -> Result<(), StoreFailure> {
    let lease = claimed.lease_until.as_micros();
    record::write_any(engine, vec![move_to(claimed, lease, next)]).await?;
    Ok(())
}

/// Payments that would be asked about by `latest` are asked about `now`.
pub(super) fn ask_now(now: Timestamp, latest: Timestamp) -> Write {
    Write::new(ASK_NOW, values![now.as_micros(), latest.as_micros()]).any_rows()
}

fn move_to(claimed: &ClaimedSync, seen: i64, next: Option<Timestamp>) -> Write {
    let parameters = values![
        claimed.merchant_id.as_str(),
        claimed.payment_id.as_str(),
        seen,
        next.map(Timestamp::as_micros)
    ];
    Write::new(MOVE, parameters).any_rows()
}

fn of_row(row: &Row, lease_until: Timestamp) -> Result<ClaimedSync, StoreFailure> {
    let merchant = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let payment = PaymentId::parse(row.str("payment_id").map_err(failure)?);
    Ok(ClaimedSync {
        merchant_id: record::id(merchant)?,
        payment_id: record::id(payment)?,
        lease_until,
    })
}
