//! A payer's consent, wire to domain and back.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::consent::{Consent, OnlineConsent};
use multirail_types as types;

use super::moments::{moment, moment_answer};
use super::words::{ToWire, word};

/// Reads the consent in `member`.
///
/// # Errors
/// A kind that this version doesn't know, a blank name of the browser.
pub fn consent(consent: types::CustomerAcceptance, member: &str) -> Result<Consent, Refusal> {
    let types::CustomerAcceptance {
        acceptance_type,
        accepted_at,
        online,
    } = consent;
    Ok(Consent {
        kind: word(&acceptance_type, &format!("{member}.acceptance_type"))?,
        accepted_at: accepted_at.map(moment),
        online: online.map(|it| self::online(it, member)).transpose()?,
        unread: UnreadMembers::default(),
    })
}

fn online(online: types::OnlineAcceptance, member: &str) -> Result<OnlineConsent, Refusal> {
    let types::OnlineAcceptance {
        ip_address,
        user_agent,
    } = online;
    if user_agent.trim().is_empty() {
        return Err(Refusal::Malformed {
            member: format!("{member}.online.user_agent"),
            why: "is blank".to_owned(),
        });
    }
    Ok(OnlineConsent {
        ip_address,
        user_agent: Some(user_agent),
        unread: UnreadMembers::default(),
    })
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_blank_name_of_the_browser_proves_nothing() {
        let refused = |browser: &str, member: &str| {
            let online = json!({ "ip_address": "192.0.2.7", "user_agent": browser });
            let given = json!({ "acceptance_type": "online", "online": online });
            let given = serde_json::from_value(given).expect("a consent");
            let refusal = consent(given, member).err();
            refusal.map(|refusal| refusal.to_string())
        };
        assert_eq!(refused("Browser/1.0", "customer_acceptance"), None);
        assert_eq!(
            refused(" ", "customer_acceptance").as_deref(),
            Some("customer_acceptance.online.user_agent is blank")
        );
        assert_eq!(
            refused(" ", "mandate_data.customer_acceptance").as_deref(),
            Some("mandate_data.customer_acceptance.online.user_agent is blank")
        );
    }
}
