//! The health of endpoints, and their resumes and replays.

use multirail_app::accounts::ports::profiles::{Endpoint, EndpointHealth};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::{DeliveryAttempt, EndpointReplay, Replay};
use multirail_kernel::ids::{MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::timestamp::Timestamp;

use super::queues::OnQueues;
use super::{endpoint_events, events};
use crate::engine::{Dialect, Engine, Read, Write, values};
use crate::platform::conditions::Conditions;
use crate::platform::record;
use crate::platform::record::failure;

const TABLE: &str = "webhook_endpoints";

const FAILED: &str = "insert into webhook_endpoints (endpoint, failing_since, failures, paused_at) \
     values ($1, $2, 1, null) on conflict (endpoint) do update set failures = webhook_endpoints.failures + 1";

/// Only a resume ends a pause: an attempt that succeeds during the pause was made by hand or began before it.
const DOES_WELL: &str = "delete from webhook_endpoints where endpoint = $1 and paused_at is null";

const HEALTH: &str =
    "select failing_since, failures, paused_at from webhook_endpoints where endpoint = $1";

/// Pauses an endpoint unless it accepted something or was resumed meanwhile, or is paused already.
const PAUSE: &str = "update webhook_endpoints set paused_at = $2 \
     where endpoint = $1 and paused_at is null and failing_since = $3 and failures >= $4";

const RESUME: &str = "delete from webhook_endpoints where endpoint = $1";

/// The condition that a row is in the first portion of an endpoint's rows (`$1`) that meet a further condition.
macro_rules! in_portion {
    (own, $also:literal) => {
        in_portion!("deliveries", "merchant_id, event_id", $also)
    };
    (further, $also:literal) => {
        in_portion!(
            "endpoint_deliveries",
            "merchant_id, event_id, endpoint",
            $also
        )
    };
    ($table:literal, $key:literal, $also:literal) => {
        concat!(
            " where (",
            $key,
            ") in (select ",
            $key,
            " from ",
            $table,
            " where endpoint = $1",
            $also,
            " order by next_at limit 500)"
        )
    };
}

/// Makes deliveries due that wait for a later retry, a portion at a time.
const MAKE_DUE: OnQueues = OnQueues {
    own: concat!(
        "update deliveries set next_at = $2",
        in_portion!(own, " and next_at > $2")
    ),
    further: concat!(
        "update endpoint_deliveries set next_at = $2",
        in_portion!(further, " and next_at > $2")
    ),
};

/// Postpones due deliveries, a portion at a time. A delivery under way gets its next date from its claim.
const POSTPONE: OnQueues = OnQueues {
    own: concat!(
        "update deliveries set next_at = $3",
        in_portion!(own, " and next_at <= $2")
    ),
    further: concat!(
        "update endpoint_deliveries set next_at = $3",
        in_portion!(further, " and next_at <= $2")
    ),
};

/// Deletes the waiting deliveries of a further endpoint, a portion at a time.
const DROP: &str = concat!("delete from endpoint_deliveries", in_portion!(further, ""));

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

/// Returns the endpoint as the database stores it.
pub(crate) fn key(endpoint: &Endpoint) -> String {
    let (merchant_id, profile_id) = (&endpoint.merchant_id, &endpoint.profile_id);
    match &endpoint.endpoint_id {
        None => format!("{merchant_id}/{profile_id}"),
        Some(endpoint_id) => format!("{merchant_id}/{profile_id}/{endpoint_id}"),
    }
}

/// Parses the text that [`key`] wrote.
pub(crate) fn from_key(key: &str) -> Result<Endpoint, StoreFailure> {
    let mut ids = key.splitn(3, '/');
    let (merchant_id, profile_id) = (ids.next(), ids.next());
    let endpoint_id = ids.next().map(WebhookEndpointId::parse);
    Ok(Endpoint {
        merchant_id: record::id(MerchantId::parse(merchant_id.unwrap_or_default()))?,
        profile_id: record::id(ProfileId::parse(profile_id.unwrap_or_default()))?,
        endpoint_id: endpoint_id.map(record::id).transpose()?,
    })
}

/// Returns the statement that counts an attempt for the endpoint's health.
pub(crate) fn after(endpoint: &Endpoint, made: &DeliveryAttempt) -> Write {
    if made.exchange.is_delivered() {
        return Write::new(DOES_WELL, values![key(endpoint)])
            .on(TABLE)
            .any_rows();
    }
    let parameters = values![key(endpoint), made.created_at.as_micros()];
    Write::new(FAILED, parameters).on(TABLE).any_rows()
}

pub(crate) async fn health(
    engine: &Engine,
    endpoint: &Endpoint,
) -> Result<EndpointHealth, StoreFailure> {
    let read = Read::new(HEALTH, values![key(endpoint)]);
    let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(EndpointHealth::default());
    };
    let time = |column| {
        let micros = row.opt_int(column).map_err(failure)?;
        Ok::<_, StoreFailure>(micros.map(Timestamp::from_micros))
    };
    Ok(EndpointHealth {
        failing_since: time("failing_since")?,
        failures: row.int("failures").map_err(failure)?,
        paused_at: time("paused_at")?,
    })
}

pub(crate) async fn pause(
    engine: &Engine,
    endpoint: &Endpoint,
    seen: &EndpointHealth,
    now: Timestamp,
) -> Result<bool, StoreFailure> {
    let parameters = values![
        key(endpoint),
        now.as_micros(),
        seen.failing_since.map(Timestamp::as_micros),
        seen.failures
    ];
    let write = Write::new(PAUSE, parameters).any_rows();
    let changed = record::write_any(engine, vec![write]).await?;
    Ok(changed == [1])
}

pub(crate) async fn resume(
    engine: &Engine,
    endpoint: &Endpoint,
    now: Timestamp,
) -> Result<(), StoreFailure> {
    let resume = Write::new(RESUME, values![key(endpoint)]).any_rows();
    let changed = record::write_any(engine, vec![resume]).await?;
    if changed == [0] {
        return Ok(());
    }
    make_due(engine, endpoint, now).await
}

pub(crate) async fn make_due(
    engine: &Engine,
    endpoint: &Endpoint,
    now: Timestamp,
) -> Result<(), StoreFailure> {
    let make_due = Write::new(
        MAKE_DUE.of(endpoint),
        values![key(endpoint), now.as_micros()],
    );
    in_portions(engine, make_due.any_rows()).await.map(drop)
}

pub(crate) async fn postpone(
    engine: &Engine,
    endpoint: &Endpoint,
    now: Timestamp,
    until: Timestamp,
) -> Result<u64, StoreFailure> {
    let parameters = values![key(endpoint), now.as_micros(), until.as_micros()];
    let postpone = Write::new(POSTPONE.of(endpoint), parameters);
    in_portions(engine, postpone.any_rows()).await
}

/// Deletes the waiting deliveries of a further endpoint, and its health.
pub(crate) async fn drop_endpoint(
    engine: &Engine,
    endpoint: &Endpoint,
) -> Result<(), StoreFailure> {
    let drop = Write::new(DROP, values![key(endpoint)]);
    in_portions(engine, drop.any_rows()).await?;
    let forget = Write::new(RESUME, values![key(endpoint)]).any_rows();
    record::write_any(engine, vec![forget]).await?;
    Ok(())
}

/// Repeats a write, a portion each time, until it changes nothing any more: payments wait for one portion at most.
async fn in_portions(engine: &Engine, write: Write) -> Result<u64, StoreFailure> {
    let mut all = 0;
    loop {
        let changed = record::write_any(engine, vec![write.clone()]).await?;
        let changed: u64 = changed.iter().sum();
        if changed == 0 {
            return Ok(all);
        }
        all += changed;
    }
}

pub(crate) async fn count_replay(engine: &Engine, replay: &Replay) -> Result<i64, StoreFailure> {
    events::counted(engine, replay_conditions(replay)).await
}

pub(crate) async fn queue_replay(
    engine: &Engine,
    replay: &Replay,
    now: Timestamp,
) -> Result<u64, StoreFailure> {
    let queue = |event_id: &str| {
        let parameters = values![replay.merchant_id.as_str(), event_id, now.as_micros()];
        [Write::new(replay_of(engine).own, parameters).any_rows()]
    };
    queue_all(engine, now, || replay_conditions(replay), queue).await
}

pub(crate) async fn count_endpoint_replay(
    engine: &Engine,
    replay: &EndpointReplay,
) -> Result<i64, StoreFailure> {
    events::counted(engine, endpoint_replay_conditions(replay)).await
}

pub(crate) async fn queue_endpoint_replay(
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
            Write::new(replay_of(engine).further, parameters).any_rows(),
            endpoint_events::replayed(merchant_id, event_id, endpoint_id),
        ]
    };
    queue_all(engine, now, || endpoint_replay_conditions(replay), queue).await
}

fn replay_of(engine: &Engine) -> OnQueues {
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

fn replay_conditions(replay: &Replay) -> Conditions {
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

fn endpoint_replay_conditions(replay: &EndpointReplay) -> Conditions {
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
