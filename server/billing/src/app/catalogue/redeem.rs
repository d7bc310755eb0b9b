//! Looks up a price to subscribe to and a coupon to redeem.

use multirail_app::AppError;
use multirail_app::platform::ports::Change;
use multirail_billing_domain::catalogue::CatalogueOf;
use multirail_billing_domain::coupon::{AppliedCoupon, Coupon};
use multirail_billing_domain::item::{Item, ItemType};
use multirail_billing_domain::price::Price;
use multirail_billing_domain::product::Product;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    ConnectorAccountId, CouponCode, ItemId, ItemPriceId, MerchantId, ProfileId,
};
use multirail_kernel::refusal::Refusal;

use super::Catalogue;
use crate::ports::CatalogueChange;

/// A price, its item, and the account that bills it.
#[derive(Clone, Debug)]
pub struct PricedItem {
    pub account_id: ConnectorAccountId,
    pub item: Item,
    pub price: Price,
}

impl Catalogue {
    /// Returns a plan's price that can be subscribed to.
    ///
    /// # Errors
    /// The errors of [`BillingAccounts::account`](crate::ports::BillingAccounts::account); an unknown price;
    /// [`Refusal::Precondition`] if the price, its plan or its product is archived, or it belongs to an addon;
    /// [`Refusal::InvalidValue`] if it belongs to another plan than `plan_id`.
    pub(crate) async fn price_to_subscribe(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        item_price_id: &ItemPriceId,
        plan_id: Option<&ItemId>,
    ) -> Result<PricedItem, AppError> {
        let of = self.of_profile(merchant_id, profile_id).await?;
        let priced = self.catalogued_price(of, item_price_id).await?;
        let PricedItem { item, price, .. } = &priced;
        if plan_id.is_some_and(|plan_id| *plan_id != item.item_id) {
            return Err(Refusal::invalid_value(
                "the price in item_price_id doesn't belong to the plan in plan_id",
            )
            .into());
        }
        if item.item_type != ItemType::Plan {
            return Err(Refusal::precondition(
                "item_price_id is the price of an addon, to which nobody can subscribe alone",
            )
            .into());
        }
        let is_archived = price.is_archived || item.is_archived;
        if is_archived || self.is_of_archived_product(item).await? {
            return Err(Refusal::precondition("item_price_id is not offered any more").into());
        }
        Ok(priced)
    }

    async fn is_of_archived_product(&self, item: &Item) -> Result<bool, AppError> {
        let of = CatalogueOf {
            merchant_id: item.merchant_id.clone(),
            merchant_connector_id: item.merchant_connector_id.clone(),
        };
        let product: Product = self.catalogued(&of, item.product_id.as_str()).await?.0;
        Ok(product.is_archived)
    }

    /// Returns a price of the account's catalogue.
    async fn catalogued_price(
        &self,
        of: CatalogueOf,
        item_price_id: &ItemPriceId,
    ) -> Result<PricedItem, AppError> {
        let price: Price = self.catalogued(&of, item_price_id.as_str()).await?.0;
        let item: Item = self.catalogued(&of, price.item_id.as_str()).await?.0;
        Ok(PricedItem {
            account_id: of.merchant_connector_id,
            item,
            price,
        })
    }

    /// Returns a coupon for a new subscription, and the change that counts its redemption. The change is stored with
    /// the subscription and is a conflict if someone else took the last redemption.
    ///
    /// # Errors
    /// An unknown coupon, or one that can't be redeemed now or in this currency.
    pub(crate) async fn coupon_to_redeem(
        &self,
        merchant_id: &MerchantId,
        account_id: &ConnectorAccountId,
        code: &CouponCode,
        currency: Currency,
    ) -> Result<(AppliedCoupon, Change), AppError> {
        let of = CatalogueOf {
            merchant_id: merchant_id.clone(),
            merchant_connector_id: account_id.clone(),
        };
        let (coupon, redemptions): (Coupon, u32) = self.catalogued(&of, code.as_str()).await?;
        let applied = coupon.redeem(currency, redemptions, self.base.now())?;
        let code = code.clone();
        let redeem = CatalogueChange::Redeem { of, code };
        Ok((applied, self.store.change(redeem)))
    }

    /// Returns the change that counts one redemption less.
    pub(crate) fn coupon_given_back(
        &self,
        merchant_id: &MerchantId,
        account_id: &ConnectorAccountId,
        code: &CouponCode,
    ) -> Change {
        let of = CatalogueOf {
            merchant_id: merchant_id.clone(),
            merchant_connector_id: account_id.clone(),
        };
        let code = code.clone();
        let give_back = CatalogueChange::GiveBack { of, code };
        self.store.change(give_back)
    }
}
