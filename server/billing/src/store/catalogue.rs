//! Statements on catalogues. A row's record is written when the entry is made and archived; redemptions have their own
//! column.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_billing_domain::catalogue::{CatalogueEntry, CatalogueKind, CatalogueOf, Catalogued};
use multirail_billing_domain::item::Item;
use multirail_billing_domain::price::Price;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::ItemId;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};
use multirail_sql::{Read, Row, Value, Write, values};
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::{all, one};

use super::sql_billing::SqlBilling;
use crate::ports::{CatalogueChange, CatalogueSearch, CatalogueStore, ItemSearch, StoredEntry};

multirail_store::records! {
    CatalogueEntry: "billing_catalogue.record",
}

const TABLE: &str = "billing_catalogue";

const ENTRY: &str = "select record, redemptions from billing_catalogue \
     where merchant_id = $1 and merchant_connector_id = $2 and kind = $3 and entry_id = $4";

const ENTRIES: &str = "select entry_id as id, record, redemptions from billing_catalogue \
     where merchant_id = $1 and merchant_connector_id = $2 and kind = $3 \
     order by created_at desc, entry_id desc limit $4 offset $5";

const ENTRIES_OF: &str = "select entry_id as id, record, redemptions from billing_catalogue \
     where merchant_id = $1 and merchant_connector_id = $2 and kind = $3 and parent_id = $6 \
     order by created_at desc, entry_id desc limit $4 offset $5";

/// Selects the offered items of one type: neither the item nor its product is archived.
macro_rules! offered_items {
    ($select:literal, $of:literal) => {
        concat!(
            "select ",
            $select,
            " from billing_catalogue item \
             where item.merchant_id = $1 and item.merchant_connector_id = $2 and item.kind = 'item' and item.item_type = $3 \
             and not item.is_archived",
            $of,
            " and not exists (select 1 from billing_catalogue product where product.merchant_id = $1 \
             and product.merchant_connector_id = $2 and product.kind = 'product' and product.entry_id = item.parent_id \
             and product.is_archived) order by item.created_at, item.entry_id limit $4 offset $5"
        )
    };
}

/// Selects the prices of such a page.
macro_rules! offered_prices {
    ($of:literal) => {
        concat!(
            "select entry_id as id, record, redemptions from billing_catalogue \
             where merchant_id = $1 and merchant_connector_id = $2 and kind = 'price' and not is_archived \
             and parent_id in (select page.entry_id from (",
            offered_items!("item.entry_id", $of),
            ") page) order by created_at, entry_id"
        )
    };
}

const ITEMS: &str = offered_items!("item.entry_id as id, item.record, item.redemptions", "");

const ITEMS_OF_PRODUCT: &str = offered_items!(
    "item.entry_id as id, item.record, item.redemptions",
    " and item.parent_id = $6"
);

const PRICES: &str = offered_prices!("");

const PRICES_OF_PRODUCT: &str = offered_prices!(" and item.parent_id = $6");

const COUNT_PRICES: &str = "select count(*) as prices from billing_catalogue \
     where merchant_id = $1 and merchant_connector_id = $2 and kind = 'price' and parent_id = $3 and not is_archived";

const INSERT: &str = "insert into billing_catalogue (merchant_id, merchant_connector_id, kind, entry_id, parent_id, item_type, \
     is_archived, redemptions, max_redemptions, record, created_at, modified_at) \
     values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10, $11) on conflict do nothing";

const ARCHIVE: &str = "update billing_catalogue set is_archived = true, record = $5, modified_at = $6 \
     where merchant_id = $1 and merchant_connector_id = $2 and kind = $3 and entry_id = $4 and not is_archived";

const REDEEM: &str = "update billing_catalogue set redemptions = redemptions + 1 \
     where merchant_id = $1 and merchant_connector_id = $2 and kind = $3 and entry_id = $4 and not is_archived \
     and (max_redemptions is null or redemptions < max_redemptions)";

const GIVE_BACK: &str = "update billing_catalogue set redemptions = redemptions - 1 \
     where merchant_id = $1 and merchant_connector_id = $2 and kind = $3 and entry_id = $4 and redemptions > 0";

#[async_trait]
impl CatalogueStore for SqlBilling {
    async fn catalogue_entry(
        &self,
        of: &CatalogueOf,
        kind: CatalogueKind,
        entry_id: &str,
    ) -> Result<Option<StoredEntry>, StoreFailure> {
        let read = Read::new(ENTRY, place(of, kind, entry_id));
        one(self.sql.engine(), read, stored).await
    }

    async fn search_catalogue(
        &self,
        of: &CatalogueOf,
        search: &CatalogueSearch,
    ) -> Result<Vec<StoredEntry>, StoreFailure> {
        let mut parameters = values![
            of.merchant_id.as_str(),
            of.merchant_connector_id.as_str(),
            search.kind.as_str(),
            search.limit,
            search.offset
        ];
        let sql = match &search.parent_id {
            None => ENTRIES,
            Some(parent_id) => {
                parameters.extend(values![parent_id.as_str()]);
                ENTRIES_OF
            }
        };
        all(self.sql.engine(), TABLE, Read::new(sql, parameters), stored).await
    }

    async fn offered_items(
        &self,
        of: &CatalogueOf,
        search: &ItemSearch,
    ) -> Result<Vec<Item>, StoreFailure> {
        let read = offered(of, search, ITEMS, ITEMS_OF_PRODUCT);
        all(self.sql.engine(), TABLE, read, held::<Item>).await
    }

    async fn offered_prices(
        &self,
        of: &CatalogueOf,
        search: &ItemSearch,
    ) -> Result<Vec<Price>, StoreFailure> {
        let read = offered(of, search, PRICES, PRICES_OF_PRODUCT);
        all(self.sql.engine(), TABLE, read, held::<Price>).await
    }

    async fn count_prices(&self, of: &CatalogueOf, item_id: &ItemId) -> Result<i64, StoreFailure> {
        let parameters = values![
            of.merchant_id.as_str(),
            of.merchant_connector_id.as_str(),
            item_id.as_str()
        ];
        let read = Read::new(COUNT_PRICES, parameters);
        let counted = one(self.sql.engine(), read, |row| {
            row.int("prices").map_err(failure)
        });
        Ok(counted.await?.unwrap_or_default())
    }
}

impl Change for CatalogueChange {
    fn write(&self, _: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(match self {
            CatalogueChange::Insert(entry) => insert(entry)?,
            CatalogueChange::Archive(entry) => {
                let mut parameters = place(&entry.catalogue(), entry.kind(), entry.id());
                parameters.extend(values![
                    record::write(&**entry)?,
                    entry.modified_at().as_micros()
                ]);
                Write::new(ARCHIVE, parameters)
            }
            CatalogueChange::Redeem { of, code } => {
                Write::new(REDEEM, place(of, CatalogueKind::Coupon, code.as_str()))
            }
            CatalogueChange::GiveBack { of, code } => {
                Write::new(GIVE_BACK, place(of, CatalogueKind::Coupon, code.as_str()))
            }
        });
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        match self {
            CatalogueChange::Insert(entry) | CatalogueChange::Archive(entry) => {
                Some(Named::new(audit_word(entry.kind()), entry.id()))
            }
            CatalogueChange::Redeem { .. } | CatalogueChange::GiveBack { .. } => None,
        }
    }
}

/// Returns the word of the audit log for an entry of this kind.
fn audit_word(kind: CatalogueKind) -> &'static str {
    match kind {
        CatalogueKind::Product => "subscription_product",
        CatalogueKind::Item => "subscription_item",
        CatalogueKind::Price => "subscription_item_price",
        CatalogueKind::Coupon => "subscription_coupon",
    }
}

fn insert(entry: &CatalogueEntry) -> Result<Write, StoreFailure> {
    let mut parameters = place(&entry.catalogue(), entry.kind(), entry.id());
    parameters.extend(values![
        entry.parent_id(),
        entry.item_type().map(|item_type| item_type.as_str()),
        entry.is_archived(),
        entry.max_redemptions().map(i64::from),
        record::write(entry)?,
        entry.created_at().as_micros(),
        entry.modified_at().as_micros()
    ]);
    Ok(Write::new(INSERT, parameters).or_duplicate(duplicate::CATALOGUE_ENTRY))
}

fn place(of: &CatalogueOf, kind: CatalogueKind, entry_id: &str) -> Vec<Value> {
    values![
        of.merchant_id.as_str(),
        of.merchant_connector_id.as_str(),
        kind.as_str(),
        entry_id
    ]
}

fn offered(
    of: &CatalogueOf,
    search: &ItemSearch,
    of_all: &'static str,
    of_product: &'static str,
) -> Read {
    let mut parameters = values![
        of.merchant_id.as_str(),
        of.merchant_connector_id.as_str(),
        search.item_type.as_str(),
        search.limit,
        search.offset
    ];
    match &search.product_id {
        None => Read::new(of_all, parameters),
        Some(product_id) => {
            parameters.extend(values![product_id.as_str()]);
            Read::new(of_product, parameters)
        }
    }
}

fn stored(row: &Row) -> Result<StoredEntry, StoreFailure> {
    let redemptions = row.int("redemptions").map_err(failure)?;
    Ok(StoredEntry {
        entry: record::read(row, "record")?,
        redemptions: u32::try_from(redemptions)
            .map_err(|_| StoreFailure::Broken("redemptions are out of range".to_owned()))?,
    })
}

fn held<T: Catalogued>(row: &Row) -> Result<T, StoreFailure> {
    T::from_entry(stored(row)?.entry).ok_or_else(|| {
        StoreFailure::Broken(format!(
            "a row does not hold the {} that its kind names",
            T::KIND
        ))
    })
}
