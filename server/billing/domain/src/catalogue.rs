//! A billing account's catalogue: products, items, prices and coupons.

use multirail_kernel::ids::{ConnectorAccountId, MerchantId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use super::coupon::Coupon;
use super::item::{Item, ItemType};
use super::price::Price;
use super::product::Product;

/// The maximum number of prices that one item may offer at a time.
pub const MOST_PRICES: i64 = 100;

words! {
    /// The kind of a catalogue entry.
    pub enum CatalogueKind {
        Product = "product",
        Item = "item",
        Price = "price",
        Coupon = "coupon",
    }
}

/// The billing account that owns a catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CatalogueOf {
    pub merchant_id: MerchantId,
    pub merchant_connector_id: ConnectorAccountId,
}

/// A stored entry of a catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CatalogueEntry {
    Product(Product),
    Item(Item),
    Price(Price),
    Coupon(Coupon),
}

/// A type that can be stored as a catalogue entry.
pub trait Catalogued: Sized {
    const KIND: CatalogueKind;
    const OBJECT: Object;

    /// Returns the entry's content if it is of this kind.
    fn from_entry(entry: CatalogueEntry) -> Option<Self>;

    /// Wraps the content as an entry.
    fn entry(self) -> CatalogueEntry;

    fn is_archived(&self) -> bool;

    /// Returns the archived entry, which is no longer offered. Archiving twice changes nothing.
    fn archived(&self, now: Timestamp) -> Self;
}

macro_rules! catalogued {
    ($($name:ident: $object:ident;)+) => { $(
        impl Catalogued for $name {
            const KIND: CatalogueKind = CatalogueKind::$name;
            const OBJECT: Object = Object::$object;

            fn from_entry(entry: CatalogueEntry) -> Option<Self> {
                if let CatalogueEntry::$name(own) = entry {
                    Some(own)
                } else {
                    None
                }
            }

            fn entry(self) -> CatalogueEntry {
                CatalogueEntry::$name(self)
            }

            fn is_archived(&self) -> bool {
                self.is_archived
            }

            fn archived(&self, now: Timestamp) -> Self {
                if self.is_archived {
                    return self.clone();
                }
                $name {
                    is_archived: true,
                    modified_at: now,
                    ..self.clone()
                }
            }
        }
    )+ };
}

catalogued! {
    Product: Product;
    Item: Item;
    Price: ItemPrice;
    Coupon: Coupon;
}

impl CatalogueEntry {
    pub fn kind(&self) -> CatalogueKind {
        match self {
            CatalogueEntry::Product(_) => CatalogueKind::Product,
            CatalogueEntry::Item(_) => CatalogueKind::Item,
            CatalogueEntry::Price(_) => CatalogueKind::Price,
            CatalogueEntry::Coupon(_) => CatalogueKind::Coupon,
        }
    }

    /// Returns the id, which is unique within its kind and catalogue.
    pub fn id(&self) -> &str {
        match self {
            CatalogueEntry::Product(product) => product.product_id.as_str(),
            CatalogueEntry::Item(item) => item.item_id.as_str(),
            CatalogueEntry::Price(price) => price.item_price_id.as_str(),
            CatalogueEntry::Coupon(coupon) => coupon.code.as_str(),
        }
    }

    /// Returns the product of an item, or the item of a price.
    pub fn parent_id(&self) -> Option<&str> {
        match self {
            CatalogueEntry::Item(item) => Some(item.product_id.as_str()),
            CatalogueEntry::Price(price) => Some(price.item_id.as_str()),
            CatalogueEntry::Product(_) | CatalogueEntry::Coupon(_) => None,
        }
    }

    /// Returns the type of an item: plan or addon.
    pub fn item_type(&self) -> Option<ItemType> {
        match self {
            CatalogueEntry::Item(item) => Some(item.item_type),
            CatalogueEntry::Product(_) | CatalogueEntry::Price(_) | CatalogueEntry::Coupon(_) => {
                None
            }
        }
    }

    /// Returns the maximum number of subscriptions that may redeem a coupon.
    pub fn max_redemptions(&self) -> Option<u32> {
        match self {
            CatalogueEntry::Coupon(coupon) => coupon.max_redemptions,
            CatalogueEntry::Product(_) | CatalogueEntry::Item(_) | CatalogueEntry::Price(_) => None,
        }
    }

    /// Returns the billing account that owns the entry.
    pub fn catalogue(&self) -> CatalogueOf {
        let (merchant_id, account_id) = match self {
            CatalogueEntry::Product(product) => {
                (&product.merchant_id, &product.merchant_connector_id)
            }
            CatalogueEntry::Item(item) => (&item.merchant_id, &item.merchant_connector_id),
            CatalogueEntry::Price(price) => (&price.merchant_id, &price.merchant_connector_id),
            CatalogueEntry::Coupon(coupon) => (&coupon.merchant_id, &coupon.merchant_connector_id),
        };
        CatalogueOf {
            merchant_id: merchant_id.clone(),
            merchant_connector_id: account_id.clone(),
        }
    }

    pub fn is_archived(&self) -> bool {
        match self {
            CatalogueEntry::Product(product) => product.is_archived,
            CatalogueEntry::Item(item) => item.is_archived,
            CatalogueEntry::Price(price) => price.is_archived,
            CatalogueEntry::Coupon(coupon) => coupon.is_archived,
        }
    }

    pub fn created_at(&self) -> Timestamp {
        match self {
            CatalogueEntry::Product(product) => product.created_at,
            CatalogueEntry::Item(item) => item.created_at,
            CatalogueEntry::Price(price) => price.created_at,
            CatalogueEntry::Coupon(coupon) => coupon.created_at,
        }
    }

    pub fn modified_at(&self) -> Timestamp {
        match self {
            CatalogueEntry::Product(product) => product.modified_at,
            CatalogueEntry::Item(item) => item.modified_at,
            CatalogueEntry::Price(price) => price.modified_at,
            CatalogueEntry::Coupon(coupon) => coupon.modified_at,
        }
    }

    /// Returns the refusal of another entry with the same id.
    pub fn taken(&self) -> Refusal {
        Refusal::Duplicate {
            message: format!("there is a {} {} already", self.kind(), self.id()),
        }
    }
}
