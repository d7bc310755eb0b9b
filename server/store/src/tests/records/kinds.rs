//! Every kind of stored record: its examples as this version writes them, and how this version reads and writes it.

use multirail_domain::connector_account::{ConnectorSecrets, Credentials};
use multirail_domain::merchant::MerchantSecrets;
use multirail_domain::payment::{Attempt, Payment};
use multirail_domain::profile::ProfileSecrets;
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::Card;
use serde::Serialize;
use serde_json::Value;

use super::super::super::record::{self, Record};
use super::{
    accounts, billing, customer, dispute, held, mandate, payment, personal, refund, routing,
    saved_method, subscription,
};
use multirail_app::ports::StoreFailure;

/// What happens to a record after it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// A later change of its object writes it again.
    Rewritten,
    /// It is only read, until it is deleted.
    WrittenOnce,
}

/// A kind of stored record.
pub(super) struct Kind {
    /// Table and column.
    pub(super) column: &'static str,
    pub(super) life: Life,
    /// What this version writes.
    pub(super) examples: Vec<Value>,
    again: fn(&str) -> Result<String, String>,
}

impl Kind {
    /// What this version writes after it has read `stored`.
    pub(super) fn again(&self, stored: &Value) -> Result<Value, String> {
        (self.again)(&stored.to_string()).map(|text| value(&text))
    }
}

/// Objects that give out their records.
macro_rules! given {
    ($type:ty: $records:expr) => {
        Kind {
            column: <$type>::COLUMN,
            life: Life::Rewritten,
            examples: $records
                .iter()
                .map(|one| value(&record::text(&one.record()).expect("a text")))
                .collect(),
            again: |stored| {
                let read: Result<$type, StoreFailure> = record::parse(stored);
                read.and_then(|one| record::text(&one.record()))
                    .map_err(|failure| failure.to_string())
            },
        }
    };
}
pub(super) fn all() -> Vec<Kind> {
    use Life::{Rewritten, WrittenOnce};
    let sealed = |column, life, texts: Vec<SecretText>, again| Kind {
        column,
        life,
        examples: texts.iter().map(|text| value(text.expose())).collect(),
        again,
    };
    /// Sealed forms write and read themselves.
    macro_rules! again {
        ($sealed:ty: $read:ident, $write:ident) => {
            |text: &str| match <$sealed>::$read(&SecretText::new(text)) {
                Ok(secrets) => Ok(secrets.$write().expose().to_owned()),
                Err(error) => Err(error.to_string()),
            }
        };
    }
    let merchants = accounts::merchant_secrets();
    let profiles = accounts::profile_secrets();
    let connectors = accounts::connector_secrets();
    let credentials = accounts::credentials();
    let cards = held::cards();
    vec![
        given!(Payment: payment::payments()),
        json(Rewritten, &personal::personal()),
        given!(Attempt: payment::attempts()),
        json(Rewritten, &payment::captures()),
        json(Rewritten, &customer::customers()),
        json(Rewritten, &customer::personal()),
        json(Rewritten, &refund::refunds()),
        json(Rewritten, &dispute::disputes()),
        json(Rewritten, &dispute::texts()),
        json(Rewritten, &accounts::organizations()),
        json(Rewritten, &accounts::merchant_accounts()),
        json(Rewritten, &accounts::user_personal()),
        json(WrittenOnce, &accounts::sign_in_clients()),
        json(Rewritten, &accounts::second_factors()),
        json(Rewritten, &accounts::profiles()),
        json(Rewritten, &accounts::api_keys()),
        json(Rewritten, &accounts::connector_accounts()),
        json(WrittenOnce, &routing::configurations()),
        json(Rewritten, &accounts::error_mappings()),
        json(Rewritten, &billing::catalogue()),
        json(Rewritten, &subscription::subscriptions()),
        json(Rewritten, &subscription::invoices()),
        json(Rewritten, &saved_method::card_details()),
        json(Rewritten, &saved_method::particulars()),
        json(Rewritten, &mandate::terms()),
        json(WrittenOnce, &held::notices()),
        sealed(
            "merchant_accounts.secrets",
            Rewritten,
            merchants.iter().map(MerchantSecrets::to_sealable).collect(),
            again!(MerchantSecrets: from_sealable, to_sealable),
        ),
        sealed(
            "business_profiles.secrets",
            Rewritten,
            profiles.iter().map(ProfileSecrets::to_sealable).collect(),
            again!(ProfileSecrets: from_sealable, to_sealable),
        ),
        sealed(
            "connector_accounts.secrets",
            Rewritten,
            connectors
                .iter()
                .map(ConnectorSecrets::to_sealable)
                .collect(),
            again!(ConnectorSecrets: from_sealable, to_sealable),
        ),
        sealed(
            "held_cards.sealed",
            WrittenOnce,
            cards.iter().map(Card::to_sealable).collect(),
            again!(Card: from_sealable, to_sealable),
        ),
        sealed(
            "held_credentials.sealed",
            WrittenOnce,
            credentials.iter().map(Credentials::to_json).collect(),
            again!(Credentials: from_json, to_json),
        ),
        sealed(
            "held_refund_credentials.sealed",
            WrittenOnce,
            credentials.iter().map(Credentials::to_json).collect(),
            again!(Credentials: from_json, to_json),
        ),
        json(WrittenOnce, &held::fingerprints()),
        json(WrittenOnce, &held::exchanges()),
    ]
}

fn json<T: Record + Serialize>(life: Life, records: &[T]) -> Kind {
    let text = |record: &T| record::write(record).expect("a text");
    Kind {
        column: T::COLUMN,
        life,
        examples: records.iter().map(|record| value(&text(record))).collect(),
        again: |stored| {
            let read: Result<T, StoreFailure> = record::parse(stored);
            read.and_then(|record| record::write(&record))
                .map_err(|failure| failure.to_string())
        },
    }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}
