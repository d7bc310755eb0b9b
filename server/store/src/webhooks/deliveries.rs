//! The queue of pending deliveries, and the attempts that were made.
//!
//! A claim has two steps that read the same on either engine: find candidates, then take each by a conditional update on
//! its fence. If two servers have the same candidate, one changes the row; the other changes none, and has claimed nothing.
//!
//! Several claims may learn the outcome of one delivery: one whose lease expired, the next one, and one of a replay in
//! between. `fence` counts claims. `queued_at` identifies the order to deliver that they serve; a replay is a new order.
//!
//! - An accepted attempt ends the order that it was made for, whichever claim holds the delivery by then: nothing is sent
//!   again.
//! - A failed attempt has an effect only under the fence and the order that were claimed.
//! - A newer order stays, and doesn't wait for the lease of a finished attempt of an older order.

use multirail_app::accounts::ports::profiles::Endpoint;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::EventRecord;
use multirail_app::webhooks::ports::events::{Claimed, DeliveryAttempt, QueueState};
use multirail_domain::webhooks::webhook::{AfterTry, DeliveryKind, Exchange};
use multirail_kernel::ids::{EventId, MerchantId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;

use super::events;
use super::waiting;
use super::waiting::ClaimTerms;
use super::{delivery_leases, endpoints};
use crate::engine::{Engine, Read, Row, Value, Write, values};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::subject_keys::{OpenKeys, SubjectKeys};

crate::platform::record::records! {
    Exchange: "delivery_attempts.sealed",
}

const TABLE: &str = "deliveries";
const TRIES: &str = "delivery_attempts";

/// Inserts the queue's row only together with its event: an event that was recorded before is not delivered again. The
/// statement looks for another event with the same news, so that it finds the same before and after this event is written:
/// PostgreSQL writes both on one snapshot. The object's version keeps two commits from recording the same news at once.
const QUEUE: &str = "insert into deliveries (merchant_id, event_id, endpoint, object_id, object_sequence, next_kind, \
     retries_done, next_at, first_failed_at, lease_until, fence, queued_at) \
     select $1, $2, $3, $4, $5, $6, 0, $7, null, 0, 0, $8 \
     where not exists (select 1 from events e where e.merchant_id = $1 and e.object_id = $4 and e.event_type = $9 \
     and e.about_id = $10 and e.event_id <> $2)";

/// Finds every endpoint of the queue by jumping from one to the next in the index.
const DUE_ENDPOINTS: &str = "with recursive q(endpoint) as (select min(endpoint) from deliveries union all \
     select (select min(endpoint) from deliveries where endpoint > q.endpoint) from q where q.endpoint is not null) \
     select q.endpoint as endpoint from q where q.endpoint is not null \
     and exists (select 1 from deliveries d where d.endpoint = q.endpoint and d.next_at <= $1 and d.lease_until <= $2) \
     and not exists (select 1 from webhook_endpoints w where w.endpoint = q.endpoint and w.paused_at is not null)";

const CLAIM: &str = "update deliveries set lease_until = $3, fence = fence + 1 \
     where merchant_id = $1 and event_id = $2 and fence = $4 and lease_until <= $5";

/// Records an attempt once, although it is written again after a commit with an unknown outcome. Its event has to exist, as
/// it may have been purged.
const RECORD_TRY: &str = "insert into delivery_attempts (merchant_id, event_id, initial_attempt_id, delivery_attempt, \
     created_at, sealed) select $1, $2, $3, $4, $5, $6 \
     where exists (select 1 from events e where e.merchant_id = $1 and e.event_id = $3) \
     on conflict (merchant_id, event_id) do nothing";

/// Records an attempt unless the event's own id stands for the same attempt.
const RECORD_SECOND_INITIAL: &str = "insert into delivery_attempts (merchant_id, event_id, initial_attempt_id, \
     delivery_attempt, created_at, sealed) select $1, $2, $3, $4, $5, $6 where exists (select 1 from delivery_attempts a \
     where a.merchant_id = $1 and a.event_id = $3 and a.created_at <> $5) on conflict (merchant_id, event_id) do nothing";

const IS_DELIVERED: &str = "update events set is_delivered = true \
     where merchant_id = $1 and event_id = $2 and is_delivered is not true";

const WAS_TRIED: &str = "update events set is_delivered = false \
     where merchant_id = $1 and event_id = $2 and is_delivered is null";

const TAKE_OUT: &str = "delete from deliveries where merchant_id = $1 and event_id = $2";

const TAKE_ORDER_OUT: &str =
    "delete from deliveries where merchant_id = $1 and event_id = $2 and queued_at = $3";

const TAKE_OURS_OUT: &str = "delete from deliveries where merchant_id = $1 and event_id = $2 and queued_at = $3 \
     and fence = $4";

const RETRY: &str = "update deliveries set next_kind = $5, retries_done = $6, next_at = $7, \
     first_failed_at = coalesce(first_failed_at, $8), lease_until = 0 \
     where merchant_id = $1 and event_id = $2 and queued_at = $3 and fence = $4";

const ATTEMPTS: &str = "select event_id, delivery_attempt, created_at, sealed from delivery_attempts \
     where merchant_id = $1 and initial_attempt_id = $2 order by created_at desc, event_id desc";

/// Jumps from endpoint to endpoint, reads the first row of each and counts the others up to a bound; longer queues all
/// count as the bound. Paused endpoints are left out.
const STATE: &str = "with recursive q(endpoint) as (select min(endpoint) from deliveries union all \
     select (select min(endpoint) from deliveries where endpoint > q.endpoint) from q where q.endpoint is not null) \
     select cast(coalesce(sum((select count(*) from (select 1 from deliveries d where d.endpoint = q.endpoint \
     limit 10001) few)), 0) as bigint) as waiting, \
     min((select min(d.next_at) from deliveries d where d.endpoint = q.endpoint)) as oldest from q \
     where q.endpoint is not null and not exists (select 1 from webhook_endpoints w \
     where w.endpoint = q.endpoint and w.paused_at is not null)";

/// Returns the queue's row of an event that is recorded in the same commit.
pub(crate) fn queue(event: &EventRecord, deliver_at: Timestamp) -> Write {
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        endpoints::key(&event.endpoint()),
        event.object_id.as_str(),
        event.object_sequence,
        DeliveryKind::InitialAttempt.as_str(),
        deliver_at.as_micros(),
        event.created_at.as_micros(),
        event.event_type.as_str(),
        event.about_id.as_str()
    ];
    let queue = Write::new(QUEUE, parameters).any_rows();
    queue.on(TABLE).referring_to(events::TABLE)
}

pub(crate) async fn due_endpoints(
    engine: &Engine,
    now: Timestamp,
    wall: Timestamp,
) -> Result<Vec<Endpoint>, StoreFailure> {
    let parameters = values![now.as_micros(), wall.as_micros()];
    let rows = engine.fetch(Read::new(DUE_ENDPOINTS, parameters).long());
    let rows = rows.await.map_err(failure)?;
    rows.iter()
        .map(|row| endpoints::from_key(row.str("endpoint").map_err(failure)?))
        .collect()
}

/// Seconds after which an unreadable row is read again: a newer server may be able to.
const UNREADABLE_AGAIN_AFTER: i64 = 600;

const PUT_OFF_UNREADABLE: &str = "update deliveries set next_at = $3, first_failed_at = coalesce(first_failed_at, $4) \
     where merchant_id = $1 and event_id = $2";

pub(crate) async fn claim(
    engine: &Engine,
    keys: &SubjectKeys,
    endpoint: &Endpoint,
    terms: &ClaimTerms,
) -> Result<Vec<Claimed>, StoreFailure> {
    let mut candidates = candidates_of(engine, keys, endpoint, terms).await?;
    for _ in 0..waiting::PORTIONS {
        // Other due rows may follow those that are deferred.
        if !candidates.is_empty() || waiting::defer(engine, endpoint, terms).await? == 0 {
            break;
        }
        candidates = candidates_of(engine, keys, endpoint, terms).await?;
    }
    if candidates.is_empty() {
        return Ok(candidates);
    }
    let writes = candidates.iter().map(|candidate| {
        let event = &candidate.event;
        let parameters = values![
            event.merchant_id.as_str(),
            event.event_id.as_str(),
            terms.lease_until.as_micros(),
            candidate.fence,
            terms.wall.as_micros()
        ];
        Write::new(CLAIM, parameters).on(TABLE).any_rows()
    });
    let changed = record::write_any(engine, writes.collect()).await?;
    let ours = candidates
        .into_iter()
        .zip(changed)
        .filter(|(_, rows)| *rows == 1);
    Ok(ours
        .map(|(candidate, _)| Claimed {
            fence: candidate.fence + 1,
            lease_until: terms.lease_until,
            ..candidate
        })
        .collect())
}

async fn candidates_of(
    engine: &Engine,
    keys: &SubjectKeys,
    endpoint: &Endpoint,
    terms: &ClaimTerms,
) -> Result<Vec<Claimed>, StoreFailure> {
    let sql = format!(
        "select {}, {}, c.next_kind as next_kind, c.retries_done as retries_done, \
         c.first_failed_at as first_failed_at, c.fence as fence, \
         c.queued_at as queued_at, c.lease_until as lease_until {}",
        events::COLUMNS,
        events::BODY_COLUMNS,
        waiting::CANDIDATES
    );
    let mut parameters = waiting::parameters(endpoint, terms);
    parameters.push(terms.limit.into());
    let rows = engine.fetch(Read::new(sql, parameters).long()).await;
    let rows = rows.map_err(failure)?;
    let keys = keys.to_open_columns(&rows, &events::SEALED).await?;
    let mut candidates = Vec::with_capacity(rows.len());
    let mut put_off = Vec::new();
    for row in &rows {
        let merchant_id = row.str("merchant_id").map_err(failure)?;
        let event_id = row.str("event_id").map_err(failure)?;
        let row_name = format!("{merchant_id}/{event_id}");
        match record::readable(TABLE, row_name, candidate(row, &keys))? {
            Some(candidate) => candidates.push(candidate),
            None => put_off.push(put_off_unreadable(merchant_id, event_id, terms)),
        }
    }
    if !put_off.is_empty() {
        record::write_any(engine, put_off).await?;
    }
    Ok(candidates)
}

/// Counts an unreadable row as failing: later deliveries of its object wait for it as long as for a failing one.
fn put_off_unreadable(merchant_id: &str, event_id: &str, terms: &ClaimTerms) -> Write {
    let next = terms.now.plus_seconds(UNREADABLE_AGAIN_AFTER);
    let parameters = values![
        merchant_id,
        event_id,
        next.unwrap_or(terms.now).as_micros(),
        terms.now.as_micros()
    ];
    Write::new(PUT_OFF_UNREADABLE, parameters).any_rows()
}

fn candidate(row: &Row, keys: &OpenKeys<'_>) -> Result<Claimed, StoreFailure> {
    let event = events::read(row)?;
    let first_failed_at = row.opt_int("first_failed_at").map_err(failure)?;
    let retries_done = row.int("retries_done").map_err(failure)?;
    let time = |column| {
        let micros = row.int(column).map_err(failure)?;
        Ok::<_, StoreFailure>(Timestamp::from_micros(micros))
    };
    let body = events::body(row, &event.merchant_id, &event.event_id, keys)?;
    Ok(Claimed {
        body: body.expose().to_owned(),
        event,
        kind: kind(row, "next_kind")?,
        retries_done: u32::try_from(retries_done).unwrap_or(u32::MAX),
        first_failed_at: first_failed_at.map(Timestamp::from_micros),
        fence: row.int("fence").map_err(failure)?,
        queued_at: time("queued_at")?,
        lease_until: time("lease_until")?,
    })
}

pub(crate) async fn finish(
    engine: &Engine,
    keys: &SubjectKeys,
    claimed: &Claimed,
    made: &DeliveryAttempt,
    after: AfterTry,
) -> Result<bool, StoreFailure> {
    let decided = match after {
        AfterTry::Delivered => take_order_out(claimed),
        AfterTry::GaveUp => take_ours_out(claimed),
        AfterTry::RetryAt(next_at) => {
            let event = &claimed.event;
            let parameters = values![
                event.merchant_id.as_str(),
                event.event_id.as_str(),
                claimed.queued_at.as_micros(),
                claimed.fence,
                DeliveryKind::AutomaticRetry.as_str(),
                i64::from(claimed.retries_done) + 1,
                next_at.as_micros(),
                made.created_at.as_micros()
            ];
            Write::new(RETRY, parameters).on(TABLE).any_rows()
        }
    };
    let ends = !matches!(after, AfterTry::RetryAt(_));
    let keys = keys.of_merchant(&made.merchant_id).await?;
    let mut writes = vec![decided];
    writes.extend(tried(made, &keys)?);
    writes.push(endpoints::after(&claimed.event.endpoint(), made));
    // A delivery that has not failed yet defers others only to its own date, which has come.
    if ends && claimed.kind != DeliveryKind::InitialAttempt {
        writes.push(waiting::make_next_due(made));
    }
    let changed = record::write_any(engine, writes).await?;
    let (is_decided, is_recorded) = (changed.first() == Some(&1), changed.get(1) == Some(&1));
    let mut rest = Vec::new();
    if !is_decided {
        rest.push(delivery_leases::end_lease(claimed));
    }
    if !is_recorded && made.event_id == made.initial_attempt_id {
        rest.push(record_second_initial(claimed, made, &keys)?);
        // Another server that claimed the delivery may have failed.
        if ends {
            rest.push(waiting::make_next_due(made));
        }
    }
    if !rest.is_empty() {
        record::write_any(engine, rest).await?;
    }
    Ok(is_decided)
}

/// Records the second of two initial attempts of an event, which a slow server makes after it loses its lease. Only one
/// attempt can have the event's id; the later one gets an id that depends on its claim.
fn record_second_initial(
    claimed: &Claimed,
    made: &DeliveryAttempt,
    keys: &dyn Sealing,
) -> Result<Write, StoreFailure> {
    let event_id = format!("{}_{}", made.event_id, claimed.fence);
    let second = DeliveryAttempt {
        event_id: record::id(EventId::parse(&event_id))?,
        ..made.clone()
    };
    let record = record_of(&second, keys)?;
    Ok(Write::new(RECORD_SECOND_INITIAL, record).any_rows())
}

pub(crate) async fn record_manual_try(
    engine: &Engine,
    keys: &SubjectKeys,
    endpoint: &Endpoint,
    made: &DeliveryAttempt,
) -> Result<(), StoreFailure> {
    let keys = keys.of_merchant(&made.merchant_id).await?;
    let mut writes = Vec::with_capacity(4);
    // The queue before the event, as in `finish`: the two may change the same event and must not deadlock.
    if made.exchange.is_delivered() {
        let parameters = values![made.merchant_id.as_str(), made.initial_attempt_id.as_str()];
        writes.push(Write::new(TAKE_OUT, parameters).on(TABLE).any_rows());
    }
    writes.extend(tried(made, &keys)?);
    // A failed manual attempt doesn't count for the endpoint's health.
    if made.exchange.is_delivered() {
        writes.push(endpoints::after(endpoint, made));
        writes.push(waiting::make_next_due(made));
    }
    record::write_any(engine, writes).await.map(drop)
}

pub(crate) async fn attempts(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    initial_attempt_id: &EventId,
) -> Result<Vec<DeliveryAttempt>, StoreFailure> {
    let parameters = values![merchant_id.as_str(), initial_attempt_id.as_str()];
    let rows = engine.fetch(Read::new(ATTEMPTS, parameters)).await;
    let rows = rows.map_err(failure)?;
    let keys = keys.to_open(&rows, "sealed").await?;
    let attempt = |row: &Row| {
        let event_id = record::id(EventId::parse(row.str("event_id").map_err(failure)?))?;
        let opened = keys.open(row, "sealed", &place(merchant_id, &event_id))?;
        // Without the parser's reason, which may quote sealed data.
        let exchange = record::parse(opened.expose())
            .map_err(|_| StoreFailure::Broken("a stored try does not read".to_owned()))?;
        Ok(DeliveryAttempt {
            merchant_id: merchant_id.clone(),
            event_id,
            initial_attempt_id: initial_attempt_id.clone(),
            kind: kind(row, "delivery_attempt")?,
            exchange,
            created_at: Timestamp::from_micros(row.int("created_at").map_err(failure)?),
        })
    };
    let mut tries = Vec::with_capacity(rows.len());
    for row in &rows {
        let event_id = row.str("event_id").map_err(failure)?;
        let row_name = format!("{merchant_id}/{event_id}");
        tries.extend(record::readable(TRIES, row_name, attempt(row))?);
    }
    Ok(tries)
}

/// Counts the deliveries that wait for endpoints which are not paused, and returns since when the oldest is due.
pub(crate) async fn state(engine: &Engine) -> Result<QueueState, StoreFailure> {
    let read = Read::new(STATE, Vec::new()).long();
    let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(QueueState::default());
    };
    let oldest = row.opt_int("oldest").map_err(failure)?;
    Ok(QueueState {
        waiting: row.int("waiting").map_err(failure)?,
        next_at: oldest.map(Timestamp::from_micros),
    })
}

fn take_order_out(claimed: &Claimed) -> Write {
    let event = &claimed.event;
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        claimed.queued_at.as_micros()
    ];
    Write::new(TAKE_ORDER_OUT, parameters).on(TABLE).any_rows()
}

fn take_ours_out(claimed: &Claimed) -> Write {
    let event = &claimed.event;
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        claimed.queued_at.as_micros(),
        claimed.fence
    ];
    Write::new(TAKE_OURS_OUT, parameters).on(TABLE).any_rows()
}

/// Records an attempt and its result for the event; both hold whichever claim made the attempt.
fn tried(made: &DeliveryAttempt, keys: &dyn Sealing) -> Result<[Write; 2], StoreFailure> {
    let record = record_of(made, keys)?;
    let of_event = values![made.merchant_id.as_str(), made.initial_attempt_id.as_str()];
    let flag = if made.exchange.is_delivered() {
        IS_DELIVERED
    } else {
        WAS_TRIED
    };
    Ok([
        Write::new(RECORD_TRY, record).on(TRIES).any_rows(),
        Write::new(flag, of_event).on(events::TABLE).any_rows(),
    ])
}

fn record_of(made: &DeliveryAttempt, keys: &dyn Sealing) -> Result<Vec<Value>, StoreFailure> {
    let place = place(&made.merchant_id, &made.event_id);
    let exchange = SecretText::new(record::write(&made.exchange)?);
    Ok(values![
        made.merchant_id.as_str(),
        made.event_id.as_str(),
        made.initial_attempt_id.as_str(),
        made.kind.as_str(),
        made.created_at.as_micros(),
        keys.seal(&made.merchant_id, &place, &exchange)
    ])
}

fn kind(row: &Row, column: &str) -> Result<DeliveryKind, StoreFailure> {
    let word = row.str(column).map_err(failure)?;
    word.parse()
        .map_err(|_| StoreFailure::Broken("a stored kind of try does not read".to_owned()))
}

fn place(merchant_id: &MerchantId, event_id: &EventId) -> String {
    format!("{TRIES}:{merchant_id}/{event_id}")
}
