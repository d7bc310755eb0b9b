//! What is subscribed to, as the catalogue has it.

use multirail_app::AppError;
use multirail_app::platform::ports::Change;
use multirail_billing_domain::coupon::AppliedCoupon;
use multirail_billing_domain::subscription::Plan;
use multirail_kernel::ids::{CouponCode, ItemId, ItemPriceId, MerchantId, ProfileId};
use multirail_kernel::unread::UnreadMembers;

use super::super::catalogue::PricedItem;
use super::Subscriptions;

/// What a request says of it.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub item_price_id: String,
    pub plan_id: Option<String>,
    pub coupon_code: Option<String>,
    /// As few as can be where unset, and as many as before by an update.
    pub quantity: Option<u32>,
}

impl Wanted {
    /// It is what is subscribed to already.
    pub(super) fn is(&self, plan: &Plan) -> bool {
        let item_id = self.plan_id.as_deref().unwrap_or_default();
        plan.is_named(self.item_price_id.trim(), item_id.trim(), self.quantity)
    }

    /// It is the price that is subscribed to already, of another quantity perhaps.
    pub(super) fn is_price_of(&self, plan: &Plan) -> bool {
        let of_any = Wanted {
            quantity: None,
            ..self.clone()
        };
        of_any.is(plan)
    }
}

/// What stands for that.
pub(super) struct Found {
    pub plan: Plan,
    pub coupon: Option<AppliedCoupon>,
    /// Counts that the coupon was redeemed, in the commit of the subscription.
    pub redemption: Option<Change>,
}

impl Subscriptions {
    /// Looks up what is to be subscribed to.
    ///
    /// # Errors
    /// A price or coupon that is unknown or not offered, a profile without a billing account.
    pub(super) async fn subscribed(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        wanted: &Wanted,
    ) -> Result<Found, AppError> {
        let price_id = ItemPriceId::parse(&wanted.item_price_id)
            .map_err(|invalid| invalid.refusal("item_price_id"))?;
        let plan_id = wanted.plan_id.as_deref().map(ItemId::parse).transpose();
        let plan_id = plan_id.map_err(|invalid| invalid.refusal("plan_id"))?;
        let plan_id = plan_id.as_ref();
        let priced = self
            .catalogue
            .price_to_subscribe(merchant_id, profile_id, &price_id, plan_id);
        let priced = priced.await?;
        let quantity = wanted.quantity.unwrap_or(priced.price.min_quantity);
        let PricedItem {
            account_id,
            item,
            price,
        } = priced;
        let (coupon, redemption) = match wanted.coupon_code.as_deref() {
            None => (None, None),
            Some(code) => {
                let code = CouponCode::parse(code);
                let code = code.map_err(|invalid| invalid.refusal("coupon_code"))?;
                let redeemed = self.catalogue.coupon_to_redeem(
                    merchant_id,
                    &account_id,
                    &code,
                    price.currency,
                );
                let (coupon, redemption) = redeemed.await?;
                (Some(coupon), Some(redemption))
            }
        };
        Ok(Found {
            plan: Plan {
                name: item.name,
                price,
                quantity,
                unread: UnreadMembers::default(),
            },
            coupon,
            redemption,
        })
    }
}
