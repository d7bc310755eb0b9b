//! Operations at a processor without a final answer: when each is asked about next, and by which server.
//!
//! A commit of the object inserts the row. Each object chooses the commit: the one before the call, or the one after which
//! nobody waits for the answer any more. `payment_operations` explains the choice of payments.
//!
//! `due_at` is the date of the next question, in business time. A claim increments `fence` and sets a lease in wall time,
//! which no move of the business clock takes away. The claim also moves the date by the length of the lease, so that the
//! operation leaves the head of the index. A claim and its end change these columns and nothing else. Outcomes change the
//! object under its version, and every change of the object sets the date again.

use async_trait::async_trait;
use multirail_app::operations::ports::OpenOperationStore;
use multirail_app::operations::ports::open_operations::{
    ClaimedOperation, OpenOutcomes, Room, UnresolvedOperation,
};
use multirail_app::payments::ports::PAYMENT;
use multirail_app::platform::ports::{ObjectClass, StoreFailure};
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::timestamp::Timestamp;

use super::operation_rows::{CLASSES, ClaimTerms, classes, object_of};
use crate::engine::{Engine, Read, Row, Write, values};
use crate::payments::payment_operations;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::sql_store::SqlStore;

const CLAIM: &str = "update open_operations set due_at = $4, lease_until = $5, fence = fence + 1 \
     where processor_key = $1 and fence = $2 and due_at = $3";

/// A date that differs from the claim's was set by a change of the object.
const END: &str = "update open_operations set due_at = case when due_at = $3 then $4 else due_at end, lease_until = 0 \
     where processor_key = $1 and fence = $2";

const GIVE_BACK: &str =
    "update open_operations set lease_until = 0 where processor_key = $1 and fence = $2";

const CLOSE: &str =
    "delete from open_operations where processor_key = $1 and fence = $2 and due_at = $3";

/// Calls that were cut off become due: their date lies within the time that a call or a question may take.
const ASK_CALLS_NOW: &str = "update payments set sync_at = $1 where sync_at > $1 and sync_at <= $2";
const ASK_NOW: &str = "update open_operations set due_at = $1 where due_at > $1 and due_at <= $2 \
     and (lease_until > 0 or reason = 'started')";

const END_LEASES: &str = "update open_operations set lease_until = 0 where lease_until > 0";

/// Operations without a final answer. A call that nobody has asked about yet may be under way, and its own answer will
/// arrive.
const UNRESOLVED: &str = "is_unresolved and not (reason = 'started' and fence = 0)";

#[async_trait]
impl OpenOperationStore for SqlStore {
    fn classes(&self) -> &'static [ObjectClass] {
        CLASSES
    }

    async fn claim_operations(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        room: Room,
    ) -> Result<Vec<ClaimedOperation>, StoreFailure> {
        let terms = ClaimTerms { now, wall, seconds };
        claim(&self.engine, &terms, room).await
    }

    async fn end_claim(
        &self,
        claimed: &ClaimedOperation,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure> {
        end(&self.engine, claimed, next).await
    }

    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure> {
        open_outcomes(&self.engine).await
    }

    async fn unresolved_operations(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<UnresolvedOperation>, StoreFailure> {
        unresolved(&self.engine, limit, offset).await
    }
}

/// Passes over a connector without room, so that a slow processor doesn't hold up the others.
async fn claim(
    engine: &Engine,
    terms: &ClaimTerms,
    mut room: Room,
) -> Result<Vec<ClaimedOperation>, StoreFailure> {
    payment_operations::adopt(engine, terms).await?;
    let mut claimed = Vec::new();
    while room.free > 0 {
        let due = engine.fetch(due(terms, &room)).await.map_err(failure)?;
        let mut wanted = Vec::with_capacity(due.len());
        let mut writes = Vec::with_capacity(due.len());
        let mut asked = room.clone();
        for row in &due {
            let one = of_row(row, terms)?;
            if asked.has_room(&one.connector) {
                let seen = row.int("due_at").map_err(failure)?;
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
        // Other connectors' operations may follow those of a connector without room.
        if all_had_room {
            break;
        }
    }
    Ok(claimed)
}

/// Returns due operations of connectors that have room, the longest due first. A few of them are under a lease, because a
/// moved clock or a change of the object made them due again. They are at most as many as all servers, dead ones included,
/// ask about at once. Operations of classes that only a later version knows are left to its servers.
fn due(terms: &ClaimTerms, room: &Room) -> Read {
    let mut parameters = values![
        terms.now.as_micros(),
        terms.wall.as_micros(),
        room.free as i64
    ];
    let mut passed_over = String::new();
    for connector in room.full() {
        parameters.push(connector.into());
        passed_over += &format!(" and connector <> ${}", parameters.len());
    }
    let classes = classes();
    let sql = format!(
        "select processor_key, merchant_id, object_class, object_id, connector, due_at, fence from open_operations \
         where due_at <= $1{passed_over} and lease_until <= $2 and object_class in ({classes}) \
         order by due_at, processor_key limit $3"
    );
    Read::new(sql, parameters)
}

fn take_up(one: &ClaimedOperation, seen: i64, terms: &ClaimTerms) -> Write {
    let parameters = values![
        one.processor_key.as_str(),
        one.fence - 1,
        seen,
        one.put_off_to.as_micros(),
        terms.wall.later(terms.seconds).as_micros()
    ];
    Write::new(CLAIM, parameters).any_rows()
}

async fn end(
    engine: &Engine,
    claimed: &ClaimedOperation,
    next: Option<Timestamp>,
) -> Result<(), StoreFailure> {
    let (key, put_off_to) = (
        claimed.processor_key.as_str(),
        claimed.put_off_to.as_micros(),
    );
    let writes = match next {
        Some(next) => {
            let parameters = values![key, claimed.fence, put_off_to, next.as_micros()];
            vec![Write::new(END, parameters).any_rows()]
        }
        None => {
            let close = values![key, claimed.fence, put_off_to];
            let mut writes = vec![
                Write::new(CLOSE, close).any_rows(),
                Write::new(GIVE_BACK, values![key, claimed.fence]).any_rows(),
            ];
            if claimed.object.class == PAYMENT {
                let id = &claimed.object.id;
                writes.push(payment_operations::not_filed(&claimed.merchant_id, id));
            }
            writes
        }
    };
    record::write_any(engine, writes).await.map(drop)
}

/// Makes operations due `now` whose date is `latest` or earlier, because a call or a question was under way. After a start
/// on a database of this server alone, nothing is under way.
pub(crate) fn take_over(now: Timestamp, latest: Timestamp) -> [Write; 3] {
    let dates = || values![now.as_micros(), latest.as_micros()];
    [
        Write::new(ASK_CALLS_NOW, dates()).any_rows(),
        Write::new(ASK_NOW, dates()).any_rows(),
        Write::new(END_LEASES, Vec::new()).any_rows(),
    ]
}

async fn open_outcomes(engine: &Engine) -> Result<OpenOutcomes, StoreFailure> {
    let classes = classes();
    let sql = format!(
        "select count(*) as open, count(case when reason = 'awaiting_customer' then 1 end) as with_payer \
         from open_operations where {UNRESOLVED} and object_class in ({classes})"
    );
    let read = Read::new(sql, Vec::new());
    let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(OpenOutcomes::default());
    };
    let open = row.int("open").map_err(failure)?;
    let with_payer = row.int("with_payer").map_err(failure)?;
    Ok(OpenOutcomes {
        with_processor: open - with_payer,
        with_payer,
    })
}

/// Returns the claim as it will be if it succeeds.
fn of_row(row: &Row, terms: &ClaimTerms) -> Result<ClaimedOperation, StoreFailure> {
    let key = ProcessorKey::parse(row.str("processor_key").map_err(failure)?);
    let merchant = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    Ok(ClaimedOperation {
        processor_key: record::id(key)?,
        merchant_id: record::id(merchant)?,
        object: object_of(row)?,
        connector: row.text("connector").map_err(failure)?,
        fence: row.int("fence").map_err(failure)? + 1,
        put_off_to: terms.now.later(terms.seconds),
    })
}

async fn unresolved(
    engine: &Engine,
    limit: i64,
    offset: i64,
) -> Result<Vec<UnresolvedOperation>, StoreFailure> {
    let classes = classes();
    let sql = format!(
        "select processor_key, merchant_id, object_class, object_id, due_at from open_operations \
         where {UNRESOLVED} and object_class in ({classes}) order by due_at, processor_key limit $1 offset $2"
    );
    let read = Read::new(sql, values![limit, offset]);
    let rows = engine.fetch(read).await.map_err(failure)?;
    let found = rows.iter().map(|row| {
        let key = ProcessorKey::parse(row.str("processor_key").map_err(failure)?);
        let merchant = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
        Ok(UnresolvedOperation {
            processor_key: record::id(key)?,
            merchant_id: record::id(merchant)?,
            object: object_of(row)?,
            next_question_at: Timestamp::from_micros(row.int("due_at").map_err(failure)?),
        })
    });
    found.collect()
}
