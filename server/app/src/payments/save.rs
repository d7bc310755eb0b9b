//! The card or bank account that a payment saves.

use multirail_domain::customers::saved_method::{MethodParticulars, SavedCard, SavedMethod};
use multirail_domain::payments::payment::{FutureUsage, Payment, PaymentMethodData};
use multirail_kernel::ids::CustomerId;
use multirail_sdk::payment_method::PaymentMethod;

use super::super::AppError;
use super::Payments;
use crate::customers::ports::saved_methods::CardToSave;
use crate::customers::ports::vault::VaultEntry;
use crate::customers::saved_methods::{ROOM, check_room};

impl Payments {
    /// Seals the card or bank account of a confirm, so that it is saved after approval, where the payment asks for that.
    pub(super) async fn hold_to_save(
        &self,
        payment: &mut Payment,
        data: Option<&PaymentMethodData>,
        to_save: &mut Option<Box<CardToSave>>,
    ) -> Result<(), AppError> {
        let customer_id = payment.terms.customer_id.clone();
        let (Some(customer_id), Some(data), true) = (customer_id, data, payment.saves_card())
        else {
            return Ok(());
        };
        let Some((method, entry)) = self.method_to_save(payment, customer_id, data).await? else {
            return Ok(());
        };
        let id = &method.payment_method_id;
        let saved = self
            .saved_methods
            .saved_method(&payment.merchant_id, id)
            .await?;
        let method = match saved {
            // The held particulars replace those of a saved account, so they include what is known of it.
            Some(saved) if method.card.is_none() => saved.renewed(method),
            Some(_) => method,
            None => {
                let (merchant_id, customer_id) = (&payment.merchant_id, &method.customer_id);
                check_room(&*self.saved_methods, merchant_id, customer_id, ROOM).await?;
                method
            }
        };
        payment.save_as(method.payment_method_id.clone());
        *to_save = Some(Box::new(CardToSave {
            payment_id: payment.payment_id.clone(),
            attempt: payment.active().number,
            is_agreed: payment.terms.setup_future_usage == Some(FutureUsage::OffSession),
            method,
            entry,
        }));
        Ok(())
    }

    /// Returns the method as which a payment's card or bank account is saved; `None` for other instruments. Only a card has an
    /// entry in the vault.
    async fn method_to_save(
        &self,
        payment: &Payment,
        customer_id: CustomerId,
        data: &PaymentMethodData,
    ) -> Result<Option<(SavedMethod, Option<VaultEntry>)>, AppError> {
        let merchant_id = payment.merchant_id.clone();
        let now = self.base.now();
        let instrument = payment.instrument();
        let kind = instrument.and_then(|instrument| instrument.payment_method_type);
        let billing = payment.facts(instrument).payer_address();
        let particulars = MethodParticulars {
            billing: billing.map(|address| Box::new(address.into_owned())),
            consent: payment.payer.consent.clone(),
            ..MethodParticulars::default()
        };
        Ok(match data {
            PaymentMethodData::Card(card) => {
                let entry = self.vault.seal(&merchant_id, &card.number, now).await?;
                let card = SavedCard {
                    fingerprint: entry.fingerprint.clone(),
                    details: card.details.clone(),
                    holder: card.holder.clone(),
                };
                let method =
                    SavedMethod::of_card(merchant_id, customer_id, card, kind, particulars, now);
                Some((method, Some(entry)))
            }
            PaymentMethodData::BankDebit(account) => {
                let hash = self.vault.account_hash(&merchant_id, account);
                let particulars = MethodParticulars {
                    bank_account: Some(account.clone()),
                    ..particulars
                };
                let family = (PaymentMethod::BankDebit, kind);
                let method = SavedMethod::of_account(
                    merchant_id,
                    customer_id,
                    family,
                    &hash,
                    particulars,
                    now,
                );
                Some((method, None))
            }
            PaymentMethodData::NetworkToken(_)
            | PaymentMethodData::Sealed(_)
            | PaymentMethodData::Kept(_)
            | PaymentMethodData::Payer(_) => None,
        })
    }
}
