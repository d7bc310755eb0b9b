//! Statements on invoices. They are written in the change set of their subscription, after its version was checked.

use multirail_app::platform::ports::StoreFailure;
use multirail_billing_domain::subscription::{Invoice, Subscription};
use multirail_kernel::ids::{InvoiceId, MerchantId, SubscriptionId};
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::rows::{all, one};

use crate::ports::subscriptions::Page;

multirail_store::records! {
    Invoice: "invoices.record",
}

const TABLE: &str = "invoices";

const ONE: &str =
    "select invoice_id as id, record from invoices where merchant_id = $1 and invoice_id = $2";

pub(super) const OPEN: &str = "select invoice_id as id, record from invoices \
     where merchant_id = $1 and subscription_id = $2 and is_open order by number";

pub(super) const LIST: &str = "select invoice_id as id, record from invoices where merchant_id = $1 and subscription_id = $2 \
     order by number desc limit $3 offset $4";

const WRITE: &str = "insert into invoices (merchant_id, invoice_id, subscription_id, number, period_start, status, is_open, \
     amount, currency, record, created_at, modified_at, engine_invoice_id) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
     on conflict (merchant_id, invoice_id) do update set period_start = excluded.period_start, status = excluded.status, \
     is_open = excluded.is_open, amount = excluded.amount, record = excluded.record, modified_at = excluded.modified_at, \
     engine_invoice_id = excluded.engine_invoice_id";

const DELETE: &str = "delete from invoices where merchant_id = $1 and subscription_id = $2";

pub(super) async fn one_of(
    store: &SqlStore,
    merchant_id: &MerchantId,
    invoice_id: &InvoiceId,
) -> Result<Option<Invoice>, StoreFailure> {
    let read = Read::new(ONE, values![merchant_id.as_str(), invoice_id.as_str()]);
    one(store.engine(), read, invoice).await
}

/// Reads the invoices that are neither paid nor voided, the oldest first. An unreadable invoice makes the read fail, so
/// that nothing is decided without it.
pub(super) async fn open(
    store: &SqlStore,
    merchant_id: &MerchantId,
    subscription_id: &SubscriptionId,
) -> Result<Vec<Invoice>, StoreFailure> {
    let read = Read::new(
        OPEN,
        values![merchant_id.as_str(), subscription_id.as_str()],
    );
    let rows = store.engine().fetch(read).await.map_err(record::failure)?;
    rows.iter().map(invoice).collect()
}

/// Reads one page, the newest first.
pub(super) async fn page(
    store: &SqlStore,
    merchant_id: &MerchantId,
    subscription_id: &SubscriptionId,
    page: Page,
) -> Result<Vec<Invoice>, StoreFailure> {
    let parameters = values![
        merchant_id.as_str(),
        subscription_id.as_str(),
        page.limit,
        page.offset
    ];
    let read = Read::new(LIST, parameters).long();
    all(store.engine(), TABLE, read, invoice).await
}

/// Writes the invoice's current state.
pub(super) fn write(invoice: &Invoice) -> Result<Write, StoreFailure> {
    let theirs = invoice.billing_processor_invoice_id.as_deref();
    // An external engine of an earlier version may have billed a period by several invoices.
    let period = invoice.period.filter(|_| theirs.is_none());
    let parameters = values![
        invoice.merchant_id.as_str(),
        invoice.invoice_id.as_str(),
        invoice.subscription_id.as_str(),
        i64::from(invoice.number),
        period.map(|period| period.start.as_micros()),
        invoice.status.as_str(),
        invoice.is_open(),
        invoice.amount,
        invoice.currency.as_str(),
        record::write(invoice)?,
        invoice.created_at.as_micros(),
        invoice.modified_at.as_micros(),
        theirs
    ];
    Ok(Write::new(WRITE, parameters).on(TABLE))
}

/// Deletes all invoices of a subscription.
pub(super) fn delete_all(of: &Subscription) -> Write {
    let parameters = values![of.merchant_id.as_str(), of.subscription_id.as_str()];
    Write::new(DELETE, parameters).on(TABLE).any_rows()
}

/// Reads the invoice from this column of its subscription's row.
pub(super) fn from_column(row: &Row, column: &str) -> Result<Option<Invoice>, StoreFailure> {
    match row.opt_str(column).map_err(record::failure)? {
        None => Ok(None),
        Some(text) => {
            record::readable(TABLE, "the newest of its subscription", record::parse(text))
        }
    }
}

fn invoice(row: &Row) -> Result<Invoice, StoreFailure> {
    record::read(row, "record")
}
