//! Examples of the terms of mandates. Every struct is written out, so that a new member has to be shown here.

use multirail_domain::customers::mandate::{MandateLimits, MandateTerms};
use multirail_domain::payments::payment::{ChargedUnder, MandateRequest};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::MandateId;
use multirail_kernel::unread::UnreadMembers;
use serde_json::json;

use super::payment::object;

/// One of each kind, and one without limits.
pub(super) fn terms() -> Vec<MandateTerms> {
    vec![
        MandateTerms {
            single_use: Some(Box::new(limits())),
            multi_use: None,
            unread: UnreadMembers::default(),
        },
        MandateTerms {
            single_use: None,
            multi_use: Some(Box::new(limits())),
            unread: UnreadMembers::default(),
        },
        MandateTerms {
            single_use: None,
            multi_use: Some(Box::new(MandateLimits::default())),
            unread: UnreadMembers::default(),
        },
    ]
}

fn limits() -> MandateLimits {
    MandateLimits {
        amount: Some(6540),
        currency: Some(Currency::USD),
        start_date: Some("2026-01-05T10:11:12.345Z".to_owned()),
        end_date: Some("2027-01-05T10:11:12.345Z".to_owned()),
        metadata: Some(object(json!({"order": 42}))),
        unread: UnreadMembers::default(),
    }
}

/// The part of a payment's request that sets up a mandate.
pub(super) fn request() -> MandateRequest {
    MandateRequest {
        update_mandate_id: Some(id()),
        mandate_type: Some(terms().remove(0)),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn charged_under() -> ChargedUnder {
    ChargedUnder {
        mandate_id: id(),
        single_use: true,
        amount: Some(6540),
        unread: UnreadMembers::default(),
    }
}

pub(super) fn id() -> MandateId {
    MandateId::parse("man_example").expect("an id")
}
