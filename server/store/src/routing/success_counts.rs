//! Recent approval rates of accounts' authorizations, in blocks of time.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::routing::ports::dynamic_routing::Counted as Counts;
use multirail_domain::routing::success_based::{Counted, SuccessBasedConfig};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::timestamp::Timestamp;

use super::dynamic_routing::share;
use crate::engine::{Engine, Read, Write, values};
use crate::platform::record;
use crate::platform::record::failure;

const TABLE: &str = "success_counts";

/// The most accounts that are read, each with the values of payments: those with most payments.
const AT_MOST: i64 = 1000;

const COUNT: &str = "insert into success_counts (merchant_id, profile_id, parameters, merchant_connector_id, block_start, \
     share, decided, approved, counts_until) values ($1, $2, $3, $4, $5, $6, 1, $7, $8) \
     on conflict (merchant_id, profile_id, parameters, merchant_connector_id, block_start, share) do update set \
     decided = success_counts.decided + 1, approved = success_counts.approved + excluded.approved";

const SINCE: &str = "select parameters, merchant_connector_id, count(distinct block_start) as blocks, \
     cast(sum(decided) as bigint) as decided, cast(sum(approved) as bigint) as approved from success_counts \
     where merchant_id = $1 and profile_id = $2 and block_start >= $3 \
     group by parameters, merchant_connector_id \
     order by sum(decided) desc, parameters, merchant_connector_id limit $4";

const PURGE: &str = "delete from success_counts where (merchant_id, profile_id, parameters, merchant_connector_id, \
     block_start, share) in (select merchant_id, profile_id, parameters, merchant_connector_id, block_start, share \
     from success_counts where counts_until < $1 order by counts_until limit $2)";

pub(crate) async fn since(
    engine: &Engine,
    merchant_id: &MerchantId,
    profile_id: &ProfileId,
    config: &SuccessBasedConfig,
    now: Timestamp,
) -> Result<Vec<Counted>, StoreFailure> {
    let since = config.window_start(now).as_micros();
    let parameters = values![merchant_id.as_str(), profile_id.as_str(), since, AT_MOST];
    let rows = engine.fetch(Read::new(SINCE, parameters)).await;
    let rows = rows.map_err(failure)?;
    let counted = rows.iter().map(|row| {
        let account = row.str("merchant_connector_id").map_err(failure)?;
        Ok(Counted {
            parameters: row.str("parameters").map_err(failure)?.to_owned(),
            account: record::id(ConnectorAccountId::parse(account))?,
            blocks: row.int("blocks").map_err(failure)?,
            decided: row.int("decided").map_err(failure)?,
            approved: row.int("approved").map_err(failure)?,
        })
    });
    counted.collect()
}

pub(crate) async fn purge(
    engine: &Engine,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(engine, PURGE, now, at_most).await
}

pub(crate) fn count(counted: &Counts<SuccessBasedConfig>, writes: &mut Vec<Write>) {
    let block = counted.config.block_start(counted.at);
    let parameters = values![
        counted.merchant_id.as_str(),
        counted.profile_id.as_str(),
        counted.parameters.as_str(),
        counted.account.as_str(),
        block.as_micros(),
        share(&counted.key),
        i64::from(counted.is_approved),
        counted.config.counts_until(block).as_micros()
    ];
    writes.push(Write::new(COUNT, parameters).on(TABLE));
}
