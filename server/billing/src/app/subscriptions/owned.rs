//! The changes of a subscription when one of its payments changes.

use std::sync::Arc;

use multirail_app::payments::ports::payment_owners::{ChangedPayment, PaymentOwners};
use multirail_app::platform::ports::Change;
use multirail_domain::payments::payment::{Owner, OwnerKind};
use multirail_kernel::ids::SubscriptionId;
use multirail_platform::Changes;

use crate::ports::SubscriptionChange;

/// The hook of subscriptions in the commits of their payments.
pub struct OwnedPayments {
    pub store: Arc<dyn Changes<SubscriptionChange>>,
}

impl PaymentOwners for OwnedPayments {
    /// Marks the subscription if one of its earlier payments changes. Also marks it for the outcome of a payment under
    /// way that no request will report.
    fn changes(&self, owner: &Owner, payment: ChangedPayment<'_>) -> Vec<Change> {
        let ChangedPayment {
            before,
            after,
            knows_outcome,
        } = payment;
        let subscription_id = match owner.kind {
            OwnerKind::Subscription => SubscriptionId::from(&owner.id),
        };
        let is_outcome = !knows_outcome && after.is_decided_since(before);
        if !is_outcome && !after.is_late_news(before) {
            return Vec::new();
        }
        let nudge = SubscriptionChange::Nudge {
            merchant_id: after.merchant_id.clone(),
            subscription_id,
        };
        vec![self.store.change(nudge)]
    }
}

#[cfg(test)]
mod tests {
    use multirail_domain::payments::payment;
    use multirail_domain::payments::payment::create::Create;
    use multirail_domain::payments::payment::{Payment, PaymentStatus};
    use multirail_kernel::currency::Currency;
    use multirail_kernel::ids::{MerchantId, OwnerId, PaymentId, ProfileId};
    use multirail_kernel::timestamp::Timestamp;
    use multirail_platform as platform;

    use super::*;
    use multirail_app::fixture::{NOW, Noted};

    struct Fake;

    impl Changes<SubscriptionChange> for Fake {
        fn change(&self, change: SubscriptionChange) -> Box<dyn platform::Change> {
            Box::new(Noted(change))
        }
    }

    fn payment(status: PaymentStatus) -> Payment {
        let create = Create {
            merchant_id: MerchantId::parse("shop").expect("an id"),
            payment_id: PaymentId::parse("pay_1").expect("an id"),
            profile_id: ProfileId::parse("pro_1").expect("an id"),
            publishable_key: "pk_snd_1".to_owned(),
            initiator: None,
            owner: None,
            named_merchant_id: None,
            session_expiry_seconds: 900,
            confirm_at_once: false,
            changes: payment::Changes {
                amount: Some(1_000),
                currency: Some(Currency::USD),
                ..payment::Changes::default()
            },
        };
        let created = Payment::create(create, Timestamp::from_micros(NOW * 1_000_000));
        Payment {
            status,
            ..created.expect("made").payment
        }
    }

    /// Returns the changes of the subscription when its payment goes from one status to another.
    fn stored(from: PaymentStatus, to: PaymentStatus, knows_outcome: bool) -> String {
        let owner = Owner {
            kind: OwnerKind::Subscription,
            id: OwnerId::parse("sub_1").expect("an id"),
        };
        let (before, after) = (payment(from), payment(to));
        let hook = OwnedPayments {
            store: Arc::new(Fake),
        };
        let changed = ChangedPayment {
            before: &before,
            after: &after,
            knows_outcome,
        };
        format!("{:?}", hook.changes(&owner, changed))
    }

    #[test]
    fn outcomes_and_later_changes_are_reported_once() {
        use PaymentStatus::{Failed, Processing, Succeeded};

        let nudge = "Nudge { merchant_id: MerchantId(\"shop\"), subscription_id: SubscriptionId(\"sub_1\") }";
        let table = [
            // The request that made the payment reports the outcome itself.
            (Processing, Succeeded, true, ""),
            (Processing, Succeeded, false, nudge),
            (Processing, Processing, false, ""),
            // The processor has corrected itself.
            (Failed, Succeeded, true, nudge),
            (Failed, Succeeded, false, nudge),
            (Succeeded, Succeeded, false, ""),
        ];
        for (from, to, knows_outcome, expected) in table {
            let found = stored(from, to, knows_outcome);
            assert_eq!(found, format!("[{expected}]"), "{from} to {to}");
        }
    }
}
