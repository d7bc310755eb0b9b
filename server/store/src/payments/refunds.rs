//! Reads and writes of refunds.
//!
//! The payment's row has totals over its refunds. One change-set holds a refund's change that moves the totals and the
//! payment's change, under the versions of both, so that no two refunds take the same money. `refund_sums` holds the total of a
//! payment's refunds, so that the database refuses more than was captured.

use async_trait::async_trait;
use multirail_app::operations::ports::open_operations::OpenObject;
use multirail_app::payments::ports::refunds::REFUND;
use multirail_app::payments::ports::refunds::RefundSums;
use multirail_app::payments::ports::{RefundChange, RefundSearch, RefundStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::payments::refund::Refund;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{MerchantId, PaymentId, RefundId};
use multirail_kernel::secret::SecretText;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use crate::engine::{Read, Row, Write, values};
use crate::operations::operation_rows;
use crate::operations::operation_rows::Asked;
use crate::platform::conditions::Conditions;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::sql_store::SqlStore;

crate::platform::record::records! {
    Refund: "refunds.record",
}

const TABLE: &str = "refunds";
const SUMS: &str = "refund_sums";
const CREDENTIALS: &str = "held_refund_credentials";

const ONE: &str = "select version, record from refunds where merchant_id = $1 and refund_id = $2";

const OF_PAYMENT: &str = "select refund_id, version, record from refunds where merchant_id = $1 and payment_id = $2 \
     order by created_at, refund_id";

const INSERT: &str = "insert into refunds (merchant_id, refund_id, version, payment_id, profile_id, status, amount, \
     currency, connector, merchant_connector_id, processor_key, record, created_at, modified_at) \
     values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (merchant_id, refund_id) do nothing";

/// The other columns never change.
const UPDATE: &str = "update refunds set version = version + 1, status = $3, record = $4, modified_at = $5 \
     where merchant_id = $1 and refund_id = $2 and version = $6";

const SUM_UP: &str = "insert into refund_sums (merchant_id, payment_id, refunded_amount, refundable_limit) \
     values ($1, $2, $3, $4) on conflict (merchant_id, payment_id) do update set \
     refunded_amount = excluded.refunded_amount, refundable_limit = excluded.refundable_limit";

const HOLD: &str =
    "insert into held_refund_credentials (merchant_id, refund_id, sealed) values ($1, $2, $3)";

const DELETE: &str =
    "delete from held_refund_credentials where merchant_id = $1 and refund_id = $2";

const HELD: &str =
    "select sealed from held_refund_credentials where merchant_id = $1 and refund_id = $2";

#[async_trait]
impl RefundStore for SqlStore {
    async fn refund(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<Refund>, StoreFailure> {
        let read = Read::new(ONE, values![merchant_id.as_str(), refund_id.as_str()]);
        let row = self.engine.fetch_optional(read).await.map_err(failure)?;
        row.as_ref().map(refund).transpose()
    }

    async fn refunds_of(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Vec<Refund>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), payment_id.as_str()];
        let read = Read::new(OF_PAYMENT, parameters);
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        listed(merchant_id, &rows)
    }

    async fn search_refunds(
        &self,
        merchant_id: &MerchantId,
        search: &RefundSearch,
    ) -> Result<Vec<Refund>, StoreFailure> {
        let mut conditions = conditions(merchant_id, search);
        let offset = conditions.parameter(search.offset);
        // The limit is written into the text: PostgreSQL takes an unknown limit for a tenth of all rows.
        let sql = format!(
            "select r.refund_id as refund_id, r.version as version, r.record as record from refunds r where {} \
             order by r.modified_at desc, r.refund_id desc limit {} offset {offset}",
            conditions.text, search.limit
        );
        let read = Read::new(sql, conditions.parameters).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        listed(merchant_id, &rows)
    }

    async fn count_refunds(
        &self,
        merchant_id: &MerchantId,
        search: &RefundSearch,
        most: i64,
    ) -> Result<i64, StoreFailure> {
        let conditions = conditions(merchant_id, search);
        let sql = format!(
            "select count(*) as n from (select 1 from refunds r where {} limit {most}) as counted",
            conditions.text
        );
        let read = Read::new(sql, conditions.parameters).long();
        let row = self.engine.fetch_optional(read).await.map_err(failure)?;
        row.map_or(Ok(0), |row| row.int("n")).map_err(failure)
    }

    async fn refund_credentials(
        &self,
        merchant_id: &MerchantId,
        refund_id: &RefundId,
    ) -> Result<Option<SecretText>, StoreFailure> {
        let read = Read::new(HELD, values![merchant_id.as_str(), refund_id.as_str()]);
        let Some(row) = self.engine.fetch_optional(read).await.map_err(failure)? else {
            return Ok(None);
        };
        let place = place(merchant_id, refund_id);
        let keys = self.keys.to_open([&row], "sealed").await?;
        keys.open(&row, "sealed", &place).map(Some)
    }
}

impl Change for Stored<RefundChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            RefundChange::Insert { refund, sums } => {
                writes.push(insert(refund)?);
                writes.push(sum_up(refund, *sums));
                file(None, refund, with.in_flight_seconds, writes);
            }
            RefundChange::Update {
                before,
                after,
                sums,
            } => {
                let parameters = values![
                    after.merchant_id.as_str(),
                    after.refund_id.as_str(),
                    after.status.as_str(),
                    record::write(after.as_ref())?,
                    after.modified_at.as_micros(),
                    before.version
                ];
                writes.push(Write::new(UPDATE, parameters).on(TABLE));
                // Otherwise the payment isn't part of the change-set, and another refund may have changed it since.
                if after.share() != before.share() {
                    writes.push(sum_up(after, *sums));
                }
                if !after.is_asked_about_like(before) {
                    file(Some(before), after, with.in_flight_seconds, writes);
                }
            }
            RefundChange::HoldCredentials {
                merchant_id,
                refund_id,
                credentials,
            } => {
                let place = place(merchant_id, refund_id);
                let sealed = with.sealing.seal(merchant_id, &place, credentials);
                let parameters = values![merchant_id.as_str(), refund_id.as_str(), sealed];
                writes.push(Write::new(HOLD, parameters).on(CREDENTIALS));
            }
            RefundChange::DeleteCredentials {
                merchant_id,
                refund_id,
            } => {
                let parameters = values![merchant_id.as_str(), refund_id.as_str()];
                writes.push(Write::new(DELETE, parameters).on(CREDENTIALS).any_rows());
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        match &self.0 {
            RefundChange::HoldCredentials { merchant_id, .. } => SealedFor::Merchant(merchant_id),
            RefundChange::Insert { .. }
            | RefundChange::Update { .. }
            | RefundChange::DeleteCredentials { .. } => SealedFor::Nobody,
        }
    }

    fn audited(&self) -> Option<Named> {
        match &self.0 {
            RefundChange::Insert { refund, .. } | RefundChange::Update { after: refund, .. } => {
                Some(Named::new("refund", refund.refund_id.as_str()))
            }
            RefundChange::HoldCredentials { .. } | RefundChange::DeleteCredentials { .. } => None,
        }
    }
}

fn insert(refund: &Refund) -> Result<Write, StoreFailure> {
    let charge = &refund.charge;
    let parameters = values![
        refund.merchant_id.as_str(),
        refund.refund_id.as_str(),
        refund.payment_id.as_str(),
        refund.profile_id.as_str(),
        refund.status.as_str(),
        refund.amount(),
        refund.currency.as_str(),
        charge.connector.as_str(),
        charge.merchant_connector_id.as_ref().map(|id| id.as_str()),
        refund.operation.key.as_str(),
        record::write(refund)?,
        refund.created_at.as_micros(),
        refund.modified_at.as_micros()
    ];
    let insert = Write::new(INSERT, parameters).on(TABLE);
    Ok(insert.or_duplicate(duplicate::REFUND))
}

fn sum_up(refund: &Refund, sums: RefundSums) -> Write {
    let parameters = values![
        refund.merchant_id.as_str(),
        refund.payment_id.as_str(),
        sums.refunded,
        sums.limit
    ];
    Write::new(SUM_UP, parameters).on(SUMS)
}

/// The first commit inserts the row of the operation: refunds are no part of the paying path, and a call that was cut off
/// is found by its row.
fn file(before: Option<&Refund>, after: &Refund, in_flight_seconds: i64, writes: &mut Vec<Write>) {
    let object = OpenObject::new(REFUND, after.refund_id.as_str());
    let asked = |refund| asked(refund, in_flight_seconds);
    let was: Vec<Asked<'_>> = before.and_then(asked).into_iter().collect();
    let is: Vec<Asked<'_>> = asked(after).into_iter().collect();
    operation_rows::lower(&after.merchant_id, &object, &was, &is, writes);
}

fn asked(refund: &Refund, in_flight_seconds: i64) -> Option<Asked<'_>> {
    let question = refund.question(refund.modified_at, in_flight_seconds)?;
    Some(Asked {
        connector: &refund.charge.connector,
        account: refund.charge.merchant_connector_id.as_ref(),
        question,
    })
}

fn conditions(merchant_id: &MerchantId, search: &RefundSearch) -> Conditions {
    let mut all = Conditions::of_merchant("r.merchant_id", merchant_id);
    let (payment_id, refund_id) = (search.payment_id.as_ref(), search.refund_id.as_ref());
    all.compare("r.payment_id =", payment_id.map(|id| id.as_str()));
    all.compare("r.refund_id =", refund_id.map(|id| id.as_str()));
    all.compare("r.profile_id =", search.profile_id.as_deref());
    let (from, until) = (search.created_from, search.created_until);
    all.compare("r.created_at >=", from.map(|t| t.as_micros()));
    all.compare("r.created_at <=", until.map(|t| t.as_micros()));
    all.compare("r.amount >=", search.amount_from);
    all.compare("r.amount <=", search.amount_until);
    all.one_of("r.connector", &search.connectors);
    all.one_of("r.merchant_connector_id", &search.merchant_connector_ids);
    all.one_of("r.currency", &search.currencies);
    all.one_of("r.status", &search.statuses);
    all
}

fn refund(row: &Row) -> Result<Refund, StoreFailure> {
    let mut refund: Refund = record::read(row, "record")?;
    refund.version = row.int("version").map_err(failure)?;
    Ok(refund)
}

/// Reads the refunds of a list, without those that can't be read.
fn listed(merchant_id: &MerchantId, rows: &[Row]) -> Result<Vec<Refund>, StoreFailure> {
    let mut refunds = Vec::with_capacity(rows.len());
    for row in rows {
        let refund_id = row.str("refund_id").map_err(failure)?;
        let row_name = format!("{merchant_id}/{refund_id}");
        refunds.extend(record::readable(TABLE, row_name, refund(row))?);
    }
    Ok(refunds)
}

fn place(merchant_id: &MerchantId, refund_id: &RefundId) -> String {
    format!("{CREDENTIALS}:{merchant_id}/{refund_id}")
}
