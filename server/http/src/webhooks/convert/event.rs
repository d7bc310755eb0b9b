//! Events and their delivery attempts, wire to domain and back.

use multirail_app::webhooks::events::attempts::EventDeliveries;
use multirail_app::webhooks::events::list::ListEvents;
use multirail_app::webhooks::events::replay::Replayed;
use multirail_app::webhooks::ports::events::{DeliveryAttempt, EventSearch, Replay, StoredEvent};
use multirail_domain::webhooks::event_filter::{WantedTypes, check_period, wanted_types};
use multirail_domain::webhooks::webhook::Exchange;
use multirail_kernel::ids::{MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use crate::platform::convert::moments::{shown_from, shown_until};
use crate::platform::convert::words::ToWire;

/// Reads the body of a list.
///
/// # Errors
/// A period that ends before it begins, a type outside the classes, an invalid profile id.
pub(crate) fn list(request: types::EventListRequest) -> Result<ListEvents, Refusal> {
    let types::EventListRequest {
        created_after,
        created_before,
        limit,
        offset,
        object_id,
        event_id,
        profile_id,
        event_classes,
        event_types,
        is_delivered,
        webhook_endpoint_id,
    } = request;
    check_period(
        created_after.map(Timestamp::from_datetime),
        created_before.map(Timestamp::from_datetime),
    )?;
    let endpoint_id = webhook_endpoint_id.map(|id| WebhookEndpointId::parse(&id));
    let endpoint_id = endpoint_id.transpose();
    let endpoint_id = endpoint_id.map_err(|invalid| invalid.refusal("webhook_endpoint_id"))?;
    let classes = event_classes.unwrap_or_default();
    let types = event_types.unwrap_or_default();
    let classes: Vec<&str> = classes.iter().map(AsRef::as_ref).collect();
    let types: Vec<&str> = types.iter().map(AsRef::as_ref).collect();
    let (event_types, nothing_fits) = match wanted_types(&classes, &types)? {
        WantedTypes::All => (Vec::new(), false),
        WantedTypes::These(types) => (types.clone(), types.is_empty()),
    };
    Ok(ListEvents {
        search: EventSearch {
            created_after: created_after.map(shown_from),
            created_before: created_before.map(shown_until),
            object_id,
            event_id,
            profile_id: read_profile_id(profile_id)?,
            event_types,
            nothing_fits,
            is_delivered,
            endpoint_id,
            ..EventSearch::default()
        },
        limit: limit.map(i64::from),
        offset: offset.map(i64::from),
    })
}

/// Reads the body of a replay, and whether it is a dry run.
///
/// # Errors
/// An invalid profile id.
pub(crate) fn replay(
    merchant_id: MerchantId,
    request: types::EventReplayRequest,
) -> Result<(Replay, bool), Refusal> {
    let types::EventReplayRequest {
        created_after,
        profile_id,
        only_failed,
        dry_run,
    } = request;
    let replay = Replay {
        merchant_id,
        profile_id: read_profile_id(profile_id)?,
        created_after: created_after.map(shown_from),
        only_failed: only_failed.unwrap_or(true),
    };
    Ok((replay, dry_run.unwrap_or(true)))
}

/// Returns an event of a list.
pub(crate) fn event(event: &StoredEvent) -> types::Event {
    types::Event {
        event_id: event.event_id.to_string(),
        merchant_id: event.merchant_id.to_string(),
        profile_id: event.profile_id.to_string(),
        object_id: event.object_id.clone(),
        event_type: event.event_type.to_wire(),
        event_class: event.event_type.class().to_wire(),
        is_delivery_successful: event.is_delivered,
        webhook_endpoint_id: event.endpoint_id.as_ref().map(ToString::to_string),
        initial_attempt_id: event.event_id.to_string(),
        processor_merchant_id: Some(event.merchant_id.to_string()),
        created: event.created_at.to_datetime(),
    }
}

/// Returns the delivery attempts of an event.
pub(crate) fn attempts(deliveries: &EventDeliveries) -> Vec<types::DeliveryAttempt> {
    let EventDeliveries { event, body, tries } = deliveries;
    let shown = |made: &DeliveryAttempt| types::DeliveryAttempt {
        is_delivery_successful: deliveries.is_delivered_like(made),
        ..attempt(event, body, made)
    };
    tries.iter().map(shown).collect()
}

/// Returns one delivery attempt.
pub(crate) fn attempt(
    event: &StoredEvent,
    body: &str,
    made: &DeliveryAttempt,
) -> types::DeliveryAttempt {
    types::DeliveryAttempt {
        event_id: made.event_id.to_string(),
        merchant_id: event.merchant_id.to_string(),
        profile_id: event.profile_id.to_string(),
        object_id: event.object_id.clone(),
        event_type: event.event_type.to_wire(),
        event_class: event.event_type.class().to_wire(),
        is_delivery_successful: event.is_delivered,
        webhook_endpoint_id: made.endpoint_id.as_ref().map(ToString::to_string),
        initial_attempt_id: made.initial_attempt_id.to_string(),
        processor_merchant_id: Some(event.merchant_id.to_string()),
        created: made.created_at.to_datetime(),
        request: sent(body, &made.exchange),
        response: reply(&made.exchange),
        delivery_attempt: Some(made.kind.to_wire()),
    }
}

/// Returns the result of a replay.
pub(crate) fn replayed(replayed: &Replayed) -> types::EventReplay {
    types::EventReplay {
        dry_run: replayed.dry_run,
        matched: replayed.matched,
        queued: replayed.queued,
    }
}

/// Returns the request of an exchange.
pub(crate) fn sent(body: &str, exchange: &Exchange) -> types::SentWebhook {
    types::SentWebhook {
        body: body.to_owned(),
        headers: pairs(&exchange.request_headers),
    }
}

/// Returns the answer of an exchange.
pub(crate) fn reply(exchange: &Exchange) -> types::WebhookReply {
    types::WebhookReply {
        body: exchange.response_body.clone(),
        headers: exchange.response_headers.as_deref().map(pairs),
        status_code: exchange.status_code.map(i32::from),
        error_message: exchange.error_message.clone(),
    }
}

fn pairs(headers: &[(String, String)]) -> Vec<Vec<String>> {
    let pair = |(name, value): &(String, String)| vec![name.clone(), value.clone()];
    headers.iter().map(pair).collect()
}

fn read_profile_id(given: Option<String>) -> Result<Option<ProfileId>, Refusal> {
    let parse = |text: String| {
        ProfileId::parse(&text).map_err(|_| Refusal::not_found(Object::BusinessProfile))
    };
    given.map(parse).transpose()
}

#[cfg(test)]
mod tests {
    use multirail_kernel::event::EventType;
    use serde_json::Value;

    /// Returns the rows of the document's table of types: their words, and when they are emitted.
    fn described_types() -> Vec<(String, String)> {
        let document: Value =
            serde_json::from_str(&multirail_api::document_json()).expect("the document");
        let text = &document["components"]["schemas"]["EventType"]["description"];
        let rows = text.as_str().expect("a description").lines();
        let rows = rows.filter_map(|row| row.strip_prefix("| `"));
        rows.flat_map(|row| {
            let mut cells = row.split(" | ");
            let words = cells.next().unwrap_or_default().to_owned();
            let emitted = cells.nth(1).unwrap_or_default().to_owned();
            let words = words
                .split(", ")
                .map(|word| word.trim_matches('`').to_owned());
            words
                .map(|word| (word, emitted.clone()))
                .collect::<Vec<_>>()
        })
        .collect()
    }

    #[test]
    fn the_document_says_of_each_type_whether_it_is_emitted() {
        let told = described_types();
        assert_eq!(told.len(), 29);
        for (word, emitted) in told {
            let is_emitted = !emitted.starts_with("no");
            assert_eq!(
                word.parse::<EventType>().is_ok(),
                is_emitted,
                "{word}: {emitted}"
            );
        }
    }
}
