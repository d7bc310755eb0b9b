//! The request log: its rows, the queries, and the deletion of old rows. Bodies are sealed with their merchant's key.

use async_trait::async_trait;
use multirail_app::platform::ports::request_log::{
    LoggedBody, LoggedRequest, RequestLogStore, RequestSearch,
};
use multirail_app::platform::ports::seal::Subject;
use multirail_app::platform::ports::{StoreFailure, SubjectSeal};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::conditions::Conditions;
use super::record;
use super::record::failure;
use super::sql_store::SqlStore;
use crate::engine::{Read, Row, Write, values};

const TABLE: &str = "request_log";

/// The places for which bodies are sealed; merchant and request follow.
pub(crate) const REQUEST_PLACE: &str = "request_log.request_body";
pub(crate) const ANSWER_PLACE: &str = "request_log.answer_body";

/// The columns of a row without its bodies.
macro_rules! columns {
    () => {
        "merchant_id, request_id, requested_at, duration_ms, method, path, path_template, operation, \
         status, error_code, caller, caller_id, profile_id, payment_id, object_id, idempotency_key, agent, \
         request_body_cut, answer_body_cut"
    };
}

/// A commit with an unknown outcome is not repeated, but ids that exist are no failure either.
const STORE: &str = concat!(
    "insert into request_log (",
    columns!(),
    ", request_body, answer_body) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21) \
     on conflict do nothing"
);

const ONE: &str = concat!(
    "select ",
    columns!(),
    ", request_body, answer_body from request_log where merchant_id = $1 and request_id = $2"
);

const PURGE: &str = "delete from request_log where (merchant_id, request_id) in \
     (select merchant_id, request_id from request_log where requested_at < $1 order by requested_at limit $2)";

const OVER: &str =
    "select merchant_id from request_log group by merchant_id having count(*) > $1 limit 1000";

/// `$2` is the number of rows to keep, `$3` the size of the portion.
const TRIM: &str = "delete from request_log where merchant_id = $1 and request_id in \
     (select request_id from request_log where merchant_id = $1 and request_id <= \
     (select request_id from request_log where merchant_id = $1 order by request_id desc limit 1 offset $2) \
     order by request_id limit $3)";

#[async_trait]
impl RequestLogStore for SqlStore {
    async fn store_requests(
        &self,
        requests: &[LoggedRequest],
        now: Timestamp,
    ) -> Result<(), StoreFailure> {
        let mut writes = Vec::with_capacity(requests.len());
        for request in requests {
            match self.insert(request, now).await {
                Ok(write) => writes.push(write),
                // The merchant was deleted meanwhile.
                Err(StoreFailure::Destroyed(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        if !writes.is_empty() {
            record::write_any(&self.engine, writes).await?;
        }
        Ok(())
    }

    async fn logged_requests(
        &self,
        merchant_id: &MerchantId,
        search: &RequestSearch,
    ) -> Result<Vec<LoggedRequest>, StoreFailure> {
        let conditions = conditions(merchant_id, search);
        let sql = format!(
            "select {} from request_log where {} order by request_id desc limit {}",
            columns!(),
            conditions.text,
            search.limit
        );
        let read = Read::new(sql, conditions.parameters).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            let request_id = row.text("request_id").map_err(failure)?;
            found.extend(record::readable(TABLE, request_id, logged(row))?);
        }
        Ok(found)
    }

    async fn logged_request(
        &self,
        merchant_id: &MerchantId,
        request_id: &str,
    ) -> Result<Option<LoggedRequest>, StoreFailure> {
        let read = Read::new(ONE, values![merchant_id.as_str(), request_id]);
        let found = self.engine.fetch_optional(read).await.map_err(failure)?;
        let Some(row) = found else { return Ok(None) };
        let mut request = logged(&row)?;
        let place = |begins_with| place(begins_with, merchant_id, request_id);
        request.request_body.text = self
            .opened(&row, "request_body", place(REQUEST_PLACE))
            .await?;
        request.answer_body.text = self
            .opened(&row, "answer_body", place(ANSWER_PLACE))
            .await?;
        Ok(Some(request))
    }

    async fn purge_requests(&self, before: Timestamp, at_most: i64) -> Result<u64, StoreFailure> {
        record::purge(&self.engine, PURGE, before, at_most).await
    }

    async fn merchants_over(&self, most: i64) -> Result<Vec<MerchantId>, StoreFailure> {
        let read = Read::new(OVER, values![most]).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        rows.iter()
            .map(|row| record::id(MerchantId::parse(row.str("merchant_id").map_err(failure)?)))
            .collect()
    }

    async fn trim_requests(
        &self,
        merchant_id: &MerchantId,
        most: i64,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        let parameters = values![merchant_id.as_str(), most, at_most];
        let write = Write::new(TRIM, parameters).any_rows();
        let rows = record::write_any(&self.engine, vec![write]).await?;
        Ok(rows.into_iter().sum())
    }
}

impl SqlStore {
    async fn insert(&self, request: &LoggedRequest, now: Timestamp) -> Result<Write, StoreFailure> {
        let place = |begins_with| place(begins_with, &request.merchant_id, &request.request_id);
        let request_body = self.sealed(
            &request.merchant_id,
            &request.request_body,
            place(REQUEST_PLACE),
            now,
        );
        let request_body = request_body.await?;
        let answer_body = self.sealed(
            &request.merchant_id,
            &request.answer_body,
            place(ANSWER_PLACE),
            now,
        );
        let answer_body = answer_body.await?;
        let parameters = values![
            request.merchant_id.as_str(),
            request.request_id.as_str(),
            request.requested_at.as_micros(),
            request.duration_ms,
            request.method.as_str(),
            request.path.as_str(),
            request.path_template.as_str(),
            request.operation.as_str(),
            request.status,
            request.error_code.as_deref(),
            request.caller.as_str(),
            request.caller_id.as_deref(),
            request.profile_id.as_deref(),
            request.payment_id.as_deref(),
            request.object_id.as_deref(),
            request.idempotency_key.as_deref(),
            request.user_agent.as_deref(),
            request.request_body.is_cut,
            request.answer_body.is_cut,
            request_body,
            answer_body
        ];
        Ok(Write::new(STORE, parameters).on(TABLE).any_rows())
    }

    async fn sealed(
        &self,
        merchant_id: &MerchantId,
        body: &LoggedBody,
        place: String,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreFailure> {
        let Some(text) = &body.text else {
            return Ok(None);
        };
        let text = SecretText::new(text.as_str());
        let owner = Subject::merchant(merchant_id);
        Ok(Some(self.seal_for(&owner, &place, &text, now).await?))
    }

    async fn opened(
        &self,
        row: &Row,
        column: &str,
        place: String,
    ) -> Result<Option<String>, StoreFailure> {
        let Some(sealed) = row.opt_bytes(column).map_err(failure)? else {
            return Ok(None);
        };
        let text = self.open_for(&place, &sealed).await?;
        Ok(Some(text.expose().to_owned()))
    }
}

fn place(begins_with: &str, merchant_id: &MerchantId, request_id: &str) -> String {
    format!("{begins_with}:{merchant_id}/{request_id}")
}

fn conditions(merchant_id: &MerchantId, search: &RequestSearch) -> Conditions {
    let mut conditions = Conditions::of_merchant("merchant_id", merchant_id);
    for (column, wanted) in [
        ("profile_id =", &search.profile_id),
        ("method =", &search.method),
        ("operation =", &search.operation),
        ("payment_id =", &search.payment_id),
        ("object_id =", &search.object_id),
        ("caller_id =", &search.caller_id),
        ("request_id =", &search.request_id),
        ("request_id <", &search.before),
    ] {
        conditions.compare(column, wanted.as_deref());
    }
    conditions.compare("requested_at >=", search.from.map(Timestamp::as_micros));
    conditions.compare("requested_at <=", search.until.map(Timestamp::as_micros));
    conditions.compare("status =", search.status);
    conditions.compare("status >=", search.statuses.map(|(lowest, _)| lowest));
    conditions.compare("status <=", search.statuses.map(|(_, highest)| highest));
    conditions
}

/// Reads a row without its bodies.
fn logged(row: &Row) -> Result<LoggedRequest, StoreFailure> {
    let text = |column| row.text(column).map_err(failure);
    let optional = |column| row.opt_text(column).map_err(failure);
    let int = |column| row.int(column).map_err(failure);
    let body = |column| -> Result<LoggedBody, StoreFailure> {
        let is_cut = row.bool(column).map_err(failure)?;
        Ok(LoggedBody { text: None, is_cut })
    };
    Ok(LoggedRequest {
        merchant_id: record::id(MerchantId::parse(row.str("merchant_id").map_err(failure)?))?,
        request_id: text("request_id")?,
        requested_at: Timestamp::from_micros(int("requested_at")?),
        duration_ms: int("duration_ms")?,
        method: text("method")?,
        path: text("path")?,
        path_template: text("path_template")?,
        operation: text("operation")?,
        status: int("status")?,
        error_code: optional("error_code")?,
        caller: text("caller")?,
        caller_id: optional("caller_id")?,
        profile_id: optional("profile_id")?,
        payment_id: optional("payment_id")?,
        object_id: optional("object_id")?,
        idempotency_key: optional("idempotency_key")?,
        user_agent: optional("agent")?,
        request_body: body("request_body_cut")?,
        answer_body: body("answer_body_cut")?,
    })
}
