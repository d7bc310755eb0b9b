//! The health of endpoints, and their waiting deliveries as a whole: made due, postponed, deleted.

use multirail_app::accounts::ports::profiles::{Endpoint, EndpointHealth};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::DeliveryAttempt;
use multirail_kernel::ids::{MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::timestamp::Timestamp;

use super::queues::OnQueues;
use crate::engine::{Engine, Read, Write, values};
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
