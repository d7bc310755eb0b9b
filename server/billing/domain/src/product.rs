//! Products: groups of plans and addons.

use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProductId};
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use super::texts;

record_object! {
    /// A product in the catalogue of a billing account.
    #[derive(Eq)]
    pub struct Product {
        merchant_id: MerchantId,
        /// The billing account that owns the product.
        merchant_connector_id: ConnectorAccountId,
        product_id: ProductId,
        name: String,
        /// True if the product is no longer offered. Existing subscriptions continue.
        is_archived: bool,
        created_at: Timestamp,
        modified_at: Timestamp,
    } and maybe {
        description: String,
    }
}

impl Product {
    /// Creates a product.
    ///
    /// # Errors
    /// [`Refusal::InvalidFormat`] naming the text that is out of bounds.
    pub fn create(
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
        product_id: ProductId,
        name: &str,
        description: Option<&str>,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        Ok(Product {
            merchant_id,
            merchant_connector_id,
            product_id,
            name: texts::name("name", name)?,
            description: texts::description(description)?,
            is_archived: false,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::NONE,
        })
    }
}
