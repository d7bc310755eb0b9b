//! Create a payment, and confirm it in the same call where asked to. (Specification 1; `POST /payments`)

use std::sync::Arc;

use multirail_domain::card::Card;
use multirail_domain::country::CountryCode;
use multirail_domain::ids::{MerchantId, PaymentId, ProfileId};
use multirail_domain::payment::create::{Create, Created};
use multirail_domain::payment::{Changes, Command, Input, Payment, transition};
use multirail_domain::profile::{Profile, choose_profile};
use multirail_domain::refusal::Refusal;

use super::super::{App, AppError, Origin};
use super::calls::CallInputs;
use super::carry_out::{Due, Sorted, Stored, hold_card, sort_effects};
use super::confirm::{ConfirmPayment, Kept};
use super::credentials::{check_kind, hold_credentials};
use super::{CallCredentials, PaymentView};
use crate::ports::failure::duplicate;
use crate::ports::{Change, CommitError};

/// The request, translated.
#[derive(Debug)]
pub struct CreatePayment {
    pub merchant_id: MerchantId,
    /// Chosen by the caller, or made by us.
    pub payment_id: Option<String>,
    /// The profile that the caller names in the body or by its key, else the merchant's default.
    pub profile_id: Option<ProfileId>,
    pub named_merchant_id: Option<String>,
    pub confirm: bool,
    pub changes: Changes,
    pub credentials: CallCredentials,
}

impl App {
    /// Makes a payment.
    ///
    /// # Errors
    /// The refusals of the request's members, an unknown profile, an id that is taken. Nothing is stored then.
    pub async fn create_payment(
        &self,
        origin: &Origin,
        request: CreatePayment,
    ) -> Result<PaymentView, AppError> {
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
            };
            // Boxed: most creations carry nothing out.
            return Box::pin(self.confirm_payment(origin, confirm)).await;
        }
        let note = |name: &str| request.changes.notes.get(name)?.as_str();
        let business = note("business_country")
            .and_then(|country| country.parse().ok())
            .zip(note("business_label"));
        let profile = self
            .profile_for(&request.merchant_id, request.profile_id.as_ref(), business)
            .await?;
        let payment_id = match &request.payment_id {
            Some(chosen) => PaymentId::parse_chosen(chosen, self.settings.reserved_payment_ids)
                .map_err(|invalid| invalid.refusal("payment_id"))?,
            None => PaymentId::generate(self.clock.wall(), self.random.as_ref()),
        };
        let created = Payment::create(
            Create {
                merchant_id: request.merchant_id,
                payment_id,
                profile_id: profile.profile_id.clone(),
                named_merchant_id: request.named_merchant_id,
                session_expiry_seconds: profile.session_expiry_seconds,
                confirm_at_once: request.confirm,
                changes: request.changes,
            },
            self.now(),
        )?;
        let inputs = CallInputs {
            card: created.card.clone(),
            credentials: request.credentials,
            ..CallInputs::default()
        };
        let credentials = &inputs.credentials;
        let stored = if request.confirm {
            self.store_confirmed(origin, created, credentials, &profile)
                .await?
        } else {
            self.store_created(origin, created, credentials).await?
        };
        let payment = self.carry_out(origin, stored, inputs).await?;
        Ok(self.view(payment))
    }

    async fn store_created(
        &self,
        origin: &Origin,
        created: Created,
        credentials: &CallCredentials,
    ) -> Result<Stored, AppError> {
        let Created { payment, card } = created;
        let mut changes = Vec::new();
        if let Some(card) = &card {
            changes.push(hold_card(&payment, card));
        }
        changes.extend(hold_credentials(&payment, credentials));
        self.keep_answer(origin, &payment, true, true, &mut changes);
        let stored = self.insert(origin, payment, changes, &[]).await?;
        self.keep_code(&stored, card);
        Ok(Stored {
            payment: stored,
            calls: Vec::new(),
            card: None,
        })
    }

    async fn store_confirmed(
        &self,
        origin: &Origin,
        created: Created,
        credentials: &CallCredentials,
        profile: &Profile,
    ) -> Result<Stored, AppError> {
        let kept = Kept {
            card: created.card.is_some(),
            card_code: created.card.is_some(),
            credentials: credentials.0.is_some(),
        };
        let confirm = self
            .confirm_input(&created.payment, profile, Changes::default(), kept)
            .await?;
        let confirm = Input::Command(Command::Confirm(Box::new(confirm)));
        let step = transition(&created.payment, confirm, &self.context())?;
        check_kind(&step.payment, credentials)?;
        let mut changes = Vec::new();
        let Sorted {
            calls,
            announcements,
        } = sort_effects(&step.payment, step.effects, &mut changes);
        self.record_events(&step.payment, 1, announcements, &mut changes)
            .await?;
        changes.extend(hold_credentials(&step.payment, credentials));
        let is_last = calls.is_empty();
        self.keep_answer(origin, &step.payment, true, is_last, &mut changes);
        let payment = self.insert(origin, step.payment, changes, &calls).await?;
        Ok(Stored {
            payment,
            calls,
            card: None,
        })
    }

    async fn insert(
        &self,
        origin: &Origin,
        payment: Payment,
        mut changes: Vec<Change>,
        calls: &[Due],
    ) -> Result<Payment, AppError> {
        let payment = Arc::new(payment);
        changes.insert(0, Change::InsertPayment(payment.clone()));
        let change_set = self.change_set(origin, Some(&payment.merchant_id), changes);
        match self.commit(change_set).await {
            Ok(()) => {
                let mut payment = Arc::unwrap_or_clone(payment);
                payment.version = 1;
                Ok(payment)
            }
            Err(CommitError::Duplicate(duplicate::PAYMENT)) => Err(Refusal::Duplicate {
                message: format!("there is a payment {} already", payment.payment_id),
            }
            .into()),
            Err(error) => {
                self.note_uncommitted(origin, &error, calls);
                Err(AppError::of_commit(error))
            }
        }
    }

    /// Keeps the card's code in memory for the confirm.
    pub(super) fn keep_code(&self, payment: &Payment, card: Option<Card>) {
        if let Some(code) = card.and_then(|card| card.code) {
            self.codes
                .keep(&payment.merchant_id, &payment.payment_id, code);
        }
    }

    /// The profile that is named, else the merchant's default, else the one of the line of business.
    async fn profile_for(
        &self,
        merchant_id: &MerchantId,
        named: Option<&ProfileId>,
        business: Option<(CountryCode, &str)>,
    ) -> Result<Profile, AppError> {
        let merchant = self.merchant_account(merchant_id).await?;
        let decided = named.or(merchant.default_profile.as_ref());
        let profiles = match decided {
            Some(profile_id) => {
                let found = self.store.profile(merchant_id, profile_id).await?;
                found.into_iter().collect()
            }
            None => self.store.profiles(merchant_id).await?,
        };
        Ok(choose_profile(named, &merchant, business, &profiles)?.clone())
    }
}
