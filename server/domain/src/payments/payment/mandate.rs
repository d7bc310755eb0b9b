//! Mandates in payments: the one that a payment sets up, and the one that it is charged under. (Specification 2.11)

use multirail_kernel::context::Context;
use multirail_kernel::ids::{MandateId, PaymentMethodId};
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::Capabilities;

use crate::customers::mandate::{
    Charge, Mandate, MandateMove, MandateStatus, MandateTerms, MandateView,
};
use crate::payments::payment::recurring::FoundMandate;
use crate::payments::payment::saved::is_approved;
use crate::payments::payment::{
    Attempt, Effect, FutureUsage, Particulars, Payment, Recurring, Step, Terms,
};

record_object! {
    /// `mandate_data`. The payer's consent is the payment's (`customer_acceptance`), wherever in the request it stood.
    #[derive(Default)]
    pub struct MandateRequest {
    } and maybe {
        /// The mandate that is to be charged by what pays here, instead of a new one.
        update_mandate_id: MandateId,
        mandate_type: MandateTerms,
    }
}

record_object! {
    /// Under which mandate an attempt charges.
    #[derive(Eq)]
    pub struct ChargedUnder {
        mandate_id: MandateId,
        /// It is used up by this payment.
        single_use: bool,
    } and maybe {
        /// The most that may be charged, in minor units of the payment's currency.
        amount: i64,
    }
}

/// What follows for mandates from what becomes of a payment.
#[derive(Clone, Debug, PartialEq)]
pub enum MandateEffect {
    /// The payment by which its payer agreed is approved: it is active, and announced.
    Make(Box<MandateView>),
    /// The same of one that is there: it charges another method from now on, and within other limits where any were said.
    Change {
        mandate_id: MandateId,
        payment_method_id: PaymentMethodId,
        terms: Option<MandateTerms>,
    },
    /// A charge under it begins. Nothing of the step holds where it can't be charged any more by then.
    Use { mandate_id: MandateId },
    /// The one charge that it was for has come to nothing.
    GiveBack { mandate_id: MandateId },
}

impl MandateRequest {
    /// Refuses a request by which no mandate could be made.
    fn check(&self, now: Timestamp) -> Result<(), Refusal> {
        match &self.mandate_type {
            Some(terms) => terms.check(now),
            None if self.update_mandate_id.is_some() => Ok(()),
            None => Err(Refusal::missing("mandate_data.mandate_type")),
        }
    }
}

impl Particulars {
    /// Lays down in the terms what follows from a mandate that is to be set up: what pays is kept for charges without the payer.
    pub(crate) fn ask_for_mandate(&self, terms: &mut Terms, now: Timestamp) -> Result<(), Refusal> {
        let Some(request) = &self.mandate else {
            return Ok(());
        };
        request.check(now)?;
        if terms.customer_id.is_none() {
            return Err(Refusal::precondition(
                "mandate_data needs a customer_id: a permission is somebody's",
            ));
        }
        match terms.setup_future_usage {
            None => terms.setup_future_usage = Some(FutureUsage::OffSession),
            Some(FutureUsage::OffSession) => {}
            Some(FutureUsage::OnSession) => {
                return Err(Refusal::precondition(
                    "mandate_data permits charges without the payer: setup_future_usage can only be off_session",
                ));
            }
        }
        Ok(())
    }
}

impl FoundMandate {
    /// The mandate, if there is such a one and the payment names its customer.
    pub(crate) fn known(self) -> Result<Box<Mandate>, Refusal> {
        match self {
            FoundMandate::NoCustomer => Err(Refusal::missing("customer_id")),
            FoundMandate::Nothing => Err(Refusal::not_found(Object::Mandate)),
            FoundMandate::Mandate(mandate) => Ok(mandate),
        }
    }
}

impl ChargedUnder {
    pub(crate) fn of(mandate: &Mandate) -> Self {
        ChargedUnder {
            mandate_id: mandate.mandate_id.clone(),
            single_use: mandate.terms.is_single_use(),
            amount: mandate.terms.limits().and_then(|limits| limits.amount),
            unread: UnreadMembers::default(),
        }
    }
}

impl Payment {
    /// Refuses to charge under a mandate what its payer didn't permit.
    ///
    /// # Errors
    /// Those of [`Mandate::check_charge`].
    pub fn check_charge(&self, mandate: &Mandate, now: Timestamp) -> Result<(), Refusal> {
        mandate.check_charge(Charge {
            customer_id: self.terms.customer_id.as_ref(),
            amount: self.terms.total(),
            currency: self.terms.currency,
            now,
        })
    }

    /// What follows for the mandate that is charged from a raise to this total: a raise is a charge of its own, so that it takes a mandate
    /// that may be charged now. One for a single use is this payment's, which has used it up.
    ///
    /// # Errors
    /// Those of [`Mandate::check_charge`].
    pub(crate) fn raise_under(
        &self,
        found: FoundMandate,
        total: i64,
        now: Timestamp,
    ) -> Result<Option<MandateEffect>, Refusal> {
        let Some(under) = self.active().charged_under() else {
            return Ok(None);
        };
        if under.single_use {
            return Ok(None);
        }
        let mandate = found.known()?;
        mandate.check_charge(Charge {
            customer_id: self.terms.customer_id.as_ref(),
            amount: total,
            currency: self.terms.currency,
            now,
        })?;
        let mandate_id = under.mandate_id.clone();
        Ok(Some(MandateEffect::Use { mandate_id }))
    }

    /// The most that the mandate permits which is charged, where it limits that.
    pub(crate) fn most_permitted(&self) -> Option<i64> {
        self.active().charged_under()?.amount
    }

    /// Refuses what would let the payment take more than a mandate permits once it is authorized.
    pub(crate) fn check_permitted(&self) -> Result<(), Refusal> {
        if self.active().charged_under().is_none() {
            return Ok(());
        }
        if self.particulars.mandate.is_some() {
            return Err(Refusal::precondition(
                "a charge under a mandate can't set up another one by mandate_data",
            ));
        }
        if self.most_permitted().is_some() && self.wants_overcapture() {
            return Err(Refusal::precondition(
                "a mandate with an amount can't be charged with enable_overcapture",
            ));
        }
        Ok(())
    }

    /// Whether the processor may be let take more than is authorized, as far as that is up to a mandate.
    pub(crate) fn may_be_exceeded(&self, able: &Capabilities) -> bool {
        able.overcaptures && self.most_permitted().is_none()
    }

    /// What follows for mandates from what became of the attempts. `before`: the payment before the step.
    pub(crate) fn follow_mandates(&mut self, before: &Payment, context: &Context) -> Vec<Effect> {
        let mut effects = Vec::new();
        for index in 0..self.attempts.len() {
            effects.extend(self.begin_mandate(index, before, context));
        }
        let mut given_back: Vec<MandateId> = Vec::new();
        for under in self.attempts.iter().filter_map(Attempt::charged_under) {
            let id = &under.mandate_id;
            let is_new = under.single_use && !given_back.contains(id);
            if is_new && before.is_charging(id) && !self.is_charging(id) {
                given_back.push(id.clone());
            }
        }
        let back = given_back.into_iter();
        effects.extend(back.map(|mandate_id| MandateEffect::GiveBack { mandate_id }));
        effects.into_iter().map(Effect::Mandate).collect()
    }

    /// An attempt has taken the one charge, or may have.
    fn is_charging(&self, mandate_id: &MandateId) -> bool {
        let mut under = self.attempts.iter().filter(|attempt| {
            let charged = attempt.charged_under();
            charged.is_some_and(|under| under.mandate_id == *mandate_id)
        });
        under.any(|attempt| attempt.authorization.is_some() && !attempt.left_nothing())
    }

    /// The mandate that an attempt sets up by being approved, once.
    fn begin_mandate(
        &mut self,
        index: usize,
        before: &Payment,
        context: &Context,
    ) -> Option<MandateEffect> {
        let request = self.particulars.mandate.clone()?;
        let customer_id = self.terms.customer_id.clone()?;
        let attempt = &self.attempts[index];
        let was = before
            .attempts
            .iter()
            .find(|was| was.number == attempt.number);
        let was_approved = was.is_some_and(|was| is_approved(was.status.phase()));
        let is_approved = is_approved(attempt.status.phase()) && !was_approved;
        if !is_approved || attempt.recurring.is_some() || attempt.mandate_id.is_some() {
            return None;
        }
        let payment_method_id = attempt.saved_method()?.clone();
        if let Some(mandate_id) = request.update_mandate_id {
            self.attempts[index].mandate_id = Some(mandate_id.clone());
            return Some(MandateEffect::Change {
                mandate_id,
                payment_method_id,
                terms: request.mandate_type,
            });
        }
        let instrument = attempt.instrument.as_ref()?;
        let account = attempt.merchant_connector_id.clone();
        let pending = Mandate {
            merchant_id: self.merchant_id.clone(),
            mandate_id: context.fresh_mandate_id(),
            profile_id: self.profile_id.clone(),
            customer_id,
            version: 0,
            status: MandateStatus::Pending,
            terms: request.mandate_type?,
            payment_id: self.payment_id.clone(),
            payment_method_id,
            payment_method: instrument.payment_method,
            payment_method_type: instrument.payment_method_type,
            connector: attempt.connector.clone(),
            merchant_connector_id: account.filter(|_| attempt.brought.is_none()),
            created_at: context.now,
            modified_at: context.now,
        };
        let made = MandateView {
            card: instrument.card_record(),
            consent: self.payer.consent.as_deref().cloned(),
            mandate: pending.moved(MandateMove::Approve, context.now)?,
        };
        self.attempts[index].mandate_id = Some(made.mandate.mandate_id.clone());
        Some(MandateEffect::Make(Box::new(made)))
    }
}

impl Step {
    /// The same step without the mandate that it makes or changes. What becomes of the money is recorded all the same, also where
    /// what the mandate is about is gone: the method is deleted, or the mandate revoked.
    pub fn without_mandate(mut self) -> Step {
        let mut taken_back: Vec<MandateId> = Vec::new();
        self.effects.retain(|effect| match effect {
            Effect::Mandate(MandateEffect::Make(made)) => {
                taken_back.push(made.mandate.mandate_id.clone());
                false
            }
            Effect::Mandate(MandateEffect::Change { mandate_id, .. }) => {
                taken_back.push(mandate_id.clone());
                false
            }
            Effect::Mandate(MandateEffect::Use { .. } | MandateEffect::GiveBack { .. })
            | Effect::Call(_)
            | Effect::LookUp(_)
            | Effect::Announce(_)
            | Effect::DeleteCard
            | Effect::DeleteCredentials { .. }
            | Effect::Method(_) => true,
        });
        for attempt in &mut self.payment.attempts {
            attempt.mandate_id.take_if(|id| taken_back.contains(id));
        }
        self
    }
}

impl Attempt {
    /// Under which mandate it charges.
    pub fn charged_under(&self) -> Option<&ChargedUnder> {
        let recurring = self.recurring.as_deref();
        recurring.and_then(Recurring::charged_under)
    }

    /// The mandate that it charges, or has set up or changed.
    pub fn mandate(&self) -> Option<&MandateId> {
        let made = self.mandate_id.as_ref();
        made.or_else(|| Some(&self.charged_under()?.mandate_id))
    }
}
