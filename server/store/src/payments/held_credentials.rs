//! Credentials that callers sent along, stored sealed while the attempt is open.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;

use crate::engine::{Engine, Read, Write, values};
use crate::platform::record::failure;
use crate::platform::subject_keys::SubjectKeys;

const TABLE: &str = "held_credentials";

const HOLD: &str = "insert into held_credentials (merchant_id, payment_id, attempt_number, sealed, expires_at) \
     values ($1, $2, $3, $4, $5) on conflict (merchant_id, payment_id, attempt_number) \
     do update set sealed = excluded.sealed, expires_at = excluded.expires_at";

const DELETE: &str = "delete from held_credentials \
     where merchant_id = $1 and payment_id = $2 and attempt_number = $3";

const CREDENTIALS: &str = "select sealed from held_credentials where merchant_id = $1 and payment_id = $2 \
     and attempt_number = $3 and (expires_at is null or expires_at >= $4)";

/// The attempt that the credentials are held for.
pub(crate) struct HeldFor<'a> {
    pub merchant_id: &'a MerchantId,
    pub payment_id: &'a PaymentId,
    pub attempt: u32,
}

impl HeldFor<'_> {
    fn name(&self) -> String {
        let HeldFor {
            merchant_id,
            payment_id,
            attempt,
        } = self;
        format!("held_credentials:{merchant_id}/{payment_id}/{attempt}")
    }
}

pub(crate) fn hold(
    keys: &dyn Sealing,
    held_for: &HeldFor<'_>,
    credentials: &SecretText,
    expires_at: Option<Timestamp>,
) -> Write {
    Write::new(
        HOLD,
        values![
            held_for.merchant_id.as_str(),
            held_for.payment_id.as_str(),
            i64::from(held_for.attempt),
            keys.seal(held_for.merchant_id, &held_for.name(), credentials),
            expires_at.map(Timestamp::as_micros)
        ],
    )
    .on(TABLE)
}

pub(crate) fn delete(held_for: &HeldFor<'_>) -> Write {
    Write::new(
        DELETE,
        values![
            held_for.merchant_id.as_str(),
            held_for.payment_id.as_str(),
            i64::from(held_for.attempt)
        ],
    )
    .on(TABLE)
    .any_rows()
}

pub(crate) async fn credentials(
    engine: &Engine,
    keys: &SubjectKeys,
    held_for: &HeldFor<'_>,
    now: Timestamp,
) -> Result<Option<SecretText>, StoreFailure> {
    let parameters = values![
        held_for.merchant_id.as_str(),
        held_for.payment_id.as_str(),
        i64::from(held_for.attempt),
        now.as_micros()
    ];
    let read = Read::new(CREDENTIALS, parameters);
    let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(None);
    };
    let keys = keys.to_open([&row], "sealed").await?;
    keys.open(&row, "sealed", &held_for.name()).map(Some)
}
