//! Leases of deliveries that `deliveries` has claimed: renewed, ended, given back.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::Claimed;
use multirail_kernel::timestamp::Timestamp;

use super::endpoints;
use super::queues::{OnQueues, on_queues};
use crate::engine::{Engine, Write, values};
use crate::platform::record;

/// Names the lease as well as the fence: a row that was deleted and queued again counts its claims from zero, but under
/// another lease.
const END_LEASE: OnQueues = on_queues!(
    "update "
    " set lease_until = 0 \
     where merchant_id = $1 and event_id = $2 and fence = $3 and lease_until = $4 and endpoint = $5"
);

const PROLONG: OnQueues = on_queues!(
    "update "
    " set lease_until = $5 \
     where merchant_id = $1 and event_id = $2 and fence = $3 and lease_until = $4 and endpoint = $6"
);

const END_LEASES: OnQueues = on_queues!("update " " set lease_until = 0 where lease_until > 0");

/// Ends all leases, if no other server can use the database: after a start no attempt is under way.
pub(crate) fn end_leases() -> Vec<Write> {
    let both = END_LEASES.both();
    both.map(|sql| Write::new(sql, Vec::new()).any_rows())
        .into()
}

pub(crate) async fn prolong(
    engine: &Engine,
    claimed: &Claimed,
    lease_until: Timestamp,
    next: Timestamp,
) -> Result<bool, StoreFailure> {
    let endpoint = claimed.event.endpoint();
    let parameters = values![
        claimed.event.merchant_id.as_str(),
        claimed.event.event_id.as_str(),
        claimed.fence,
        lease_until.as_micros(),
        next.as_micros(),
        endpoints::key(&endpoint)
    ];
    let write = Write::new(PROLONG.of(&endpoint), parameters).any_rows();
    let changed = record::write_any(engine, vec![write]).await?;
    Ok(changed == [1])
}

pub(crate) async fn release(engine: &Engine, claimed: &[Claimed]) -> Result<(), StoreFailure> {
    let writes = claimed.iter().map(end_lease).collect();
    record::write_any(engine, writes).await.map(drop)
}

pub(crate) fn end_lease(claimed: &Claimed) -> Write {
    let (event, endpoint) = (&claimed.event, claimed.event.endpoint());
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        claimed.fence,
        claimed.lease_until.as_micros(),
        endpoints::key(&endpoint)
    ];
    Write::new(END_LEASE.of(&endpoint), parameters).any_rows()
}
