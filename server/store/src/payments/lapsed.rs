//! Expired cards and credentials that were held for a confirm.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;

use crate::engine::{Engine, Read, Write, values};
use crate::platform::record;
use crate::platform::record::failure;

const LAPSED: &str = "select merchant_id, payment_id, expires_at from held_cards where expires_at < $1 \
     union all select merchant_id, payment_id, expires_at from held_credentials \
     where expires_at is not null and expires_at < $1 order by expires_at limit $2";

const DELETE_CARD: &str =
    "delete from held_cards where merchant_id = $1 and payment_id = $2 and expires_at < $3";

const DELETE_CREDENTIALS: &str = "delete from held_credentials where merchant_id = $1 and payment_id = $2 \
     and expires_at is not null and expires_at < $3";

const PUT_OFF_CARD: &str =
    "update held_cards set expires_at = $3 where merchant_id = $1 and payment_id = $2";

const PUT_OFF_CREDENTIALS: &str = "update held_credentials set expires_at = $3 \
     where merchant_id = $1 and payment_id = $2 and expires_at is not null";

/// Returns the payments with expired rows, the longest expired first. A payment comes twice if both rows have expired.
pub(crate) async fn of_payments(
    engine: &Engine,
    now: Timestamp,
    at_most: i64,
) -> Result<Vec<(MerchantId, PaymentId)>, StoreFailure> {
    let read = Read::new(LAPSED, values![now.as_micros(), at_most]);
    let rows = engine.fetch(read).await.map_err(failure)?;
    let of_row = |row: &crate::engine::Row| {
        let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
        let payment_id = PaymentId::parse(row.str("payment_id").map_err(failure)?);
        Ok((record::id(merchant_id)?, record::id(payment_id)?))
    };
    rows.iter().map(of_row).collect()
}

/// Deletes the expired rows of one payment, whatever the payment's own row says.
pub(crate) fn delete(
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
    now: Timestamp,
) -> [Write; 2] {
    [DELETE_CARD, DELETE_CREDENTIALS].map(|sql| dated(sql, merchant_id, payment_id, now))
}

/// Sets the expiry of the rows of one payment.
pub(crate) fn put_off(
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
    expires_at: Timestamp,
) -> [Write; 2] {
    [PUT_OFF_CARD, PUT_OFF_CREDENTIALS].map(|sql| dated(sql, merchant_id, payment_id, expires_at))
}

fn dated(
    sql: &'static str,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
    time: Timestamp,
) -> Write {
    let parameters = values![merchant_id.as_str(), payment_id.as_str(), time.as_micros()];
    Write::new(sql, parameters).any_rows()
}
