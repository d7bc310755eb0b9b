//! Subscriptions: what is asked, claimed and changed. Invoices are written beside theirs, under its version.

use async_trait::async_trait;
use multirail_app::ports::failure::duplicate;
use multirail_app::ports::subscriptions::{ClaimedSubscription, Page};
use multirail_app::ports::{StoreFailure, SubscriptionChange, SubscriptionStore};
use multirail_domain::ids::{CustomerId, InvoiceId, MerchantId, ProfileId, SubscriptionId};
use multirail_domain::subscription::{Invoice, Standing, Subscription};
use multirail_domain::timestamp::Timestamp;

use super::accounts::{all, one, version};
use super::engine::{Read, Row, Write, values};
use super::invoices;
use super::lower::{Lower, Lowering};
use super::record::{self, failure};
use super::sql_store::SqlStore;

const TABLE: &str = "subscriptions";

const ONE: &str = "select version, due_at, record from subscriptions where merchant_id = $1 and subscription_id = $2";

pub(super) const LIST: &str = "select subscription_id as id, version, record from subscriptions \
     where merchant_id = $1 and profile_id = $2 order by created_at desc, subscription_id desc limit $3 offset $4";

const INSERT: &str = "insert into subscriptions (merchant_id, subscription_id, version, profile_id, customer_id, \
     merchant_reference_id, status, due_at, lease_until, fence, record, created_at, modified_at) \
     values ($1, $2, 1, $3, $4, $5, $6, $7, 0, 0, $8, $9, $10) on conflict do nothing";

/// The rest never changes, but by claims.
const UPDATE: &str = "update subscriptions set version = version + 1, status = $3, due_at = $4, record = $5, modified_at = $6 \
     where merchant_id = $1 and subscription_id = $2 and version = $7";

/// Due before all else is what has news. The version moves, so that nobody who doesn't know of them stores another date.
const NUDGE: &str = "update subscriptions set version = version + 1, due_at = 0 \
     where merchant_id = $1 and subscription_id = $2";

/// By the index of those that go on; its condition is written out, so that both engines use it.
pub(super) const HAS_LIVE: &str = "select 1 as live from subscriptions where merchant_id = $1 \
     and status in ('active', 'paused', 'pending', 'trial', 'unpaid') limit 1";

pub(super) const HAS_LIVE_OF_CUSTOMER: &str = "select 1 as live from subscriptions where merchant_id = $1 and customer_id = $2 \
     and status in ('active', 'paused', 'pending', 'trial', 'unpaid') limit 1";

const DELETE: &str =
    "delete from subscriptions where merchant_id = $1 and subscription_id = $2 and version = $3";

pub(super) const DUE: &str = "select merchant_id, subscription_id, fence from subscriptions \
     where due_at is not null and due_at <= $1 and lease_until <= $2 order by due_at, merchant_id, subscription_id limit $3";

const CLAIM: &str = "update subscriptions set lease_until = $4, fence = fence + 1 \
     where merchant_id = $1 and subscription_id = $2 and fence = $3";

const RELEASE: &str = "update subscriptions set lease_until = 0 \
     where merchant_id = $1 and subscription_id = $2 and fence = $3";

const TAKE_OVER: &str =
    "update subscriptions set lease_until = 0 where due_at is not null and lease_until > 0";

#[async_trait]
impl SubscriptionStore for SqlStore {
    async fn subscription(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<Standing>, StoreFailure> {
        // The invoices may be of a later version than the subscription: what is decided on them is a conflict then.
        let read = Read::new(ONE, values![merchant_id.as_str(), subscription_id.as_str()]);
        let Some(subscription) = one(&self.engine, read, with_news).await? else {
            return Ok(None);
        };
        let open = invoices::open(&self.engine, merchant_id, subscription_id).await?;
        Ok(Some(Standing { subscription, open }))
    }

    async fn subscriptions(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        page: Page,
    ) -> Result<Vec<Subscription>, StoreFailure> {
        let parameters = values![
            merchant_id.as_str(),
            profile_id.as_str(),
            page.limit,
            page.offset
        ];
        let read = Read::new(LIST, parameters).long();
        all(&self.engine, TABLE, read, subscription).await
    }

    async fn invoice(
        &self,
        merchant_id: &MerchantId,
        invoice_id: &InvoiceId,
    ) -> Result<Option<Invoice>, StoreFailure> {
        invoices::one_of(&self.engine, merchant_id, invoice_id).await
    }

    async fn last_invoice(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<Invoice>, StoreFailure> {
        let page = Page {
            limit: 1,
            offset: 0,
        };
        let last = self.invoices(merchant_id, subscription_id, page).await?;
        Ok(last.into_iter().next())
    }

    async fn invoices(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
        page: Page,
    ) -> Result<Vec<Invoice>, StoreFailure> {
        invoices::page(&self.engine, merchant_id, subscription_id, page).await
    }

    async fn claim_subscriptions(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
        at_most: i64,
    ) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
        let parameters = values![now.as_micros(), wall.as_micros(), at_most];
        let rows = self.engine.fetch(Read::new(DUE, parameters)).await;
        let rows = rows.map_err(failure)?;
        let due = rows.iter().map(claimed).collect::<Result<Vec<_>, _>>()?;
        if due.is_empty() {
            return Ok(due);
        }
        let claim = |due: &ClaimedSubscription| {
            let mut parameters = key(due);
            parameters.extend(values![lease_until.as_micros()]);
            Write::new(CLAIM, parameters).any_rows()
        };
        let writes = due.iter().map(claim).collect();
        let changed = record::write_any(&self.engine, writes).await?;
        // Of two servers one changes the row.
        let ours = due.into_iter().zip(changed).filter(|(_, rows)| *rows == 1);
        Ok(ours
            .map(|(due, _)| ClaimedSubscription {
                fence: due.fence + 1,
                ..due
            })
            .collect())
    }

    async fn has_live_subscription(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
    ) -> Result<bool, StoreFailure> {
        let read = match customer_id {
            None => Read::new(HAS_LIVE, values![merchant_id.as_str()]),
            Some(customer_id) => {
                let parameters = values![merchant_id.as_str(), customer_id.as_str()];
                Read::new(HAS_LIVE_OF_CUSTOMER, parameters)
            }
        };
        Ok(one(&self.engine, read, |_| Ok(())).await?.is_some())
    }

    async fn release_subscription(
        &self,
        claimed: &ClaimedSubscription,
    ) -> Result<(), StoreFailure> {
        let write = Write::new(RELEASE, key(claimed)).any_rows();
        record::write_any(&self.engine, vec![write]).await.map(drop)
    }
}

impl Lower for SubscriptionChange {
    fn lower(&self, _with: &Lowering<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match self {
            SubscriptionChange::Insert(standing) => {
                writes.push(insert(standing)?);
                for invoice in &standing.open {
                    writes.push(invoices::write(invoice)?);
                }
            }
            SubscriptionChange::Update {
                subscription,
                invoices,
                due_at,
            } => {
                let parameters = values![
                    subscription.merchant_id.as_str(),
                    subscription.subscription_id.as_str(),
                    subscription.status.as_str(),
                    due_at.map(|at| at.as_micros()),
                    record::write(subscription.as_ref())?,
                    subscription.modified_at.as_micros(),
                    subscription.version
                ];
                writes.push(Write::new(UPDATE, parameters).on(TABLE));
                for invoice in invoices {
                    writes.push(invoices::write(invoice)?);
                }
            }
            SubscriptionChange::Delete(subscription) => {
                let parameters = values![
                    subscription.merchant_id.as_str(),
                    subscription.subscription_id.as_str(),
                    subscription.version
                ];
                writes.push(Write::new(DELETE, parameters).on(TABLE));
                writes.push(invoices::delete_all(subscription));
            }
            SubscriptionChange::Nudge {
                merchant_id,
                subscription_id,
            } => {
                let parameters = values![merchant_id.as_str(), subscription_id.as_str()];
                writes.push(Write::new(NUDGE, parameters).any_rows());
            }
        }
        Ok(())
    }
}

fn insert(standing: &Standing) -> Result<Write, StoreFailure> {
    let subscription = &standing.subscription;
    let parameters = values![
        subscription.merchant_id.as_str(),
        subscription.subscription_id.as_str(),
        subscription.profile_id.as_str(),
        subscription.customer_id.as_str(),
        subscription.merchant_reference_id.as_deref(),
        subscription.status.as_str(),
        standing.due().map(|(at, _)| at.as_micros()),
        record::write(subscription)?,
        subscription.created_at.as_micros(),
        subscription.modified_at.as_micros()
    ];
    let insert = Write::new(INSERT, parameters).on(TABLE);
    Ok(insert.or_duplicate(duplicate::SUBSCRIPTION_REFERENCE))
}

/// No server is at any subscription.
pub(super) fn take_over() -> Write {
    Write::new(TAKE_OVER, Vec::new()).any_rows()
}

fn subscription(row: &Row) -> Result<Subscription, StoreFailure> {
    let mut subscription: Subscription = record::read(row, "record")?;
    subscription.version = version(row)?;
    Ok(subscription)
}

fn with_news(row: &Row) -> Result<Subscription, StoreFailure> {
    let mut subscription = subscription(row)?;
    let due_at = row.opt_int("due_at").map_err(failure)?;
    subscription.has_news = due_at == Some(0);
    Ok(subscription)
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

/// `$1` to `$3`.
fn key(claimed: &ClaimedSubscription) -> Vec<super::engine::Value> {
    values![
        claimed.merchant_id.as_str(),
        claimed.subscription_id.as_str(),
        claimed.fence
    ]
}
