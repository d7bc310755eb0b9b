//! Saved payment methods in payments: the method that a request names, and the changes that go with a payment's.

use multirail_domain::customers::saved_method::{ChargedMethod, SavedMethod, TokenMethod};
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_domain::payments::payment::{
    AttemptMethod, Changes, InstrumentInput, MandateRequest, MethodEffect, MethodRole, Payment,
    PaymentMethodData, RecurringInput, TokenInput,
};
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId, PaymentToken};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_platform as platform;
use multirail_sdk::card::Card;

use super::super::AppError;
use super::Payments;
use super::mandate::named_again;
use crate::customers::ports::SavedMethodChange;
use crate::customers::ports::saved_methods::MethodEntry;
use crate::customers::ports::vault::VaultEntry;
use crate::platform::ports::{Change, StoreFailure};

impl Payments {
    /// Looks up the saved method that a request names, by a token or for a charge without the payer.
    pub(super) async fn find_saved(
        &self,
        merchant_id: &MerchantId,
        payers: Option<&CustomerId>,
        asked_before: Option<&MandateRequest>,
        changes: &mut Changes,
    ) -> Result<(), AppError> {
        let customer_id = changes.named_customer().or(payers).cloned();
        if let Some(token) = &mut changes.instrument.token {
            let found = self.token_method(merchant_id, customer_id.as_ref(), token.text.expose());
            token.found = found.await?.map(Box::new);
        }
        if let Some(RecurringInput::Method { id, found }) = &mut changes.instrument.recurring {
            let charged = self.charged_method(merchant_id, customer_id.as_ref(), id);
            *found = charged.await?;
        }
        let names_mandate = changes.particulars.mandate.is_some()
            || matches!(
                changes.instrument.recurring,
                Some(RecurringInput::Mandate { .. })
            );
        if names_mandate || asked_before.is_some() {
            let found =
                self.find_mandates(merchant_id, customer_id.as_ref(), asked_before, changes);
            // Boxed, because most payments name none.
            Box::pin(found).await?;
        }
        Ok(())
    }

    /// As [`Payments::find_saved`], for a stored payment: a request without a method uses the one that was named
    /// before, unless it names another customer.
    pub(super) async fn find_saved_again(
        &self,
        payment: &Payment,
        changes: &mut Changes,
    ) -> Result<(), AppError> {
        let is_anothers = payment.goes_to_another(changes);
        if !is_anothers && !changes.instrument.names_data() {
            self.name_again(payment, changes);
        }
        let payers = payment.terms.customer_id.as_ref();
        let asked_before = payment.particulars.mandate.as_deref();
        let asked_before = asked_before.filter(|_| !is_anothers);
        self.find_saved(&payment.merchant_id, payers, asked_before, changes)
            .await
    }

    /// Names the earlier method again.
    fn name_again(&self, payment: &Payment, changes: &mut Changes) {
        let before = payment.active().method.as_deref();
        if let Some(before) = before.filter(|method| method.role == MethodRole::Pays) {
            self.name_method_again(payment, before, changes);
        } else if let Some(token) = payment.active().named_token() {
            changes.instrument.recurring = Some(token);
            what_came_along(payment, &mut changes.instrument);
        }
    }

    fn name_method_again(&self, payment: &Payment, before: &AttemptMethod, changes: &mut Changes) {
        let input = &mut changes.instrument;
        if let Some(token) = &before.token {
            let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
            let code_was_given = before.code_was_given == Some(true);
            // Without a code for it, the stored code belongs to an earlier card.
            let code = self
                .codes
                .find(merchant_id, payment_id)
                .filter(|_| code_was_given);
            input.token = Some(TokenInput {
                text: SecretText::new(token.as_str()),
                found: None,
                code_was_given,
            });
            if input.token_code.is_none() {
                input.token_code = code.map(|code| SecretText::new(code.expose()));
            }
            // Payments of earlier versions don't record who gave the name: it stays.
            let said_name = payment.instrument();
            if let Some(instrument) = said_name.filter(|_| before.holder_was_given != Some(false)) {
                let is_card = instrument.details.card().is_some();
                let name = instrument.holder.card.name.clone().filter(|_| is_card);
                input.token_holder_name = input.token_holder_name.take().or(name);
            }
        } else if let Some(under) = payment.active().charged_under() {
            input.recurring = Some(named_again(under));
        } else {
            input.recurring = Some(RecurringInput::Method {
                id: before.payment_method_id.to_string(),
                found: FoundMethod::default(),
            });
        }
        what_came_along(payment, input);
    }

    /// Returns `None` for a text that is no token, for an expired token, and for another customer's.
    async fn token_method(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        token: &str,
    ) -> Result<Option<TokenMethod>, AppError> {
        let (Some(customer_id), Ok(token)) = (customer_id, PaymentToken::parse(token)) else {
            return Ok(None);
        };
        let found = self
            .saved_methods
            .method_of_token(merchant_id, &token, self.base.now());
        let Some(MethodEntry { method, entry }) = found.await? else {
            return Ok(None);
        };
        if method.customer_id != *customer_id {
            return Ok(None);
        }
        Ok(Some(TokenMethod {
            token,
            data: self.data_of(&method, entry.as_ref()).await?,
            has_consent: method.has_consent(),
            consent: method.consent_to_debit(),
            payment_method_id: method.payment_method_id,
            customer_id: method.customer_id,
            payment_method_type: method.payment_method_type,
            billing: method.particulars.billing,
            is_kept: method.is_kept,
        }))
    }

    /// Returns the saved method that the merchant charges without the payer, if it is the customer's.
    pub async fn charged_method(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        id: &str,
    ) -> Result<FoundMethod, AppError> {
        let Some(customer_id) = customer_id else {
            return Ok(FoundMethod::NoCustomer);
        };
        let Ok(id) = PaymentMethodId::parse(id) else {
            return Ok(FoundMethod::Nothing);
        };
        let found = self
            .saved_methods
            .method_with_card(merchant_id, &id)
            .await?;
        let Some(MethodEntry { method, entry }) =
            found.filter(|found| found.method.customer_id == *customer_id)
        else {
            return Ok(FoundMethod::Nothing);
        };
        let mandates = self
            .saved_methods
            .connector_mandates_of(merchant_id, &method.payment_method_id);
        let connector_mandates = mandates.await?;
        let agreed_through = match &method.agreed_by {
            Some(payment_id) if connector_mandates.is_empty() => {
                // The payment may be deleted.
                let agreed = self.store.payment(merchant_id, payment_id).await?;
                agreed.and_then(|payment| payment.active().merchant_connector_id.clone())
            }
            Some(_) | None => None,
        };
        Ok(FoundMethod::Method(Box::new(ChargedMethod {
            data: self.data_of(&method, entry.as_ref()).await?,
            recurs: method.is_agreed(),
            consent: method.consent_to_debit(),
            payment_method_id: method.payment_method_id,
            payment_method_type: method.payment_method_type,
            billing: method.particulars.billing,
            network_transaction_id: method.network_transaction_id,
            connector_mandates,
            agreed_through,
        })))
    }

    /// Returns the card of a saved method, without a code, or the account to debit.
    ///
    /// # Errors
    /// An account for payouts.
    async fn data_of(
        &self,
        method: &SavedMethod,
        entry: Option<&VaultEntry>,
    ) -> Result<PaymentMethodData, AppError> {
        if let Some(account) = method.account_to_debit() {
            return Ok(PaymentMethodData::BankDebit(Box::new(account)));
        }
        let broken = |why: String| StoreFailure::Broken(format!("a saved card: {why}"));
        let (Some(card), Some(entry)) = (&method.card, entry) else {
            return Err(Refusal::MethodNotSupported {
                message: format!(
                    "no connector charges a saved payment_method {}",
                    method.payment_method
                ),
            }
            .into());
        };
        let number = self.vault.open(&method.merchant_id, entry).await?;
        let card = Card::of_details(number, card.details.clone(), card.holder.clone());
        let card = card.map_err(|why| broken(why.to_string()))?;
        Ok(PaymentMethodData::Card(card))
    }
}

/// Repeats the details that came with the earlier method, where the request doesn't give its own.
fn what_came_along(payment: &Payment, input: &mut InstrumentInput) {
    let Some(instrument) = payment.instrument() else {
        return;
    };
    input.payment_method_type = input.payment_method_type.or(instrument.payment_method_type);
    let method = payment.active().method.as_deref();
    if method.and_then(|method| method.billing_was_given) != Some(false) {
        input.billing = input
            .billing
            .take()
            .or_else(|| instrument.holder.billing.clone());
    }
}

/// Returns the change of saved methods that goes with the payment's.
pub(super) fn of_method(
    store: &dyn platform::Changes<SavedMethodChange>,
    payment: &Payment,
    effect: MethodEffect,
) -> Option<Change> {
    let merchant_id = payment.merchant_id.clone();
    let payment_id = payment.payment_id.clone();
    let change = match effect {
        MethodEffect::Save {
            attempt,
            payment_method_id,
            consented_at,
            known_by,
        } => SavedMethodChange::SaveHeld {
            merchant_id,
            payment_id,
            attempt,
            // Payments without a customer save nothing: the terms guarantee that.
            customer_id: payment.terms.customer_id.clone()?,
            payment_method_id,
            consented_at,
            consent: payment.payer.consent.clone(),
            known_by,
        },
        MethodEffect::Learned {
            payment_method_id,
            consented_at,
            known_by,
            is_agreed,
        } => SavedMethodChange::Learn {
            merchant_id,
            payment_id,
            payment_method_id,
            consented_at,
            known_by,
            is_agreed,
        },
        MethodEffect::Forget { attempt } => SavedMethodChange::ForgetHeld {
            merchant_id,
            payment_id,
            attempt,
        },
        MethodEffect::Used {
            payment_method_id,
            consented_at,
            agreed,
        } => SavedMethodChange::Used {
            merchant_id,
            payment_id,
            // Nobody else has the method.
            customer_id: payment.terms.customer_id.clone()?,
            payment_method_id,
            consented_at,
            consent: payment.payer.consent.clone(),
            agreed,
        },
        MethodEffect::ClaimToken(token) => SavedMethodChange::ClaimToken {
            merchant_id,
            token,
            payment_id,
        },
        MethodEffect::FreeToken(token) => SavedMethodChange::FreeToken {
            merchant_id,
            token,
            payment_id,
        },
        MethodEffect::UseUpToken(token) => SavedMethodChange::UseUpToken { merchant_id, token },
    };
    Some(store.change(change))
}
