//! Another saved method takes the place of the one that a subscription charges: the old card has expired, was lost, or has no money.

use multirail_domain::customers::saved_method::NotChargeable;
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_kernel::ids::PaymentMethodId;
use multirail_kernel::refusal::Refusal;

use crate::subscription::draft::Draft;
use crate::subscription::{Invoice, Subscription, SubscriptionStatus, Update};

/// How requests call it.
const MEMBER: &str = "payment_method_id";

/// A wish to charge another saved method from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct Replace {
    /// The customer's, and one that may be charged without him: whoever asks has looked at it.
    pub payment_method_id: PaymentMethodId,
    /// What else is wanted with it, all or nothing.
    pub update: Option<Update>,
}

impl Subscription {
    /// What of its customer's may take the place of what it charges.
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
    /// Charges another method from now on. What failed with the old one says nothing of the new one: the invoices that are tried again,
    /// and those that were given up, are charged at once, and from then on as often as the schedule says. A payment under way goes on.
    pub(super) fn replace_method(&mut self, method: PaymentMethodId) -> Result<(), Refusal> {
        let is_charged = match self.status() {
            SubscriptionStatus::Active | SubscriptionStatus::Trial | SubscriptionStatus::Unpaid => {
                true
            }
            SubscriptionStatus::Paused => false,
            // The first payment says what is charged.
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
        self.begin_dunning_anew();
        if is_charged {
            let now = self.context.now;
            let wanted = |it: &&mut Invoice| it.is_collected || it.is_given_up;
            let wanted = self.invoices.iter_mut().filter(wanted);
            wanted.for_each(|invoice| invoice.collect(now));
        }
        Ok(())
    }
}
