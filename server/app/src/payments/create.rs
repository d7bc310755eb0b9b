//! Creates a payment, and confirms it in the same call on request. (Specification 1; `POST /payments`)

use std::borrow::Cow;
use std::sync::Arc;

use multirail_domain::accounts::acting::Initiator;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::confirm::Confirm;
use multirail_domain::payments::payment::create::{Create, Created};
use multirail_domain::payments::payment::{
    Changes, Command, Input, Owner, Payment, PaymentMethodData, Step, transition,
};
use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::{MerchantId, PaymentId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::card::Card;

use super::super::{AppError, Origin};
use super::calls::CallInputs;
use super::confirm::{ConfirmPayment, HeldInputs, further_attempts};
use super::credentials::check_kind;
use super::{CallCredentials, PaymentView, Payments};
use crate::accounts::profile_choice;
use crate::operations::driver::{Aggregate, Stage, StepParts};
use crate::platform::ports::failure::duplicate;
use crate::platform::ports::{Actor, Change, CommitError};

/// The request, translated.
#[derive(Debug)]
pub struct CreatePayment {
    pub merchant_id: MerchantId,
    /// The id that the caller chose; the server makes one where it is absent.
    pub payment_id: Option<String>,
    /// The profile that the caller names in the body or with the key; by default the merchant's default profile.
    pub profile_id: Option<ProfileId>,
    pub named_merchant_id: Option<String>,
    /// The object that owns the payment.
    pub owner: Option<Owner>,
    pub confirm: bool,
    pub changes: Changes,
    pub credentials: CallCredentials,
}

/// A payment that is stored with its owner, and that the owner confirms later.
#[derive(Debug)]
pub struct NewOfOwner<'a> {
    pub merchant_id: &'a MerchantId,
    pub profile_id: &'a ProfileId,
    pub payment_id: PaymentId,
    pub owner: Owner,
    pub changes: Changes,
}

impl Payments {
    /// Creates a payment.
    ///
    /// # Errors
    /// Refusals of members, an unknown profile, an id that is taken. Nothing is stored in these cases.
    pub async fn create(
        &self,
        origin: &Origin,
        request: CreatePayment,
    ) -> Result<PaymentView<'static>, AppError> {
        if let Some(payment_id) = self.resumed(origin) {
            let CreatePayment {
                merchant_id,
                changes,
                credentials,
                ..
            } = request;
            let confirm = ConfirmPayment {
                merchant_id,
                payment_id,
                changes,
                credentials,
                by_owner: false,
            };
            // Boxed, because most creations don't confirm.
            return Box::pin(self.confirm(origin, confirm)).await;
        }
        let said = &request.changes.particulars;
        let business = said.business_country.zip(said.business_label.as_deref());
        let (profile, merchant) = self
            .profile_for(&request.merchant_id, request.profile_id.as_ref(), business)
            .await?;
        if let Some(address) = &request.changes.return_url {
            profile.check_return_url(address)?;
        }
        let payment_id = match &request.payment_id {
            Some(chosen) => PaymentId::parse_chosen(chosen, self.reserved_ids)
                .map_err(|invalid| invalid.refusal("payment_id"))?,
            None => PaymentId::generate(self.base.clock.wall(), self.base.random.as_ref()),
        };
        let mut changes = request.changes;
        let names_saved = changes.instrument.token.is_some()
            || changes.instrument.recurring.is_some()
            || changes.particulars.mandate.is_some();
        if names_saved {
            let found = self.find_saved(&request.merchant_id, None, None, &mut changes);
            Box::pin(found).await?;
        }
        let mut created = Payment::create(
            Create {
                merchant_id: request.merchant_id,
                payment_id: payment_id.clone(),
                profile_id: profile.profile_id.clone(),
                publishable_key: merchant.publishable_key.clone(),
                initiator: initiator(&origin.actor, &merchant),
                owner: request.owner,
                named_merchant_id: request.named_merchant_id,
                session_expiry_seconds: profile.session_expiry_seconds,
                confirm_at_once: request.confirm,
                changes,
            },
            self.base.now(),
        )?;
        let mut inputs = CallInputs {
            credentials: request.credentials,
            by_owner: created.payment.owner.is_some(),
            ..CallInputs::default()
        };
        if created.payment.terms.customer_id.is_some() {
            // Boxed, because guests don't need it.
            Box::pin(self.look_up_customer(None, &mut created.payment, &mut inputs)).await?;
        }
        let step = if request.confirm {
            // Boxed, because many creations don't confirm.
            Box::pin(self.confirmed(created, &mut inputs, &profile)).await?
        } else {
            let Created { payment, data, .. } = created;
            Step {
                payment,
                effects: Vec::new(),
                data,
            }
        };
        let under_mandate = step.payment.active().charged_under().is_some();
        let undone = under_mandate.then(|| Box::new(step.payment.clone()));
        let stored = match self
            .driver
            .commit_step(self, origin, None, step, &mut inputs, Stage::FIRST)
            .await
        {
            Ok(stored) => stored,
            Err(error) => {
                if let (Some(payment), CommitError::Conflict) = (&undone, &error) {
                    // The mandate permitted the charge when it was read, and no longer does.
                    self.check_charged_mandate(payment).await?;
                }
                return Err(id_taken(&payment_id, error));
            }
        };
        if !request.confirm {
            self.keep_code(&stored.object, inputs.data.take());
        }
        let carried_out = self.driver.carry_out(self, origin, stored, inputs).await?;
        Ok(self.answered(carried_out))
    }

    /// Decides a payment that its owner confirms later. Returns the payment's view and the changes that create it. The
    /// commit that creates the owner stores them, or nothing does.
    ///
    /// # Errors
    /// As [`Payments::create`].
    pub async fn payment_of_owner(
        &self,
        origin: &Origin,
        new: NewOfOwner<'_>,
    ) -> Result<(PaymentView<'static>, Vec<Change>), AppError> {
        let NewOfOwner {
            merchant_id,
            profile_id,
            payment_id,
            owner,
            changes,
        } = new;
        let (profile, merchant) = self
            .profile_for(merchant_id, Some(profile_id), None)
            .await?;
        let Created {
            mut payment, data, ..
        } = Payment::create(
            Create {
                merchant_id: merchant_id.clone(),
                payment_id,
                profile_id: profile.profile_id.clone(),
                publishable_key: merchant.publishable_key.clone(),
                initiator: initiator(&origin.actor, &merchant),
                owner: Some(owner),
                named_merchant_id: None,
                session_expiry_seconds: profile.session_expiry_seconds,
                confirm_at_once: false,
                changes,
            },
            self.base.now(),
        )?;
        let mut inputs = CallInputs::default();
        let looked_up = self.look_up_customer(None, &mut payment, &mut inputs);
        Box::pin(looked_up).await?;
        let step = Step {
            payment,
            effects: Vec::new(),
            data,
        };
        // A payment that waits for its confirm has no events and no calls.
        let StepParts {
            mut after,
            mut changes,
            announcements: _,
            mandates: _,
            calls: _,
        } = Payment::split_step(self, None, step, &mut inputs);
        let made = Payment::change(self, None, Arc::new(after.clone()));
        changes.insert(0, made);
        after.set_version(1);
        Ok((self.view(Cow::Owned(after)), changes))
    }

    /// Returns the step that confirms a payment before it is stored. The instrument goes only to the call.
    async fn confirmed(
        &self,
        created: Created,
        inputs: &mut CallInputs,
        profile: &Profile,
    ) -> Result<Step, AppError> {
        let Created {
            payment,
            data,
            is_kept,
        } = created;
        let kept = HeldInputs {
            card: data.is_some(),
            is_kept,
            card_code: data.as_ref().is_some_and(|data| !data.lacks_code()),
            credentials: inputs.credentials.0.is_some(),
        };
        inputs.data = data;
        let confirm = self
            .confirm_input(&payment, profile, Changes::default(), kept)
            .await?;
        let confirm = Confirm {
            by_owner: payment.owner.is_some(),
            ..confirm
        };
        let onward = further_attempts(profile, &confirm);
        let confirm = Input::Command(Command::Confirm(Box::new(confirm)));
        let mut step = transition(&payment, confirm, &self.base.context())?;
        inputs.onward = onward.map(|onward| Arc::new(onward.after(&step.payment)));
        check_kind(&self.processors, &step.payment, &inputs.credentials)?;
        self.open_wallet(&step.payment, inputs).await?;
        if step.payment.saves_card() {
            let CallInputs { data, to_save, .. } = inputs;
            let held = self.hold_to_save(&mut step.payment, data.as_ref(), to_save);
            // Boxed, because many payments save nothing.
            Box::pin(held).await?;
        }
        Ok(step)
    }

    /// Keeps the card's code in memory for the confirm. Forgets the code of an earlier card where the card was replaced
    /// or removed.
    pub(super) fn keep_code(&self, payment: &Payment, data: Option<PaymentMethodData>) {
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        match data {
            Some(PaymentMethodData::Card(Card {
                code: Some(code), ..
            })) => self.codes.keep(merchant_id, payment_id, code),
            Some(
                PaymentMethodData::Card(Card { code: None, .. })
                | PaymentMethodData::Payer(_)
                | PaymentMethodData::BankDebit(_),
            ) => {
                self.codes.take(merchant_id, payment_id);
            }
            None if payment.instrument().is_none() => {
                self.codes.take(merchant_id, payment_id);
            }
            // The confirm uses them at once, or they have no code.
            Some(
                PaymentMethodData::NetworkToken(_)
                | PaymentMethodData::Sealed(_)
                | PaymentMethodData::Kept(_),
            )
            | None => {}
        }
    }

    /// Returns the named profile, else the merchant's default, else the one for the line of business.
    async fn profile_for(
        &self,
        merchant_id: &MerchantId,
        named: Option<&ProfileId>,
        business: Option<(CountryCode, &str)>,
    ) -> Result<(Arc<Profile>, Arc<MerchantAccount>), AppError> {
        let merchant = self.merchants.find(merchant_id).await?;
        let store = self.profiles.as_ref();
        let profile = profile_choice::chosen(store, &merchant, named, business).await?;
        Ok((profile, merchant))
    }
}

/// Returns who creates a payment, the platform or the merchant; `None` for a user, the operator or the service itself.
fn initiator(actor: &Actor, merchant: &MerchantAccount) -> Option<Initiator> {
    match actor {
        Actor::Platform { .. } => merchant.initiator(true),
        Actor::ApiKey(_) => merchant.initiator(false),
        Actor::Admin
        | Actor::User(_)
        | Actor::Client
        | Actor::Payer
        | Actor::Worker(_)
        | Actor::Startup => None,
    }
}

fn id_taken(payment_id: &PaymentId, error: CommitError) -> AppError {
    match error {
        CommitError::Duplicate(duplicate::PAYMENT) => Refusal::Duplicate {
            message: format!("there is a payment {payment_id} already"),
        }
        .into(),
        CommitError::Duplicate(_)
        | CommitError::Gone(_)
        | CommitError::Conflict
        | CommitError::Failed(_) => AppError::of_commit(error),
    }
}
