//! The queue of pending deliveries.
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
use multirail_app::webhooks::ports::events::{Claimed, DeliveryAttempt, QueueState, StoredEvent};
use multirail_domain::webhooks::webhook::{AfterTry, DeliveryKind};
use multirail_kernel::timestamp::Timestamp;

use super::queues::{OnQueues, on_queues, table_of};
use super::waiting::ClaimTerms;
use super::{delivery_leases, endpoints, events, tries, waiting};
use crate::engine::{Engine, Read, Row, Value, Write, values};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::subject_keys::{OpenKeys, SubjectKeys};

/// Inserts the queue's row only together with its event: an event that was recorded before is not delivered again. The
/// statement looks for another event with the same news, so that it finds the same before and after this event is written:
/// PostgreSQL writes both on one snapshot. The object's version keeps two commits from recording the same news at once.
const QUEUE: OnQueues = on_queues!(
    "insert into "
    " (merchant_id, event_id, endpoint, object_id, object_sequence, next_kind, \
     retries_done, next_at, first_failed_at, lease_until, fence, queued_at) \
     select $1, $2, $3, $4, $5, $6, 0, $7, null, 0, 0, $8 \
     where not exists (select 1 from events e where e.merchant_id = $1 and e.object_id = $4 and e.event_type = $9 \
     and e.about_id = $10 and e.event_id <> $2)"
);

/// Finds every endpoint of the queue by jumping from one to the next in the index.
const DUE_ENDPOINTS: OnQueues = on_queues!(
    "with recursive q(endpoint) as (select min(endpoint) from "
    " union all select (select min(endpoint) from "
    " where endpoint > q.endpoint) from q where q.endpoint is not null) \
     select q.endpoint as endpoint from q where q.endpoint is not null \
     and exists (select 1 from "
    " d where d.endpoint = q.endpoint and d.next_at <= $1 and d.lease_until <= $2) \
     and not exists (select 1 from webhook_endpoints w where w.endpoint = q.endpoint and w.paused_at is not null)"
);

const CLAIM: OnQueues = on_queues!(
    "update "
    " set lease_until = $3, fence = fence + 1 \
     where merchant_id = $1 and event_id = $2 and fence = $4 and lease_until <= $5 and endpoint = $6"
);

const TAKE_OUT: OnQueues = on_queues!(
    "delete from "
    " where merchant_id = $1 and event_id = $2 and endpoint = $3"
);

const TAKE_ORDER_OUT: OnQueues = on_queues!(
    "delete from "
    " where merchant_id = $1 and event_id = $2 and queued_at = $3 and endpoint = $4"
);

const TAKE_OURS_OUT: OnQueues = on_queues!(
    "delete from "
    " where merchant_id = $1 and event_id = $2 and queued_at = $3 and fence = $4 and endpoint = $5"
);

const RETRY: OnQueues = on_queues!(
    "update "
    " set next_kind = $5, retries_done = $6, next_at = $7, \
     first_failed_at = coalesce(first_failed_at, $8), lease_until = 0 \
     where merchant_id = $1 and event_id = $2 and queued_at = $3 and fence = $4 and endpoint = $9"
);

/// Jumps from endpoint to endpoint, reads the first row of each and counts the others up to a bound; longer queues all
/// count as the bound. Paused endpoints are left out.
const STATE: OnQueues = on_queues!(
    "with recursive q(endpoint) as (select min(endpoint) from "
    " union all select (select min(endpoint) from "
    " where endpoint > q.endpoint) from q where q.endpoint is not null) \
     select cast(coalesce(sum((select count(*) from (select 1 from "
    " d where d.endpoint = q.endpoint limit 10001) few)), 0) as bigint) as waiting, \
     min((select min(d.next_at) from "
    " d where d.endpoint = q.endpoint)) as oldest from q \
     where q.endpoint is not null and not exists (select 1 from webhook_endpoints w \
     where w.endpoint = q.endpoint and w.paused_at is not null)"
);

/// Returns the queue's row of an event that is recorded in the same commit.
pub(crate) fn queue(event: &EventRecord, endpoint: &Endpoint, deliver_at: Timestamp) -> Write {
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        endpoints::key(endpoint),
        event.object_id.as_str(),
        event.object_sequence,
        DeliveryKind::InitialAttempt.as_str(),
        deliver_at.as_micros(),
        event.created_at.as_micros(),
        event.event_type.as_str(),
        event.about_id.as_str()
    ];
    let queue = Write::new(QUEUE.of(endpoint), parameters).any_rows();
    queue.on(table_of(endpoint)).referring_to(events::TABLE)
}

pub(crate) async fn due_endpoints(
    engine: &Engine,
    now: Timestamp,
    wall: Timestamp,
) -> Result<Vec<Endpoint>, StoreFailure> {
    let mut due = Vec::new();
    for sql in DUE_ENDPOINTS.both() {
        let parameters = values![now.as_micros(), wall.as_micros()];
        let rows = engine.fetch(Read::new(sql, parameters).long());
        for row in rows.await.map_err(failure)? {
            due.push(endpoints::from_key(row.str("endpoint").map_err(failure)?)?);
        }
    }
    Ok(due)
}

/// Seconds after which an unreadable row is read again: a newer server may be able to.
const UNREADABLE_AGAIN_AFTER: i64 = 600;

const PUT_OFF_UNREADABLE: OnQueues = on_queues!(
    "update "
    " set next_at = $3, first_failed_at = coalesce(first_failed_at, $4) \
     where merchant_id = $1 and event_id = $2 and endpoint = $5"
);

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
            terms.wall.as_micros(),
            endpoints::key(endpoint)
        ];
        on_queue(&CLAIM, endpoint, parameters)
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
        waiting::CANDIDATES.of(endpoint)
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
        match record::readable(
            table_of(endpoint),
            row_name,
            candidate(row, endpoint, &keys),
        )? {
            Some(candidate) => candidates.push(candidate),
            None => put_off.push(put_off_unreadable(merchant_id, event_id, endpoint, terms)),
        }
    }
    if !put_off.is_empty() {
        record::write_any(engine, put_off).await?;
    }
    Ok(candidates)
}

/// Counts an unreadable row as failing: later deliveries of its object wait for it as long as for a failing one.
fn put_off_unreadable(
    merchant_id: &str,
    event_id: &str,
    endpoint: &Endpoint,
    terms: &ClaimTerms,
) -> Write {
    let next = terms.now.plus_seconds(UNREADABLE_AGAIN_AFTER);
    let parameters = values![
        merchant_id,
        event_id,
        next.unwrap_or(terms.now).as_micros(),
        terms.now.as_micros(),
        endpoints::key(endpoint)
    ];
    Write::new(PUT_OFF_UNREADABLE.of(endpoint), parameters).any_rows()
}

fn candidate(row: &Row, endpoint: &Endpoint, keys: &OpenKeys<'_>) -> Result<Claimed, StoreFailure> {
    let event = StoredEvent {
        endpoint_id: endpoint.endpoint_id.clone(),
        ..events::read(row)?
    };
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
        kind: tries::kind(row, "next_kind")?,
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
    let endpoint = claimed.event.endpoint();
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
                made.created_at.as_micros(),
                endpoints::key(&endpoint)
            ];
            on_queue(&RETRY, &endpoint, parameters)
        }
    };
    let ends = !matches!(after, AfterTry::RetryAt(_));
    let keys = keys.of_merchant(&made.merchant_id).await?;
    let mut writes = vec![decided];
    writes.extend(tries::tried(made, &keys)?);
    writes.push(endpoints::after(&endpoint, made));
    // A delivery that has not failed yet defers others only to its own date, which has come. Another server may have failed
    // at it meanwhile: the event's own id shows that below, but an attempt at a further endpoint has an id of its own.
    let may_have_failed =
        claimed.kind != DeliveryKind::InitialAttempt || endpoint.endpoint_id.is_some();
    if ends && may_have_failed {
        writes.push(waiting::make_next_due(&endpoint, made));
    }
    let changed = record::write_any(engine, writes).await?;
    let (is_decided, is_recorded) = (changed.first() == Some(&1), changed.get(1) == Some(&1));
    let mut rest = Vec::new();
    if !is_decided {
        rest.push(delivery_leases::end_lease(claimed));
    }
    if !is_recorded && made.event_id == made.initial_attempt_id {
        rest.push(tries::record_second_initial(claimed, made, &keys)?);
        // Another server that claimed the delivery may have failed.
        if ends {
            rest.push(waiting::make_next_due(&endpoint, made));
        }
    }
    if !rest.is_empty() {
        record::write_any(engine, rest).await?;
    }
    Ok(is_decided)
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
        let parameters = values![
            made.merchant_id.as_str(),
            made.initial_attempt_id.as_str(),
            endpoints::key(endpoint)
        ];
        writes.push(on_queue(&TAKE_OUT, endpoint, parameters));
    }
    writes.extend(tries::tried(made, &keys)?);
    // A failed manual attempt doesn't count for the endpoint's health.
    if made.exchange.is_delivered() {
        writes.push(endpoints::after(endpoint, made));
        writes.push(waiting::make_next_due(endpoint, made));
    }
    record::write_any(engine, writes).await.map(drop)
}

/// Counts the deliveries that wait for endpoints which are not paused, and returns since when the oldest is due.
pub(crate) async fn state(engine: &Engine) -> Result<QueueState, StoreFailure> {
    let mut state = QueueState::default();
    for sql in STATE.both() {
        let read = Read::new(sql, Vec::new()).long();
        let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
            continue;
        };
        let oldest = row.opt_int("oldest").map_err(failure)?;
        let oldest = oldest.map(Timestamp::from_micros);
        state.waiting += row.int("waiting").map_err(failure)?;
        state.next_at = state.next_at.into_iter().chain(oldest).min();
    }
    Ok(state)
}

fn take_order_out(claimed: &Claimed) -> Write {
    let event = &claimed.event;
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        claimed.queued_at.as_micros(),
        endpoints::key(&event.endpoint())
    ];
    on_queue(&TAKE_ORDER_OUT, &event.endpoint(), parameters)
}

fn take_ours_out(claimed: &Claimed) -> Write {
    let event = &claimed.event;
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        claimed.queued_at.as_micros(),
        claimed.fence,
        endpoints::key(&event.endpoint())
    ];
    on_queue(&TAKE_OURS_OUT, &event.endpoint(), parameters)
}

/// Returns a statement on the queue of an endpoint.
fn on_queue(sql: &OnQueues, endpoint: &Endpoint, parameters: Vec<Value>) -> Write {
    let write = Write::new(sql.of(endpoint), parameters);
    write.on(table_of(endpoint)).any_rows()
}
