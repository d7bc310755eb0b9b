//! Tests the catalogue over a store in memory that records its calls.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use multirail_app::AppError;
use multirail_app::fixture::{Committed, NOW, Noted, base, operator};
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{CommitError, StoreFailure};
use multirail_billing_domain::calendar::Zone;
use multirail_billing_domain::catalogue::{
    CatalogueEntry, CatalogueKind, CatalogueOf, Catalogued, MOST_PRICES,
};
use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::price::{NewPrice, Price};
use multirail_billing_domain::product::Product;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, ItemId, MerchantId, ProductId, ProfileId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Changes};

use super::{Catalogue, CreateProduct, ListCatalogue};
use crate::ports::{
    BillingAccounts, CatalogueChange, CatalogueSearch, CatalogueStore, ItemSearch, StoredEntry,
};

/// A catalogue with these entries, and one item with this many prices.
struct Shelf {
    entries: Vec<CatalogueEntry>,
    prices: i64,
    /// The requested ids in order.
    looks: Mutex<Vec<String>>,
}

impl Changes<CatalogueChange> for Shelf {
    fn change(&self, change: CatalogueChange) -> Box<dyn Change> {
        Box::new(Noted(change))
    }
}

#[async_trait]
impl CatalogueStore for Shelf {
    async fn catalogue_entry(
        &self,
        _: &CatalogueOf,
        kind: CatalogueKind,
        entry_id: &str,
    ) -> Result<Option<StoredEntry>, StoreFailure> {
        self.looks
            .lock()
            .expect("no panic")
            .push(entry_id.to_owned());
        let is_it = |entry: &&CatalogueEntry| entry.kind() == kind && entry.id() == entry_id;
        let found = self.entries.iter().find(is_it).cloned();
        Ok(found.map(|entry| StoredEntry {
            entry,
            redemptions: 0,
        }))
    }

    async fn search_catalogue(
        &self,
        _: &CatalogueOf,
        _: &CatalogueSearch,
    ) -> Result<Vec<StoredEntry>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn offered_items(
        &self,
        _: &CatalogueOf,
        _: &ItemSearch,
    ) -> Result<Vec<Item>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn offered_prices(
        &self,
        _: &CatalogueOf,
        _: &ItemSearch,
    ) -> Result<Vec<Price>, StoreFailure> {
        Ok(Vec::new())
    }

    async fn count_prices(&self, _: &CatalogueOf, _: &ItemId) -> Result<i64, StoreFailure> {
        Ok(self.prices)
    }
}

/// One billing account that counts its lookups.
#[derive(Default)]
struct OneAccount(Mutex<usize>);

#[async_trait]
impl BillingAccounts for OneAccount {
    async fn account(&self, _: &MerchantId, _: &ProfileId) -> Result<ConnectorAccountId, AppError> {
        *self.0.lock().expect("no panic") += 1;
        Ok(account_id())
    }

    async fn chargeable(
        &self,
        _: &MerchantId,
        _: &ProfileId,
        _: Currency,
    ) -> Result<Chargeable, AppError> {
        Ok(Chargeable::ANY)
    }
}

fn account_id() -> ConnectorAccountId {
    ConnectorAccountId::parse("mca_1").expect("an id")
}

fn shop() -> (MerchantId, ProfileId) {
    let merchant_id = MerchantId::parse("shop").expect("an id");
    (merchant_id, ProfileId::parse("pro_1").expect("an id"))
}

fn magazine() -> Product {
    let id = ProductId::parse("prod_1").expect("an id");
    let now = Timestamp::from_micros(NOW * 1_000_000);
    let made = Product::create(shop().0, account_id(), id, "The magazine", None, now);
    made.expect("a product")
}

fn gold() -> Item {
    let id = ItemId::parse("item_1").expect("an id");
    let now = Timestamp::from_micros(NOW * 1_000_000);
    let made = Item::create(&magazine(), id, ItemType::Plan, "Gold", None, now);
    made.expect("an item")
}

struct Given {
    catalogue: Catalogue,
    committed: Arc<Committed>,
    store: Arc<Shelf>,
    accounts: Arc<OneAccount>,
}

fn given(prices: i64) -> Given {
    let committed = Arc::new(Committed::default());
    let store = Arc::new(Shelf {
        entries: vec![magazine().entry(), gold().entry()],
        prices,
        looks: Mutex::default(),
    });
    let accounts = Arc::new(OneAccount::default());
    let catalogue = Catalogue {
        base: base(&committed),
        store: store.clone(),
        accounts: accounts.clone(),
    };
    Given {
        catalogue,
        committed,
        store,
        accounts,
    }
}

#[tokio::test(start_paused = true)]
async fn an_archive_is_decided_again_where_the_entry_changed_meanwhile() {
    let given = given(0);
    given.committed.refuse(CommitError::Conflict);
    let origin = operator();
    let (merchant_id, profile_id) = shop();
    let archived = given
        .catalogue
        .archive::<Product>(&origin, &merchant_id, &profile_id, "prod_1");
    let (product, redemptions) = archived.await.expect("archived");
    assert!(product.is_archived && redemptions == 0);
    let looks = given.store.looks.lock().expect("no panic").clone();
    assert_eq!(looks, ["prod_1", "prod_1"]);
    let lines = given.committed.lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "Admin for shop");
    assert!(lines[1].starts_with("  Archive(Product("), "{lines:?}");
}

#[tokio::test]
async fn an_id_that_is_taken_is_refused_by_its_name() {
    let given = given(0);
    let taken = CommitError::Duplicate(duplicate::CATALOGUE_ENTRY);
    given.committed.refuse(taken);
    let origin = operator();
    let (merchant_id, profile_id) = shop();
    let request = CreateProduct {
        product_id: Some(ProductId::parse("prod_1").expect("an id")),
        name: "The magazine".to_owned(),
        description: None,
    };
    let made = given
        .catalogue
        .create_product(&origin, &merchant_id, &profile_id, request);
    let refused = made.await.expect_err("taken").to_string();
    assert!(refused.contains("prod_1"), "{refused}");
    assert_eq!(given.committed.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn an_item_offers_so_many_prices_and_no_more() {
    let new = || NewPrice {
        amount_minor: 1_000,
        currency: Currency::USD,
        interval: None,
        billing_cycles: None,
        trial_days: 0,
        min_quantity: 1,
        max_quantity: 1,
        taxes: Vec::new(),
        zone: Zone::utc(),
    };
    let (merchant_id, profile_id) = shop();
    for (prices, is_made) in [(MOST_PRICES - 1, true), (MOST_PRICES, false)] {
        let given = given(prices);
        let (origin, item_id) = (operator(), gold().item_id);
        let made =
            given
                .catalogue
                .create_price(&origin, &merchant_id, &profile_id, &item_id, None, new());
        assert_eq!(made.await.is_ok(), is_made, "{prices}");
        assert_eq!(given.committed.lines().is_empty(), !is_made, "{prices}");
    }
}

#[tokio::test]
async fn a_page_out_of_bounds_is_refused_before_anybody_looks() {
    let given = given(0);
    let (merchant_id, profile_id) = shop();
    let request = ListCatalogue {
        limit: Some(101),
        ..ListCatalogue::default()
    };
    let listed = given
        .catalogue
        .list::<Product>(&merchant_id, &profile_id, request);
    assert!(listed.await.is_err());
    assert_eq!(*given.accounts.0.lock().expect("no panic"), 0);
}
