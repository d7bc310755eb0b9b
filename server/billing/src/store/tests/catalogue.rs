//! Tests of catalogues: pages, archiving once, and limited redemptions.

use multirail_app::platform::ports::CommitError;
use multirail_app::platform::ports::failure::duplicate;
use multirail_billing_domain::catalogue::{CatalogueEntry, CatalogueKind, CatalogueOf, Catalogued};
use multirail_billing_domain::coupon::{Coupon, CouponDuration, Discount, NewCoupon};
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::product::Product;
use multirail_kernel::ids::{ConnectorAccountId, CouponCode, ItemId, MerchantId, ProductId};
use multirail_store::fixture::on_both_engines;

use super::test_billing::{TestStore, at, changing};
use crate::ports::{CatalogueChange, CatalogueSearch, CatalogueStore, ItemSearch};

on_both_engines! {
    entries_are_found_in_their_own_catalogue
    archived_entries_are_not_offered
    the_last_redemption_is_had_once
}

fn catalogue(account: &str) -> CatalogueOf {
    CatalogueOf {
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        merchant_connector_id: ConnectorAccountId::parse(account).expect("an id"),
    }
}

fn product(account: &str, id: &str, seconds: i64) -> Product {
    let of = catalogue(account);
    let id = ProductId::parse(id).expect("an id");
    let made = Product::create(
        of.merchant_id,
        of.merchant_connector_id,
        id,
        "The magazine",
        None,
        at(seconds),
    );
    made.expect("a product")
}

fn item(of: &Product, id: &str, seconds: i64) -> Item {
    let id = ItemId::parse(id).expect("an id");
    Item::create(of, id, ItemType::Plan, "Gold", None, at(seconds)).expect("an item")
}

fn insert(entry: impl Catalogued) -> CatalogueChange {
    CatalogueChange::Insert(Box::new(entry.entry()))
}

impl TestStore {
    async fn offers(&self, change: CatalogueChange) -> Result<(), CommitError> {
        self.commit(vec![changing(change)]).await
    }

    async fn listed(&self, account: &str, limit: i64, offset: i64) -> Vec<String> {
        let search = CatalogueSearch {
            kind: CatalogueKind::Product,
            parent_id: None,
            limit,
            offset,
        };
        let found = self
            .store
            .search_catalogue(&catalogue(account), &search)
            .await;
        let found = found.expect("a list").into_iter();
        found.map(|stored| stored.entry.id().to_owned()).collect()
    }
}

async fn entries_are_found_in_their_own_catalogue(test: TestStore) {
    for (account, id, seconds) in [("mca_1", "a", 1), ("mca_1", "b", 2), ("mca_2", "a", 3)] {
        let change = insert(product(account, id, seconds));
        assert_eq!(test.offers(change).await, Ok(()), "{account} {id}");
    }
    let again = test.offers(insert(product("mca_1", "a", 4))).await;
    assert_eq!(
        again,
        Err(CommitError::Duplicate(duplicate::CATALOGUE_ENTRY))
    );
    // An entry of another kind may have the same id.
    let namesake = item(&product("mca_1", "a", 1), "a", 5);
    assert_eq!(test.offers(insert(namesake.clone())).await, Ok(()));

    assert_eq!(test.listed("mca_1", 10, 0).await, ["b", "a"]);
    assert_eq!(test.listed("mca_1", 1, 1).await, ["a"]);
    assert_eq!(test.listed("mca_2", 10, 0).await, ["a"]);
    assert_eq!(test.listed("mca_3", 10, 0).await, [""; 0]);
    let found = test
        .store
        .catalogue_entry(&catalogue("mca_1"), CatalogueKind::Item, "a")
        .await;
    let found = found.expect("an answer").expect("an item");
    assert_eq!(found.entry, CatalogueEntry::Item(namesake));
    assert_eq!(found.redemptions, 0);
}

async fn archived_entries_are_not_offered(test: TestStore) {
    let product = product("mca_1", "magazine", 1);
    let (gold, silver) = (item(&product, "gold", 2), item(&product, "silver", 3));
    let made = [
        insert(product.clone()),
        insert(gold.clone()),
        insert(silver),
    ];
    for change in made {
        assert_eq!(test.offers(change).await, Ok(()));
    }
    let offered = |product_id: Option<&str>| {
        let search = ItemSearch {
            item_type: ItemType::Plan,
            product_id: product_id.map(|id| ProductId::parse(id).expect("an id")),
            limit: 10,
            offset: 0,
        };
        let store = &test.store;
        async move {
            let found = store.offered_items(&catalogue("mca_1"), &search).await;
            let found = found.expect("a list").into_iter();
            found
                .map(|item| item.item_id.to_string())
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(offered(None).await, ["gold", "silver"]);
    assert_eq!(offered(Some("magazine")).await, ["gold", "silver"]);
    assert_eq!(offered(Some("newspaper")).await, [""; 0]);

    let archive = || CatalogueChange::Archive(Box::new(gold.archived(at(4)).entry()));
    assert_eq!(test.offers(archive()).await, Ok(()));
    assert_eq!(test.offers(archive()).await, Err(CommitError::Conflict));
    assert_eq!(offered(None).await, ["silver"]);
    // Archiving a product takes all its items out of the offer.
    let archive = CatalogueChange::Archive(Box::new(product.archived(at(5)).entry()));
    assert_eq!(test.offers(archive).await, Ok(()));
    assert_eq!(offered(None).await, [""; 0]);
    assert_eq!(offered(Some("magazine")).await, [""; 0]);
}

async fn the_last_redemption_is_had_once(test: TestStore) {
    let of = catalogue("mca_1");
    let new = NewCoupon {
        code: CouponCode::parse("SPRING").expect("a code"),
        name: "Spring".to_owned(),
        discount: Discount::Percent {
            basis_points: 1_000,
        },
        duration: CouponDuration::Once {},
        valid_from: None,
        valid_until: None,
        max_redemptions: Some(3),
    };
    let (merchant_id, account_id) = (of.merchant_id.clone(), of.merchant_connector_id.clone());
    let coupon = Coupon::create(merchant_id, account_id, new, at(1)).expect("a coupon");
    let code = coupon.code.clone();
    assert_eq!(test.offers(insert(coupon.clone())).await, Ok(()));
    let redeem = || {
        test.offers(CatalogueChange::Redeem {
            of: of.clone(),
            code: code.clone(),
        })
    };
    let told = tokio::join!(redeem(), redeem(), redeem(), redeem(), redeem());
    let told = [told.0, told.1, told.2, told.3, told.4];
    let had = told.iter().filter(|one| one.is_ok()).count();
    let missed = told
        .iter()
        .filter(|one| **one == Err(CommitError::Conflict))
        .count();
    assert_eq!((had, missed), (3, 2), "{told:?}");
    let found = test
        .store
        .catalogue_entry(&of, CatalogueKind::Coupon, code.as_str())
        .await;
    let found = found.expect("an answer").expect("a coupon");
    assert_eq!(found.redemptions, 3);
    assert_eq!(found.entry, CatalogueEntry::Coupon(coupon));
    let give_back = CatalogueChange::GiveBack {
        of: of.clone(),
        code: code.clone(),
    };
    assert_eq!(test.offers(give_back).await, Ok(()));
    assert_eq!(redeem().await, Ok(()), "it can be had again");
    assert_eq!(redeem().await, Err(CommitError::Conflict));
}
