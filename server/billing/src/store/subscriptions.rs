//! Statements on subscriptions: reads, claims and changes. Invoices are written with them, under the subscription's
//! version.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_billing_domain::subscription::{Invoice, Standing, Subscription};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{CustomerId, InvoiceId, MerchantId, SubscriptionId};
use multirail_platform::{Change, Invalidates, SealedFor, Writing};
use multirail_sql::{Dialect, Read, Row, Value, Write, values};
use multirail_store::platform::conditions::Conditions;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::{all, one, version};

use super::invoices;
use super::sql_billing::SqlBilling;
use super::subscription_turns;
use crate::ports::subscriptions::{ClaimTerms, ClaimedSubscription, Page, Turns};
use crate::ports::{SubscriptionChange, SubscriptionSearch, SubscriptionStore};

const TABLE: &str = "subscriptions";

const ONE: &str = "select version, due_at, record from subscriptions where merchant_id = $1 and subscription_id = $2";

/// One statement, so that both are read at the same moment.
pub(super) const WITH_LAST_INVOICE: &str = "select s.version, s.due_at, s.record, i.record as invoice from subscriptions s \
     left join invoices i on i.merchant_id = $1 and i.subscription_id = $2 and i.number = (select max(number) from invoices \
     where merchant_id = $1 and subscription_id = $2) where s.merchant_id = $1 and s.subscription_id = $2";

const INSERT: &str = "insert into subscriptions (merchant_id, subscription_id, version, profile_id, customer_id, \
     merchant_reference_id, status, due_at, is_begun, lease_until, fence, record, created_at, modified_at) \
     values ($1, $2, 1, $3, $4, $5, $6, $7, $8, 0, 0, $9, $10, $11) on conflict do nothing";

/// The other columns never change, except by claims.
const UPDATE: &str = "update subscriptions set version = version + 1, status = $3, due_at = $4, record = $5, modified_at = $6, \
     is_begun = $8 where merchant_id = $1 and subscription_id = $2 and version = $7";

/// A due time of 0 puts changed payments before all other work. The new version makes a decision conflict that doesn't
/// know of them.
const NUDGE: &str = "update subscriptions set version = version + 1, due_at = 0 \
     where merchant_id = $1 and subscription_id = $2";

/// Selects active subscriptions and those that are being confirmed, each by its own index. The conditions repeat those
/// of the indexes, so that both engines use them.
macro_rules! live {
    ($of:literal) => {
        concat!(
            "select 1 as live from subscriptions where merchant_id = $1 ",
            $of,
            " and status in ('active', 'paused', 'pending', 'trial', 'unpaid')"
        )
    };
    (begun $of:literal) => {
        concat!(
            "select 1 as live from subscriptions where merchant_id = $1 ",
            $of,
            " and is_begun and status = 'created'"
        )
    };
}

/// Adds the condition that the merchant has no active subscription.
macro_rules! none_lives {
    ($of:literal) => {
        concat!(
            " and not exists (",
            live!($of),
            ") and not exists (",
            live!(begun $of),
            ")"
        )
    };
}

/// The guard of a commit that deletes a merchant account.
const NONE_LIVES: &str = multirail_store::merchant_deleted_if!(none_lives!(""));

/// The guard of a commit that redacts a customer.
const NONE_LIVES_OF_CUSTOMER: &str =
    multirail_store::customer_redacted_if!(none_lives!("and customer_id = $2"));

multirail_store::records! {
    Subscription: "subscriptions.record",
}

pub(super) const HAS_LIVE: &str = concat!(live!(""), " union all ", live!(begun ""), " limit 1");

pub(super) const HAS_LIVE_OF_CUSTOMER: &str = concat!(
    live!("and customer_id = $2"),
    " union all ",
    live!(begun "and customer_id = $2"),
    " limit 1"
);

/// Checks that the customer and the merchant account exist, and locks them without changing anything. A concurrent
/// deletion waits for this commit and then finds the subscription.
macro_rules! keep_owners {
    ($lock:literal) => {
        concat!(
            "update subscriptions set fence = fence where merchant_id = $1 and subscription_id = $2 and ",
            multirail_store::merchant_is_there!($lock),
            " and ",
            multirail_store::customer_is_active!($lock)
        )
    };
}

const KEEP_OWNERS: &str = keep_owners!("");

const KEEP_OWNERS_LOCKED: &str = keep_owners!(" for share");

const DELETE: &str =
    "delete from subscriptions where merchant_id = $1 and subscription_id = $2 and version = $3";

const RELEASE: &str = "update subscriptions set lease_until = 0 \
     where merchant_id = $1 and subscription_id = $2 and fence = $3";

const TAKE_OVER: &str =
    "update subscriptions set lease_until = 0 where due_at is not null and lease_until > 0";

#[async_trait]
impl SubscriptionStore for SqlBilling {
    async fn subscription(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<Standing>, StoreFailure> {
        // The invoices may be newer than the subscription. A decision on them is then a conflict.
        let read = Read::new(ONE, values![merchant_id.as_str(), subscription_id.as_str()]);
        let Some(subscription) = one(self.sql.engine(), read, with_news).await? else {
            return Ok(None);
        };
        let open = invoices::open(&self.sql, merchant_id, subscription_id).await?;
        Ok(Some(Standing { subscription, open }))
    }

    async fn subscription_with_last_invoice(
        &self,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<Option<(Subscription, Option<Invoice>)>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), subscription_id.as_str()];
        let read = Read::new(WITH_LAST_INVOICE, parameters);
        one(self.sql.engine(), read, |row| {
            Ok((with_news(row)?, invoices::from_column(row, "invoice")?))
        })
        .await
    }

    async fn subscriptions(
        &self,
        merchant_id: &MerchantId,
        search: &SubscriptionSearch,
    ) -> Result<Vec<Subscription>, StoreFailure> {
        let (sql, parameters) = page(merchant_id, search);
        let read = Read::new(sql, parameters).long();
        all(self.sql.engine(), TABLE, read, subscription).await
    }

    async fn invoice(
        &self,
        merchant_id: &MerchantId,
        invoice_id: &InvoiceId,
    ) -> Result<Option<Invoice>, StoreFailure> {
        invoices::one_of(&self.sql, merchant_id, invoice_id).await
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
        invoices::page(&self.sql, merchant_id, subscription_id, page).await
    }

    async fn claim_subscriptions(
        &self,
        terms: ClaimTerms,
        turns: &mut Turns,
    ) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
        subscription_turns::claim(&self.sql, terms, turns).await
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
        Ok(one(self.sql.engine(), read, |_| Ok(())).await?.is_some())
    }

    async fn release_subscription(
        &self,
        claimed: &ClaimedSubscription,
    ) -> Result<(), StoreFailure> {
        let write = Write::new(RELEASE, subscription_turns::key(claimed)).any_rows();
        record::write_any(self.sql.engine(), vec![write])
            .await
            .map(drop)
    }
}

impl Change for SubscriptionChange {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
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
                is_begun,
            } => {
                let parameters = values![
                    subscription.merchant_id.as_str(),
                    subscription.subscription_id.as_str(),
                    subscription.status.as_str(),
                    due_at.map(|at| at.as_micros()),
                    record::write(subscription.as_ref())?,
                    subscription.modified_at.as_micros(),
                    subscription.version,
                    *is_begun
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
            SubscriptionChange::KeepOwners {
                merchant_id,
                subscription_id,
                customer_id,
            } => {
                let parameters = values![
                    merchant_id.as_str(),
                    subscription_id.as_str(),
                    customer_id.as_str()
                ];
                writes.push(Write::new(keep_owners(with.dialect), parameters));
            }
            SubscriptionChange::NoneLives {
                merchant_id,
                customer_id: None,
            } => {
                let parameters = values![merchant_id.as_str()];
                writes.push(Write::new(NONE_LIVES, parameters));
            }
            SubscriptionChange::NoneLives {
                merchant_id,
                customer_id: Some(customer_id),
            } => {
                let parameters = values![merchant_id.as_str(), customer_id.as_str()];
                writes.push(Write::new(NONE_LIVES_OF_CUSTOMER, parameters));
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        let id = match self {
            SubscriptionChange::Insert(standing) => &standing.subscription.subscription_id,
            SubscriptionChange::Update { subscription, .. }
            | SubscriptionChange::Delete(subscription) => &subscription.subscription_id,
            SubscriptionChange::Nudge {
                subscription_id, ..
            }
            | SubscriptionChange::KeepOwners {
                subscription_id, ..
            } => subscription_id,
            SubscriptionChange::NoneLives { .. } => return None,
        };
        Some(Named::new("subscription", id.as_str()))
    }
}

/// Returns the statement of one page of a list.
pub(super) fn page(merchant_id: &MerchantId, search: &SubscriptionSearch) -> (String, Vec<Value>) {
    let SubscriptionSearch {
        profile_id,
        customer_id,
        status,
        page,
    } = search;
    let mut conditions = Conditions::of_merchant("merchant_id", merchant_id);
    let profile_id = profile_id.as_ref().map(|id| id.as_str());
    conditions.compare("profile_id =", profile_id);
    let customer_id = customer_id.as_ref().map(|id| id.as_str());
    conditions.compare("customer_id =", customer_id);
    conditions.compare("status =", status.map(|status| status.as_str()));
    let offset = conditions.parameter(page.offset);
    // The limit is written into the text: PostgreSQL takes an unknown limit for a tenth of all rows.
    let sql = format!(
        "select subscription_id as id, version, record from subscriptions where {} \
         order by created_at desc, subscription_id desc limit {} offset {offset}",
        conditions.text, page.limit
    );
    (sql, conditions.parameters)
}

/// SQLite runs one commit at a time and needs no locks.
fn keep_owners(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => KEEP_OWNERS,
        Dialect::Postgres => KEEP_OWNERS_LOCKED,
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
        standing.is_begun(),
        record::write(subscription)?,
        subscription.created_at.as_micros(),
        subscription.modified_at.as_micros()
    ];
    let insert = Write::new(INSERT, parameters).on(TABLE);
    Ok(insert.or_duplicate(duplicate::SUBSCRIPTION_REFERENCE))
}

/// Releases the subscriptions that an earlier run had claimed.
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
