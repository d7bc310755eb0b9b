//! Examples of saved methods. Every struct is written out, so that a new member has to be shown here.

use multirail_domain::card::CardDetails;
use multirail_domain::saved_method::MethodParticulars;
use multirail_domain::unread::UnreadMembers;
use serde_json::json;

use super::held::cards;
use super::particulars::{address, consent};
use super::payment::object;

/// In the form that a payment's instrument has. Holder and nick name are null in these rows: they have columns of their own.
pub(super) fn card_details() -> Vec<CardDetails> {
    cards().into_iter().map(|card| card.details).collect()
}

/// One of which everything is said, and one of which nothing is.
pub(super) fn particulars() -> Vec<MethodParticulars> {
    let known = MethodParticulars {
        issuer: Some("Example Bank".to_owned()),
        issuer_code: Some("EXB".to_owned()),
        metadata: Some(object(json!({"tier": "gold"}))),
        billing: Some(address("1 Billing Row")),
        consent: Some(Box::new(consent())),
        unread: UnreadMembers::default(),
    };
    vec![known, MethodParticulars::default()]
}
