//! The origin of a change: who caused it.

use std::sync::Arc;

use super::idempotency::Claim;
use crate::platform::ports::Actor;

/// The actor behind a change, and their request. Every change-set names both.
#[derive(Clone)]
pub struct Origin {
    pub(crate) actor: Actor,
    pub(crate) request_id: Option<String>,
    /// The claim on the idempotency key that the request came with.
    pub claim: Option<Arc<Claim>>,
}

impl Origin {
    /// Returns the origin of a change that no request asked for.
    pub fn of_service(actor: Actor) -> Self {
        Origin {
            actor,
            request_id: None,
            claim: None,
        }
    }

    /// Returns the same origin for a step that doesn't answer the request.
    pub fn without_claim(&self) -> Self {
        Origin {
            claim: None,
            ..self.clone()
        }
    }

    /// Returns the origin of a request, with the claim on its idempotency key, if it has one.
    pub fn of_request(actor: Actor, request_id: String, claim: Option<Arc<Claim>>) -> Self {
        Origin {
            actor,
            request_id: Some(request_id),
            claim,
        }
    }
}
