//! The record of an instrument, which has the holder among its members.

use multirail_kernel::address::Address;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize, Serializer};

use super::{Instrument, InstrumentDetails, InstrumentHolder, KeptDetails, WalletDetails};
use crate::bank_account::BankAccountDetails;
use crate::card::{CardHolder, CardRecord, WrittenCard};
use crate::payer_method::PayerMethod;
use crate::payment_method::{PaymentMethod, PaymentMethodType};

/// Declares the record of an instrument twice: as it is read, and as it is written without copying.
macro_rules! instrument_record {
    ($($(#[$meta:meta])* $member:ident: $read:ty, $written:ty;)+) => {
        #[derive(Deserialize)]
        pub(super) struct ReadInstrument {
            $($(#[$meta])* $member: $read,)+
        }

        #[derive(Serialize)]
        struct WrittenInstrument<'a> {
            $($(#[$meta])* $member: $written,)+
        }
    };
}

instrument_record! {
    payment_method: PaymentMethod, PaymentMethod;
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payment_method_type: Option<PaymentMethodType>, Option<PaymentMethodType>;
    // Under the family's name, such as `card`.
    #[serde(flatten)]
    details: ReadDetails, WrittenDetails<'a>;
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account_holder_name: Option<String>, Option<&'a str>;
    #[serde(default, skip_serializing_if = "Option::is_none")]
    billing: Option<Box<Address>>, Option<&'a Address>;
    #[serde(flatten)]
    unread: UnreadMembers, &'a UnreadMembers;
}

/// Declares the families in both forms.
macro_rules! details_record {
    ($($family:ident: $read:ty, $written:ty;)+) => {
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum ReadDetails {
            $($family($read),)+
        }

        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum WrittenDetails<'a> {
            $($family($written),)+
        }
    };
}

details_record! {
    Card: CardRecord, WrittenCard<'a>;
    NetworkToken: CardRecord, WrittenCard<'a>;
    Wallet: WalletDetails, &'a WalletDetails;
    Kept: KeptDetails, &'a KeptDetails;
    Payer: Box<PayerMethod>, &'a PayerMethod;
    BankDebit: BankAccountDetails, &'a BankAccountDetails;
}

impl From<ReadInstrument> for Instrument {
    fn from(read: ReadInstrument) -> Self {
        let ReadInstrument {
            payment_method,
            payment_method_type,
            details,
            account_holder_name: account,
            billing,
            unread,
        } = read;
        let (details, card) = details.parted();
        Instrument {
            payment_method,
            payment_method_type,
            details,
            holder: InstrumentHolder {
                card,
                account,
                billing,
            },
            unread,
        }
    }
}

impl ReadDetails {
    /// Splits the record into the details and the holder.
    fn parted(self) -> (InstrumentDetails, CardHolder) {
        match self {
            ReadDetails::Card(CardRecord { details, holder }) => {
                (InstrumentDetails::Card(details), holder)
            }
            ReadDetails::NetworkToken(CardRecord { details, holder }) => {
                (InstrumentDetails::NetworkToken(details), holder)
            }
            ReadDetails::Wallet(details) => {
                (InstrumentDetails::Wallet(details), CardHolder::default())
            }
            ReadDetails::Kept(details) => (InstrumentDetails::Kept(details), CardHolder::default()),
            ReadDetails::Payer(method) => (InstrumentDetails::Payer(method), CardHolder::default()),
            ReadDetails::BankDebit(account) => {
                (InstrumentDetails::BankDebit(account), CardHolder::default())
            }
        }
    }
}

impl Serialize for Instrument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Instrument {
            payment_method,
            payment_method_type,
            details,
            holder:
                InstrumentHolder {
                    card,
                    account,
                    billing,
                },
            unread,
        } = self;
        let written = WrittenInstrument {
            payment_method: *payment_method,
            payment_method_type: *payment_method_type,
            details: match details {
                InstrumentDetails::Card(details) => {
                    WrittenDetails::Card(WrittenCard::new(details, card))
                }
                InstrumentDetails::NetworkToken(details) => {
                    WrittenDetails::NetworkToken(WrittenCard::new(details, card))
                }
                InstrumentDetails::Wallet(details) => WrittenDetails::Wallet(details),
                InstrumentDetails::Kept(details) => WrittenDetails::Kept(details),
                InstrumentDetails::Payer(method) => WrittenDetails::Payer(method),
                InstrumentDetails::BankDebit(account) => WrittenDetails::BankDebit(account),
            },
            account_holder_name: account.as_deref(),
            billing: billing.as_deref(),
            unread,
        };
        written.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record as every version stores it: the holder's members stand among those of the card
    /// and of the instrument.
    const STORED: &str = r#"{"payment_method":"card","card":{"last4":"1111","exp_month":"10","exp_year":"2035","holder_name":"Ada Okafor","issuer":"Example Bank","nick_name":"hers","of_later":1},"billing":{"email":"ada@example.com"},"spoken":"en"}"#;

    fn read(text: &str) -> Instrument {
        serde_json::from_str(text).expect("an instrument")
    }

    fn written(instrument: &Instrument) -> String {
        serde_json::to_string(instrument).expect("JSON")
    }

    #[test]
    fn the_holder_is_read_apart_and_written_in_the_same_place() {
        let instrument = read(STORED);
        let holder = &instrument.holder;
        assert_eq!(holder.card.name.as_deref(), Some("Ada Okafor"));
        assert_eq!(holder.card.nick_name.as_deref(), Some("hers"));
        assert!(holder.billing.is_some());
        assert_eq!(written(&instrument), STORED);
        let token = STORED.replace("\"card\"", "\"network_token\"");
        let token = token.replace(
            "\"payment_method\":\"network_token\"",
            "\"payment_method\":\"card\"",
        );
        assert_eq!(written(&read(&token)), token);
    }

    #[test]
    fn a_redacted_holder_leaves_the_card_as_it_was() {
        let instrument = read(STORED);
        assert!(instrument.holder.tells_of_somebody());
        let redacted = instrument.with_holder(instrument.holder.redacted());
        assert!(!redacted.holder.tells_of_somebody());
        assert_eq!(redacted.details, instrument.details);
        let expected = STORED
            .replace("Ada Okafor", "Redacted")
            .replace("hers", "Redacted")
            .replace("ada@example.com", "Redacted");
        assert_eq!(written(&redacted), expected);
    }

    #[test]
    fn a_payers_method_is_stored_with_its_choices() {
        let stored = r#"{"payment_method":"bank_redirect","payment_method_type":"ideal","payer":{"kind":"ideal","bank_name":"ing","country":"NL"}}"#;
        let mut instrument = read(stored);
        assert_eq!(written(&instrument), stored);
        let data = instrument.stored_data().expect("all of it is stored");
        let again = data.instrument(
            instrument.payment_method,
            instrument.payment_method_type,
            None,
        );
        assert_eq!(again, instrument);
    }

    #[test]
    fn a_debited_account_is_stored_with_its_holder_beside_it() {
        let stored = r#"{"payment_method":"bank_debit","payment_method_type":"sepa","bank_debit":{"scheme":"sepa","last4":"3000","country":"DE"},"account_holder_name":"Ada Okafor"}"#;
        let instrument = read(stored);
        assert_eq!(written(&instrument), stored);
        assert!(instrument.holder.tells_of_somebody());
        let redacted = instrument.with_holder(instrument.holder.redacted());
        let expected = stored.replace("Ada Okafor", "Redacted");
        assert_eq!(written(&redacted), expected);
    }

    #[test]
    fn an_instrument_without_holder_has_none_in_its_record() {
        let stored = r#"{"payment_method":"wallet","wallet":{"wallet":"apple_pay"}}"#;
        let instrument = read(stored);
        assert_eq!(instrument.holder, InstrumentHolder::default());
        assert!(!instrument.holder.tells_of_somebody());
        assert_eq!(written(&instrument), stored);
    }
}
