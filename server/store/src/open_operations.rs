//! Operations at a processor without a final answer: when each is asked about next, and who does it.
//!
//! A row is filed by the commit after which nobody waits for the operation's answer any more (`lower`). While its call is
//! under way there is none, so that a payment whose answer comes at once costs no statement here: until then the payment's
//! own row says when the call must be over, `payments.sync_at`. What was cut off meanwhile, and what a server of before this
//! table left open, gets its rows when that date has come (`adopt`). From then on `sync_at` is [`FILED`]: it counts as open
//! for servers of before this table, and is never due for them.
//!
//! `due_at` is the date of the next question, in business time. A claim counts `fence` up and sets a lease in wall time,
//! which no move of the business clock takes away. It also puts the date off by as long, so that what is being asked about
//! leaves the head of the index. A claim and its end change these columns and nothing else. What is learned of the object
//! goes by its version, and whatever changes the object sets the date anew.

use async_trait::async_trait;
use multirail_app::ports::open_operations::{
    ClaimedOperation, OpenObject, OpenOutcomes, Room, UnresolvedOperation,
};
use multirail_app::ports::{OpenOperationStore, StoreFailure};
use multirail_domain::ids::{MerchantId, PaymentId, ProcessorKey};
use multirail_domain::payment::{Attempt, Payment};
use multirail_domain::question::{Question, Why};
use multirail_domain::timestamp::Timestamp;

use super::engine::{Engine, Read, Row, Value, Write, WriteError, values};
use super::payments;
use super::record::{self, failure};
use super::sql_store::SqlStore;

const TABLE: &str = "open_operations";

/// `payments.sync_at` of a payment whose operations all have their rows: the end of the year 9999.
pub(super) const FILED: i64 = 253_402_300_799_000_000;

const FILE: &str = "insert into open_operations (processor_key, merchant_id, object_class, object_id, connector, \
     merchant_connector_id, due_at, lease_until, fence, reason, is_unresolved) \
     values ($1, $2, 'payment', $3, $4, $5, $6, 0, 0, $7, $8) on conflict (processor_key) \
     do update set due_at = excluded.due_at, reason = excluded.reason, is_unresolved = excluded.is_unresolved";

/// What has its row already is perhaps being asked about.
const ADOPT: &str = "insert into open_operations (processor_key, merchant_id, object_class, object_id, connector, \
     merchant_connector_id, due_at, lease_until, fence, reason, is_unresolved) \
     values ($1, $2, 'payment', $3, $4, $5, $6, 0, 0, $7, $8) on conflict (processor_key) do nothing";

const DELETE: &str = "delete from open_operations where processor_key = $1";

/// The calls that must be over by now. A date behind those of all calls that may be under way was set by a server of before
/// the table.
const TO_ADOPT: &str = "select merchant_id, payment_id, sync_at from payments where sync_at <= $1 \
     union all select merchant_id, payment_id, sync_at from payments where sync_at > $2 and sync_at < $3 \
     order by sync_at, merchant_id, payment_id limit $4";

const ADOPTED: &str = "update payments set sync_at = $5 \
     where merchant_id = $1 and payment_id = $2 and version = $3 and sync_at = $4";

const PUT_OFF: &str =
    "update payments set sync_at = $4 where merchant_id = $1 and payment_id = $2 and sync_at = $3";

const CLAIM: &str = "update open_operations set due_at = $4, lease_until = $5, fence = fence + 1 \
     where processor_key = $1 and fence = $2 and due_at = $3";

/// A date that isn't the claim's was set by a change of the object.
const END: &str = "update open_operations set due_at = case when due_at = $3 then $4 else due_at end, lease_until = 0 \
     where processor_key = $1 and fence = $2";

const GIVE_BACK: &str =
    "update open_operations set lease_until = 0 where processor_key = $1 and fence = $2";

const CLOSE: &str =
    "delete from open_operations where processor_key = $1 and fence = $2 and due_at = $3";

/// Nothing of the payment is open any more.
const NOT_FILED: &str = "update payments set sync_at = null where merchant_id = $1 and payment_id = $2 and sync_at = $3 \
     and not exists (select 1 from open_operations where merchant_id = $1 and object_class = 'payment' \
     and object_id = $2)";

/// What was cut off is to be asked about when the call or the question must be over, that is within this time.
const ASK_CALLS_NOW: &str = "update payments set sync_at = $1 where sync_at > $1 and sync_at <= $2";
const ASK_NOW: &str =
    "update open_operations set due_at = $1 where due_at > $1 and due_at <= $2 and lease_until > 0";

const END_LEASES: &str = "update open_operations set lease_until = 0 where lease_until > 0";

const OPEN_OUTCOMES: &str = "select count(*) as open, \
     count(case when reason = 'awaiting_customer' then 1 end) as with_payer from open_operations where is_unresolved";

/// So many payments at a time get their rows.
const ADOPTED_AT_ONCE: i64 = 100;

/// What a claim goes by.
struct ClaimTerms {
    now: Timestamp,
    wall: Timestamp,
    /// How long it holds.
    seconds: i64,
}

#[async_trait]
impl OpenOperationStore for SqlStore {
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
        payments::with_unresolved_operations(&self.engine, limit, offset).await
    }
}

/// `payments.sync_at`.
pub(super) fn sync_at(payment: &Payment, in_flight_seconds: i64) -> Option<i64> {
    let mut call_is_over_at = None;
    let mut has_rows = false;
    for (_, question) in payment.questions(payment.modified_at, in_flight_seconds) {
        if question.why == Why::Started {
            let over = Some(question.due_at.as_micros());
            call_is_over_at = call_is_over_at.min(over).or(over);
        } else {
            has_rows = true;
        }
    }
    call_is_over_at.or(has_rows.then_some(FILED))
}

/// The rows that a change of the payment files, moves and deletes.
pub(super) fn lower(
    before: &Payment,
    after: &Payment,
    in_flight_seconds: i64,
    writes: &mut Vec<Write>,
) {
    let filed_before = filed(before, in_flight_seconds);
    let filed_after = filed(after, in_flight_seconds);
    for (_, was) in &filed_before {
        let mut still = filed_after.iter().map(|(_, question)| question.about);
        if !still.any(|key| key == was.about) {
            let delete = Write::new(DELETE, values![was.about.as_str()]);
            writes.push(delete.on(TABLE).any_rows());
        }
    }
    for (attempt, question) in &filed_after {
        if !filed_before.iter().any(|(_, was)| was == question) {
            let parameters = row(after, attempt, question, question.due_at);
            writes.push(Write::new(FILE, parameters).on(TABLE));
        }
    }
}

fn filed(payment: &Payment, in_flight_seconds: i64) -> Vec<(&Attempt, Question<'_>)> {
    let questions = payment.questions(payment.modified_at, in_flight_seconds);
    questions
        .filter(|(_, question)| question.why != Why::Started)
        .collect()
}

fn row(
    payment: &Payment,
    attempt: &Attempt,
    question: &Question<'_>,
    due_at: Timestamp,
) -> Vec<Value> {
    let account = attempt.merchant_connector_id.as_ref();
    values![
        question.about.as_str(),
        payment.merchant_id.as_str(),
        payment.payment_id.as_str(),
        attempt.connector.as_deref().unwrap_or_default(),
        account.map(|id| id.as_str()),
        due_at.as_micros(),
        question.why.as_str(),
        question.why.is_unresolved()
    ]
}

/// Files what nobody has filed: see the head of this file.
async fn adopt(engine: &Engine, terms: &ClaimTerms) -> Result<(), StoreFailure> {
    let parameters = values![
        terms.now.as_micros(),
        later(terms.now, terms.seconds).as_micros(),
        FILED,
        ADOPTED_AT_ONCE
    ];
    let read = Read::new(TO_ADOPT, parameters);
    for row in engine.fetch(read).await.map_err(failure)? {
        let writes = adoption(engine, terms, &row).await?;
        match engine.write(writes).await {
            // A miss: the payment was changed meanwhile. What that left open says so itself.
            Ok(_) | Err(WriteError::Miss(_)) => {}
            Err(WriteError::Store(error)) => return Err(failure(error)),
        }
    }
    Ok(())
}

async fn adoption(
    engine: &Engine,
    terms: &ClaimTerms,
    seen: &Row,
) -> Result<Vec<Write>, StoreFailure> {
    let merchant_id = MerchantId::parse(seen.str("merchant_id").map_err(failure)?);
    let payment_id = PaymentId::parse(seen.str("payment_id").map_err(failure)?);
    let (merchant_id, payment_id) = (record::id(merchant_id)?, record::id(payment_id)?);
    let sync_at = seen.int("sync_at").map_err(failure)?;
    let found = payments::payment(engine, &merchant_id, &payment_id).await;
    let place = format!("{merchant_id}/{payment_id}");
    let Some(payment) = record::readable("payments", place, found)?.flatten() else {
        let put_off_to = later(terms.now, terms.seconds).as_micros();
        let parameters = values![
            merchant_id.as_str(),
            payment_id.as_str(),
            sync_at,
            put_off_to
        ];
        return Ok(vec![Write::new(PUT_OFF, parameters).any_rows()]);
    };
    let mut writes = Vec::new();
    for (attempt, question) in payment.questions(payment.modified_at, terms.seconds) {
        let due_at = Timestamp::from_micros(sync_at);
        let parameters = row(&payment, attempt, &question, due_at);
        writes.push(Write::new(ADOPT, parameters).any_rows());
    }
    let is_filed = !writes.is_empty();
    let parameters = values![
        merchant_id.as_str(),
        payment_id.as_str(),
        payment.version,
        sync_at,
        is_filed.then_some(FILED)
    ];
    writes.push(Write::new(ADOPTED, parameters));
    Ok(writes)
}

/// A connector without room is passed over, so that a processor that lets everybody wait doesn't hold up the others.
async fn claim(
    engine: &Engine,
    terms: &ClaimTerms,
    mut room: Room,
) -> Result<Vec<ClaimedOperation>, StoreFailure> {
    adopt(engine, terms).await?;
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
        // Behind those of a connector that has no room now there may be others.
        if all_had_room {
            break;
        }
    }
    Ok(claimed)
}

/// What is due of connectors that have room, the longest due first. Of what is due only that is under a lease which a moved
/// clock or a change of the object made due again: no more than all servers ask about at once, the dead ones included.
/// Operations of objects that only a later version knows are left to its servers.
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
    let sql = format!(
        "select processor_key, merchant_id, object_id, connector, due_at, fence from open_operations \
         where due_at <= $1{passed_over} and lease_until <= $2 and object_class = 'payment' \
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
        later(terms.wall, terms.seconds).as_micros()
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
            let OpenObject::Payment(payment_id) = &claimed.object;
            let object = values![claimed.merchant_id.as_str(), payment_id.as_str(), FILED];
            vec![
                Write::new(CLOSE, close).any_rows(),
                Write::new(GIVE_BACK, values![key, claimed.fence]).any_rows(),
                Write::new(NOT_FILED, object).any_rows(),
            ]
        }
    };
    record::write_any(engine, writes).await.map(drop)
}

/// Operations that would be asked about by `latest`, because a call or a question about them was under way, are asked about
/// `now`: nobody is at anything.
pub(super) fn take_over(now: Timestamp, latest: Timestamp) -> [Write; 3] {
    let dates = || values![now.as_micros(), latest.as_micros()];
    [
        Write::new(ASK_CALLS_NOW, dates()).any_rows(),
        Write::new(ASK_NOW, dates()).any_rows(),
        Write::new(END_LEASES, Vec::new()).any_rows(),
    ]
}

async fn open_outcomes(engine: &Engine) -> Result<OpenOutcomes, StoreFailure> {
    let read = Read::new(OPEN_OUTCOMES, Vec::new());
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

/// The claim as it is when it succeeds.
fn of_row(row: &Row, terms: &ClaimTerms) -> Result<ClaimedOperation, StoreFailure> {
    let key = ProcessorKey::parse(row.str("processor_key").map_err(failure)?);
    let merchant = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let payment = PaymentId::parse(row.str("object_id").map_err(failure)?);
    Ok(ClaimedOperation {
        processor_key: record::id(key)?,
        merchant_id: record::id(merchant)?,
        object: OpenObject::Payment(record::id(payment)?),
        connector: row.text("connector").map_err(failure)?,
        fence: row.int("fence").map_err(failure)? + 1,
        put_off_to: later(terms.now, terms.seconds),
    })
}

fn later(time: Timestamp, seconds: i64) -> Timestamp {
    time.plus_seconds(seconds).unwrap_or(time)
}
