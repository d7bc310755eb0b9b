//! Examples of what is sealed of who paid.

use multirail_domain::payment::{AttemptInstrument, CardPersonal, PaymentPersonal};
use multirail_kernel::unread::UnreadMembers;

use super::super::story::billing_address;
use super::particulars;
use super::payment::{card_details, instrument};

/// Of a payment of which everything is said.
pub(super) fn personal() -> Vec<PaymentPersonal> {
    vec![PaymentPersonal {
        payer: particulars::payer(),
        instruments: vec![
            AttemptInstrument {
                attempt: 1,
                card: Some(CardPersonal {
                    holder_name: card_details().holder_name,
                    nick_name: card_details().nick_name,
                    unread: UnreadMembers::default(),
                }),
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
