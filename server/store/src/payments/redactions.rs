//! Pending redactions of payments: claimed, updated and ended. The commit that redacts a customer inserts one
//! (`customers.rs`).

use async_trait::async_trait;
use multirail_app::payments::ports::RedactionStore;
use multirail_app::payments::ports::redactions::{ClaimedRedaction, Progress};
use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId};
use multirail_kernel::timestamp::Timestamp;

use crate::engine::{Read, Row, Value, values};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::rows::one;
use crate::platform::sql_store::SqlStore;

const DUE_REDACTION: &str = "select merchant_id, customer_id, done_until, done_payment_id, is_last_pass, skipped, \
     requested_at, fence from customer_redactions where due_at <= $1 and lease_until <= $2 order by due_at limit 1";

const CLAIM_REDACTION: &str = "update customer_redactions set lease_until = $4, fence = fence + 1 \
     where merchant_id = $1 and customer_id = $2 and fence = $3";

const NOTE_REDACTION: &str = "update customer_redactions set done_until = $4, done_payment_id = $5, is_last_pass = $6, \
     skipped = $7, due_at = $8, lease_until = $9 where merchant_id = $1 and customer_id = $2 and fence = $3";

const END_REDACTION: &str =
    "delete from customer_redactions where merchant_id = $1 and customer_id = $2 and fence = $3";

const PAYMENTS: &str = "select created_at, payment_id from payments where merchant_id = $1 and customer_id = $2 \
     and (created_at > $3 or (created_at = $3 and payment_id > $4)) order by created_at, payment_id limit $5";

#[async_trait]
impl RedactionStore for SqlStore {
    async fn payments_of_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        progress: &Progress,
        at_most: i64,
    ) -> Result<Vec<(Timestamp, PaymentId)>, StoreFailure> {
        let parameters = values![
            merchant_id.as_str(),
            customer_id.as_str(),
            progress.done_until.as_micros(),
            progress.done_payment_id.as_str(),
            at_most
        ];
        let read = Read::new(PAYMENTS, parameters).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let payment = |row: &Row| {
            let payment_id = PaymentId::parse(row.str("payment_id").map_err(failure)?);
            Ok((moment(row, "created_at")?, record::id(payment_id)?))
        };
        rows.iter().map(payment).collect()
    }

    async fn claim_redaction(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedRedaction>, StoreFailure> {
        let due = Read::new(DUE_REDACTION, values![now.as_micros(), wall.as_micros()]);
        let Some(mut due) = one(&self.engine, due, redaction).await? else {
            return Ok(None);
        };
        let mut parameters = redaction_key(&due);
        parameters.push(Value::from(lease_until.as_micros()));
        let is_claimed = self.changes_one(CLAIM_REDACTION, parameters).await?;
        due.fence += 1;
        Ok(is_claimed.then_some(due))
    }

    async fn note_redaction(
        &self,
        claimed: &ClaimedRedaction,
        due_at: Timestamp,
        lease_until: Timestamp,
    ) -> Result<bool, StoreFailure> {
        let progress = &claimed.progress;
        let mut parameters = redaction_key(claimed);
        parameters.extend(values![
            progress.done_until.as_micros(),
            progress.done_payment_id.as_str(),
            progress.is_last_pass,
            progress.skipped,
            due_at.as_micros(),
            lease_until.as_micros()
        ]);
        self.changes_one(NOTE_REDACTION, parameters).await
    }

    async fn end_redaction(&self, claimed: &ClaimedRedaction) -> Result<(), StoreFailure> {
        let ended = self.changes_one(END_REDACTION, redaction_key(claimed));
        ended.await.map(drop)
    }
}

fn redaction(row: &Row) -> Result<ClaimedRedaction, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let customer_id = CustomerId::parse(row.str("customer_id").map_err(failure)?);
    Ok(ClaimedRedaction {
        merchant_id: record::id(merchant_id)?,
        customer_id: record::id(customer_id)?,
        progress: Progress {
            done_until: moment(row, "done_until")?,
            done_payment_id: row.text("done_payment_id").map_err(failure)?,
            is_last_pass: row.bool("is_last_pass").map_err(failure)?,
            skipped: row.int("skipped").map_err(failure)?,
        },
        requested_at: moment(row, "requested_at")?,
        fence: row.int("fence").map_err(failure)?,
    })
}

/// Returns the parameters `$1` to `$3`.
fn redaction_key(claimed: &ClaimedRedaction) -> Vec<Value> {
    values![
        claimed.merchant_id.as_str(),
        claimed.customer_id.as_str(),
        claimed.fence
    ]
}

fn moment(row: &Row, column: &str) -> Result<Timestamp, StoreFailure> {
    row.int(column).map(Timestamp::from_micros).map_err(failure)
}
