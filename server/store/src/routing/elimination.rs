//! Elimination: drops and counts, written within the commits that record outcomes, and read when a payment is routed.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::routing::ports::dynamic_routing::Counted;
use multirail_domain::routing::elimination::{
    Bucket, EliminationConfig, Filled, Full, Outcomes, Standing,
};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::timestamp::Timestamp;

use super::dynamic_routing::share;
use crate::engine::{Engine, Read, Write, values};
use crate::platform::record;
use crate::platform::record::failure;

const BUCKETS: &str = "elimination_buckets";
const COUNTS: &str = "elimination_counts";

/// The most full buckets of a profile that are read: the fullest.
const AT_MOST: i64 = 1000;

/// Adds a drop to a bucket; a full bucket takes no more. `$6` is the present time, `$7` how long a drop takes to leak, `$8`
/// the `empty_at` above which a bucket is full.
const DROP: &str = "insert into elimination_buckets (merchant_id, profile_id, parameters, merchant_connector_id, category, \
     empty_at) values ($1, $2, $3, $4, $5, cast($6 as bigint) + cast($7 as bigint)) \
     on conflict (merchant_id, profile_id, parameters, merchant_connector_id, category) do update set empty_at = \
     case when elimination_buckets.empty_at > $8 then elimination_buckets.empty_at \
     when elimination_buckets.empty_at > $6 then elimination_buckets.empty_at + $7 else cast($6 as bigint) + $7 end";

const COUNT: &str = "insert into elimination_counts (merchant_id, profile_id, parameters, merchant_connector_id, slot_start, \
     share, decided, approved, counts_until) values ($1, $2, $3, $4, $5, $6, 1, $7, $8) \
     on conflict (merchant_id, profile_id, parameters, merchant_connector_id, slot_start, share) do update set \
     decided = elimination_counts.decided + 1, approved = elimination_counts.approved + excluded.approved";

const FULL: &str = "select distinct parameters, merchant_connector_id from (select parameters, merchant_connector_id \
     from elimination_buckets where merchant_id = $1 and profile_id = $2 and empty_at > $3 \
     order by empty_at desc, parameters, merchant_connector_id limit $4) as fullest \
     order by parameters, merchant_connector_id";

const FILLED: &str = "select parameters, merchant_connector_id, category, empty_at from elimination_buckets \
     where merchant_id = $1 and profile_id = $2 and empty_at > $3 \
     order by empty_at desc, parameters, merchant_connector_id, category limit $4";

const OUTCOMES: &str = "select parameters, merchant_connector_id, cast(sum(decided) as bigint) as decided, \
     cast(sum(approved) as bigint) as approved from elimination_counts \
     where merchant_id = $1 and profile_id = $2 and slot_start >= $3 group by parameters, merchant_connector_id \
     order by parameters, merchant_connector_id limit $4";

const PURGE_BUCKETS: &str = "delete from elimination_buckets where (merchant_id, profile_id, parameters, \
     merchant_connector_id, category) in (select merchant_id, profile_id, parameters, merchant_connector_id, category \
     from elimination_buckets where empty_at < $1 order by empty_at limit $2)";

const PURGE_COUNTS: &str = "delete from elimination_counts where (merchant_id, profile_id, parameters, \
     merchant_connector_id, slot_start, share) in (select merchant_id, profile_id, parameters, merchant_connector_id, \
     slot_start, share from elimination_counts where counts_until < $1 order by counts_until limit $2)";

pub(crate) async fn full_buckets(
    engine: &Engine,
    merchant_id: &MerchantId,
    profile_id: &ProfileId,
    config: &EliminationConfig,
    now: Timestamp,
) -> Result<Vec<Full>, StoreFailure> {
    let read = Read::new(
        FULL,
        values![
            merchant_id.as_str(),
            profile_id.as_str(),
            config.full_while_empty_after(now).as_micros(),
            AT_MOST
        ],
    );
    let rows = engine.fetch(read).await.map_err(failure)?;
    let full = rows.iter().map(|row| {
        let account = row.str("merchant_connector_id").map_err(failure)?;
        Ok(Full {
            parameters: row.str("parameters").map_err(failure)?.to_owned(),
            account: record::id(ConnectorAccountId::parse(account))?,
        })
    });
    full.collect()
}

/// Two reads, which need not be of the same moment.
pub(crate) async fn standing(
    engine: &Engine,
    merchant_id: &MerchantId,
    profile_id: &ProfileId,
    config: &EliminationConfig,
    now: Timestamp,
) -> Result<Standing, StoreFailure> {
    let since = |text, moment: Timestamp| {
        Read::new(
            text,
            values![
                merchant_id.as_str(),
                profile_id.as_str(),
                moment.as_micros(),
                AT_MOST
            ],
        )
    };
    let filled = engine.fetch(since(FILLED, now)).await.map_err(failure)?;
    let outcomes = since(OUTCOMES, config.window_start(now));
    let outcomes = engine.fetch(outcomes).await.map_err(failure)?;
    let account = |text| record::id(ConnectorAccountId::parse(text));
    let filled = filled.iter().map(|row| {
        Ok(Filled {
            parameters: row.str("parameters").map_err(failure)?.to_owned(),
            account: account(row.str("merchant_connector_id").map_err(failure)?)?,
            category: row.str("category").map_err(failure)?.to_owned(),
            bucket: Bucket {
                empty_at: Timestamp::from_micros(row.int("empty_at").map_err(failure)?),
            },
        })
    });
    let outcomes = outcomes.iter().map(|row| {
        Ok(Outcomes {
            parameters: row.str("parameters").map_err(failure)?.to_owned(),
            account: account(row.str("merchant_connector_id").map_err(failure)?)?,
            decided: row.int("decided").map_err(failure)?,
            approved: row.int("approved").map_err(failure)?,
        })
    });
    Ok(Standing {
        buckets: filled.collect::<Result<_, StoreFailure>>()?,
        outcomes: outcomes.collect::<Result<_, StoreFailure>>()?,
    })
}

pub(crate) async fn purge(
    engine: &Engine,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    let buckets = record::purge(engine, PURGE_BUCKETS, now, at_most).await?;
    let counts = record::purge(engine, PURGE_COUNTS, now, at_most).await?;
    Ok(buckets + counts)
}

pub(crate) fn count(counted: &Counted<EliminationConfig>, writes: &mut Vec<Write>) {
    let Counted { config, at, .. } = counted;
    if let Some(category) = counted.fault {
        let parameters = values![
            counted.merchant_id.as_str(),
            counted.profile_id.as_str(),
            counted.parameters.as_str(),
            counted.account.as_str(),
            category.as_str(),
            at.as_micros(),
            config.leak_micros(),
            config.full_while_empty_after(*at).as_micros()
        ];
        writes.push(Write::new(DROP, parameters).on(BUCKETS));
    }
    let slot = config.slot_start(*at);
    let parameters = values![
        counted.merchant_id.as_str(),
        counted.profile_id.as_str(),
        counted.parameters.as_str(),
        counted.account.as_str(),
        slot.as_micros(),
        share(&counted.key),
        i64::from(counted.is_approved),
        config.counts_until(slot).as_micros()
    ];
    writes.push(Write::new(COUNT, parameters).on(COUNTS));
}
