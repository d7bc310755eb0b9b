//! What is remembered of commits.

use multirail_app::ports::StoreFailure;
use multirail_domain::timestamp::Timestamp;

use super::engine::Engine;
use super::record;

/// Ids tell the time of the commit, so that the oldest are the first ones of the table: no index over the time is needed,
/// which every commit would have to write.
const FORGET: &str = "delete from change_sets where change_set_id in (select change_set_id from \
     (select change_set_id, committed_at from change_sets order by change_set_id limit $2) oldest \
     where committed_at < $1)";

pub(super) async fn forget(
    engine: &Engine,
    made_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::forget(engine, FORGET, made_before, at_most).await
}
