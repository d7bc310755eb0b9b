//! What nobody confirms: its coupon can be had again, by others, once its client secret has lapsed. Who confirms it later redeems the
//! coupon anew.

use multirail_kernel::timestamp::Timestamp;

use crate::subscription::draft::Draft;
use crate::subscription::{Effect, Subscription, SubscriptionStatus};

/// How long the client secret of a subscription is good, from its create on, in seconds. (Facts 6.2)
pub const SECRET_SECONDS: i64 = 900;

impl Subscription {
    /// When its coupon is given back, unless somebody is about to confirm it.
    pub(super) fn lapses_at(&self) -> Option<Timestamp> {
        let is_created = self.status == SubscriptionStatus::Created;
        let holds_coupon = self.coupon.is_some() && !self.is_coupon_back;
        let lapses_at = self.created_at.plus_seconds(SECRET_SECONDS);
        lapses_at.filter(|_| is_created && holds_coupon)
    }
}

impl Draft<'_> {
    /// It never began, so its coupon can be had again.
    pub(super) fn give_coupon_back(&mut self) {
        if self.subscription.coupon.is_some() && !self.subscription.is_coupon_back {
            self.subscription.is_coupon_back = true;
            self.effects.push(Effect::GiveCouponBack);
        }
    }

    /// Somebody confirms it after all.
    pub(super) fn take_coupon_again(&mut self) {
        if std::mem::take(&mut self.subscription.is_coupon_back) {
            self.effects.push(Effect::TakeCoupon);
        }
    }
}
