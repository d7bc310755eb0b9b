//! Idempotency keys at rest.

use multirail_app::ports::change_set::KeyClaim;
use multirail_app::ports::failure::duplicate;
use multirail_app::ports::store::KeyRecord;
use multirail_app::ports::{Seal, StoreFailure};
use multirail_domain::ids::MerchantId;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;

use super::engine::{Engine, Read, Write, values};
use super::record::{self, failure};

const TABLE: &str = "idempotency_keys";

const CLAIM: &str = "insert into idempotency_keys (merchant_id, operation, idempotency_key, fingerprint, object_id, \
     lease_until, created_at, answer) values ($1, $2, $3, $4, $5, $6, $7, $8) \
     on conflict (merchant_id, operation, idempotency_key) do nothing";

/// The first stored answer stays the answer.
const STORE_ANSWER: &str = "update idempotency_keys set answer = $4 \
     where merchant_id = $1 and operation = $2 and idempotency_key = $3 and answer is null";

const RELEASE: &str = "delete from idempotency_keys where merchant_id = $1 and operation = $2 \
     and idempotency_key = $3 and answer is null and lease_until = $4";

const RECORD: &str = "select fingerprint, object_id, answer, lease_until from idempotency_keys \
     where merchant_id = $1 and operation = $2 and idempotency_key = $3";

const END_LEASES: &str =
    "update idempotency_keys set lease_until = 0 where answer is null and lease_until > 0";

const FORGET: &str = "delete from idempotency_keys where (merchant_id, operation, idempotency_key) in \
     (select merchant_id, operation, idempotency_key from idempotency_keys where created_at < $1 \
     order by created_at limit $2)";

/// A request that is done in one commit brings its answer along.
pub(super) fn claim(
    seal: &dyn Seal,
    claim: &KeyClaim,
    answer: Option<&SecretText>,
) -> Result<Write, StoreFailure> {
    let place = place(&claim.merchant_id, claim.operation, &claim.key);
    let parameters = values![
        claim.merchant_id.as_str(),
        claim.operation,
        claim.key.as_str(),
        record::write(&claim.fingerprint)?,
        claim.object_id.as_str(),
        claim.lease_until.as_micros(),
        claim.created_at.as_micros(),
        answer.map(|answer| seal.seal(&place, answer))
    ];
    Ok(Write::new(CLAIM, parameters)
        .on(TABLE)
        .or_duplicate(duplicate::IDEMPOTENCY_KEY))
}

pub(super) fn release(
    merchant_id: &MerchantId,
    operation: &str,
    key: &str,
    lease_until: Timestamp,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        operation,
        key,
        lease_until.as_micros()
    ];
    Write::new(RELEASE, parameters)
}

pub(super) fn answer(
    seal: &dyn Seal,
    merchant_id: &MerchantId,
    operation: &str,
    key: &str,
    answer: &SecretText,
) -> Write {
    let sealed = seal.seal(&place(merchant_id, operation, key), answer);
    let parameters = values![merchant_id.as_str(), operation, key, sealed];
    Write::new(STORE_ANSWER, parameters)
        .on(TABLE)
        .or_duplicate(duplicate::ANSWER)
}

pub(super) async fn record(
    engine: &Engine,
    seal: &dyn Seal,
    merchant_id: &MerchantId,
    operation: &str,
    key: &str,
) -> Result<Option<KeyRecord>, StoreFailure> {
    let read = Read::new(RECORD, values![merchant_id.as_str(), operation, key]);
    let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(None);
    };
    let answer = row
        .opt_bytes("answer")
        .map_err(failure)?
        .map(|sealed| seal.open(&place(merchant_id, operation, key), &sealed))
        .transpose()
        .map_err(|error| StoreFailure::Broken(error.to_string()))?;
    Ok(Some(KeyRecord {
        fingerprint: record::read(&row, "fingerprint")?,
        object_id: row.text("object_id").map_err(failure)?,
        answer,
        lease_until: Timestamp::from_micros(row.int("lease_until").map_err(failure)?),
    }))
}

/// Nobody is working on any request.
pub(super) fn end_leases() -> Write {
    Write::new(END_LEASES, Vec::new()).any_rows()
}

pub(super) async fn forget(
    engine: &Engine,
    made_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::forget(engine, FORGET, made_before, at_most).await
}

fn place(merchant_id: &MerchantId, operation: &str, key: &str) -> String {
    format!("idempotency_keys:{merchant_id}/{operation}/{key}")
}
