//! Reads of saved payment methods. A card's number is an entry of the vault, which its methods refer to.

use async_trait::async_trait;
use multirail_app::customers::ports::saved_methods::{MethodEntry, SavedMethodStore};
use multirail_app::customers::ports::vault::VaultEntry;
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::customers::saved_method::{SavedCard, SavedMethod};
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId, PaymentMethodId, PaymentToken};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{CardFingerprint, CardRecord};
use multirail_sdk::connector::AccountMandate;

use super::cards_to_save;
use super::connector_customers;
use super::connector_mandates;
use super::mandates;
use super::method_columns;
use super::method_columns::SEALED;
use super::payment_tokens;
use super::payment_tokens::from_listing;
use crate::accounts::merchants::deleted_merchants;
use crate::engine::{Read, Row, Value, Write, values};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

crate::platform::record::records! {
    CardRecord: "payment_methods.card_details",
}

const TABLE: &str = "payment_methods";

/// The columns of a method `m` and its customer `c`, whose row names the default method.
macro_rules! columns {
    () => {
        "m.merchant_id, m.payment_method_id, m.version, m.customer_id, m.status, m.payment_method, \
         m.payment_method_type, m.card_fingerprint, m.card_details, m.holder_name, m.nick_name, m.particulars, \
         m.holder_name_sealed, m.nick_name_sealed, m.particulars_sealed, m.consent_sealed, \
         m.created_at, m.modified_at, m.last_used_at, m.agreed_by, m.network_transaction_id, \
         m.consented_at, m.consent_ended_at, \
         case when c.default_payment_method_id = m.payment_method_id then true else false end as is_default, \
         case when exists (select 1 from connector_mandates k where k.merchant_id = m.merchant_id \
         and k.payment_method_id = m.payment_method_id) then true else false end as is_kept"
    };
}

const ONE: &str = concat!(
    "select ",
    columns!(),
    " from payment_methods m left join customers c on c.merchant_id = m.merchant_id and c.customer_id = m.customer_id \
     where m.merchant_id = $1 and m.payment_method_id = $2"
);

pub(crate) const OF_CUSTOMER: &str = concat!(
    "select c.status as customer_status, ",
    columns!(),
    " from customers c left join payment_methods m on m.merchant_id = c.merchant_id and m.customer_id = c.customer_id \
     and m.status = 'active' where c.merchant_id = $1 and c.customer_id = $2 \
     order by m.last_used_at desc, m.payment_method_id limit $3"
);

pub(crate) const OF_TOKEN: &str = concat!(
    "select ",
    columns!(),
    ", v.key_id, v.sealed ",
    from_listing!(),
    " left join vault_cards v on v.merchant_id = m.merchant_id and v.card_fingerprint = m.card_fingerprint \
     left join customers c on c.merchant_id = m.merchant_id and c.customer_id = m.customer_id \
     where t.merchant_id = $1 and t.listing = $2 and t.expires_at >= $5 and not exists \
     (select 1 from payment_tokens u where u.merchant_id = $1 and u.token = $4 and u.is_used)"
);

const WITH_CARD: &str = concat!(
    "select ",
    columns!(),
    ", v.key_id, v.sealed from payment_methods m \
     left join vault_cards v on v.merchant_id = m.merchant_id and v.card_fingerprint = m.card_fingerprint \
     left join customers c on c.merchant_id = m.merchant_id and c.customer_id = m.customer_id \
     where m.merchant_id = $1 and m.payment_method_id = $2 and m.status = 'active'"
);

/// Deletes saved data of deleted merchant accounts in portions: it can't pay any more, and the deletion of the account
/// itself is one commit, whatever its size.
const PURGE_OF_DELETED: [&str; 7] = [
    mandates::PURGE_OF_DELETED,
    connector_customers::PURGE_CUSTOMERS,
    connector_customers::PURGE_DELETIONS,
    connector_mandates::PURGE_OF_DELETED,
    concat!(
        "delete from payment_methods where (merchant_id, payment_method_id) in \
         (select m.merchant_id, m.payment_method_id from payment_methods m where m.merchant_id in ",
        deleted_merchants!(),
        " limit $1)"
    ),
    concat!(
        "delete from cards_to_save where (merchant_id, payment_id, attempt_number) in \
         (select h.merchant_id, h.payment_id, h.attempt_number from cards_to_save h where h.merchant_id in ",
        deleted_merchants!(),
        " limit $1)"
    ),
    concat!(
        "delete from vault_cards where (merchant_id, card_fingerprint) in \
         (select v.merchant_id, v.card_fingerprint from vault_cards v where v.merchant_id in ",
        deleted_merchants!(),
        " and not exists \
         (select 1 from payment_methods m where m.merchant_id = v.merchant_id and m.card_fingerprint = v.card_fingerprint) \
         limit $1)"
    ),
];

#[async_trait]
impl SavedMethodStore for SqlStore {
    async fn saved_method(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Option<SavedMethod>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), payment_method_id.as_str()];
        self.one_method(Read::new(ONE, parameters), method).await
    }

    async fn saved_methods_of(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        at_most: i64,
    ) -> Result<Option<(CustomerStatus, Vec<SavedMethod>)>, StoreFailure> {
        // One row answers for the customer, even if no method is asked for.
        let parameters = values![merchant_id.as_str(), customer_id.as_str(), at_most.max(1)];
        let mut read = Read::new(OF_CUSTOMER, parameters);
        read.is_long = at_most > 20;
        let rows = self.engine.fetch(read).await.map_err(failure)?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let keys = self.keys.to_open_columns(&rows, &SEALED).await?;
        let status = first.str("customer_status").map_err(failure)?;
        let status: CustomerStatus = status.parse().map_err(|unknown| {
            StoreFailure::Broken(format!("customers.status does not read: {unknown}"))
        })?;
        let mut methods = Vec::with_capacity(rows.len());
        for row in rows.iter().take(usize::try_from(at_most).unwrap_or(0)) {
            let Some(id) = row.opt_str("payment_method_id").map_err(failure)? else {
                continue;
            };
            methods.extend(record::readable(TABLE, id, method(row, &keys))?);
        }
        Ok(Some((status, methods)))
    }

    async fn method_of_token(
        &self,
        merchant_id: &MerchantId,
        token: &PaymentToken,
        now: Timestamp,
    ) -> Result<Option<MethodEntry>, StoreFailure> {
        let mut parameters = payment_tokens::parts(merchant_id, token);
        parameters.push(Value::from(now.as_micros()));
        self.one_method(Read::new(OF_TOKEN, parameters), with_card)
            .await
    }

    async fn method_with_card(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Option<MethodEntry>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), payment_method_id.as_str()];
        self.one_method(Read::new(WITH_CARD, parameters), with_card)
            .await
    }

    async fn connector_mandates_of(
        &self,
        merchant_id: &MerchantId,
        payment_method_id: &PaymentMethodId,
    ) -> Result<Vec<AccountMandate>, StoreFailure> {
        connector_mandates::of_method(&self.engine, merchant_id, payment_method_id).await
    }

    async fn purge_methods_of_the_deleted(&self, at_most: i64) -> Result<u64, StoreFailure> {
        let purge = |sql| Write::new(sql, values![at_most]).any_rows();
        let writes = PURGE_OF_DELETED.map(purge).to_vec();
        let rows = record::write_any(&self.engine, writes).await?;
        // A portion is full if any part of it is.
        Ok(rows.into_iter().max().unwrap_or(0))
    }

    async fn purge_payment_tokens(
        &self,
        lapsed_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        payment_tokens::purge(&self.engine, lapsed_before, at_most).await
    }

    async fn purge_cards_to_save(
        &self,
        held_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        cards_to_save::purge(&self.engine, held_before, at_most).await
    }
}

impl SqlStore {
    /// Returns nothing if the customer's key was destroyed: the customer was redacted, and their saved data goes with the
    /// key.
    async fn one_method<T>(
        &self,
        read: Read,
        from_row: impl Fn(&Row, &OpenKeys<'_>) -> Result<T, StoreFailure>,
    ) -> Result<Option<T>, StoreFailure> {
        let Some(row) = self.engine.fetch_optional(read).await.map_err(failure)? else {
            return Ok(None);
        };
        let keys = self.keys.to_open_columns([&row], &SEALED).await?;
        match from_row(&row, &keys) {
            Ok(read) => Ok(Some(read)),
            Err(StoreFailure::Destroyed(_)) => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

fn method(row: &Row, keys: &OpenKeys<'_>) -> Result<SavedMethod, StoreFailure> {
    let text = |column: &str| row.str(column).map_err(failure);
    let time = |column: &str| row.int(column).map(Timestamp::from_micros).map_err(failure);
    let moment = |column: &str| {
        let moment = row.opt_int(column).map_err(failure)?;
        Ok::<_, StoreFailure>(moment.map(Timestamp::from_micros))
    };
    let word = |column: &str, why: String| {
        StoreFailure::Broken(format!("payment_methods.{column} does not read: {why}"))
    };
    let merchant_id = record::id(MerchantId::parse(text("merchant_id")?))?;
    let payment_method_id = record::id(PaymentMethodId::parse(text("payment_method_id")?))?;
    let (merchant, id) = (&merchant_id, &payment_method_id);
    let (holder, mut particulars) = method_columns::read(row, merchant, id, keys)?;
    let consent = method_columns::newest_consent(row, merchant, id, keys)?;
    particulars.consent = consent.or(particulars.consent);
    let fingerprint = row.opt_str("card_fingerprint").map_err(failure)?;
    let card = fingerprint.map(|fingerprint| {
        let fingerprint = CardFingerprint::parse(fingerprint)
            .map_err(|why| word("card_fingerprint", why.to_string()))?;
        let card: CardRecord = record::read(row, "card_details")?;
        Ok::<_, StoreFailure>(SavedCard {
            fingerprint,
            details: card.details,
            holder,
        })
    });
    let card = card.transpose()?;
    if card.is_none() && particulars.bank_account.is_none() {
        // The customer was redacted while the account was being saved: no key was left to seal it with.
        let place = format!("payment_methods:{merchant_id}/{payment_method_id}");
        return Err(StoreFailure::Destroyed(place));
    }
    let kind = row.opt_str("payment_method_type").map_err(failure)?;
    Ok(SavedMethod {
        merchant_id,
        payment_method_id,
        customer_id: record::id(CustomerId::parse(text("customer_id")?))?,
        version: row.int("version").map_err(failure)?,
        status: text("status")?
            .parse()
            .map_err(|why| word("status", format!("{why}")))?,
        payment_method: text("payment_method")?
            .parse()
            .map_err(|why| word("payment_method", format!("{why}")))?,
        payment_method_type: kind
            .map(|kind| {
                kind.parse()
                    .map_err(|why| word("payment_method_type", format!("{why}")))
            })
            .transpose()?,
        card,
        particulars,
        created_at: time("created_at")?,
        modified_at: time("modified_at")?,
        last_used_at: time("last_used_at")?,
        is_default: row.bool("is_default").map_err(failure)?,
        agreed_by: row
            .opt_str("agreed_by")
            .map_err(failure)?
            .map(|id| record::id(PaymentId::parse(id)))
            .transpose()?,
        consented_at: moment("consented_at")?,
        consent_ended_at: moment("consent_ended_at")?,
        network_transaction_id: row.opt_text("network_transaction_id").map_err(failure)?,
        is_kept: row.bool("is_kept").map_err(failure)?,
    })
}

fn with_card(row: &Row, keys: &OpenKeys<'_>) -> Result<MethodEntry, StoreFailure> {
    let method = method(row, keys)?;
    let entry = method.card.as_ref().map(|card| {
        Ok::<_, StoreFailure>(VaultEntry {
            fingerprint: card.fingerprint.clone(),
            key_id: row.text("key_id").map_err(failure)?,
            sealed: row.bytes("sealed").map_err(failure)?,
        })
    });
    Ok(MethodEntry {
        entry: entry.transpose()?,
        method,
    })
}
