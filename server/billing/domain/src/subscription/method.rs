//! Replaces the saved method that a subscription charges, for example after a card expired or was lost.

use multirail_domain::customers::saved_method::NotChargeable;
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_kernel::ids::PaymentMethodId;
use multirail_kernel::refusal::Refusal;

use crate::subscription::draft::Draft;
use crate::subscription::{Invoice, Subscription, SubscriptionStatus, Update};

/// The member of the request that names the method.
const MEMBER: &str = "payment_method_id";

/// The request to charge another saved method from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct Replace {
    /// A method of the customer that may be charged without them. The caller has checked this.
    pub payment_method_id: PaymentMethodId,
    /// A change of plan in the same request. Both succeed or neither does.
    pub update: Option<Update>,
}

impl Subscription {
    /// Checks that the subscription may charge this method of its customer.
    ///
    /// # Errors
    /// A method that the customer hasn't saved, or that may not be charged without them.
    pub fn check_method(found: FoundMethod) -> Result<PaymentMethodId, Refusal> {
        let method = match found {
            FoundMethod::Method(method) => method,
            FoundMethod::NoCustomer | FoundMethod::Nothing => {
                return Err(Refusal::UnknownMethod {
                    member: MEMBER.to_owned(),
                });
            }
        };
        let checked = method.check_chargeable().map_err(|why| match why {
            NotChargeable::NotAgreed => Refusal::NotAgreed {
                why: format!(
                    "{MEMBER} names a method whose payer did not consent to charges without him: save it with \
                     setup_future_usage off_session"
                ),
            },
        });
        checked.map(|()| method.payment_method_id)
    }
}

impl Draft<'_> {
    /// Charges another method from now on. Invoices that are being retried or were given up are charged at once, and
    /// then by the schedule, because refusals of the old method don't apply to the new one. A payment under way
    /// continues.
    pub(super) fn replace_method(&mut self, method: PaymentMethodId) -> Result<(), Refusal> {
        let is_charged = match self.status() {
            SubscriptionStatus::Active | SubscriptionStatus::Trial | SubscriptionStatus::Unpaid => {
                true
            }
            SubscriptionStatus::Paused => false,
            // The method is set by the first payment.
            SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => return Err(self.refusal("update")),
        };
        if self.subscription.payment_method_id.as_ref() == Some(&method) {
            return Ok(());
        }
        self.subscription.payment_method_id = Some(method);
        self.restart_dunning();
        if is_charged {
            let now = self.context.now;
            let wanted = |it: &&mut Invoice| it.is_collected || it.is_given_up;
            let wanted = self.invoices.iter_mut().filter(wanted);
            wanted.for_each(|invoice| invoice.collect(now));
        }
        Ok(())
    }
}
