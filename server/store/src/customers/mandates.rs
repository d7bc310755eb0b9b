//! Reads and writes of mandates. The record holds the terms. Everything that changes has a column of its own, so that a
//! payment changes it by one conditional statement, without reading the rest.

use async_trait::async_trait;
use multirail_app::customers::ports::mandates::Renewed;
use multirail_app::customers::ports::{MandateChange, MandateSearch, MandateStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::Gone;
use multirail_domain::customers::mandate::{Mandate, MandateTerms, MandateView};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, MandateId, MerchantId, PaymentId, PaymentMethodId, ProfileId,
};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};
use multirail_sdk::card::CardRecord;
use multirail_sdk::payment_method::PaymentMethod;

use super::connector_customers;
use super::lower_saved_method::hold;
use super::method_columns;
use super::method_columns::{HOLDER_NAME_SEALED, NICK_NAME_SEALED, NO_CARD, PARTICULARS_SEALED};
use crate::accounts::merchants::deleted_merchants;
use crate::engine::{Read, Row, Value, Write, values};
use crate::platform::conditions::Conditions;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::rows::one;
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

crate::platform::record::records! {
    MandateTerms: "mandates.record",
}

const TABLE: &str = "mandates";

/// The sealed columns of the method.
const OPENED: [&str; 3] = [HOLDER_NAME_SEALED, NICK_NAME_SEALED, PARTICULARS_SEALED];

/// The columns of a mandate `d` and of its method `m`, which may have been deleted.
macro_rules! columns {
    () => {
        "d.merchant_id, d.mandate_id, d.version, d.status, d.profile_id, d.customer_id, d.payment_id, \
         d.payment_method_id, d.payment_method, d.payment_method_type, d.connector, d.merchant_connector_id, d.record, \
         d.created_at, d.modified_at, m.card_details, m.holder_name, m.nick_name, m.particulars, m.holder_name_sealed, \
         m.nick_name_sealed, m.particulars_sealed"
    };
}

macro_rules! beside {
    () => {
        " left join payment_methods m on m.merchant_id = d.merchant_id and m.payment_method_id = d.payment_method_id"
    };
}

pub(crate) const ONE: &str = concat!(
    "select ",
    columns!(),
    " from mandates d",
    beside!(),
    " where d.merchant_id = $1 and d.mandate_id = $2"
);

const HAS_ACTIVE: &str = "select 1 as active from mandates where merchant_id = $1 and customer_id = $2 and status = 'active' \
     and (ends_at is null or ends_at >= $3) limit 1";

/// Requires the method's row: a customer who was redacted before the approval grants no mandate.
const INSERT: &str = "insert into mandates (merchant_id, mandate_id, version, status, profile_id, customer_id, payment_id, \
     payment_method_id, payment_method, payment_method_type, connector, merchant_connector_id, is_single_use, record, created_at, \
     modified_at, ends_at) select m.merchant_id, $3, 1, $4, $5, $6, $7, m.payment_method_id, $8, $9, $10, $11, $12, $13, $14, $14, \
     cast($15 as bigint) from payment_methods m where m.merchant_id = $1 and m.payment_method_id = $2";

const RENEW: &str = "update mandates set version = version + 1, payment_id = $4, payment_method_id = $5, \
     is_single_use = coalesce($6, is_single_use), record = coalesce($7, record), modified_at = $8, \
     ends_at = case when $6 is null then ends_at else cast($9 as bigint) end \
     where merchant_id = $1 and mandate_id = $2 and customer_id = $3 and status = 'active' \
     and exists (select 1 from payment_methods m where m.merchant_id = $1 and m.payment_method_id = $5)";

/// A multi-use mandate stays unchanged; the statement still checks that it is active.
const USE: &str = "update mandates set version = case when is_single_use then version + 1 else version end, \
     status = case when is_single_use then 'inactive' else status end, \
     charged_by = case when is_single_use then $3 else charged_by end, \
     modified_at = case when is_single_use then $4 else modified_at end \
     where merchant_id = $1 and mandate_id = $2 and status = 'active'";

const GIVE_BACK: &str = "update mandates set version = version + 1, status = 'active', charged_by = null, modified_at = $4 \
     where merchant_id = $1 and mandate_id = $2 and charged_by = $3 and status = 'inactive'";

const REVOKE: &str = "update mandates set version = version + 1, status = $3, modified_at = $4 \
     where merchant_id = $1 and mandate_id = $2 and version = $5";

/// Takes merchant, method and time. Another active mandate still permits charges without the payer.
const END_CONSENT: &str = "update payment_methods set agreed_by = null, consent_ended_at = $3 \
     where merchant_id = $1 and payment_method_id = $2 and not exists (select 1 from mandates d \
     where d.merchant_id = $1 and d.payment_method_id = $2 and d.status = 'active')";

const REVOKE_OF_METHOD: &str = "update mandates set version = version + 1, status = 'revoked', modified_at = $3 \
     where merchant_id = $1 and payment_method_id = $2 and status <> 'revoked'";

const REVOKE_OF_CUSTOMER: &str = "update mandates set version = version + 1, status = 'revoked' \
     where merchant_id = $1 and customer_id = $2 and status <> 'revoked'";

pub(crate) const PURGE_OF_DELETED: &str = concat!(
    "delete from mandates where (merchant_id, mandate_id) in \
     (select d.merchant_id, d.mandate_id from mandates d where d.merchant_id in ",
    deleted_merchants!(),
    " limit $1)"
);

#[async_trait]
impl MandateStore for SqlStore {
    async fn mandate(
        &self,
        merchant_id: &MerchantId,
        mandate_id: &MandateId,
    ) -> Result<Option<MandateView>, StoreFailure> {
        let read = Read::new(ONE, values![merchant_id.as_str(), mandate_id.as_str()]);
        let Some(row) = self.engine.fetch_optional(read).await.map_err(failure)? else {
            return Ok(None);
        };
        let keys = self.keys.to_open_columns([&row], &OPENED).await?;
        view(&row, &keys).map(Some)
    }

    async fn search_mandates(
        &self,
        merchant_id: &MerchantId,
        search: &MandateSearch,
    ) -> Result<Vec<MandateView>, StoreFailure> {
        let (sql, parameters) = page(merchant_id, search);
        let read = Read::new(sql, parameters).long();
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let keys = self.keys.to_open_columns(&rows, &OPENED).await?;
        let mut views = Vec::with_capacity(rows.len());
        for row in &rows {
            let id = row.str("mandate_id").map_err(failure)?;
            views.extend(record::readable(TABLE, id, view(row, &keys))?);
        }
        Ok(views)
    }

    async fn has_active_mandate(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        now: Timestamp,
    ) -> Result<bool, StoreFailure> {
        let parameters = values![merchant_id.as_str(), customer_id.as_str(), now.as_micros()];
        let found = one(&self.engine, Read::new(HAS_ACTIVE, parameters), |_| Ok(()));
        Ok(found.await?.is_some())
    }
}

/// Returns the statement for one page. An index finds the page; only the rows of the page are read.
pub(crate) fn page(merchant_id: &MerchantId, search: &MandateSearch) -> (String, Vec<Value>) {
    let mut conditions = Conditions::of_merchant("d.merchant_id", merchant_id);
    let customer_id = search.customer_id.as_ref();
    conditions.compare("d.customer_id =", customer_id.map(|id| id.as_str()));
    let method = search.payment_method_id.as_ref();
    conditions.compare("d.payment_method_id =", method.map(|id| id.as_str()));
    let status = search.status.map(|status| status.as_str());
    conditions.compare("d.status =", status);
    conditions.compare("d.connector =", search.connector.as_deref());
    let micros = |moment: Option<Timestamp>| moment.map(Timestamp::as_micros);
    conditions.compare("d.created_at >=", micros(search.created_from));
    conditions.compare("d.created_at <=", micros(search.created_until));
    conditions.compare("d.created_at >", micros(search.created_after));
    conditions.compare("d.created_at <", micros(search.created_before));
    let offset = conditions.parameter(search.offset);
    // The limit is written into the text: PostgreSQL takes an unknown limit for a tenth of all rows.
    let sql = format!(
        concat!(
            "select ",
            columns!(),
            " from (select d.merchant_id, d.mandate_id from mandates d where {} \
             order by d.created_at desc, d.mandate_id desc limit {} offset {}) as page \
             cross join mandates d",
            beside!(),
            " where d.merchant_id = page.merchant_id and d.mandate_id = page.mandate_id \
             order by d.created_at desc, d.mandate_id desc"
        ),
        conditions.text, search.limit, offset
    );
    (sql, conditions.parameters)
}

/// Revokes every mandate on methods of this customer. None of them can be charged any more: a customer with a chargeable
/// mandate isn't redacted.
pub(crate) fn revoke_of_customer(merchant_id: &MerchantId, customer_id: &CustomerId) -> Write {
    let parameters = values![merchant_id.as_str(), customer_id.as_str()];
    Write::new(REVOKE_OF_CUSTOMER, parameters).any_rows()
}

impl Change for Stored<MandateChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        let at = with.at;
        let charge = |sql, merchant_id: &MerchantId, id: &MandateId, payment: &PaymentId| {
            let parameters = values![
                merchant_id.as_str(),
                id.as_str(),
                payment.as_str(),
                at.as_micros()
            ];
            Write::new(sql, parameters).on(TABLE)
        };
        match &self.0 {
            // Neither calls [`Write::on`]: they read the method, which this change-set may have saved.
            MandateChange::Insert(mandate) => {
                let (merchant_id, id) = (&mandate.merchant_id, &mandate.payment_method_id);
                writes.push(hold(merchant_id, &mandate.customer_id, id));
                writes.push(insert(mandate)?.or_gone(Gone::Mandate.name()));
            }
            MandateChange::Renew(renewed) => {
                let (merchant_id, id) = (&renewed.merchant_id, &renewed.payment_method_id);
                writes.push(hold(merchant_id, &renewed.customer_id, id));
                writes.push(renew(renewed, at)?);
            }
            MandateChange::Use {
                merchant_id,
                mandate_id,
                payment_id,
            } => writes.push(charge(USE, merchant_id, mandate_id, payment_id)),
            MandateChange::GiveBack {
                merchant_id,
                mandate_id,
                payment_id,
            } => writes.push(charge(GIVE_BACK, merchant_id, mandate_id, payment_id).any_rows()),
            MandateChange::Revoke(mandate) => {
                writes.extend(revoke(mandate));
                writes.extend(connector_customers::file_mandate(
                    &mandate.merchant_id,
                    &mandate.payment_method_id,
                    &mandate.mandate_id,
                    at,
                ));
            }
            MandateChange::RevokeOfMethod {
                merchant_id,
                payment_method_id,
            } => {
                let parameters = values![
                    merchant_id.as_str(),
                    payment_method_id.as_str(),
                    at.as_micros()
                ];
                writes.push(Write::new(REVOKE_OF_METHOD, parameters).any_rows());
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
        let id = match &self.0 {
            MandateChange::Insert(mandate) | MandateChange::Revoke(mandate) => &mandate.mandate_id,
            MandateChange::Renew(renewed) => &renewed.mandate_id,
            MandateChange::Use { .. }
            | MandateChange::GiveBack { .. }
            | MandateChange::RevokeOfMethod { .. } => return None,
        };
        Some(Named::new("mandate", id.as_str()))
    }
}

fn insert(mandate: &Mandate) -> Result<Write, StoreFailure> {
    let kind = mandate.payment_method_type;
    let account = mandate.merchant_connector_id.as_ref();
    let parameters = values![
        mandate.merchant_id.as_str(),
        mandate.payment_method_id.as_str(),
        mandate.mandate_id.as_str(),
        mandate.status.as_str(),
        mandate.profile_id.as_str(),
        mandate.customer_id.as_str(),
        mandate.payment_id.as_str(),
        mandate.payment_method.as_str(),
        kind.map(|kind| kind.as_str()),
        mandate.connector.as_deref(),
        account.map(|account| account.as_str()),
        mandate.terms.is_single_use(),
        record::write(&mandate.terms)?,
        mandate.created_at.as_micros(),
        ends_at(&mandate.terms)
    ];
    Ok(Write::new(INSERT, parameters))
}

/// Revokes a mandate. A mandate for debits is the payer's only permission to debit the account without them, so it ends the
/// method's consent, too. The method is locked first, as by payments that grant mandates.
fn revoke(mandate: &Mandate) -> Vec<Write> {
    let (merchant_id, method) = (&mandate.merchant_id, &mandate.payment_method_id);
    let parameters = values![
        merchant_id.as_str(),
        mandate.mandate_id.as_str(),
        mandate.status.as_str(),
        mandate.modified_at.as_micros(),
        mandate.version
    ];
    let revoke = Write::new(REVOKE, parameters);
    if mandate.payment_method != PaymentMethod::BankDebit {
        return vec![revoke.on(TABLE)];
    }
    let of_method = values![
        merchant_id.as_str(),
        method.as_str(),
        mandate.modified_at.as_micros()
    ];
    vec![
        hold(merchant_id, &mandate.customer_id, method),
        // Without [`Write::on`], because the next statement reads the mandates.
        revoke,
        Write::new(END_CONSENT, of_method).any_rows(),
    ]
}

fn renew(renewed: &Renewed, at: Timestamp) -> Result<Write, StoreFailure> {
    let terms = renewed.terms.as_ref();
    let parameters = values![
        renewed.merchant_id.as_str(),
        renewed.mandate_id.as_str(),
        renewed.customer_id.as_str(),
        renewed.payment_id.as_str(),
        renewed.payment_method_id.as_str(),
        terms.map(MandateTerms::is_single_use),
        terms.map(record::write).transpose()?,
        at.as_micros(),
        terms.and_then(ends_at)
    ];
    Ok(Write::new(RENEW, parameters).or_gone(Gone::Mandate.name()))
}

/// Returns the moment after which the mandate can't be charged.
fn ends_at(terms: &MandateTerms) -> Option<i64> {
    let limits = terms.limits()?;
    limits.ends_at().map(Timestamp::as_micros)
}

fn view(row: &Row, keys: &OpenKeys<'_>) -> Result<MandateView, StoreFailure> {
    let mandate = mandate(row)?;
    let details = row.opt_str("card_details").map_err(failure)?;
    let card = details.filter(|details| *details != NO_CARD);
    let card = match card.map(|_| self::card(row, keys, &mandate)).transpose() {
        Ok(card) => card,
        // The customer was redacted, and the method is about to be deleted.
        Err(StoreFailure::Destroyed(_)) => None,
        Err(failure) => return Err(failure),
    };
    Ok(MandateView {
        mandate,
        card,
        consent: None,
    })
}

fn card(row: &Row, keys: &OpenKeys<'_>, mandate: &Mandate) -> Result<CardRecord, StoreFailure> {
    let card: CardRecord = record::read(row, "card_details")?;
    let id = &mandate.payment_method_id;
    let (holder, _) = method_columns::read(row, &mandate.merchant_id, id, keys)?;
    Ok(CardRecord { holder, ..card })
}

fn mandate(row: &Row) -> Result<Mandate, StoreFailure> {
    let text = |column: &str| row.str(column).map_err(failure);
    let time = |column: &str| row.int(column).map(Timestamp::from_micros).map_err(failure);
    let word = |column: &str, why: String| {
        StoreFailure::Broken(format!("mandates.{column} does not read: {why}"))
    };
    let kind = row.opt_str("payment_method_type").map_err(failure)?;
    let account = row.opt_str("merchant_connector_id").map_err(failure)?;
    Ok(Mandate {
        merchant_id: record::id(MerchantId::parse(text("merchant_id")?))?,
        mandate_id: record::id(MandateId::parse(text("mandate_id")?))?,
        profile_id: record::id(ProfileId::parse(text("profile_id")?))?,
        customer_id: record::id(CustomerId::parse(text("customer_id")?))?,
        version: row.int("version").map_err(failure)?,
        status: text("status")?
            .parse()
            .map_err(|why| word("status", format!("{why}")))?,
        terms: record::read(row, "record")?,
        payment_id: record::id(PaymentId::parse(text("payment_id")?))?,
        payment_method_id: record::id(PaymentMethodId::parse(text("payment_method_id")?))?,
        payment_method: text("payment_method")?
            .parse()
            .map_err(|why| word("payment_method", format!("{why}")))?,
        payment_method_type: kind
            .map(|kind| {
                kind.parse()
                    .map_err(|why| word("payment_method_type", format!("{why}")))
            })
            .transpose()?,
        connector: row.opt_text("connector").map_err(failure)?,
        merchant_connector_id: account
            .map(|id| record::id(ConnectorAccountId::parse(id)))
            .transpose()?,
        created_at: time("created_at")?,
        modified_at: time("modified_at")?,
    })
}
