//! Every kind of stored record: its examples as this version writes them, and its functions for reading and writing.

use multirail_app::platform::ports::StoreFailure;
use multirail_domain::accounts::connector_account::{ConnectorSecrets, Credentials};
use multirail_domain::accounts::merchant::MerchantSecrets;
use multirail_domain::accounts::profile::ProfileSecrets;
use multirail_domain::payments::payment::{Attempt, Payment};
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::Card;

use super::{
    accounts, customer, dispute, held, mandate, payment, personal, refund, routing, saved_method,
};
use crate::fixture::records::{Kind, Life, value};
use crate::platform::record;
use crate::platform::record::Record;

/// Objects with a function that returns their record.
macro_rules! given {
    ($type:ty: $records:expr) => {
        Kind {
            column: <$type as Record<_>>::COLUMN,
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
    /// Sealed forms serialize themselves.
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
        Kind::json(Rewritten, &personal::personal()),
        given!(Attempt: payment::attempts()),
        Kind::json(Rewritten, &payment::captures()),
        Kind::json(Rewritten, &customer::customers()),
        Kind::json(Rewritten, &customer::personal()),
        Kind::json(Rewritten, &refund::refunds()),
        Kind::json(Rewritten, &dispute::disputes()),
        Kind::json(Rewritten, &dispute::texts()),
        Kind::json(Rewritten, &accounts::organizations()),
        Kind::json(Rewritten, &accounts::merchant_accounts()),
        Kind::json(Rewritten, &accounts::profiles()),
        Kind::json(Rewritten, &accounts::api_keys()),
        Kind::json(Rewritten, &accounts::connector_accounts()),
        Kind::json(WrittenOnce, &routing::configurations()),
        Kind::json(Rewritten, &accounts::error_mappings()),
        Kind::json(Rewritten, &saved_method::card_details()),
        Kind::json(Rewritten, &saved_method::particulars()),
        Kind::json(Rewritten, &mandate::terms()),
        Kind::json(WrittenOnce, &held::notices()),
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
        Kind::json(WrittenOnce, &held::fingerprints()),
        Kind::json(WrittenOnce, &held::exchanges()),
    ]
}
