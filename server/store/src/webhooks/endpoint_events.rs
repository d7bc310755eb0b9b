//! The events of further endpoints, and whether each has arrived there.

use multirail_app::webhooks::ports::events::{DeliveryAttempt, EventRecord};
use multirail_kernel::ids::WebhookEndpointId;

use super::events;
use crate::engine::{Write, values};

const TABLE: &str = "endpoint_events";

/// Inserts the row only together with its event, as the queue does.
const INSERT: &str = "insert into endpoint_events (merchant_id, event_id, webhook_endpoint_id, created_at) \
     select $1, $2, $3, $4 where not exists (select 1 from events e where e.merchant_id = $1 and e.object_id = $5 \
     and e.event_type = $6 and e.about_id = $7 and e.event_id <> $2)";

const REPLAYED: &str = "insert into endpoint_events (merchant_id, event_id, webhook_endpoint_id, created_at) \
     select e.merchant_id, e.event_id, $3, e.created_at from events e where e.merchant_id = $1 and e.event_id = $2 \
     on conflict (merchant_id, event_id, webhook_endpoint_id) do nothing";

const IS_DELIVERED: &str = "update endpoint_events set is_delivered = true \
     where merchant_id = $1 and event_id = $2 and webhook_endpoint_id = $3 and is_delivered is not true";

const WAS_TRIED: &str = "update endpoint_events set is_delivered = false \
     where merchant_id = $1 and event_id = $2 and webhook_endpoint_id = $3 and is_delivered is null";

/// Returns the row of an event that is recorded in the same commit.
pub(crate) fn insert(event: &EventRecord, endpoint_id: &WebhookEndpointId) -> Write {
    let parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        endpoint_id.as_str(),
        event.created_at.as_micros(),
        event.object_id.as_str(),
        event.event_type.as_str(),
        event.about_id.as_str()
    ];
    let insert = Write::new(INSERT, parameters).any_rows();
    insert.on(TABLE).referring_to(events::TABLE)
}

/// Returns the row of an event that is replayed to an endpoint.
pub(crate) fn replayed(
    merchant_id: &str,
    event_id: &str,
    endpoint_id: &WebhookEndpointId,
) -> Write {
    let parameters = values![merchant_id, event_id, endpoint_id.as_str()];
    Write::new(REPLAYED, parameters).any_rows()
}

/// Returns the result of an attempt.
pub(crate) fn tried(made: &DeliveryAttempt, endpoint_id: &WebhookEndpointId) -> Write {
    let sql = match made.exchange.is_delivered() {
        true => IS_DELIVERED,
        false => WAS_TRIED,
    };
    let parameters = values![
        made.merchant_id.as_str(),
        made.initial_attempt_id.as_str(),
        endpoint_id.as_str()
    ];
    Write::new(sql, parameters).any_rows()
}
