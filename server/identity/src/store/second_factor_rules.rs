//! Statements on merchant accounts whose users need a second factor.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record::failure;

const FIND: &str = "select merchant_id from second_factor_rules where merchant_id = $1";

const LACKS: &str = "select merchant_id from second_factor_rules where merchant_id = $1 and not exists \
     (select 1 from user_second_factors f where f.user_id = $2 and f.confirmed_at is not null)";

const REQUIRE: &str = "insert into second_factor_rules (merchant_id, required_since) values ($1, $2) \
     on conflict (merchant_id) do nothing";

const END: &str = "delete from second_factor_rules where merchant_id = $1";

pub(super) async fn is_required(
    store: &SqlStore,
    merchant_id: &MerchantId,
) -> Result<bool, StoreFailure> {
    exists(store, Read::new(FIND, values![merchant_id.as_str()])).await
}

pub(super) async fn lacks(
    store: &SqlStore,
    user_id: &UserId,
    merchant_id: &MerchantId,
) -> Result<bool, StoreFailure> {
    let parameters = values![merchant_id.as_str(), user_id.as_str()];
    exists(store, Read::new(LACKS, parameters)).await
}

pub(super) fn set(merchant_id: &MerchantId, since: Option<Timestamp>) -> Write {
    let write = match since {
        Some(since) => {
            let parameters = values![merchant_id.as_str(), since.as_micros()];
            Write::new(REQUIRE, parameters)
        }
        None => Write::new(END, values![merchant_id.as_str()]),
    };
    write.any_rows()
}

async fn exists(store: &SqlStore, read: Read) -> Result<bool, StoreFailure> {
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    Ok(!rows.is_empty())
}
