//! Decides which due subscriptions are claimed first. If all fit, the longest due come first. Otherwise merchants take
//! turns, so that one with much due work delays nobody. Within a merchant, planned work takes turns with changed
//! payments.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, SubscriptionId};
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;

use crate::ports::subscriptions::{ClaimTerms, ClaimedSubscription, Turns};

/// The number of merchants that one claim visits, with or without due work. The next claim continues after them.
const HOPS: i64 = 64;

pub(super) const DUE: &str = "select merchant_id, subscription_id, fence from subscriptions \
     where due_at is not null and due_at <= $1 and lease_until <= $2 order by due_at, merchant_id, subscription_id limit $3";

/// Selects the merchants after `$1`, each with the due time of its first subscription. An index leads from one merchant
/// to the next, past all subscriptions in between.
pub(super) const MERCHANTS: &str = "with recursive turns(merchant_id, hop) as ( \
     select min(s.merchant_id), 1 from subscriptions s where s.due_at is not null and s.merchant_id > $1 \
     union all select (select min(s.merchant_id) from subscriptions s where s.due_at is not null \
     and s.merchant_id > t.merchant_id), t.hop + 1 from turns t where t.merchant_id is not null and t.hop < $2) \
     select t.merchant_id as merchant_id, (select min(s.due_at) from subscriptions s where s.due_at is not null \
     and s.merchant_id = t.merchant_id) as due_at from turns t where t.merchant_id is not null order by t.hop";

/// Selects the planned work of one merchant.
pub(super) const PLANNED: &str = "select merchant_id, subscription_id, fence from subscriptions where merchant_id = $3 \
     and due_at is not null and due_at > 0 and due_at <= $1 and lease_until <= $2 order by due_at, subscription_id limit 1";

/// Selects the subscriptions of one merchant with changed payments.
pub(super) const NEWS: &str = "select merchant_id, subscription_id, fence from subscriptions where merchant_id = $3 \
     and due_at is not null and due_at = 0 and due_at <= $1 and lease_until <= $2 order by subscription_id limit 1";

const CLAIM: &str = "update subscriptions set lease_until = $4, fence = fence + 1 \
     where merchant_id = $1 and subscription_id = $2 and fence = $3";

pub(super) async fn claim(
    store: &SqlStore,
    terms: ClaimTerms,
    turns: &mut Turns,
) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
    let one_more = terms.at_most.saturating_add(1);
    let parameters = values![terms.now.as_micros(), terms.wall.as_micros(), one_more];
    let mut due = fetch(store, Read::new(DUE, parameters)).await?;
    if i64::try_from(due.len()).unwrap_or(i64::MAX) > terms.at_most {
        let mut first = by_turns(store, terms, turns).await?;
        due.retain(|one| !first.contains(one));
        first.extend(due);
        first.truncate(usize::try_from(terms.at_most).unwrap_or(usize::MAX));
        due = first;
    }
    if due.is_empty() {
        return Ok(due);
    }
    let claim = |due: &ClaimedSubscription| {
        let mut parameters = key(due);
        parameters.extend(values![terms.lease_until.as_micros()]);
        Write::new(CLAIM, parameters).any_rows()
    };
    let writes = due.iter().map(claim).collect();
    let changed = record::write_any(store.engine(), writes).await?;
    // If two servers claim the same row, only one of them changes it.
    let ours = due.into_iter().zip(changed).filter(|(_, rows)| *rows == 1);
    Ok(ours
        .map(|(due, _)| ClaimedSubscription {
            fence: due.fence + 1,
            ..due
        })
        .collect())
}

/// Claims one subscription of each merchant by turns, as many as fit.
async fn by_turns(
    store: &SqlStore,
    terms: ClaimTerms,
    turns: &mut Turns,
) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
    let room = usize::try_from(terms.at_most).unwrap_or(usize::MAX);
    turns.is_for_news = !turns.is_for_news;
    let mut ours: Vec<ClaimedSubscription> = Vec::new();
    // The first merchant follows the last one.
    for _ in 0..2 {
        let after = turns.after.as_ref().map_or("", MerchantId::as_str);
        let merchants = Read::new(MERCHANTS, values![after, HOPS]);
        let merchants = store.engine().fetch(merchants).await.map_err(failure)?;
        let is_last = i64::try_from(merchants.len()).unwrap_or(i64::MAX) < HOPS;
        for row in &merchants {
            if ours.len() == room {
                return Ok(ours);
            }
            let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
            let merchant_id = record::id(merchant_id)?;
            if row.int("due_at").map_err(failure)? <= terms.now.as_micros() {
                let first = first_of(store, terms, turns, &merchant_id).await?;
                ours.extend(first.filter(|one| !ours.contains(one)));
            }
            turns.after = Some(merchant_id);
        }
        if !is_last {
            return Ok(ours);
        }
        turns.after = None;
    }
    Ok(ours)
}

/// Returns the first due subscription of one merchant.
async fn first_of(
    store: &SqlStore,
    terms: ClaimTerms,
    turns: &Turns,
    merchant_id: &MerchantId,
) -> Result<Option<ClaimedSubscription>, StoreFailure> {
    let in_order = if turns.is_for_news {
        [NEWS, PLANNED]
    } else {
        [PLANNED, NEWS]
    };
    for sql in in_order {
        let (now, wall) = (terms.now.as_micros(), terms.wall.as_micros());
        let read = Read::new(sql, values![now, wall, merchant_id.as_str()]);
        let found = fetch(store, read).await?;
        if let Some(found) = found.into_iter().next() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

async fn fetch(store: &SqlStore, read: Read) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    rows.iter().map(claimed).collect()
}

fn claimed(row: &Row) -> Result<ClaimedSubscription, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let subscription_id = SubscriptionId::parse(row.str("subscription_id").map_err(failure)?);
    Ok(ClaimedSubscription {
        merchant_id: record::id(merchant_id)?,
        subscription_id: record::id(subscription_id)?,
        fence: row.int("fence").map_err(failure)?,
    })
}

/// Binds `$1` to `$3`.
pub(super) fn key(claimed: &ClaimedSubscription) -> Vec<multirail_sql::Value> {
    values![
        claimed.merchant_id.as_str(),
        claimed.subscription_id.as_str(),
        claimed.fence
    ]
}
