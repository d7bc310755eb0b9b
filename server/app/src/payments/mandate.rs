//! Mandates in payments: the one that a request names, and its changes with the payment.

use multirail_domain::customers::mandate::MandateView;
use multirail_domain::payments::payment::recurring::{FoundMandate, FoundMethod};
use multirail_domain::payments::payment::{
    Changes, ChargedUnder, MandateEffect, MandateRequest, Payment, RecurringInput,
};
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_platform as platform;

use super::super::AppError;
use super::Payments;
use crate::customers::ports::MandateChange;
use crate::customers::ports::mandates::Renewed;
use crate::platform::ports::Change;

impl Payments {
    /// Looks up the mandates that a request names. `asked_before` is the mandate that an earlier request asked for.
    pub(super) async fn find_mandates(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        asked_before: Option<&MandateRequest>,
        changes: &mut Changes,
    ) -> Result<(), AppError> {
        if let Some(RecurringInput::Mandate { id, found, method }) =
            &mut changes.instrument.recurring
        {
            let charged = self.find_charged_mandate(merchant_id, customer_id, id);
            (*found, *method) = charged.await?;
        }
        let request = changes.particulars.mandate.as_deref().or(asked_before);
        if let Some(id) = request.and_then(|request| request.update_mandate_id.as_ref()) {
            let found = self.find_mandate(merchant_id, customer_id, id.as_str());
            changes.changed_mandate = Some(found.await?);
        }
        Ok(())
    }

    /// Returns the refusal where a payment wasn't stored because of its mandate: another payment used it first, or it
    /// was revoked.
    pub(super) async fn check_charged_mandate(&self, payment: &Payment) -> Result<(), AppError> {
        if let FoundMandate::Mandate(mandate) = self.charged_mandate(payment).await? {
            payment.check_charge(&mandate, self.base.now())?;
        }
        Ok(())
    }

    /// Returns the mandate that a payment charges, if any.
    pub(super) async fn charged_mandate(
        &self,
        payment: &Payment,
    ) -> Result<FoundMandate, AppError> {
        let Some(under) = payment.active().charged_under() else {
            return Ok(FoundMandate::Nothing);
        };
        let customer_id = payment.terms.customer_id.as_ref();
        let id = under.mandate_id.as_str();
        self.find_mandate(&payment.merchant_id, customer_id, id)
            .await
    }
}

/// Names the same charged mandate again.
pub(super) fn named_again(under: &ChargedUnder) -> RecurringInput {
    RecurringInput::Mandate {
        id: under.mandate_id.to_string(),
        found: FoundMandate::default(),
        method: FoundMethod::default(),
    }
}

/// Returns the mandate's change that goes with the payment's, and the mandate to announce.
pub(super) fn of_mandate(
    store: &dyn platform::Changes<MandateChange>,
    payment: &Payment,
    effect: MandateEffect,
) -> (Option<Change>, Option<MandateView>) {
    let merchant_id = payment.merchant_id.clone();
    let payment_id = payment.payment_id.clone();
    let change = match effect {
        MandateEffect::Make(made) => {
            let change = MandateChange::Insert(Box::new(made.mandate.clone()));
            return (Some(store.change(change)), Some(*made));
        }
        MandateEffect::Change {
            mandate_id,
            payment_method_id,
            terms,
        } => match payment.terms.customer_id.clone() {
            Some(customer_id) => MandateChange::Renew(Box::new(Renewed {
                merchant_id,
                mandate_id,
                customer_id,
                payment_id,
                payment_method_id,
                terms,
            })),
            // Payments without a customer save nothing: the terms guarantee that.
            None => return (None, None),
        },
        MandateEffect::Use { mandate_id } => MandateChange::Use {
            merchant_id,
            mandate_id,
            payment_id,
        },
        MandateEffect::GiveBack { mandate_id } => MandateChange::GiveBack {
            merchant_id,
            mandate_id,
            payment_id,
        },
    };
    (Some(store.change(change)), None)
}
