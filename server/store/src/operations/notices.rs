//! The inbox of processors' notices.

use async_trait::async_trait;
use multirail_app::operations::ports::notices::{
    ClaimedNotice, Filed, NewNotice, NoticeSearch, NoticeStore, NoticeWork, StoredNotice,
};
use multirail_app::operations::ports::open_operations::OpenObject;
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::operations::received_notice::NoticeStatus;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, NoticeId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::Sealing;
use multirail_sdk::connector::{About, RawNotice};

use super::operation_rows::{classes, object_of};
use crate::engine::{Read, Row, Write, values};
use crate::platform::conditions::Conditions;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

crate::platform::record::records! {
    RawNotice: "notices.content",
}

const TABLE: &str = "notices";

/// The sealed column.
const CONTENT: &str = "content";

/// The count distinguishes a new notice from a repeated one: it is 1 in a new row.
const FILE: &str = "insert into notices (notice_id, merchant_id, merchant_connector_id, connector, body_hash, \
     receipts, content, status, kinds, objects, received_at, due_at, lease_until, fence) \
     values ($1, $2, $3, $4, $5, 1, $6, 'waiting', '[]', '[]', $7, $7, 0, 0) \
     on conflict (merchant_id, merchant_connector_id, body_hash) do nothing";

const AGAIN: &str = "update notices set receipts = receipts + 1, \
     due_at = case when status in ('unmatched', 'unreadable') then $4 else due_at end, \
     status = case when status in ('unmatched', 'unreadable') then 'waiting' else status end \
     where merchant_id = $1 and merchant_connector_id = $2 and body_hash = $3";

const DUE: &str = "select notice_id, merchant_id, merchant_connector_id, connector, content, received_at, due_at, fence \
     from notices where due_at <= $1 and lease_until <= $2 order by due_at, notice_id limit $3";

const CLAIM: &str = "update notices set due_at = $4, lease_until = $5, fence = fence + 1 \
     where notice_id = $1 and fence = $2 and due_at = $3";

/// A date that differs from the claim's was set meanwhile: the notice arrived again, or an operator asked for another try.
const END: &str = "update notices set status = $4, kinds = $5, objects = $6, \
     due_at = case when due_at = $3 then $7 else due_at end, lease_until = 0 where notice_id = $1 and fence = $2";

const COLUMNS: &str = "notice_id, merchant_id, merchant_connector_id, connector, receipts, status, kinds, objects, \
     received_at, due_at";

const ONE: &str = "select notice_id, merchant_id, merchant_connector_id, connector, receipts, status, kinds, objects, \
     received_at, due_at, content from notices where notice_id = $1";

const REPLAY: &str = "update notices set due_at = $2, status = 'waiting' where notice_id = $1";

const WAITING: &str = "select count(*) as n from notices where due_at is not null";

const PURGE: &str = "delete from notices where notice_id in (select notice_id from notices \
     where received_at < $1 and due_at is null order by received_at, notice_id limit $2)";

/// Ends all leases.
const TAKE_OVER: &str = "update notices set due_at = $1, lease_until = 0 where lease_until > 0";

pub(crate) const BY_REFERENCE: &str = "select 'payment' as object_class, payment_id as object_id from attempts \
     where connector_transaction_id = $2 and merchant_id = $1 order by payment_id limit 10";

#[async_trait]
impl NoticeStore for SqlStore {
    async fn file_notice(&self, notice: &NewNotice) -> Result<Filed, StoreFailure> {
        let content = SecretText::new(record::write(&notice.content)?);
        let keys = self.keys.of_merchant(&notice.merchant_id).await?;
        let place = place(&notice.notice_id);
        let sealed = keys.seal(&notice.merchant_id, &place, &content);
        let file = values![
            notice.notice_id.as_str(),
            notice.merchant_id.as_str(),
            notice.merchant_connector_id.as_str(),
            notice.connector.as_str(),
            notice.body_hash.as_str(),
            sealed,
            notice.received_at.as_micros()
        ];
        let inserted = record::write_any(&self.engine, vec![Write::new(FILE, file).any_rows()]);
        if inserted.await?.first() == Some(&1) {
            return Ok(Filed::New);
        }
        let again = values![
            notice.merchant_id.as_str(),
            notice.merchant_connector_id.as_str(),
            notice.body_hash.as_str(),
            notice.received_at.as_micros()
        ];
        record::write_any(&self.engine, vec![Write::new(AGAIN, again).any_rows()]).await?;
        Ok(Filed::Again)
    }

    async fn claim_notices(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        at_most: i64,
    ) -> Result<Vec<ClaimedNotice>, StoreFailure> {
        let read = Read::new(DUE, values![now.as_micros(), wall.as_micros(), at_most]);
        let due = self.engine.fetch(read).await.map_err(failure)?;
        let put_off_to = now.later(seconds);
        let lease_until = wall.later(seconds).as_micros();
        let take_up = |row: &Row| {
            let parameters = values![
                row.str("notice_id").map_err(failure)?,
                row.int("fence").map_err(failure)?,
                row.int("due_at").map_err(failure)?,
                put_off_to.as_micros(),
                lease_until
            ];
            Ok(Write::new(CLAIM, parameters).any_rows())
        };
        let writes = due.iter().map(take_up).collect::<Result<Vec<_>, _>>()?;
        if writes.is_empty() {
            return Ok(Vec::new());
        }
        let moved = record::write_any(&self.engine, writes).await?;
        let keys = self.keys.to_open(&due, CONTENT).await?;
        let mut found = Vec::new();
        for (row, rows) in due.iter().zip(moved) {
            if rows == 1 {
                let id = row.str("notice_id").map_err(failure)?;
                found.extend(record::readable(
                    TABLE,
                    id,
                    claimed(row, &keys, put_off_to),
                )?);
            }
        }
        Ok(found)
    }

    async fn end_notice(
        &self,
        claimed: &ClaimedNotice,
        work: &NoticeWork,
    ) -> Result<(), StoreFailure> {
        let parameters = values![
            claimed.notice_id.as_str(),
            claimed.fence,
            claimed.put_off_to.as_micros(),
            work.status.as_str(),
            list(&work.kinds),
            list(&work.objects),
            work.next_try_at.map(Timestamp::as_micros)
        ];
        let end = Write::new(END, parameters).any_rows();
        record::write_any(&self.engine, vec![end]).await.map(drop)
    }

    async fn notices(&self, search: &NoticeSearch) -> Result<Vec<StoredNotice>, StoreFailure> {
        let mut conditions = Conditions::all();
        conditions.compare("merchant_id =", search.merchant_id.as_deref());
        let account = search.merchant_connector_id.as_deref();
        conditions.compare("merchant_connector_id =", account);
        conditions.compare("status =", search.status.map(NoticeStatus::as_str));
        let offset = conditions.parameter(search.offset);
        let sql = format!(
            "select {COLUMNS} from notices where {} order by received_at desc, notice_id desc limit {} offset {offset}",
            conditions.text, search.limit
        );
        let read = Read::new(sql, conditions.parameters).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            let id = row.str("notice_id").map_err(failure)?;
            found.extend(record::readable(TABLE, id, stored(row))?);
        }
        Ok(found)
    }

    async fn notice(
        &self,
        notice_id: &NoticeId,
    ) -> Result<Option<(StoredNotice, RawNotice)>, StoreFailure> {
        let read = Read::new(ONE, values![notice_id.as_str()]);
        let Some(row) = self.engine.fetch_optional(read).await.map_err(failure)? else {
            return Ok(None);
        };
        let keys = self.keys.to_open([&row], CONTENT).await?;
        Ok(Some((stored(&row)?, content(&row, &keys, notice_id)?)))
    }

    async fn replay_notice(
        &self,
        notice_id: &NoticeId,
        now: Timestamp,
    ) -> Result<bool, StoreFailure> {
        let replay = Write::new(REPLAY, values![notice_id.as_str(), now.as_micros()]);
        let rows = record::write_any(&self.engine, vec![replay.any_rows()]).await?;
        Ok(rows.first() == Some(&1))
    }

    async fn objects_of_notice(
        &self,
        merchant_id: &MerchantId,
        about: &About,
    ) -> Result<Vec<OpenObject>, StoreFailure> {
        for key in [&about.key, &about.authorization_key].into_iter().flatten() {
            let found = self.objects_at(by_key(), merchant_id, key.as_str()).await?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        let references = [&about.authorization_reference, &about.reference];
        for reference in references.into_iter().flatten() {
            let found = self.objects_at(BY_REFERENCE.to_owned(), merchant_id, reference);
            let found = found.await?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    async fn waiting_notices(&self) -> Result<i64, StoreFailure> {
        let read = Read::new(WAITING, Vec::new());
        let row = self.engine.fetch_optional(read).await.map_err(failure)?;
        row.map_or(Ok(0), |row| row.int("n")).map_err(failure)
    }

    async fn purge_notices(
        &self,
        received_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        record::purge(&self.engine, PURGE, received_before, at_most).await
    }
}

impl SqlStore {
    async fn objects_at(
        &self,
        sql: String,
        merchant_id: &MerchantId,
        name: &str,
    ) -> Result<Vec<OpenObject>, StoreFailure> {
        let read = Read::new(sql, values![merchant_id.as_str(), name]);
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        rows.iter().map(object_of).collect()
    }
}

fn content(
    row: &Row,
    keys: &OpenKeys<'_>,
    notice_id: &NoticeId,
) -> Result<RawNotice, StoreFailure> {
    let opened = keys.open(row, CONTENT, &place(notice_id))?;
    record::parse(opened.expose())
}

fn claimed(
    row: &Row,
    keys: &OpenKeys<'_>,
    put_off_to: Timestamp,
) -> Result<ClaimedNotice, StoreFailure> {
    let NamedNotice {
        notice_id,
        merchant_id,
        merchant_connector_id,
    } = named(row)?;
    Ok(ClaimedNotice {
        content: content(row, keys, &notice_id)?,
        notice_id,
        merchant_id,
        merchant_connector_id,
        connector: row.text("connector").map_err(failure)?,
        received_at: Timestamp::from_micros(row.int("received_at").map_err(failure)?),
        fence: row.int("fence").map_err(failure)? + 1,
        put_off_to,
    })
}

/// Makes notices under a lease due `now`: no server works on them.
pub(crate) fn take_over(now: Timestamp) -> Write {
    Write::new(TAKE_OVER, values![now.as_micros()]).any_rows()
}

/// Returns the statement that finds the objects with an operation of this key, of any kind and in any state.
pub(crate) fn by_key() -> String {
    let classes = classes();
    format!(
        "select 'payment' as object_class, payment_id as object_id from attempts \
         where authorization_key = $2 and merchant_id = $1 \
         union select 'payment', payment_id from captures where processor_key = $2 and merchant_id = $1 \
         union select 'refund', refund_id from refunds where processor_key = $2 and merchant_id = $1 \
         union select object_class, object_id from open_operations \
         where processor_key = $2 and merchant_id = $1 and object_class in ({classes})"
    )
}

struct NamedNotice {
    notice_id: NoticeId,
    merchant_id: MerchantId,
    merchant_connector_id: ConnectorAccountId,
}

fn named(row: &Row) -> Result<NamedNotice, StoreFailure> {
    let text = |column| row.str(column).map_err(failure);
    Ok(NamedNotice {
        notice_id: record::id(NoticeId::parse(text("notice_id")?))?,
        merchant_id: record::id(MerchantId::parse(text("merchant_id")?))?,
        merchant_connector_id: record::id(ConnectorAccountId::parse(text(
            "merchant_connector_id",
        )?))?,
    })
}

fn stored(row: &Row) -> Result<StoredNotice, StoreFailure> {
    let NamedNotice {
        notice_id,
        merchant_id,
        merchant_connector_id,
    } = named(row)?;
    let next = row.opt_int("due_at").map_err(failure)?;
    Ok(StoredNotice {
        notice_id,
        merchant_id,
        merchant_connector_id,
        connector: row.text("connector").map_err(failure)?,
        status: record::id(row.str("status").map_err(failure)?.parse())?,
        receipts: row.int("receipts").map_err(failure)?,
        kinds: texts(row, "kinds")?,
        objects: texts(row, "objects")?,
        received_at: Timestamp::from_micros(row.int("received_at").map_err(failure)?),
        next_try_at: next.map(Timestamp::from_micros),
    })
}

fn list(texts: &[String]) -> String {
    serde_json::Value::from(texts).to_string()
}

fn texts(row: &Row, column: &'static str) -> Result<Vec<String>, StoreFailure> {
    let text = row.str(column).map_err(failure)?;
    serde_json::from_str(text)
        .map_err(|error| StoreFailure::Broken(format!("{TABLE}.{column} does not read: {error}")))
}

fn place(notice_id: &NoticeId) -> String {
    format!("{TABLE}:{notice_id}")
}
