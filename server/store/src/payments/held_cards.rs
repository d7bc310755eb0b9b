//! Cards and bank accounts that wait for their confirm, stored sealed. The card's CVC is never stored.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;
use multirail_sdk::instrument::PaymentMethodData;

use crate::engine::{Engine, Read, Write, values};
use crate::platform::record::failure;
use crate::platform::subject_keys::SubjectKeys;

const TABLE: &str = "held_cards";

const HOLD: &str = "insert into held_cards (merchant_id, payment_id, sealed, expires_at) values ($1, $2, $3, $4) \
     on conflict (merchant_id, payment_id) do update set sealed = excluded.sealed, expires_at = excluded.expires_at";

const DELETE: &str = "delete from held_cards where merchant_id = $1 and payment_id = $2";

const CARD: &str =
    "select sealed from held_cards where merchant_id = $1 and payment_id = $2 and expires_at >= $3";

pub(crate) fn hold(
    keys: &dyn Sealing,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
    text: &SecretText,
    expires_at: Timestamp,
) -> Write {
    let place = place(merchant_id, payment_id);
    let sealed = keys.seal(merchant_id, &place, text);
    Write::new(
        HOLD,
        values![
            merchant_id.as_str(),
            payment_id.as_str(),
            sealed,
            expires_at.as_micros()
        ],
    )
    .on(TABLE)
}

pub(crate) fn delete(merchant_id: &MerchantId, payment_id: &PaymentId) -> Write {
    Write::new(DELETE, values![merchant_id.as_str(), payment_id.as_str()])
        .on(TABLE)
        .any_rows()
}

pub(crate) async fn data(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
    now: Timestamp,
) -> Result<Option<PaymentMethodData>, StoreFailure> {
    let parameters = values![merchant_id.as_str(), payment_id.as_str(), now.as_micros()];
    let read = Read::new(CARD, parameters);
    let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(None);
    };
    let keys = keys.to_open([&row], "sealed").await?;
    let text = keys.open(&row, "sealed", &place(merchant_id, payment_id))?;
    PaymentMethodData::from_sealable(&text)
        .map(Some)
        .map_err(|error| StoreFailure::Broken(error.to_string()))
}

fn place(merchant_id: &MerchantId, payment_id: &PaymentId) -> String {
    format!("held_cards:{merchant_id}/{payment_id}")
}
