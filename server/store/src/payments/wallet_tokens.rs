//! Wallet tokens that payments have used, by keyed hashes: no token pays twice.

use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Seal, StoreFailure};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use crate::engine::{Engine, Write, values};
use crate::platform::record;

const TABLE: &str = "wallet_tokens";

/// The same payment may claim it again.
const CLAIM: &str = "insert into wallet_tokens (merchant_id, token_hash, payment_id, claimed_at) values ($1, $2, $3, $4) \
     on conflict (merchant_id, token_hash) do update set payment_id = excluded.payment_id \
     where wallet_tokens.payment_id = excluded.payment_id";

const PURGE: &str = "delete from wallet_tokens where (merchant_id, token_hash) in \
     (select merchant_id, token_hash from wallet_tokens where claimed_at < $1 order by claimed_at limit $2)";

pub(crate) fn claim(
    seal: &dyn Seal,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
    identity: &SecretText,
    at: Timestamp,
) -> Write {
    let hash = seal.fingerprint(&format!("wallet_token:{merchant_id}"), identity.expose());
    let parameters = values![
        merchant_id.as_str(),
        hash,
        payment_id.as_str(),
        at.as_micros()
    ];
    let claim = Write::new(CLAIM, parameters).on(TABLE);
    claim.or_duplicate(duplicate::WALLET_TOKEN)
}

pub(crate) async fn purge(
    engine: &Engine,
    claimed_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(engine, PURGE, claimed_before, at_most).await
}
