//! Looks up the plan and the coupon of a request in the catalogue.

use multirail_app::AppError;
use multirail_app::platform::ports::Change;
use multirail_billing_domain::coupon::AppliedCoupon;
use multirail_billing_domain::subscription::Plan;
use multirail_kernel::ids::{CouponCode, ItemId, ItemPriceId, MerchantId, ProfileId};
use multirail_kernel::unread::UnreadMembers;

use super::super::catalogue::PricedItem;
use super::Subscriptions;

/// The plan and coupon that a request names.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub item_price_id: String,
    pub plan_id: Option<String>,
    pub coupon_code: Option<String>,
    /// If unset, the smallest possible quantity, or the current one in an update.
    pub quantity: Option<u32>,
}

impl Wanted {
    /// Checks whether the request names the current plan.
    pub(super) fn is(&self, plan: &Plan) -> bool {
        let item_id = self.plan_id.as_deref().unwrap_or_default();
        plan.is_named(self.item_price_id.trim(), item_id.trim(), self.quantity)
    }

    /// Checks whether the request names the current price, with any quantity.
    pub(super) fn is_price_of(&self, plan: &Plan) -> bool {
        let of_any = Wanted {
            quantity: None,
            ..self.clone()
        };
        of_any.is(plan)
    }
}

/// The catalogue's entries for a request.
pub(super) struct Found {
    pub plan: Plan,
    pub coupon: Option<AppliedCoupon>,
    /// The change that counts the coupon's redemption, stored in the subscription's commit.
    pub redemption: Option<Change>,
}

impl Subscriptions {
    /// Looks up the requested plan and coupon.
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
