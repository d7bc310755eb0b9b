//! The personal data of a payment's payer, separated from the rest so that it can be stored elsewhere or sealed.

use std::sync::Arc;

use multirail_kernel::address::Address;
use multirail_kernel::record_object::record_object;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::CardHolder;
use multirail_sdk::instrument::InstrumentHolder;
use serde::{Deserialize, Serialize};

use crate::payments::payment::{Attempt, Instrument, InstrumentDetails, PayerDetails, Payment};

/// The data that [`Payment::redacted`] removes from a payment, as it is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaymentPersonal {
    #[serde(rename = "notes")]
    pub payer: PayerDetails,
    /// Payment methods with personal data, oldest attempt first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instruments: Vec<AttemptInstrument>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

record_object! {
    /// The personal data in an attempt's payment method. Members of a later version go with the payment method's own.
    #[derive(Default)]
    pub struct AttemptInstrument {
        attempt: u32,
    } and maybe {
        card: CardPersonal,
        account_holder_name: String,
        billing: Box<Address>,
        /// The whole payment method, as the first version wrote it.
        instrument: Box<Instrument>,
    }
}

record_object! {
    /// The personal data of a card or network token. Members of a later version go with the card's own.
    #[derive(Default, Eq)]
    pub struct CardPersonal {
    } and maybe {
        holder_name: String,
        nick_name: String,
    }
}

/// The written form of [`PaymentPersonal`], which copies nothing.
#[derive(Serialize)]
pub struct PersonalOf<'a> {
    notes: &'a PayerDetails,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instruments: Vec<WrittenInstrument<'a>>,
}

#[derive(Serialize)]
struct WrittenInstrument<'a> {
    attempt: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<WrittenCard<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_holder_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billing: Option<&'a Address>,
}

#[derive(Serialize)]
struct WrittenCard<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    holder_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nick_name: Option<&'a str>,
}

impl Payment {
    /// Returns the payer's personal data, or `None` if the payment has none any more.
    pub fn personal(&self) -> Option<PersonalOf<'_>> {
        self.tells_of_somebody().then(|| PersonalOf {
            notes: &self.payer,
            instruments: self
                .attempts
                .iter()
                .filter_map(WrittenInstrument::by)
                .collect(),
        })
    }

    /// Returns whether the payer's personal data is the same as in `before`, so that the stored data stays valid. `before` has
    /// to be stored with the data apart.
    pub fn tells_as(&self, before: &Payment) -> bool {
        let mut attempts = self.attempts.iter().zip(&before.attempts);
        before.rests_apart
            && self.terms.customer_id == before.terms.customer_id
            && (Arc::ptr_eq(&self.payer, &before.payer) || self.payer == before.payer)
            && self.attempts.len() == before.attempts.len()
            && attempts.all(|(now, then)| now.instrument == then.instrument)
    }

    /// Restores the data that [`personal`](Self::personal) returned.
    pub fn put_back(&mut self, personal: PaymentPersonal) {
        self.rests_apart = true;
        Arc::make_mut(&mut self.payer).merge(personal.payer);
        for given in personal.instruments {
            let of_it = |attempt: &&mut Attempt| attempt.number == given.attempt;
            if let Some(attempt) = self.attempts.iter_mut().find(of_it) {
                given.put_back(&mut attempt.instrument);
            }
        }
    }
}

impl AttemptInstrument {
    fn put_back(self, kept: &mut Option<Instrument>) {
        if let Some(instrument) = self.instrument {
            *kept = Some(*instrument);
            return;
        }
        let Some(kept) = kept else { return };
        kept.holder = InstrumentHolder::at(self.billing);
        kept.holder.account = self.account_holder_name;
        kept.unread.append(self.unread);
        match (&mut kept.details, self.card) {
            (InstrumentDetails::Card(card) | InstrumentDetails::NetworkToken(card), Some(told)) => {
                kept.holder.card = CardHolder {
                    name: told.holder_name,
                    nick_name: told.nick_name,
                };
                card.unread.append(told.unread);
            }
            (_, None)
            | (
                InstrumentDetails::Wallet(_)
                | InstrumentDetails::Kept(_)
                | InstrumentDetails::Payer(_)
                | InstrumentDetails::BankDebit(_),
                Some(_),
            ) => {}
        }
    }
}

impl<'a> WrittenInstrument<'a> {
    fn by(attempt: &'a Attempt) -> Option<Self> {
        let instrument = attempt.instrument.as_ref()?;
        let holder = &instrument.holder;
        attempt.tells_of_somebody().then_some(WrittenInstrument {
            attempt: attempt.number,
            card: match &instrument.details {
                InstrumentDetails::Card(_) | InstrumentDetails::NetworkToken(_) => {
                    let CardHolder { name, nick_name } = &holder.card;
                    Some(WrittenCard {
                        holder_name: name.as_deref(),
                        nick_name: nick_name.as_deref(),
                    })
                }
                InstrumentDetails::Wallet(_)
                | InstrumentDetails::Kept(_)
                | InstrumentDetails::Payer(_)
                | InstrumentDetails::BankDebit(_) => None,
            },
            account_holder_name: holder.account.as_deref(),
            billing: holder.billing.as_deref(),
        })
    }
}
