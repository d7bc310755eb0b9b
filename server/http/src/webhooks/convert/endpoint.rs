//! Further webhook endpoints, wire to domain and back.

use multirail_app::webhooks::events::endpoints::{EndpointView, ReplayRequest, TestedEndpoint};
use multirail_domain::accounts::profile::WebhookEndpointInput;
use multirail_kernel::ids::WebhookEndpointId;
use multirail_types as types;

use super::event;
use crate::accounts::convert::business_profile::webhook_delivery;
use crate::platform::convert::moments::{shown_from, shown_until};

pub(crate) fn create(request: types::WebhookEndpointCreateRequest) -> WebhookEndpointInput {
    let types::WebhookEndpointCreateRequest {
        webhook_url,
        description,
        event_types,
        disabled,
    } = request;
    WebhookEndpointInput {
        url: Some(webhook_url),
        description,
        event_types: event_types.as_deref().map(words),
        is_disabled: disabled,
    }
}

pub(crate) fn update(request: types::WebhookEndpointUpdateRequest) -> WebhookEndpointInput {
    let types::WebhookEndpointUpdateRequest {
        webhook_url,
        description,
        event_types,
        disabled,
    } = request;
    WebhookEndpointInput {
        url: webhook_url,
        description,
        event_types: event_types.as_deref().map(words),
        is_disabled: disabled,
    }
}

/// Returns the event types as text. The document has types that nothing emits yet, such as those of payouts: they can be
/// chosen, but the domain has no type for them. The frame has refused all other words.
fn words(types: &[types::EventType]) -> Vec<String> {
    let words = types.iter().map(|word| word.as_ref().to_owned());
    words.collect()
}

pub(crate) fn replay(request: types::WebhookEndpointReplayRequest) -> ReplayRequest {
    let types::WebhookEndpointReplayRequest {
        created_after,
        created_before,
        only_failed,
        dry_run,
    } = request;
    ReplayRequest {
        created_after: shown_from(created_after),
        created_before: created_before.map(shown_until),
        only_failed: only_failed.unwrap_or(false),
        dry_run: dry_run.unwrap_or(true),
    }
}

/// Returns an endpoint without its secret.
pub(crate) fn answer(view: &EndpointView) -> types::WebhookEndpoint {
    let endpoint = &view.endpoint;
    types::WebhookEndpoint {
        webhook_endpoint_id: endpoint.endpoint_id.to_string(),
        profile_id: view.profile_id.to_string(),
        webhook_url: endpoint.url.clone(),
        description: endpoint.description.clone(),
        event_types: event_types(view),
        disabled: endpoint.is_disabled,
        webhook_delivery: webhook_delivery(view.delivery),
        created: endpoint.created_at.to_datetime(),
        modified: endpoint.modified_at.to_datetime(),
    }
}

/// Returns a new endpoint with its secret.
pub(crate) fn created(view: &EndpointView) -> types::WebhookEndpointCreated {
    let types::WebhookEndpoint {
        webhook_endpoint_id,
        profile_id,
        webhook_url,
        description,
        event_types,
        disabled,
        webhook_delivery,
        created,
        modified,
    } = answer(view);
    let secret = view.secret.as_ref();
    types::WebhookEndpointCreated {
        webhook_endpoint_id,
        profile_id,
        webhook_url,
        description,
        event_types,
        disabled,
        webhook_delivery,
        created,
        modified,
        secret: secret.map_or(String::new(), |secret| secret.expose().to_owned()),
    }
}

/// Returns the stored event types. A newer server may have stored one that this version doesn't know; its word is
/// answered as it is.
fn event_types(view: &EndpointView) -> Vec<types::EventType> {
    let words = view.endpoint.event_types.iter();
    words
        .map(|word| types::EventType::from(word.as_str()))
        .collect()
}

/// Returns a test event with request and response.
pub(crate) fn tested(
    id: &WebhookEndpointId,
    tested: &TestedEndpoint,
) -> types::WebhookEndpointTest {
    types::WebhookEndpointTest {
        event_id: tested.event_id.to_string(),
        webhook_endpoint_id: id.to_string(),
        is_delivery_successful: tested.exchange.is_delivered(),
        sent: tested.sent_at.to_datetime(),
        request: event::sent(&tested.body, &tested.exchange),
        response: event::reply(&tested.exchange),
    }
}
