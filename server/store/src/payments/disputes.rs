//! Reads and writes of disputes.
//!
//! The payment's row has totals over its disputes. One change-set holds a dispute's change that moves the totals and the
//! payment's change, under the versions of both.

use async_trait::async_trait;
use multirail_app::operations::ports::open_operations::OpenObject;
use multirail_app::payments::ports::disputes::DISPUTE;
use multirail_app::payments::ports::{DisputeChange, DisputeSearch, DisputeStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::payments::dispute::{Dispute, FileBytes};
use multirail_domain::payments::payment::Payment;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, DisputeId, FileId, MerchantId, PaymentId,
};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Invalidates, PayerKey, SealedFor, Sealing, Writing};
use multirail_sdk::evidence::Evidence;

use crate::accounts::place;
use crate::engine::{Read, Row, Value, Write, values};
use crate::operations::operation_rows;
use crate::operations::operation_rows::Asked;
use crate::payments::{PAYMENT_COLUMNS, PAYMENT_TABLES, listed as listed_payments};
use crate::platform::conditions::Conditions;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::rows::one_sealed;
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

crate::platform::record::records! {
    Dispute: "disputes.record",
    Evidence: "disputes.evidence_sealed",
}

const TABLE: &str = "disputes";
/// The sealed column.
pub(crate) const EVIDENCE: &str = "evidence_sealed";

const ONE: &str = "select version, record, customer_id as dispute_customer, evidence_sealed from disputes \
     where merchant_id = $1 and dispute_id = $2";

const AT_PROCESSOR: &str = "select version, record, customer_id as dispute_customer, evidence_sealed from disputes \
     where merchant_id = $1 and merchant_connector_id = $2 and connector_dispute_id = $3";

const OF_PAYMENT: &str = "select dispute_id, version, record, customer_id as dispute_customer, evidence_sealed from disputes \
     where merchant_id = $1 and payment_id = $2 order by created_at, dispute_id";

const INSERT: &str = "insert into disputes (merchant_id, dispute_id, version, payment_id, profile_id, stage, status, amount, \
     currency, connector, merchant_connector_id, connector_dispute_id, reason, record, created_at, modified_at, \
     evidence_ended_at, customer_id, evidence_sealed) \
     values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) on conflict do nothing";

/// The other columns never change.
const UPDATE: &str = "update disputes set version = version + 1, stage = $3, status = $4, amount = $5, currency = $6, \
     reason = $7, record = $8, modified_at = $9, evidence_ended_at = $11, \
     evidence_sealed = $12 \
     where merchant_id = $1 and dispute_id = $2 and version = $10";

const FILES: &str = "evidence_files";

const KEEP_FILE: &str =
    "insert into evidence_files (merchant_id, file_id, sealed) values ($1, $2, $3)";

const DELETE_FILE: &str = "delete from evidence_files where merchant_id = $1 and file_id = $2";

const FILE: &str = "select sealed from evidence_files where merchant_id = $1 and file_id = $2";

/// At most this many words of one column are queried separately.
const APART: usize = 8;

const OLD_EVIDENCE: &str = "select merchant_id, dispute_id from disputes where evidence_ended_at < $1 \
     order by evidence_ended_at limit $2";

#[async_trait]
impl DisputeStore for SqlStore {
    async fn dispute(
        &self,
        merchant_id: &MerchantId,
        dispute_id: &DisputeId,
    ) -> Result<Option<Dispute>, StoreFailure> {
        let read = Read::new(ONE, values![merchant_id.as_str(), dispute_id.as_str()]);
        let keys = (&self.keys, EVIDENCE);
        one_sealed(&self.engine, keys, read, |row, keys| {
            dispute(row, "record", "version", keys)
        })
        .await
    }

    async fn dispute_at_processor(
        &self,
        merchant_id: &MerchantId,
        account: &ConnectorAccountId,
        reference: &str,
    ) -> Result<Option<Dispute>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), account.as_str(), reference];
        let read = Read::new(AT_PROCESSOR, parameters);
        let keys = (&self.keys, EVIDENCE);
        one_sealed(&self.engine, keys, read, |row, keys| {
            dispute(row, "record", "version", keys)
        })
        .await
    }

    async fn disputes_of(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Vec<Dispute>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), payment_id.as_str()];
        let read = Read::new(OF_PAYMENT, parameters);
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let keys = self.keys.to_open(&rows, EVIDENCE).await?;
        let mut disputes = Vec::with_capacity(rows.len());
        for row in &rows {
            disputes.extend(listed(merchant_id, row, "record", "version", &keys)?);
        }
        Ok(disputes)
    }

    async fn evidence_file(
        &self,
        merchant_id: &MerchantId,
        file_id: &FileId,
    ) -> Result<Option<FileBytes>, StoreFailure> {
        let read = Read::new(FILE, values![merchant_id.as_str(), file_id.as_str()]);
        let row = self.engine.fetch_optional(read).await.map_err(failure)?;
        let Some(row) = row else {
            return Ok(None);
        };
        let place = file_place(merchant_id, file_id);
        let keys = self.keys.to_open([&row], "sealed").await?;
        let opened = keys.open(&row, "sealed", &place)?;
        let bytes = FileBytes::from_sealable(&opened);
        let bytes = bytes.map_err(|error| StoreFailure::Broken(error.to_string()))?;
        Ok(Some(bytes))
    }

    async fn disputes_with_old_evidence(
        &self,
        ended_before: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, DisputeId)>, StoreFailure> {
        let read = Read::new(OLD_EVIDENCE, values![ended_before.as_micros(), at_most]);
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let of_row = |row: &Row| {
            let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
            let dispute_id = DisputeId::parse(row.str("dispute_id").map_err(failure)?);
            Ok((record::id(merchant_id)?, record::id(dispute_id)?))
        };
        rows.iter().map(of_row).collect()
    }

    async fn search_disputes(
        &self,
        merchant_id: &MerchantId,
        search: &DisputeSearch,
    ) -> Result<Vec<(Dispute, Payment)>, StoreFailure> {
        let (sql, parameters) = page(merchant_id, search);
        let read = Read::new(sql, parameters).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let keys = self.keys.to_open(&rows, EVIDENCE).await?;
        let of_row = |row| listed(merchant_id, row, "dispute_record", "dispute_version", &keys);
        let disputes = rows.iter().map(of_row).collect::<Result<Vec<_>, _>>()?;
        let payments = listed_payments(&self.engine, &self.keys, merchant_id, rows).await?;
        let pairs = disputes.into_iter().zip(payments);
        Ok(pairs
            .filter_map(|(dispute, payment)| dispute.zip(payment))
            .collect())
    }
}

impl Change for Stored<DisputeChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            DisputeChange::Insert(dispute) => {
                writes.push(insert(dispute, with.sealing)?);
                file(None, dispute, with.in_flight_seconds, writes);
            }
            DisputeChange::Update { before, after } => {
                let (record, evidence) = resting(after, with.sealing)?;
                let parameters = values![
                    after.merchant_id.as_str(),
                    after.dispute_id.as_str(),
                    after.stage.as_str(),
                    after.status.as_str(),
                    after.amount,
                    after.currency.as_str(),
                    after.reason.as_deref(),
                    record,
                    after.modified_at.as_micros(),
                    before.version,
                    evidence_ended_at(after),
                    evidence
                ];
                writes.push(Write::new(UPDATE, parameters).on(TABLE));
                // Other news about the dispute doesn't move the date of the next question.
                if after.actions != before.actions {
                    file(Some(before), after, with.in_flight_seconds, writes);
                }
            }
            DisputeChange::KeepFile {
                merchant_id,
                file_id,
                bytes,
            } => {
                let place = file_place(merchant_id, file_id);
                let sealed = with.sealing.seal(merchant_id, &place, &bytes.to_sealable());
                let parameters = values![merchant_id.as_str(), file_id.as_str(), sealed];
                writes.push(Write::new(KEEP_FILE, parameters).on(FILES));
            }
            DisputeChange::DeleteFile {
                merchant_id,
                file_id,
            } => {
                let parameters = values![merchant_id.as_str(), file_id.as_str()];
                writes.push(Write::new(DELETE_FILE, parameters).on(FILES).any_rows());
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        match &self.0 {
            DisputeChange::Insert(dispute) | DisputeChange::Update { after: dispute, .. } => {
                if dispute.evidence.texts.is_empty() {
                    return SealedFor::Nobody;
                }
                // The customer's key seals the texts, so that redacting the customer also makes the texts unreadable.
                SealedFor::Payer(&dispute.merchant_id, dispute.customer_id.as_ref())
            }
            DisputeChange::KeepFile { merchant_id, .. } => SealedFor::Merchant(merchant_id),
            DisputeChange::DeleteFile { .. } => SealedFor::Nobody,
        }
    }

    fn audited(&self) -> Option<Named> {
        match &self.0 {
            DisputeChange::Insert(dispute) | DisputeChange::Update { after: dispute, .. } => {
                Some(Named::new("dispute", dispute.dispute_id.as_str()))
            }
            DisputeChange::KeepFile { file_id, .. } | DisputeChange::DeleteFile { file_id, .. } => {
                Some(Named::new("file", file_id.as_str()))
            }
        }
    }
}

fn insert(dispute: &Dispute, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let charge = &dispute.charge;
    let (record, evidence) = resting(dispute, keys)?;
    let parameters = values![
        dispute.merchant_id.as_str(),
        dispute.dispute_id.as_str(),
        dispute.payment_id.as_str(),
        dispute.profile_id.as_str(),
        dispute.stage.as_str(),
        dispute.status.as_str(),
        dispute.amount,
        dispute.currency.as_str(),
        charge.connector.as_str(),
        charge.merchant_connector_id.as_str(),
        charge.reference.as_str(),
        dispute.reason.as_deref(),
        record,
        dispute.created_at.as_micros(),
        dispute.modified_at.as_micros(),
        evidence_ended_at(dispute),
        dispute.customer_id.as_ref().map(|id| id.as_str()),
        evidence
    ];
    let insert = Write::new(INSERT, parameters).on(TABLE);
    Ok(insert.or_duplicate(duplicate::DISPUTE))
}

/// Returns the record without the texts of the evidence, and the sealed texts.
fn resting(
    dispute: &Dispute,
    keys: &dyn Sealing,
) -> Result<(String, Option<Vec<u8>>), StoreFailure> {
    if dispute.evidence.texts.is_empty() {
        return Ok((record::write(dispute)?, None));
    }
    let way = keys.of_payer(&dispute.merchant_id, dispute.customer_id.as_ref());
    if let PayerKey::None = way {
        return Ok((record::write(dispute)?, None));
    }
    let (record, texts) = parted(dispute.clone())?;
    let (place, texts) = (place_of(dispute), SecretText::new(texts));
    let sealed = match way {
        PayerKey::Key(key) => key.seal(&place, &texts),
        // The customer was redacted, which removed the earlier texts; the merchant wrote this one afterwards.
        PayerKey::Destroyed | PayerKey::None => keys.seal(&dispute.merchant_id, &place, &texts),
    };
    Ok((record, Some(sealed)))
}

/// Returns the record without texts, and the texts.
fn parted(mut dispute: Dispute) -> Result<(String, String), StoreFailure> {
    let texts = Evidence {
        texts: std::mem::take(&mut dispute.evidence.texts),
        ..Evidence::default()
    };
    Ok((record::write(&dispute)?, record::write(&texts)?))
}

/// Splits a plaintext record into the texts to seal and the rest.
pub(crate) fn part_record(record: &str) -> Result<Option<(String, Option<String>)>, StoreFailure> {
    // A later version wrote the record: its own servers seal it.
    let Ok(dispute) = record::parse::<Dispute, _>(record) else {
        return Ok(None);
    };
    if dispute.evidence.texts.is_empty() {
        return Ok(None);
    }
    let (record, texts) = parted(dispute)?;
    Ok(Some((texts, Some(record))))
}

fn place_of(dispute: &Dispute) -> String {
    place(TABLE, &dispute.merchant_id, &dispute.dispute_id)
}

fn file_place(merchant_id: &MerchantId, file_id: &FileId) -> String {
    format!("{FILES}:{merchant_id}/{file_id}")
}

/// Returns when a dispute with evidence ended, as far as is known.
fn evidence_ended_at(dispute: &Dispute) -> Option<i64> {
    let is_kept = dispute.status.is_final() && !dispute.evidence.is_empty();
    is_kept.then(|| dispute.modified_at.as_micros())
}

/// The commit that begins an action inserts its row, so that a call that was cut off is found by its row.
fn file(
    before: Option<&Dispute>,
    after: &Dispute,
    in_flight_seconds: i64,
    writes: &mut Vec<Write>,
) {
    let object = OpenObject::new(DISPUTE, after.dispute_id.as_str());
    let asked = |dispute| asked(dispute, in_flight_seconds);
    let was: Vec<Asked<'_>> = before.and_then(asked).into_iter().collect();
    let is: Vec<Asked<'_>> = asked(after).into_iter().collect();
    operation_rows::lower(&after.merchant_id, &object, &was, &is, writes);
}

fn asked(dispute: &Dispute, in_flight_seconds: i64) -> Option<Asked<'_>> {
    let question = dispute.question(dispute.modified_at, in_flight_seconds)?;
    Some(Asked {
        connector: &dispute.charge.connector,
        account: Some(&dispute.charge.merchant_connector_id),
        question,
    })
}

/// Returns the statement for a page of a list, and its parameters. An index finds the page, then the rows of the page are
/// read.
pub(crate) fn page(merchant_id: &MerchantId, search: &DisputeSearch) -> (String, Vec<Value>) {
    let mut conditions = conditions(merchant_id, search);
    let words = words(search);
    // A few words of one column are queried one by one: an index holds the disputes of each word in order, but would have
    // to sort those of several words.
    let apart = words
        .iter()
        .position(|(_, words)| (2..=APART).contains(&words.len()));
    for (index, (column, words)) in words.iter().enumerate() {
        if Some(index) != apart {
            conditions.one_of(column, words);
        }
    }
    let ways = match apart.map(|index| &words[index]) {
        None => vec![conditions.text.clone()],
        Some((column, words)) => words
            .iter()
            .map(|word| {
                let parameter = conditions.parameter(word.as_str());
                format!("{} and {column} = {parameter}", conditions.text)
            })
            .collect(),
    };
    let found = found(&ways, search.limit, search.offset);
    // `$1` is the merchant. On PostgreSQL the payments' ids have another collation than the disputes' ids, and an index of
    // their own.
    let sql = format!(
        "select d.dispute_id as dispute_id, d.version as dispute_version, d.record as dispute_record, \
         d.customer_id as dispute_customer, d.evidence_sealed as evidence_sealed, {PAYMENT_COLUMNS} \
         from ({found}) as page cross join disputes d \
         cross join {PAYMENT_TABLES} where d.merchant_id = page.merchant_id and d.dispute_id = page.dispute_id \
         and p.merchant_id = $1 and p.payment_id = d.payment_id \
         order by page.modified_at desc, page.dispute_id desc"
    );
    (sql, conditions.parameters)
}

/// Returns the query for the disputes of a page, each of which meets one of these conditions.
///
/// Limits are written into the text: PostgreSQL takes an unknown limit for a tenth of all rows.
fn found(ways: &[String], limit: i64, offset: i64) -> String {
    const NEWEST: &str = "order by modified_at desc, dispute_id desc";
    let of = |way: &String, page: &str| {
        format!(
            "select d.merchant_id, d.dispute_id, d.modified_at from disputes d where {way} {NEWEST} {page}"
        )
    };
    let page = format!("limit {limit} offset {offset}");
    if let [way] = ways {
        return of(way, &page);
    }
    let first = format!("limit {}", limit.saturating_add(offset));
    let firsts = ways
        .iter()
        .map(|way| format!("select * from ({}) as one", of(way, &first)));
    let all = firsts.collect::<Vec<_>>().join(" union all ");
    format!("select * from ({all}) as found {NEWEST} {page}")
}

/// Returns the columns that the list filters by words, with the words.
fn words(search: &DisputeSearch) -> [(&'static str, &[String]); 4] {
    [
        ("d.status", &search.statuses),
        ("d.stage", &search.stages),
        ("d.connector", &search.connectors),
        ("d.currency", &search.currencies),
    ]
}

/// Returns the conditions without those on words.
fn conditions(merchant_id: &MerchantId, search: &DisputeSearch) -> Conditions {
    let mut all = Conditions::of_merchant("d.merchant_id", merchant_id);
    let dispute_id = search.dispute_id.as_ref().map(|id| id.as_str());
    let payment_id = search.payment_id.as_ref().map(|id| id.as_str());
    all.compare("d.dispute_id =", dispute_id);
    all.compare("d.payment_id =", payment_id);
    all.compare("d.profile_id =", search.profile_id.as_deref());
    let account = search.merchant_connector_id.as_deref();
    all.compare("d.merchant_connector_id =", account);
    all.compare("d.reason =", search.reason.as_deref());
    let (from, until) = (search.created_from, search.created_until);
    all.compare("d.created_at >=", from.map(|t| t.as_micros()));
    all.compare("d.created_at <=", until.map(|t| t.as_micros()));
    let (after, before) = (search.created_after, search.created_before);
    all.compare("d.created_at >", after.map(|t| t.as_micros()));
    all.compare("d.created_at <", before.map(|t| t.as_micros()));
    all
}

fn dispute(
    row: &Row,
    record: &str,
    version: &str,
    keys: &OpenKeys<'_>,
) -> Result<Dispute, StoreFailure> {
    let mut dispute: Dispute = record::read(row, record)?;
    dispute.version = row.int(version).map_err(failure)?;
    let customer = row.opt_str("dispute_customer").map_err(failure)?;
    dispute.customer_id = record::id(customer.map(CustomerId::parse).transpose())?;
    let Some(sealed) = row.opt_bytes(EVIDENCE).map_err(failure)? else {
        return Ok(dispute);
    };
    match keys.open_bytes(&place_of(&dispute), &sealed) {
        Ok(texts) => {
            let sealed: Evidence = record::parse(texts.expose())?;
            // Plaintext that an older server wrote is newer.
            let newer = std::mem::replace(&mut dispute.evidence.texts, sealed.texts);
            for text in newer {
                dispute.evidence.set_text(text.item, text.text);
            }
        }
        // The customer was redacted, so the texts about them are gone.
        Err(StoreFailure::Destroyed(_)) => {}
        Err(failure) => return Err(failure),
    }
    Ok(dispute)
}

/// Reads a dispute of a list; skips one that can't be read.
fn listed(
    merchant_id: &MerchantId,
    row: &Row,
    record: &str,
    version: &str,
    keys: &OpenKeys<'_>,
) -> Result<Option<Dispute>, StoreFailure> {
    let dispute_id = row.str("dispute_id").map_err(failure)?;
    let row_name = format!("{merchant_id}/{dispute_id}");
    record::readable(TABLE, row_name, dispute(row, record, version, keys))
}
