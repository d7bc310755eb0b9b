//! Replays: events are queued again, at profiles' own addresses or at a further endpoint.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::{EndpointReplay, Replay};
use multirail_kernel::timestamp::Timestamp;

use super::endpoints::key;
use super::queues::OnQueues;
use super::{endpoint_events, events};
use crate::engine::{Dialect, Engine, Read, Write, values};
use crate::platform::conditions::Conditions;
use crate::platform::record;
use crate::platform::record::failure;

/// Queues an event (`$1`, `$2`) again at a time (`$3`), for the profile's own address or for the further endpoint `$4` with
/// the id `$5`.
macro_rules! replay {
    (own, $lock:literal) => {
        replay!(
            "deliveries",
            "merchant_id, event_id",
            "e.merchant_id || '/' || e.profile_id",
            "e.is_delivered is not null",
            $lock
        )
    };
    (further, $lock:literal) => {
        replay!(
            "endpoint_deliveries",
            "merchant_id, event_id, endpoint",
            "$4",
            "exists (select 1 from endpoint_events p where p.merchant_id = $1 and p.event_id = $2 \
             and p.webhook_endpoint_id = $5 and p.is_delivered is not null)",
            $lock
        )
    };
    ($table:literal, $key:literal, $endpoint:literal, $was_tried:literal, $lock:literal) => {
        concat!(
            "insert into ",
            $table,
            " (merchant_id, event_id, endpoint, object_id, object_sequence, next_kind, \
             retries_done, next_at, first_failed_at, lease_until, fence, queued_at) \
             select e.merchant_id, e.event_id, ",
            $endpoint,
            ", e.object_id, e.object_sequence, case when ",
            $was_tried,
            " then 'manual_retry' else 'initial_attempt' end, 0, $3, null, 0, 0, $3 \
             from events e where e.merchant_id = $1 and e.event_id = $2",
            $lock,
            " on conflict (",
            $key,
            ") do update set next_kind = excluded.next_kind, retries_done = 0, \
             next_at = excluded.next_at, first_failed_at = null, queued_at = case when excluded.queued_at > ",
            $table,
            ".queued_at then excluded.queued_at else ",
            $table,
            ".queued_at + 1 end"
        )
    };
}

/// A queued event keeps its position and its lease, and begins its schedule again. `queued_at` moves even if the clock
/// stands still or runs behind, so that an attempt under way has no effect on the new order.
const REPLAY: OnQueues = OnQueues {
    own: replay!(own, ""),
    further: replay!(further, ""),
};

/// Locks the event against a purge in the same moment: without the event the row would be refused, and its portion with it.
const REPLAY_LOCKED: OnQueues = OnQueues {
    own: replay!(own, " for key share"),
    further: replay!(further, " for key share"),
};

/// Events that are queued in one commit.
const REPLAY_AT_ONCE: i64 = 500;

pub(crate) async fn count(engine: &Engine, replay: &Replay) -> Result<i64, StoreFailure> {
    events::counted(engine, conditions(replay)).await
}

pub(crate) async fn queue(
    engine: &Engine,
    replay: &Replay,
    now: Timestamp,
) -> Result<u64, StoreFailure> {
    let queue = |event_id: &str| {
        let parameters = values![replay.merchant_id.as_str(), event_id, now.as_micros()];
        [Write::new(replay_one(engine).own, parameters).any_rows()]
    };
    queue_all(engine, now, || conditions(replay), queue).await
}

pub(crate) async fn count_at_endpoint(
    engine: &Engine,
    replay: &EndpointReplay,
) -> Result<i64, StoreFailure> {
    events::counted(engine, conditions_at_endpoint(replay)).await
}

pub(crate) async fn queue_at_endpoint(
    engine: &Engine,
    replay: &EndpointReplay,
    now: Timestamp,
) -> Result<u64, StoreFailure> {
    let endpoint = &replay.endpoint;
    let Some(endpoint_id) = &endpoint.endpoint_id else {
        return Ok(0);
    };
    let queue = |event_id: &str| {
        let merchant_id = endpoint.merchant_id.as_str();
        let parameters = values![
            merchant_id,
            event_id,
            now.as_micros(),
            key(endpoint),
            endpoint_id.as_str()
        ];
        [
            Write::new(replay_one(engine).further, parameters).any_rows(),
            endpoint_events::replayed(merchant_id, event_id, endpoint_id),
        ]
    };
    queue_all(engine, now, || conditions_at_endpoint(replay), queue).await
}

fn replay_one(engine: &Engine) -> OnQueues {
    match engine.dialect() {
        Dialect::Sqlite => REPLAY,
        Dialect::Postgres => REPLAY_LOCKED,
    }
}

/// Queues the events that meet the conditions, oldest first and a portion in each commit. Returns their number. The first
/// statement of each event queues it.
async fn queue_all<const N: usize>(
    engine: &Engine,
    now: Timestamp,
    conditions: impl Fn() -> Conditions,
    queue: impl Fn(&str) -> [Write; N],
) -> Result<u64, StoreFailure> {
    let mut queued = 0;
    let mut last: Option<(i64, String)> = None;
    loop {
        let mut conditions = conditions();
        // Later events are not part of it.
        conditions.compare("e.created_at <=", Some(now.as_micros()));
        if let Some((created_at, event_id)) = last {
            let created_at = conditions.parameter(created_at);
            let event_id = conditions.parameter(event_id);
            conditions.also(&format!(
                "(e.created_at, e.event_id) > ({created_at}, {event_id})"
            ));
        }
        let sql = format!(
            "select e.created_at as created_at, e.event_id as event_id from events e where {} \
             order by e.created_at, e.event_id limit {REPLAY_AT_ONCE}",
            conditions.text
        );
        let portion = Read::new(sql, conditions.parameters).long();
        let rows = engine.fetch(portion).await.map_err(failure)?;
        let Some(end) = rows.last() else {
            return Ok(queued);
        };
        last = Some((
            end.int("created_at").map_err(failure)?,
            end.text("event_id").map_err(failure)?,
        ));
        let mut writes = Vec::with_capacity(rows.len() * N);
        for row in &rows {
            writes.extend(queue(row.str("event_id").map_err(failure)?));
        }
        let changed = record::write_any(engine, writes).await?;
        queued += changed.into_iter().step_by(N).sum::<u64>();
    }
}

fn conditions(replay: &Replay) -> Conditions {
    let mut all = Conditions::of_merchant("e.merchant_id", &replay.merchant_id);
    let profile_id = replay.profile_id.as_ref().map(|id| id.as_str());
    all.compare("e.profile_id =", profile_id);
    let after = replay.created_after.map(Timestamp::as_micros);
    all.compare("e.created_at >=", after);
    if replay.only_failed {
        all.also("e.is_delivered is false");
    }
    all
}

fn conditions_at_endpoint(replay: &EndpointReplay) -> Conditions {
    let endpoint = &replay.endpoint;
    let mut all = Conditions::of_merchant("e.merchant_id", &endpoint.merchant_id);
    all.compare("e.profile_id =", Some(endpoint.profile_id.as_str()));
    all.compare("e.created_at >=", Some(replay.created_after.as_micros()));
    all.compare("e.created_at <=", Some(replay.created_before.as_micros()));
    all.one_of("e.event_type", &replay.event_types);
    if replay.only_failed {
        let id = endpoint.endpoint_id.as_ref().map(|id| id.as_str());
        let id = all.parameter(id.unwrap_or_default());
        all.also(&format!(
            "exists (select 1 from endpoint_events p where p.merchant_id = e.merchant_id \
             and p.event_id = e.event_id and p.webhook_endpoint_id = {id} and p.is_delivered is false)"
        ));
    }
    all
}
