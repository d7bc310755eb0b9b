//! Examples of the payer's sealed personal data.

use multirail_domain::payments::payment::{AttemptInstrument, CardPersonal, PaymentPersonal};
use multirail_kernel::unread::UnreadMembers;

use super::super::story::billing_address;
use super::particulars;
use super::payment::instrument;

/// The personal data of a payment with every member.
pub(super) fn personal() -> Vec<PaymentPersonal> {
    let holder = instrument().holder.card;
    vec![PaymentPersonal {
        payer: particulars::payer(),
        instruments: vec![
            AttemptInstrument {
                attempt: 1,
                card: Some(CardPersonal {
                    holder_name: holder.name.clone(),
                    nick_name: holder.nick_name.clone(),
                    unread: UnreadMembers::default(),
                }),
                account_holder_name: Some("Joseph Doe".to_owned()),
                billing: Some(billing_address()),
                ..AttemptInstrument::default()
            },
            AttemptInstrument {
                attempt: 2,
                instrument: Some(Box::new(instrument())),
                ..AttemptInstrument::default()
            },
        ],
        unread: UnreadMembers::default(),
    }]
}
