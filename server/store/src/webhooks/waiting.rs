//! Deliveries that wait for an earlier one of their object.
//!
//! A query that passes all of them by may meet a hundred thousand. So a query that finds nothing else moves their date
//! behind the date at which the earlier one may stop blocking them. A delivery that ends earlier, because an operator sent
//! or replayed it, makes the next one due. Every claim decides again whether a delivery may be claimed.

use multirail_app::accounts::ports::profiles::Endpoint;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::DeliveryAttempt;
use multirail_kernel::timestamp::Timestamp;

use super::endpoints;
use super::queues::{OnQueues, on_queues};
use crate::engine::{Dialect, Engine, Read, Value, Write, values};
use crate::platform::record;
use crate::platform::record::failure;

/// The terms of a claim.
pub(crate) struct ClaimTerms {
    pub limit: i64,
    pub now: Timestamp,
    pub wall: Timestamp,
    pub lease_until: Timestamp,
    pub blocked_since: Timestamp,
}

/// The most portions that one query defers. The lease is counted from the query's beginning.
pub(crate) const PORTIONS: u32 = 10;

/// The deliveries that a row waits for: earlier ones that have not failed, or failed first after `$4`.
macro_rules! earlier {
    (own, $row:literal) => {
        earlier!("deliveries", $row, "")
    };
    (further, $row:literal) => {
        earlier!(
            "endpoint_deliveries",
            $row,
            concat!(" and b.endpoint = ", $row, ".endpoint")
        )
    };
    ($table:literal, $row:literal, $there:expr) => {
        concat!(
            "from ",
            $table,
            " b where b.merchant_id = ",
            $row,
            ".merchant_id and b.object_id = ",
            $row,
            ".object_id",
            $there,
            " \
             and b.object_sequence < ",
            $row,
            ".object_sequence and (b.first_failed_at is null or b.first_failed_at > $4)"
        )
    };
}

/// The first due rows of an endpoint (`$1`), unless it is paused, at business time (`$2`) and wall time (`$3`). `free_at`
/// is when no earlier delivery may block the row any more, because each is due by then or has failed for long enough; null
/// if there is none. A portion is a thousand rows. A subquery for each row keeps PostgreSQL from joining the whole queue.
macro_rules! first_due {
    (own) => {
        first_due!("deliveries", earlier!(own, "d"))
    };
    (further) => {
        first_due!("endpoint_deliveries", earlier!(further, "d"))
    };
    ($table:literal, $earlier:expr) => {
        concat!(
            "(select d.*, (select max(case when b.first_failed_at + $2 - $4 < b.next_at \
             then b.first_failed_at + $2 - $4 else b.next_at end) ", $earlier, ") as free_at \
             from (select * from ", $table, " where endpoint = $1 and next_at <= $2 and lease_until <= $3 \
             and not exists (select 1 from webhook_endpoints w where w.endpoint = $1 and w.paused_at is not null) \
             order by next_at, event_id limit 1000) d) f"
        )
    };
}

macro_rules! candidates {
    ($queue:ident) => {
        concat!(
            "from (select * from ",
            first_due!($queue),
            " where free_at is null limit $5) c \
             join events e on e.merchant_id = c.merchant_id and e.event_id = c.event_id \
             order by c.next_at, c.event_id"
        )
    };
}

/// The rows that may be claimed (`c`), at most `$5`, with their events (`e`). The first due rows come in order. The inner
/// query repeats no order, so that either engine stops at the last row that it needs.
pub(crate) const CANDIDATES: OnQueues = OnQueues {
    own: candidates!(own),
    further: candidates!(further),
};

/// The condition that a row comes before one that it waits for, and has no schedule of its own.
macro_rules! is_to_be_put_off {
    () => {
        "f.first_failed_at is null and f.free_at > f.next_at"
    };
}

macro_rules! any {
    ($queue:ident) => {
        concat!(
            "select 1 from ",
            first_due!($queue),
            " where ",
            is_to_be_put_off!(),
            " limit 1"
        )
    };
}

const ANY: OnQueues = OnQueues {
    own: any!(own),
    further: any!(further),
};

/// Defers such rows, except those that changed meanwhile.
macro_rules! defer {
    (own) => {
        defer!("deliveries", first_due!(own), "")
    };
    (further) => {
        defer!(
            "endpoint_deliveries",
            first_due!(further),
            " and endpoint_deliveries.endpoint = f.endpoint"
        )
    };
    ($table:literal, $first_due:expr, $there:literal) => {
        concat!(
            "update ",
            $table,
            " set next_at = f.free_at from ",
            $first_due,
            " where ",
            $table,
            ".merchant_id = f.merchant_id and ",
            $table,
            ".event_id = f.event_id",
            $there,
            " and ",
            $table,
            ".fence = f.fence and ",
            $table,
            ".next_at = f.next_at and ",
            is_to_be_put_off!()
        )
    };
}

const DEFER: OnQueues = OnQueues {
    own: defer!(own),
    further: defer!(further),
};

macro_rules! defer_locked {
    ($queue:ident) => {
        concat!(
            defer!($queue),
            " and (select count(*) ",
            earlier!($queue, "f"),
            ") = (select count(*) from (select 1 ",
            earlier!($queue, "f"),
            " for key share skip locked) as held)"
        )
    };
}

/// A transaction that deletes a row doesn't see rows that are deferred behind it at the same moment, and would not make
/// them due. So a row is deferred only if none of the earlier ones is being changed.
const DEFER_LOCKED: OnQueues = OnQueues {
    own: defer_locked!(own),
    further: defer_locked!(further),
};

/// Makes due the rows that were deferred behind an event (`$2`).
const MAKE_NEXT_DUE: OnQueues = on_queues!(
    "update "
    " set next_at = $3 where merchant_id = $1 \
     and object_id = (select e.object_id from events e where e.merchant_id = $1 and e.event_id = $2) \
     and object_sequence > (select e.object_sequence from events e where e.merchant_id = $1 and e.event_id = $2) \
     and next_at > $3 and first_failed_at is null and endpoint = $4"
);

/// Defers waiting rows among the first due rows; returns how many there were. Zero means that every other due row that
/// waits comes after the one that it waits for.
pub(crate) async fn defer(
    engine: &Engine,
    endpoint: &Endpoint,
    terms: &ClaimTerms,
) -> Result<u64, StoreFailure> {
    // Mostly there is none, and nothing needs to be written.
    let any = Read::new(ANY.of(endpoint), parameters(endpoint, terms)).long();
    let any = engine.fetch_optional(any).await.map_err(failure)?;
    if any.is_none() {
        return Ok(0);
    }
    let sql = match engine.dialect() {
        Dialect::Sqlite => DEFER.of(endpoint),
        Dialect::Postgres => DEFER_LOCKED.of(endpoint),
    };
    let write = Write::new(sql, parameters(endpoint, terms)).any_rows();
    let changed = record::write_any(engine, vec![write]).await?;
    Ok(changed.into_iter().sum())
}

/// Returns `$1` to `$4` of the first due rows.
pub(crate) fn parameters(endpoint: &Endpoint, terms: &ClaimTerms) -> Vec<Value> {
    values![
        endpoints::key(endpoint),
        terms.now.as_micros(),
        terms.wall.as_micros(),
        terms.blocked_since.as_micros()
    ]
}

/// Makes the next delivery due after one was accepted or given up. This statement comes after those of the outcome.
pub(crate) fn make_next_due(endpoint: &Endpoint, made: &DeliveryAttempt) -> Write {
    let parameters = values![
        made.merchant_id.as_str(),
        made.initial_attempt_id.as_str(),
        made.created_at.as_micros(),
        endpoints::key(endpoint)
    ];
    Write::new(MAKE_NEXT_DUE.of(endpoint), parameters).any_rows()
}
