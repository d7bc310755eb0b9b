//! The processors' references of customers, and the objects that processors still have to delete.

use async_trait::async_trait;
use multirail_app::customers::ports::connector_customers::{
    ClaimedDeletion, ConnectorCustomerStore,
};
use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, MandateId, MerchantId, PaymentMethodId,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{AccountMandate, KeptAtProcessor};

use crate::accounts::merchants::deleted_merchants;
use crate::engine::{Read, Row, Value, Write, values};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::rows::one;
use crate::platform::sql_store::SqlStore;

/// The first reference stays: another request may have been faster.
const KEEP: &str = "insert into connector_customers (merchant_id, customer_id, merchant_connector_id, connector_customer_id, \
     created_at) select c.merchant_id, c.customer_id, $3, $4, $5 from customers c \
     where c.merchant_id = $1 and c.customer_id = $2 on conflict (merchant_id, customer_id, merchant_connector_id) do nothing";

const FORGET: &str = "delete from connector_customers where merchant_id = $1 and customer_id = $2 \
     and merchant_connector_id = $3 and connector_customer_id = $4";

const ONE: &str = "select connector_customer_id from connector_customers \
     where merchant_id = $1 and customer_id = $2 and merchant_connector_id = $3";

// Inserts deletions, once each. The argument selects them.
macro_rules! file {
    ($($rows:tt)+) => {
        concat!(
            "insert into connector_deletions (merchant_id, merchant_connector_id, reference, kind, connector_customer_id, \
             requested_at, due_at, tries, lease_until, fence) ",
            $($rows)+,
            " on conflict (merchant_id, merchant_connector_id, reference) do nothing"
        )
    };
}

macro_rules! no_other_mandate {
    () => {
        "not exists (select 1 from mandates d where d.merchant_id = $1 and d.payment_method_id = $2 \
         and d.mandate_id <> $3 and d.status = 'active')"
    };
}

/// Takes merchant, method and time.
const FILE_METHOD: &str = file!(
    "select k.merchant_id, k.merchant_connector_id, k.connector_mandate_id, 'method', k.connector_customer_id, $3, $3, 0, 0, 0 \
     from connector_mandates k where k.merchant_id = $1 and k.payment_method_id = $2"
);

// The condition under which a method `m` may have the instrument of a payment. The payer consented to it at $7.
macro_rules! consent_counts {
    () => {
        "(m.consent_ended_at is null or $7 > m.consent_ended_at)"
    };
}

pub(super) use consent_counts;

/// Takes merchant, method, account, the replacement, time, the due date, and the time of the consent. Payments that named
/// the replaced instrument may charge it until that date. A replacement that isn't kept replaces nothing.
const FILE_REPLACED: &str = file!(
    "select k.merchant_id, k.merchant_connector_id, k.connector_mandate_id, 'method', k.connector_customer_id, $5, $6, 0, 0, 0 \
     from connector_mandates k where k.merchant_id = $1 and k.payment_method_id = $2 and k.merchant_connector_id = $3 \
     and k.connector_mandate_id <> $4 and (k.consented_at is null or k.consented_at <= $7) and exists (select 1 from payment_methods m \
     where m.merchant_id = $1 and m.payment_method_id = $2 and ",
    consent_counts!(),
    ")"
);

/// Takes merchant, customer and time.
const FILE_METHODS_OF_CUSTOMER: &str = file!(
    "select k.merchant_id, k.merchant_connector_id, k.connector_mandate_id, 'method', k.connector_customer_id, $3, $3, 0, 0, 0 \
     from connector_mandates k where k.merchant_id = $1 and k.payment_method_id in \
     (select m.payment_method_id from payment_methods m where m.merchant_id = $1 and m.customer_id = $2)"
);

/// Takes merchant, customer and time.
const FILE_CUSTOMER: &str = file!(
    "select k.merchant_id, k.merchant_connector_id, k.connector_customer_id, 'customer', null, $3, $3, 0, 0, 0 \
     from connector_customers k where k.merchant_id = $1 and k.customer_id = $2"
);

const DELETE_CUSTOMER: &str =
    "delete from connector_customers where merchant_id = $1 and customer_id = $2";

/// Takes merchant, method, mandate and time.
const FILE_MANDATE: &str = file!(
    "select k.merchant_id, k.merchant_connector_id, k.connector_mandate_id, 'method', k.connector_customer_id, $4, $4, 0, 0, 0 \
     from connector_mandates k where k.merchant_id = $1 and k.payment_method_id = $2 and ",
    no_other_mandate!()
);

const DELETE_KEPT_OF_MANDATE: &str = concat!(
    "delete from connector_mandates where merchant_id = $1 and payment_method_id = $2 and ",
    no_other_mandate!()
);

/// Takes merchant, method, account, instrument, the processor's customer and time. Nobody may charge an instrument that the
/// method didn't get: its payer has revoked their consent since, or has consented to a newer one.
const FILE_UNWANTED: &str = file!(
    "select m.merchant_id, $3, $4, 'method', $5, $6, $6, 0, 0, 0 from payment_methods m \
     where m.merchant_id = $1 and m.payment_method_id = $2 \
     and not exists (select 1 from connector_mandates k where k.merchant_id = $1 and k.payment_method_id = $2 \
     and k.merchant_connector_id = $3 and k.connector_mandate_id = $4)"
);

/// Cancels the deletion of an instrument that is stored again.
const TAKE_BACK: &str = "delete from connector_deletions \
     where merchant_id = $1 and merchant_connector_id = $2 and reference = $3 \
     and exists (select 1 from connector_mandates k where k.merchant_id = $1 and k.payment_method_id = $4 \
     and k.merchant_connector_id = $2 and k.connector_mandate_id = $3)";

const DUE: &str = "select merchant_id, merchant_connector_id, reference, kind, connector_customer_id, tries, fence \
     from connector_deletions where due_at <= $1 and lease_until <= $2 order by due_at limit 1";

const CLAIM: &str = "update connector_deletions set lease_until = $5, fence = fence + 1 \
     where merchant_id = $1 and merchant_connector_id = $2 and reference = $3 and fence = $4";

const PUT_OFF: &str = "update connector_deletions set due_at = $5, tries = tries + 1, lease_until = 0 \
     where merchant_id = $1 and merchant_connector_id = $2 and reference = $3 and fence = $4";

const END: &str = "delete from connector_deletions \
     where merchant_id = $1 and merchant_connector_id = $2 and reference = $3 and fence = $4";

const TAKE_OVER: &str = "update connector_deletions set lease_until = 0 where lease_until > 0";

pub(crate) const PURGE_CUSTOMERS: &str = concat!(
    "delete from connector_customers where \
     (merchant_id, customer_id, merchant_connector_id) in \
     (select k.merchant_id, k.customer_id, k.merchant_connector_id from connector_customers k where k.merchant_id in ",
    deleted_merchants!(),
    " limit $1)"
);

pub(crate) const PURGE_DELETIONS: &str = concat!(
    "delete from connector_deletions where \
     (merchant_id, merchant_connector_id, reference) in \
     (select k.merchant_id, k.merchant_connector_id, k.reference from connector_deletions k where k.merchant_id in ",
    deleted_merchants!(),
    " limit $1)"
);

/// Schedules the deletion of a method at its processors. This statement comes before those that delete the method's own
/// rows.
pub(crate) fn file_method(
    merchant_id: &MerchantId,
    payment_method_id: &PaymentMethodId,
    at: Timestamp,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        payment_method_id.as_str(),
        at.as_micros()
    ];
    Write::new(FILE_METHOD, parameters).any_rows()
}

/// Schedules the deletion of a customer at their processors, and deletes the processors' references.
pub(crate) fn file_customer(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    at: Timestamp,
) -> [Write; 3] {
    let key = || values![merchant_id.as_str(), customer_id.as_str()];
    let file = |sql| {
        let mut parameters = key();
        parameters.push(Value::from(at.as_micros()));
        Write::new(sql, parameters).any_rows()
    };
    [
        file(FILE_METHODS_OF_CUSTOMER),
        file(FILE_CUSTOMER),
        Write::new(DELETE_CUSTOMER, key()).any_rows(),
    ]
}

/// Schedules the deletion of a method whose mandate is revoked, unless another active mandate charges it.
pub(crate) fn file_mandate(
    merchant_id: &MerchantId,
    payment_method_id: &PaymentMethodId,
    mandate_id: &MandateId,
    at: Timestamp,
) -> [Write; 2] {
    let key = || {
        values![
            merchant_id.as_str(),
            payment_method_id.as_str(),
            mandate_id.as_str()
        ]
    };
    let mut filed = key();
    filed.push(Value::from(at.as_micros()));
    [
        Write::new(FILE_MANDATE, filed).any_rows(),
        Write::new(DELETE_KEPT_OF_MANDATE, key()).any_rows(),
    ]
}

/// Seconds for which a replaced instrument may still be charged, where a payment named it before.
const REPLACED_STANDS_SECONDS: i64 = 7 * 86_400;

/// Schedules the deletion of a replaced instrument.
pub(crate) fn file_replaced(
    merchant_id: &MerchantId,
    payment_method_id: &PaymentMethodId,
    kept: &AccountMandate,
    consented_at: Timestamp,
    at: Timestamp,
) -> Write {
    let due_at = at.plus_seconds(REPLACED_STANDS_SECONDS).unwrap_or(at);
    let parameters = values![
        merchant_id.as_str(),
        payment_method_id.as_str(),
        kept.merchant_connector_id.as_str(),
        kept.mandate.connector_mandate_id.as_str(),
        at.as_micros(),
        due_at.as_micros(),
        consented_at.as_micros()
    ];
    Write::new(FILE_REPLACED, parameters).any_rows()
}

/// Schedules the deletion of an instrument that the method didn't get.
pub(crate) fn file_unwanted(
    merchant_id: &MerchantId,
    payment_method_id: &PaymentMethodId,
    kept: &AccountMandate,
    at: Timestamp,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        payment_method_id.as_str(),
        kept.merchant_connector_id.as_str(),
        kept.mandate.connector_mandate_id.as_str(),
        kept.mandate.connector_customer_id.as_deref(),
        at.as_micros()
    ];
    Write::new(FILE_UNWANTED, parameters).any_rows()
}

/// Cancels the scheduled deletion of an instrument that the method has.
pub(crate) fn take_back(
    merchant_id: &MerchantId,
    payment_method_id: &PaymentMethodId,
    kept: &AccountMandate,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        kept.merchant_connector_id.as_str(),
        kept.mandate.connector_mandate_id.as_str(),
        payment_method_id.as_str()
    ];
    Write::new(TAKE_BACK, parameters).any_rows()
}

/// Ends all leases of deletions.
pub(crate) fn take_over() -> Write {
    Write::new(TAKE_OVER, Vec::new()).any_rows()
}

/// Stores the reference by which the processor of an account knows a customer.
pub(crate) fn keep(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    account: &ConnectorAccountId,
    connector_customer_id: &str,
    at: Timestamp,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        customer_id.as_str(),
        account.as_str(),
        connector_customer_id,
        at.as_micros()
    ];
    Write::new(KEEP, parameters).any_rows()
}

/// Deletes the reference by which the processor of an account knew a customer.
pub(crate) fn forget(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    account: &ConnectorAccountId,
    connector_customer_id: &str,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        customer_id.as_str(),
        account.as_str(),
        connector_customer_id
    ];
    Write::new(FORGET, parameters).any_rows()
}

#[async_trait]
impl ConnectorCustomerStore for SqlStore {
    async fn connector_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<String>, StoreFailure> {
        let parameters = values![
            merchant_id.as_str(),
            customer_id.as_str(),
            merchant_connector_id.as_str()
        ];
        one(&self.engine, Read::new(ONE, parameters), |row| {
            row.text("connector_customer_id").map_err(failure)
        })
        .await
    }

    async fn claim_connector_deletion(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedDeletion>, StoreFailure> {
        let due = Read::new(DUE, values![now.as_micros(), wall.as_micros()]);
        let Some(mut due) = one(&self.engine, due, claimed).await? else {
            return Ok(None);
        };
        let mut parameters = key(&due);
        parameters.push(Value::from(lease_until.as_micros()));
        let is_claimed = self.changes_one(CLAIM, parameters).await?;
        due.fence += 1;
        Ok(is_claimed.then_some(due))
    }

    async fn put_off_connector_deletion(
        &self,
        deletion: &ClaimedDeletion,
        due_at: Timestamp,
    ) -> Result<(), StoreFailure> {
        let mut parameters = key(deletion);
        parameters.push(Value::from(due_at.as_micros()));
        self.changes_one(PUT_OFF, parameters).await.map(drop)
    }

    async fn end_connector_deletion(&self, deletion: &ClaimedDeletion) -> Result<(), StoreFailure> {
        self.changes_one(END, key(deletion)).await.map(drop)
    }
}

fn claimed(row: &Row) -> Result<ClaimedDeletion, StoreFailure> {
    let text = |column: &str| row.text(column).map_err(failure);
    let reference = text("reference")?;
    let kept = match text("kind")?.as_str() {
        "customer" => KeptAtProcessor::Customer { id: reference },
        "method" => KeptAtProcessor::Method {
            id: reference,
            customer_id: row.opt_text("connector_customer_id").map_err(failure)?,
        },
        kind => {
            let why = format!("a deletion of the kind {kind}, which this version doesn't know");
            return Err(StoreFailure::Broken(why));
        }
    };
    let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let account = ConnectorAccountId::parse(row.str("merchant_connector_id").map_err(failure)?);
    Ok(ClaimedDeletion {
        merchant_id: record::id(merchant_id)?,
        merchant_connector_id: record::id(account)?,
        kept,
        tries: row.int("tries").map_err(failure)?,
        fence: row.int("fence").map_err(failure)?,
    })
}

/// Returns the parameters `$1` to `$4`.
fn key(deletion: &ClaimedDeletion) -> Vec<Value> {
    values![
        deletion.merchant_id.as_str(),
        deletion.merchant_connector_id.as_str(),
        deletion.kept.id(),
        deletion.fence
    ]
}
