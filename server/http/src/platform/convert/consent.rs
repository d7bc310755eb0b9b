//! A payer's consent, wire to domain and back.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::consent::{Consent, OnlineConsent};
use multirail_types as types;

use super::moments::{moment, moment_answer};
use super::words::{ToWire, word};

/// Reads a consent.
///
/// # Errors
/// A kind that this version doesn't know.
pub fn consent(consent: types::CustomerAcceptance) -> Result<Consent, Refusal> {
    let types::CustomerAcceptance {
        acceptance_type,
        accepted_at,
        online,
    } = consent;
    Ok(Consent {
        kind: word(&acceptance_type, "customer_acceptance.acceptance_type")?,
        accepted_at: accepted_at.map(moment),
        online: online.map(self::online),
        unread: UnreadMembers::default(),
    })
}

fn online(online: types::OnlineAcceptance) -> OnlineConsent {
    let types::OnlineAcceptance {
        ip_address,
        user_agent,
    } = online;
    OnlineConsent {
        ip_address,
        user_agent: Some(user_agent),
        unread: UnreadMembers::default(),
    }
}

/// Returns a consent. Consent on a page contains the browser's name; after a redaction a word replaces the name.
pub fn consent_answer(consent: Consent) -> types::CustomerAcceptance {
    types::CustomerAcceptance {
        acceptance_type: consent.kind.to_wire(),
        accepted_at: consent.accepted_at.as_deref().and_then(moment_answer),
        online: consent.online.map(|online| types::OnlineAcceptance {
            ip_address: online.ip_address,
            user_agent: online.user_agent.unwrap_or_default(),
        }),
    }
}
