//! The payer's consent to store the instrument and charge it later.

use multirail_kernel::record_object::record_object;
use multirail_kernel::telling::{Telling, redact_text};
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

words! {
    /// The place of the consent.
    pub enum ConsentKind {
        Online = "online",
        Offline = "offline",
    }
}

record_object! {
    #[derive(Eq)]
    pub struct Consent {
        #[serde(rename = "acceptance_type")]
        kind: ConsentKind,
    } and maybe {
        /// The time of the consent, RFC 3339.
        accepted_at: String,
        online: OnlineConsent,
    }
}

record_object! {
    /// Details of a consent that was given on a web page.
    #[derive(Default, Eq)]
    pub struct OnlineConsent {
    } and maybe {
        ip_address: String,
        user_agent: String,
    }
}

/// Redaction leaves the fact and the time of the consent.
impl Telling for Consent {
    fn redact(&mut self) {
        let Consent {
            kind: _,
            accepted_at: _,
            online,
            unread: _,
        } = self;
        if let Some(OnlineConsent {
            ip_address,
            user_agent,
            unread,
        }) = online
        {
            redact_text(ip_address);
            redact_text(user_agent);
            *unread = UnreadMembers::default();
        }
    }
}
