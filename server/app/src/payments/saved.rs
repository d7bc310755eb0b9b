//! Saved payment methods in payments: what a token stands for, and the card that is saved by paying.

use multirail_domain::card::Card;
use multirail_domain::ids::{CustomerId, MerchantId, PaymentToken};
use multirail_domain::payment::{
    Changes, MethodEffect, MethodRole, Payment, PaymentMethodData, TokenInput,
};
use multirail_domain::saved_method::{MethodParticulars, SavedCard, SavedMethod, TokenMethod};
use multirail_domain::secret::SecretText;

use super::super::{App, AppError};
use crate::ports::saved_methods::{CardToSave, TokenEntry};
use crate::ports::{Change, SavedMethodChange, StoreFailure};

impl App {
    /// Looks up what the token of a request stands for.
    pub(super) async fn find_token(
        &self,
        merchant_id: &MerchantId,
        payers: Option<&CustomerId>,
        changes: &mut Changes,
    ) -> Result<(), AppError> {
        let inside = changes.particulars.customer.as_ref();
        let said = changes.customer_id.as_ref();
        let customer_id = said
            .or(inside.map(|customer| &customer.id))
            .or(payers)
            .cloned();
        let Some(token) = &mut changes.instrument.token else {
            return Ok(());
        };
        let found = self.token_method(merchant_id, customer_id.as_ref(), token.text.expose());
        token.found = found.await?.map(Box::new);
        Ok(())
    }

    /// As [`App::find_token`], for a payment that is there: where the request doesn't say what pays, a token that was given
    /// before does.
    pub(super) async fn find_token_again(
        &self,
        payment: &Payment,
        changes: &mut Changes,
    ) -> Result<(), AppError> {
        let before = payment.active().method.as_deref();
        let before = before.filter(|method| method.role == MethodRole::Pays);
        let token = before.and_then(|method| method.token.as_ref());
        if let (Some(token), false) = (token, changes.instrument.names_data()) {
            let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
            let code_was_given = before.is_some_and(|method| method.code_was_given == Some(true));
            // Without one, what is there is the code of a card that was given before.
            let code = self
                .codes
                .find(merchant_id, payment_id)
                .filter(|_| code_was_given);
            let input = &mut changes.instrument;
            input.token = Some(TokenInput {
                text: SecretText::new(token.as_str()),
                found: None,
                code_was_given,
            });
            if input.token_code.is_none() {
                input.token_code = code.map(|code| SecretText::new(code.expose()));
            }
            if let Some(instrument) = payment.instrument() {
                let card = instrument.details.card();
                let name = card.and_then(|card| card.holder_name.clone());
                input.token_holder_name = input.token_holder_name.take().or(name);
                input.payment_method_type =
                    input.payment_method_type.or(instrument.payment_method_type);
                input.billing = input.billing.take().or_else(|| instrument.billing.clone());
            }
        }
        let payers = payment.terms.customer_id.as_ref();
        self.find_token(&payment.merchant_id, payers, changes).await
    }

    /// Nothing where the token isn't one, has lapsed, or is another customer's.
    async fn token_method(
        &self,
        merchant_id: &MerchantId,
        customer_id: Option<&CustomerId>,
        token: &str,
    ) -> Result<Option<TokenMethod>, AppError> {
        let (Some(customer_id), Ok(token)) = (customer_id, PaymentToken::parse(token)) else {
            return Ok(None);
        };
        let found = self.store.method_of_token(merchant_id, &token, self.now());
        let Some(TokenEntry { method, entry }) = found.await? else {
            return Ok(None);
        };
        if method.customer_id != *customer_id {
            return Ok(None);
        }
        let broken = |why: String| StoreFailure::Broken(format!("a saved card: {why}"));
        let number = self.vault.open(merchant_id, &entry).await?;
        let card = Card::of_details(number, method.card.details);
        Ok(Some(TokenMethod {
            token,
            payment_method_id: method.payment_method_id,
            customer_id: method.customer_id,
            card: card.map_err(|why| broken(why.to_string()))?,
            payment_method_type: method.payment_method_type,
            billing: method.particulars.billing,
        }))
    }

    /// Has the card of a confirm saved once it is approved, where that is wanted.
    pub(super) async fn hold_to_save(
        &self,
        payment: &mut Payment,
        data: Option<&PaymentMethodData>,
        to_save: &mut Option<Box<CardToSave>>,
    ) -> Result<(), StoreFailure> {
        let customer_id = payment.terms.customer_id.clone();
        let (Some(customer_id), Some(PaymentMethodData::Card(card)), true) =
            (customer_id, data, payment.saves_card())
        else {
            return Ok(());
        };
        let entry = self
            .vault
            .seal(&payment.merchant_id, &card.number, self.now());
        let entry = entry.await?;
        let instrument = payment.instrument();
        let billing = instrument.and_then(|instrument| instrument.billing.clone());
        let method = SavedMethod::of_card(
            payment.merchant_id.clone(),
            customer_id,
            SavedCard {
                fingerprint: entry.fingerprint.clone(),
                details: card.details.clone(),
            },
            instrument.and_then(|instrument| instrument.payment_method_type),
            MethodParticulars {
                billing: billing.or_else(|| payment.particulars.billing.clone()),
                consent: payment.particulars.consent.clone(),
                ..MethodParticulars::default()
            },
            self.now(),
        );
        payment.save_as(method.payment_method_id.clone());
        *to_save = Some(Box::new(CardToSave {
            payment_id: payment.payment_id.clone(),
            attempt: payment.active().number,
            method,
            entry,
        }));
        Ok(())
    }
}

/// A change of saved methods that goes with the payment's.
pub(super) fn of_method(payment: &Payment, effect: MethodEffect) -> Option<Change> {
    let merchant_id = payment.merchant_id.clone();
    let payment_id = payment.payment_id.clone();
    let change = match effect {
        MethodEffect::Save {
            attempt,
            payment_method_id,
        } => SavedMethodChange::SaveHeld {
            merchant_id,
            payment_id,
            attempt,
            // Nothing is saved for nobody: the terms hold that.
            customer_id: payment.terms.customer_id.clone()?,
            payment_method_id,
        },
        MethodEffect::Forget { attempt } => SavedMethodChange::ForgetHeld {
            merchant_id,
            payment_id,
            attempt,
        },
        MethodEffect::Used { payment_method_id } => SavedMethodChange::Used {
            merchant_id,
            payment_method_id,
        },
        MethodEffect::DeleteToken(token) => SavedMethodChange::DeleteToken { merchant_id, token },
    };
    Some(change.into())
}
