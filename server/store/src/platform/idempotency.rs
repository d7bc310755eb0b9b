//! Stored idempotency keys.

use async_trait::async_trait;
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::idempotency::{Answer, KeyClaim, KeyRecord, StoredAnswer};
use multirail_app::platform::ports::{
    ChangeSet, IdempotencyChange, IdempotencyStore, StoreFailure,
};
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{PayerKey, Sealing};

use super::lower::{Lower, Lowering};
use super::record;
use super::record::failure;
use super::sql_store::SqlStore;
use crate::engine::{Read, Write, values};

super::record::records! {
    Fingerprint: "idempotency_keys.fingerprint",
}

const TABLE: &str = "idempotency_keys";

const CLAIM: &str = "insert into idempotency_keys (merchant_id, operation, idempotency_key, fingerprint, object_id, \
     lease_until, created_at, answer, customer_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
     on conflict (merchant_id, operation, idempotency_key) do nothing";

/// The first stored answer stays.
const STORE_ANSWER: &str = "update idempotency_keys set answer = $4, customer_id = $5 \
     where merchant_id = $1 and operation = $2 and idempotency_key = $3 and answer is null";

const TAKE_OVER: &str = "update idempotency_keys set lease_until = $4 \
     where merchant_id = $1 and operation = $2 and idempotency_key = $3 and answer is null and lease_until = $5";

const RENEW: &str = "update idempotency_keys set lease_until = $4 \
     where merchant_id = $1 and operation = $2 and idempotency_key = $3 and answer is null and lease_until < $4";

const ABANDON: &str = "delete from idempotency_keys where merchant_id = $1 and operation = $2 \
     and idempotency_key = $3 and answer is null";

const RECORD: &str = "select fingerprint, object_id, answer, lease_until from idempotency_keys \
     where merchant_id = $1 and operation = $2 and idempotency_key = $3";

const END_LEASES: &str =
    "update idempotency_keys set lease_until = 0 where answer is null and lease_until > 0";

const PURGE: &str = "delete from idempotency_keys where (merchant_id, operation, idempotency_key) in \
     (select merchant_id, operation, idempotency_key from idempotency_keys where created_at < $1 \
     order by created_at limit $2)";

#[async_trait]
impl IdempotencyStore for SqlStore {
    async fn idempotency_record(
        &self,
        merchant_id: &MerchantId,
        operation: &str,
        key: &str,
    ) -> Result<Option<KeyRecord>, StoreFailure> {
        let read = Read::new(RECORD, values![merchant_id.as_str(), operation, key]);
        let found = self.engine.fetch_optional(read).await.map_err(failure)?;
        let Some(row) = found else {
            return Ok(None);
        };
        let place = place(merchant_id, operation, key);
        let keys = self.keys.to_open([&row], "answer").await?;
        let answer = row.opt_bytes("answer").map_err(failure)?;
        let answer = match answer.map(|sealed| keys.open_bytes(&place, &sealed)) {
            None => StoredAnswer::NotYet,
            // An empty text stands for an answer whose customer was redacted before it was stored.
            Some(Ok(text)) if text.is_empty() => StoredAnswer::Redacted,
            Some(Ok(text)) => StoredAnswer::Given(text),
            Some(Err(StoreFailure::Destroyed(_))) => StoredAnswer::Redacted,
            Some(Err(failure)) => return Err(failure),
        };
        Ok(Some(KeyRecord {
            fingerprint: record::read(&row, "fingerprint")?,
            object_id: row.text("object_id").map_err(failure)?,
            answer,
            lease_until: Timestamp::from_micros(row.int("lease_until").map_err(failure)?),
        }))
    }

    async fn purge_old_keys(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        record::purge(&self.engine, PURGE, made_before, at_most).await
    }
}

impl Lower for IdempotencyChange {
    fn lower(&self, with: &Lowering<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match self {
            IdempotencyChange::Claim(one) => {
                let answer = answer_to(with.change_set, one);
                writes.push(claim(with.keys, one, answer)?);
            }
            // The answer was stored with its claim.
            IdempotencyChange::StoreAnswer { .. } if claims_key(with.change_set) => {}
            IdempotencyChange::StoreAnswer {
                merchant_id,
                operation,
                key,
                answer: text,
            } => writes.push(answer(with.keys, merchant_id, operation, key, text)),
            IdempotencyChange::TakeOver { claim, left_at } => {
                writes.push(take_over(claim, *left_at));
            }
            IdempotencyChange::Renew {
                merchant_id,
                operation,
                key,
                lease_until,
            } => {
                let until = lease_until.as_micros();
                let parameters = values![merchant_id.as_str(), *operation, key.as_str(), until];
                writes.push(Write::new(RENEW, parameters).on(TABLE).any_rows());
            }
            IdempotencyChange::Abandon {
                merchant_id,
                operation,
                key,
            } => {
                let parameters = values![merchant_id.as_str(), *operation, key.as_str()];
                writes.push(Write::new(ABANDON, parameters).on(TABLE).any_rows());
            }
        }
        Ok(())
    }
}

/// Returns whether a change-set claims a key. A request has one key, so that change-set stores its answer too or nothing.
fn claims_key(change_set: &ChangeSet) -> bool {
    let mut changes = change_set.idempotency.iter();
    changes.any(|change| matches!(change, IdempotencyChange::Claim(_)))
}

/// Returns the answer that is stored in the same commit as the claim, for a request of one commit.
fn answer_to<'a>(change_set: &'a ChangeSet, claim: &KeyClaim) -> Option<&'a Answer> {
    let mut changes = change_set.idempotency.iter();
    changes.find_map(|change| match change {
        IdempotencyChange::StoreAnswer { key, answer, .. } if *key == claim.key => Some(answer),
        IdempotencyChange::StoreAnswer { .. }
        | IdempotencyChange::Claim(_)
        | IdempotencyChange::TakeOver { .. }
        | IdempotencyChange::Renew { .. }
        | IdempotencyChange::Abandon { .. } => None,
    })
}

/// Claims a key; a request of one commit stores its answer too.
fn claim(
    keys: &dyn Sealing,
    claim: &KeyClaim,
    answer: Option<&Answer>,
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
        answer.map(|answer| seal(keys, &claim.merchant_id, &place, answer)),
        answer.and_then(customer_of)
    ];
    Ok(Write::new(CLAIM, parameters)
        .on(TABLE)
        .or_duplicate(duplicate::IDEMPOTENCY_KEY))
}

fn take_over(claim: &KeyClaim, left_at: Timestamp) -> Write {
    let parameters = values![
        claim.merchant_id.as_str(),
        claim.operation,
        claim.key.as_str(),
        claim.lease_until.as_micros(),
        left_at.as_micros()
    ];
    Write::new(TAKE_OVER, parameters)
        .on(TABLE)
        .or_duplicate(duplicate::IDEMPOTENCY_KEY)
}

fn answer(
    keys: &dyn Sealing,
    merchant_id: &MerchantId,
    operation: &str,
    key: &str,
    answer: &Answer,
) -> Write {
    let place = place(merchant_id, operation, key);
    let sealed = seal(keys, merchant_id, &place, answer);
    let parameters = values![
        merchant_id.as_str(),
        operation,
        key,
        sealed,
        customer_of(answer)
    ];
    Write::new(STORE_ANSWER, parameters)
        .on(TABLE)
        .or_duplicate(duplicate::ANSWER)
}

/// Seals an answer with the key of the customer that it is about. If that customer was redacted meanwhile, only the fact
/// that there was an answer is stored.
fn seal(keys: &dyn Sealing, merchant_id: &MerchantId, place: &str, answer: &Answer) -> Vec<u8> {
    match keys.of_payer(merchant_id, answer.customer_id.as_ref()) {
        PayerKey::Key(key) => key.seal(place, &answer.text),
        PayerKey::Destroyed => keys.seal(merchant_id, place, &SecretText::default()),
        PayerKey::None => keys.seal(merchant_id, place, &answer.text),
    }
}

fn customer_of(answer: &Answer) -> Option<&str> {
    answer.customer_id.as_ref().map(|id| id.as_str())
}

/// Ends all leases, if no other server can use the database: after a start no request is being worked on.
pub(crate) fn end_leases() -> Write {
    Write::new(END_LEASES, Vec::new()).any_rows()
}

fn place(merchant_id: &MerchantId, operation: &str, key: &str) -> String {
    format!("idempotency_keys:{merchant_id}/{operation}/{key}")
}
