//! Which payments are to be asked about at their processor, and who does it.
//!
//! `payments.sync_at` is both the date and the lease: a claim moves it to the lease's end, on the condition that it is what
//! was read. Of several servers one succeeds, and the end of its lease tells its claim from any later one.

use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::timestamp::Timestamp;

use super::engine::{Engine, Read, Row, Write, values};
use super::record::{self, failure};
use crate::ports::StoreFailure;
use crate::ports::store::{ClaimedSync, SyncRoom};

const MOVE: &str =
    "update payments set sync_at = $4 where merchant_id = $1 and payment_id = $2 and sync_at = $3";

/// A payment whose call was cut off is to be asked about when the call must be over, that is within this time.
const ASK_NOW: &str = "update payments set sync_at = $1 where sync_at > $1 and sync_at <= $2";

/// A connector without room is passed over, so that a processor that lets everybody wait doesn't hold up the others.
pub(super) async fn claim(
    engine: &Engine,
    due_by: Timestamp,
    lease_until: Timestamp,
    mut room: SyncRoom,
) -> Result<Vec<ClaimedSync>, StoreFailure> {
    let mut claimed = Vec::new();
    while room.free > 0 {
        let due = engine.fetch(due(due_by, &room)).await.map_err(failure)?;
        let mut wanted = Vec::with_capacity(due.len());
        let mut writes = Vec::with_capacity(due.len());
        let mut asked = room.clone();
        for row in &due {
            let one = of_row(row, lease_until)?;
            if asked.has_room(&one.connector) {
                let seen = row.int("sync_at").map_err(failure)?;
                writes.push(move_to(&one, seen, Some(lease_until)));
                asked.take(&one.connector);
                wanted.push(one);
            }
        }
        let all_had_room = wanted.len() == due.len();
        let moved = record::write_any(engine, writes).await?;
        for (one, rows) in wanted.into_iter().zip(moved) {
            if rows == 1 {
                room.take(&one.connector);
                claimed.push(one);
            }
        }
        // Behind those of a connector that has no room now there may be others.
        if all_had_room {
            break;
        }
    }
    Ok(claimed)
}

/// What is due of connectors that have room, the longest due first.
fn due(due_by: Timestamp, room: &SyncRoom) -> Read {
    let mut parameters = values![due_by.as_micros(), room.free as i64];
    let mut passed_over = String::new();
    for connector in room.full() {
        parameters.push(connector.into());
        passed_over += &format!(" and coalesce(connector, '') <> ${}", parameters.len());
    }
    let sql = format!(
        "select merchant_id, payment_id, coalesce(connector, '') as connector, sync_at from payments \
         where sync_at <= $1{passed_over} order by sync_at, merchant_id, payment_id limit $2"
    );
    Read::new(sql, parameters)
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
        connector: row.text("connector").map_err(failure)?,
        lease_until,
    })
}
