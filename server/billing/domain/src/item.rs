//! Items that customers subscribe to: plans and their addons.

use multirail_kernel::ids::{ConnectorAccountId, ItemId, MerchantId, ProductId};
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

use super::product::Product;
use super::texts;

words! {
    /// The type of an item. (Facts 1.17)
    pub enum ItemType {
        Plan = "plan",
        Addon = "addon",
    }
}

record_object! {
    /// A plan or an addon in the catalogue of a billing account.
    #[derive(Eq)]
    pub struct Item {
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
        item_id: ItemId,
        product_id: ProductId,
        item_type: ItemType,
        /// The name on the invoice.
        name: String,
        /// True if the item is no longer offered. Existing subscriptions continue.
        is_archived: bool,
        created_at: Timestamp,
        modified_at: Timestamp,
    } and maybe {
        description: String,
    }
}

impl Item {
    /// Creates an item of a product.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming the text that is out of bounds; [`Refusal::Precondition`] if the product is
    /// archived.
    pub fn create(
        product: &Product,
        item_id: ItemId,
        item_type: ItemType,
        name: &str,
        description: Option<&str>,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        if product.is_archived {
            return Err(Refusal::precondition("the product is archived"));
        }
        Ok(Item {
            merchant_id: product.merchant_id.clone(),
            merchant_connector_id: product.merchant_connector_id.clone(),
            item_id,
            product_id: product.product_id.clone(),
            item_type,
            name: texts::name("name", name)?,
            description: texts::description(description)?,
            is_archived: false,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::NONE,
        })
    }
}
