//! Releases the coupon of a subscription that nobody confirms, once its client secret has expired. A later confirm
//! redeems the coupon again.

use multirail_kernel::timestamp::Timestamp;

use crate::subscription::draft::Draft;
use crate::subscription::{Effect, Subscription, SubscriptionStatus};

/// Seconds from the create until the client secret of a subscription expires. (Facts 6.2)
pub const SECRET_SECONDS: i64 = 900;

impl Subscription {
    /// Returns when the coupon is released, if the subscription isn't confirmed by then.
    pub(super) fn lapses_at(&self) -> Option<Timestamp> {
        let is_created = self.status == SubscriptionStatus::Created;
        let holds_coupon = self.coupon.is_some() && !self.is_coupon_back;
        let lapses_at = self.created_at.plus_seconds(SECRET_SECONDS);
        lapses_at.filter(|_| is_created && holds_coupon)
    }
}

impl Draft<'_> {
    /// Releases the coupon of a subscription that never began.
    pub(super) fn give_coupon_back(&mut self) {
        if self.subscription.coupon.is_some() && !self.subscription.is_coupon_back {
            self.subscription.is_coupon_back = true;
            self.effects.push(Effect::GiveCouponBack);
        }
    }

    /// Redeems a released coupon again for a late confirm.
    pub(super) fn take_coupon_again(&mut self) {
        if std::mem::take(&mut self.subscription.is_coupon_back) {
            self.effects.push(Effect::TakeCoupon);
        }
    }
}
