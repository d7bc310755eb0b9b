//! On whose behalf something is done.

use std::sync::Arc;

use super::idempotency::Claim;
use crate::ports::Actor;

/// Who asks, and with which request. Named in every change-set.
#[derive(Clone)]
pub struct Origin {
    pub actor: Actor,
    pub request_id: Option<String>,
    /// The idempotency key that the request came with.
    pub claim: Option<Arc<Claim>>,
}

impl Origin {
    /// Something that nobody requested, or that has no idempotency key.
    pub fn new(actor: Actor, request_id: Option<String>) -> Self {
        Origin {
            actor,
            request_id,
            claim: None,
        }
    }
}
