//! Refunds part or all of a payment's captured amount. (`POST /refunds`)

use std::sync::Arc;

use multirail_domain::payments::payment::{AtHand, Payment};
use multirail_domain::payments::refund::{Create, Metadata, Refund, RefundType, Step as Made};
use multirail_kernel::ids::{MerchantId, PaymentId, ProfileId, RefundId};
use multirail_kernel::refusal::{Object, Refusal};

use super::Refunds;
use super::aggregate::{RefundOfPayment, Step};
use crate::operations::driver::{Aggregate, Stage, StepParts, Stored};
use crate::payments::{CallCredentials, check_counted, check_kind, load as load_payment};
use crate::platform::decisions::Decisions;
use crate::platform::ports::failure::duplicate;
use crate::platform::ports::{Change, CommitError};
use crate::{AppError, Origin};

/// The request, translated.
#[derive(Debug)]
pub struct CreateRefund {
    pub merchant_id: MerchantId,
    /// The profile that the call is narrowed to.
    pub scope: Option<ProfileId>,
    pub named_merchant_id: Option<String>,
    pub payment_id: PaymentId,
    /// The id that the caller chose; the server makes one where it is absent.
    pub refund_id: Option<String>,
    /// In minor units; absent for the whole captured amount.
    pub amount: Option<i64>,
    pub reason: Option<String>,
    pub refund_type: RefundType,
    pub metadata: Option<Metadata>,
    pub credentials: CallCredentials,
}

impl Refunds {
    /// Creates a refund, and carries it out unless it is scheduled. A processor's refusal is an answer, not an error.
    ///
    /// # Errors
    /// An unknown payment, one that can't be refunded by this amount, an id that is taken. Nothing is stored in these
    /// cases.
    pub async fn create(&self, origin: &Origin, request: CreateRefund) -> Result<Refund, AppError> {
        let refund_id = match &request.refund_id {
            Some(chosen) => RefundId::parse_chosen(chosen, self.reserved_ids)
                .map_err(|invalid| invalid.refusal("refund_id"))?,
            None => RefundId::generate(self.base.random.as_ref()),
        };
        let mut credentials = request.credentials.clone();
        let mut decisions = Decisions::begin(Object::Payment);
        let stored = loop {
            let payment = self.payment_to_refund(&request).await?;
            check_kind(&self.processors, &payment, &credentials)?;
            let decided =
                Refund::create(&payment, wish(&request, &refund_id), &self.base.context())?;
            if let Some(amount) = request.amount {
                check_counted(&self.processors, &payment, "amount", amount)?;
            }
            let step = Step {
                payment_before: payment,
                decided,
            };
            let committed: Result<Stored<RefundOfPayment>, _> = self
                .driver
                .commit_step(self, origin, None, step, &mut credentials, Stage::FIRST)
                .await;
            match committed {
                Ok(stored) => break stored,
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, |error| {
                            id_taken(&refund_id, error)
                        })
                        .await?;
                }
            }
        };
        let carried_out = self
            .driver
            .carry_out(self, origin, stored, credentials)
            .await?;
        Ok(carried_out.object.refund)
    }

    /// Returns the changes that store a decided refund, for a change-set of another object.
    pub fn changes_of(&self, payment_before: Payment, decided: Made) -> Vec<Change> {
        let step = Step {
            payment_before,
            decided,
        };
        // The owner itself creates the refund.
        let nothing = |_: &Payment, _: &Payment| Vec::new();
        let mut none = CallCredentials::default();
        let StepParts {
            after,
            mut changes,
            mandates: _,
            announcements: _,
            calls: _,
        } = RefundOfPayment::split_step_with(self, None, step, &mut none, nothing);
        changes.insert(0, RefundOfPayment::change(self, None, Arc::new(after)));
        changes
    }

    async fn payment_to_refund(&self, request: &CreateRefund) -> Result<Payment, AppError> {
        let CreateRefund {
            merchant_id,
            payment_id,
            scope,
            ..
        } = request;
        let payment = load_payment(&*self.payments, merchant_id, payment_id).await?;
        let scope = scope.as_ref();
        if scope.is_none_or(|scope| payment.profile_id == *scope) {
            Ok(payment)
        } else {
            Err(Refusal::not_found(Object::Payment).into())
        }
    }
}

fn wish(request: &CreateRefund, refund_id: &RefundId) -> Create {
    let given = request.credentials.0.as_ref();
    Create {
        refund_id: refund_id.clone(),
        named_merchant_id: request.named_merchant_id.clone(),
        amount: request.amount,
        reason: request.reason.clone(),
        refund_type: request.refund_type,
        metadata: request.metadata.clone(),
        credentials: AtHand {
            given: given.map(|given| given.identifier.clone()),
            are_held: false,
        },
    }
}

fn id_taken(refund_id: &RefundId, error: CommitError) -> AppError {
    match error {
        CommitError::Duplicate(duplicate::REFUND) => Refund::id_taken(refund_id).into(),
        CommitError::Duplicate(_)
        | CommitError::Gone(_)
        | CommitError::Conflict
        | CommitError::Failed(_) => AppError::of_commit(error),
    }
}
