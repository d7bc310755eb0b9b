//! Changes a subscription: pause, resume, cancel, update the plan, refund the remaining credit. Each change is one
//! commit; a worker does the work that follows. (Specification 4.6; facts 7.11)

use multirail_app::{AppError, Origin};
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::subscription::{
    Cancel, ChargesHandling, Command, Input, Moment, ReceivablesHandling,
    RefundableCreditsHandling, Replace, Resume, Subscription, UnbilledChargesOption,
    UnpaidInvoicesHandling, Update, When,
};
use multirail_kernel::timestamp::Timestamp;

use super::begin::Wanted;
use super::decide::{Brings, With};
use super::{Named, SubscriptionView, Subscriptions};

/// The requested change, translated. Missing options have their defaults.
#[derive(Clone, Debug)]
pub enum Change {
    Pause {
        option: Moment,
        pause_at: Option<Timestamp>,
    },
    Resume {
        option: Moment,
        resume_date: Option<Timestamp>,
        charges: ChargesHandling,
        unpaid_invoices: UnpaidInvoicesHandling,
    },
    Cancel {
        option: Moment,
        cancel_at: Option<Timestamp>,
        unbilled: UnbilledChargesOption,
        receivables: ReceivablesHandling,
        returns: ReturnOption,
        credits: RefundableCreditsHandling,
        reason_code: Option<String>,
    },
    RefundCredit,
    Update {
        wanted: Wanted,
        /// The method to charge from now on; unchanged if unset.
        payment_method_id: Option<String>,
    },
}

impl Subscriptions {
    /// Changes a subscription that the call reaches.
    ///
    /// # Errors
    /// An unknown subscription, a status that forbids the change, a date that is missing or not in the future.
    pub async fn change(
        &self,
        origin: &Origin,
        of: Named<'_>,
        change: Change,
    ) -> Result<SubscriptionView, AppError> {
        // The subscription is loaded first, so that a caller of another profile learns nothing, not even that a date is
        // missing.
        let standing = self.reads.standing(of).await?;
        let command = self.command_of(of, &standing.subscription, change).await?;
        let with = With {
            brings: Brings::Whole,
            payment: None,
        };
        let (merchant_id, id) = (of.merchant_id, of.subscription_id);
        let decided = self
            .decider
            .decide(origin, merchant_id, id, Input::Command(command), with);
        let decided = decided.await?;
        let step = origin.without_claim();
        self.collector
            .follow(&step, &decided.standing, decided.effects)
            .await?;
        Ok(decided.view)
    }

    pub(super) async fn command_of(
        &self,
        of: Named<'_>,
        standing: &Subscription,
        change: Change,
    ) -> Result<Command, AppError> {
        let now = self.base.now();
        Ok(match change {
            Change::Pause { option, pause_at } => {
                Command::Pause(When::read(option, pause_at, "pause_at", now)?)
            }
            Change::Resume {
                option,
                resume_date,
                charges,
                unpaid_invoices,
            } => {
                let at = match When::read(option, resume_date, "resume_date", now)? {
                    When::Now | When::EndOfTerm => None,
                    When::At(date) => Some(date),
                };
                Command::Resume(Resume {
                    at,
                    charges,
                    unpaid_invoices,
                })
            }
            Change::Cancel {
                option,
                cancel_at,
                unbilled,
                receivables,
                returns,
                credits,
                reason_code,
            } => Command::Cancel(Cancel {
                when: When::read(option, cancel_at, "cancel_at", now)?,
                unbilled,
                receivables,
                returns,
                credits,
                reason_code,
            }),
            Change::RefundCredit => Command::RefundCredit,
            Change::Update {
                wanted,
                payment_method_id: None,
            } => Command::Update(Box::new(self.update_to(of, standing, wanted).await?)),
            Change::Update {
                wanted,
                payment_method_id: Some(id),
            } => {
                let customer = Some(&standing.customer_id);
                let found = self.methods.charged(of.merchant_id, customer, &id).await?;
                // The current price may be in no catalogue any more.
                let update = match wanted.is(&standing.plan) {
                    true => None,
                    false => Some(self.update_to(of, standing, wanted).await?),
                };
                Command::Replace(Box::new(Replace {
                    payment_method_id: Subscription::check_method(found)?,
                    update,
                }))
            }
        })
    }

    /// Returns the requested update. The current price stays as it was subscribed to, even if the catalogue has
    /// changed.
    async fn update_to(
        &self,
        of: Named<'_>,
        standing: &Subscription,
        wanted: Wanted,
    ) -> Result<Update, AppError> {
        let plan = &standing.plan;
        if wanted.is_price_of(plan) {
            return Ok(Update {
                name: plan.name.clone(),
                price: plan.price.clone(),
                quantity: wanted.quantity,
            });
        }
        // The catalogue is that of the subscription's own profile, whether the call names it or not.
        let found = self.subscribed(of.merchant_id, &standing.profile_id, &wanted);
        let plan = found.await?.plan;
        Ok(Update {
            name: plan.name,
            price: plan.price,
            quantity: wanted.quantity,
        })
    }
}
