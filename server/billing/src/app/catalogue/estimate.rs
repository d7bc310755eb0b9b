//! Estimates the cost of a subscription that would begin now.

use multirail_app::AppError;
use multirail_billing_domain::opening::Opening;
use multirail_billing_domain::subscription::Plan;
use multirail_kernel::ids::{CouponCode, ItemId, ItemPriceId, MerchantId, ProfileId};
use multirail_kernel::unread::UnreadMembers;

use super::Catalogue;
use super::redeem::PricedItem;

/// The request for an estimate, translated.
#[derive(Debug)]
pub struct EstimateSubscription {
    pub item_price_id: ItemPriceId,
    pub plan_id: Option<ItemId>,
    pub coupon_code: Option<CouponCode>,
    /// The smallest possible quantity if unset.
    pub quantity: Option<u32>,
}

/// The result of an estimate.
#[derive(Clone, Debug)]
pub struct Estimate {
    pub priced: PricedItem,
    pub coupon_code: Option<CouponCode>,
    pub opening: Opening,
}

impl Catalogue {
    /// Computes the first invoice without storing it.
    ///
    /// # Errors
    /// A price or coupon that is unknown, archived, or of another plan or currency; a quantity out of bounds; an amount
    /// that is too large.
    pub async fn estimate(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        request: EstimateSubscription,
    ) -> Result<Estimate, AppError> {
        let plan_id = request.plan_id.as_ref();
        let priced = self
            .price_to_subscribe(merchant_id, profile_id, &request.item_price_id, plan_id)
            .await?;
        let PricedItem {
            account_id,
            item,
            price,
        } = &priced;
        let quantity = request.quantity.unwrap_or(price.min_quantity);
        price.check_quantity(quantity)?;
        let coupon = match &request.coupon_code {
            None => None,
            Some(code) => {
                let redeemed = self.coupon_to_redeem(merchant_id, account_id, code, price.currency);
                Some(redeemed.await?.0)
            }
        };
        let chargeable = self
            .accounts
            .chargeable(merchant_id, profile_id, price.currency)
            .await?;
        let plan = Plan {
            name: item.name.clone(),
            price: price.clone(),
            quantity,
            unread: UnreadMembers::default(),
        };
        let opening = plan.begin(coupon.as_ref(), chargeable, self.base.now())?;
        Ok(Estimate {
            priced,
            coupon_code: request.coupon_code,
            opening,
        })
    }
}
