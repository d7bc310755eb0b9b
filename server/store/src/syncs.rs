//! Which payments are to be asked about at their processor, and who does it.
//!
//! `payments.sync_at` is the date of the next question, in business time. A claim counts `sync_fence` up and sets a lease in
//! wall time, which no move of the business clock takes away. It also puts the date off by as long: what is being asked
//! about leaves the head of the index, and servers of before the lease, which go by the date alone, leave it to us.
//!
//! A claim and its end change these columns and nothing else. What is learned of the payment goes by its version, and
//! whatever changes the payment sets the date anew.

use async_trait::async_trait;
use multirail_app::ports::syncs::{ClaimedSync, OpenOutcomes, SyncRoom};
use multirail_app::ports::{StoreFailure, SyncStore};
use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::Payment;
use multirail_domain::timestamp::Timestamp;

use super::engine::{Engine, Read, Row, Write, values};
use super::payments;
use super::record::{self, failure};
use super::sql_store::SqlStore;

/// The date beside the fence, because an older server's claim moves it and counts no fence.
const CLAIM: &str = "update payments set sync_at = $5, sync_lease_until = $6, sync_fence = sync_fence + 1 \
     where merchant_id = $1 and payment_id = $2 and sync_fence = $3 and sync_at = $4";

/// A date that isn't the claim's was set by a change of the payment, or by an older server's claim.
const END: &str = "update payments set sync_at = case when sync_at = $4 then $5 else sync_at end, sync_lease_until = 0 \
     where merchant_id = $1 and payment_id = $2 and sync_fence = $3";

/// A payment whose call was cut off is to be asked about when the call must be over, that is within this time.
const ASK_NOW: &str = "update payments set sync_at = $1 where sync_at > $1 and sync_at <= $2";

/// By the index of what is open. Where nothing is, what is left of a lease lapses within the time of one call.
const END_LEASES: &str =
    "update payments set sync_lease_until = 0 where sync_at is not null and sync_lease_until > 0";

/// What a claim goes by.
pub(super) struct ClaimTerms {
    pub now: Timestamp,
    pub wall: Timestamp,
    /// How long it holds.
    pub seconds: i64,
}

#[async_trait]
impl SyncStore for SqlStore {
    async fn claim_syncs(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        room: SyncRoom,
    ) -> Result<Vec<ClaimedSync>, StoreFailure> {
        let terms = ClaimTerms { now, wall, seconds };
        claim(&self.engine, &terms, room).await
    }

    async fn end_sync(
        &self,
        claimed: &ClaimedSync,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure> {
        end(&self.engine, claimed, next).await
    }

    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure> {
        payments::open_outcomes(&self.engine).await
    }

    async fn payments_waiting(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<(Payment, Timestamp)>, StoreFailure> {
        payments::payments_waiting(&self.engine, limit, offset).await
    }
}

/// A connector without room is passed over, so that a processor that lets everybody wait doesn't hold up the others.
pub(super) async fn claim(
    engine: &Engine,
    terms: &ClaimTerms,
    mut room: SyncRoom,
) -> Result<Vec<ClaimedSync>, StoreFailure> {
    let mut claimed = Vec::new();
    while room.free > 0 {
        let due = engine.fetch(due(terms, &room)).await.map_err(failure)?;
        let mut wanted = Vec::with_capacity(due.len());
        let mut writes = Vec::with_capacity(due.len());
        let mut asked = room.clone();
        for row in &due {
            let one = of_row(row, terms)?;
            if asked.has_room(&one.connector) {
                let seen = row.int("sync_at").map_err(failure)?;
                writes.push(take_up(&one, seen, terms));
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

/// What is due of connectors that have room, the longest due first. Of what is due only that is under a lease which a moved
/// clock or a change of the payment made due again: no more than all servers ask about at once, the dead ones included.
fn due(terms: &ClaimTerms, room: &SyncRoom) -> Read {
    let mut parameters = values![
        terms.now.as_micros(),
        terms.wall.as_micros(),
        room.free as i64
    ];
    let mut passed_over = String::new();
    for connector in room.full() {
        parameters.push(connector.into());
        passed_over += &format!(" and coalesce(connector, '') <> ${}", parameters.len());
    }
    let sql = format!(
        "select merchant_id, payment_id, coalesce(connector, '') as connector, sync_at, sync_fence from payments \
         where sync_at <= $1{passed_over} and sync_lease_until <= $2 \
         order by sync_at, merchant_id, payment_id limit $3"
    );
    Read::new(sql, parameters)
}

fn take_up(one: &ClaimedSync, seen: i64, terms: &ClaimTerms) -> Write {
    let parameters = values![
        one.merchant_id.as_str(),
        one.payment_id.as_str(),
        one.fence - 1,
        seen,
        one.put_off_to.as_micros(),
        later(terms.wall, terms.seconds).as_micros()
    ];
    Write::new(CLAIM, parameters).any_rows()
}

pub(super) async fn end(
    engine: &Engine,
    claimed: &ClaimedSync,
    next: Option<Timestamp>,
) -> Result<(), StoreFailure> {
    let parameters = values![
        claimed.merchant_id.as_str(),
        claimed.payment_id.as_str(),
        claimed.fence,
        claimed.put_off_to.as_micros(),
        next.map(Timestamp::as_micros)
    ];
    let end = Write::new(END, parameters).any_rows();
    record::write_any(engine, vec![end]).await.map(drop)
}

/// Payments that would be asked about by `latest` are asked about `now`.
pub(super) fn ask_now(now: Timestamp, latest: Timestamp) -> Write {
    Write::new(ASK_NOW, values![now.as_micros(), latest.as_micros()]).any_rows()
}

/// Nobody is at anything.
pub(super) fn end_leases() -> Write {
    Write::new(END_LEASES, Vec::new()).any_rows()
}

/// The claim as it is when it succeeds.
fn of_row(row: &Row, terms: &ClaimTerms) -> Result<ClaimedSync, StoreFailure> {
    let merchant = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let payment = PaymentId::parse(row.str("payment_id").map_err(failure)?);
    Ok(ClaimedSync {
        merchant_id: record::id(merchant)?,
        payment_id: record::id(payment)?,
        connector: row.text("connector").map_err(failure)?,
        fence: row.int("sync_fence").map_err(failure)? + 1,
        put_off_to: later(terms.now, terms.seconds),
    })
}

fn later(time: Timestamp, seconds: i64) -> Timestamp {
    time.plus_seconds(seconds).unwrap_or(time)
}
