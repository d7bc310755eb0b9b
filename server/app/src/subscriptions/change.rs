//! Change a subscription: pause, resume, cancel, go over to another price. One commit each; what is due because of it a worker
//! does. (Specification 4.6; facts 7.11)

use multirail_domain::billing::charge::ReturnOption;
use multirail_domain::subscription::outside::EngineOperation;
use multirail_domain::subscription::{
    Cancel, ChargesHandling, Command, Input, Moment, ReceivablesHandling,
    RefundableCreditsHandling, Resume, UnbilledChargesOption, UnpaidInvoicesHandling, Update, When,
};
use multirail_domain::timestamp::Timestamp;

use super::super::{App, AppError, Origin};
use super::begin::Wanted;
use super::decide::{Brings, With};
use super::{Named, SubscriptionView};

/// What is wanted, translated; options that weren't given are their defaults.
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
    Update(Wanted),
}

impl App {
    /// Changes a subscription of the profile.
    ///
    /// # Errors
    /// Unknown subscription, a status that forbids it, a date that is missing or doesn't lie ahead.
    pub async fn change_subscription(
        &self,
        origin: &Origin,
        of: Named<'_>,
        change: Change,
    ) -> Result<SubscriptionView, AppError> {
        // Of another profile nothing is told, not even that a date is missing.
        let standing = self.subscription_standing(of).await?;
        let command = self.command_of(of, change).await?;
        let outside = standing.subscription.outside.as_ref();
        let is_asked = outside.is_some_and(|outside| outside.reference.is_some());
        let with = With {
            brings: match is_asked {
                true => Brings::Claim,
                false => Brings::Whole,
            },
            payment: None,
        };
        let (merchant_id, id) = (of.merchant_id, of.subscription_id);
        let decided =
            self.decide_subscription(origin, merchant_id, id, Input::Command(command), with);
        let decided = decided.await?;
        if is_asked {
            return self.finish_change(origin, decided.standing).await;
        }
        let step = origin.without_claim();
        self.follow(&step, &decided.standing, decided.effects)
            .await?;
        let invoice = self.store.last_invoice(merchant_id, id).await?;
        Ok(self.subscription_view(&decided.standing.subscription, invoice, None))
    }

    async fn command_of(&self, of: Named<'_>, change: Change) -> Result<Command, AppError> {
        let now = self.now();
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
            Change::Update(wanted) => {
                let operation = EngineOperation::Update;
                let found = self.subscribed(of.merchant_id, of.profile_id, &wanted, operation);
                let plan = found.await?.plan;
                Command::Update(Box::new(Update {
                    name: plan.name,
                    price: plan.price,
                    quantity: wanted.quantity,
                }))
            }
        })
    }
}
