//! Attempts: recorded with their results, and read.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::{Claimed, DeliveryAttempt};
use multirail_domain::webhooks::webhook::{DeliveryKind, Exchange};
use multirail_kernel::ids::{EventId, MerchantId, WebhookEndpointId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;

use super::{endpoint_events, events};
use crate::engine::{Engine, Read, Row, Value, Write, values};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::subject_keys::SubjectKeys;

crate::platform::record::records! {
    Exchange: "delivery_attempts.sealed",
}

const TRIES: &str = "delivery_attempts";

/// Records an attempt once, although it is written again after a commit with an unknown outcome. Its event has to exist, as
/// it may have been purged.
const RECORD_TRY: &str = "insert into delivery_attempts (merchant_id, event_id, initial_attempt_id, delivery_attempt, \
     created_at, sealed, webhook_endpoint_id) select $1, $2, $3, $4, $5, $6, $7 \
     where exists (select 1 from events e where e.merchant_id = $1 and e.event_id = $3) \
     on conflict (merchant_id, event_id) do nothing";

/// Records an attempt unless the event's own id stands for the same attempt.
const RECORD_SECOND_INITIAL: &str = "insert into delivery_attempts (merchant_id, event_id, initial_attempt_id, \
     delivery_attempt, created_at, sealed, webhook_endpoint_id) select $1, $2, $3, $4, $5, $6, $7 \
     where exists (select 1 from delivery_attempts a where a.merchant_id = $1 and a.event_id = $3 and a.created_at <> $5) on conflict (merchant_id, event_id) do nothing";

const IS_DELIVERED: &str = "update events set is_delivered = true \
     where merchant_id = $1 and event_id = $2 and is_delivered is not true";

const WAS_TRIED: &str = "update events set is_delivered = false \
     where merchant_id = $1 and event_id = $2 and is_delivered is null";

const ATTEMPTS: &str = "select event_id, delivery_attempt, created_at, sealed, webhook_endpoint_id from delivery_attempts \
     where merchant_id = $1 and initial_attempt_id = $2 order by created_at desc, event_id desc";

/// Records the second of two initial attempts of an event, which a slow server makes after it loses its lease. Only one
/// attempt can have the event's id; the later one gets an id that depends on its claim.
pub(super) fn record_second_initial(
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
            endpoint_id: endpoint_id(row)?,
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

/// Records an attempt and its result for the event; both hold whichever claim made the attempt.
pub(super) fn tried(
    made: &DeliveryAttempt,
    keys: &dyn Sealing,
) -> Result<[Write; 2], StoreFailure> {
    let record = record_of(made, keys)?;
    let is_delivered = made.exchange.is_delivered();
    let flag = match &made.endpoint_id {
        Some(endpoint_id) => endpoint_events::tried(made, endpoint_id),
        None => {
            let of_event = values![made.merchant_id.as_str(), made.initial_attempt_id.as_str()];
            let flag = if is_delivered {
                IS_DELIVERED
            } else {
                WAS_TRIED
            };
            Write::new(flag, of_event).on(events::TABLE).any_rows()
        }
    };
    Ok([Write::new(RECORD_TRY, record).on(TRIES).any_rows(), flag])
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
        keys.seal(&made.merchant_id, &place, &exchange),
        made.endpoint_id.as_ref().map(|id| id.as_str())
    ])
}

/// Returns the further endpoint of an attempt.
pub(super) fn endpoint_id(row: &Row) -> Result<Option<WebhookEndpointId>, StoreFailure> {
    let text = row.opt_str("webhook_endpoint_id").map_err(failure)?;
    let id = text.map(|text| record::id(WebhookEndpointId::parse(text)));
    id.transpose()
}

/// Returns the kind of an attempt.
pub(super) fn kind(row: &Row, column: &str) -> Result<DeliveryKind, StoreFailure> {
    let word = row.str(column).map_err(failure)?;
    word.parse()
        .map_err(|_| StoreFailure::Broken("a stored kind of try does not read".to_owned()))
}

fn place(merchant_id: &MerchantId, event_id: &EventId) -> String {
    format!("{TRIES}:{merchant_id}/{event_id}")
}
