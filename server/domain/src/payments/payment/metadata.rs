//! The merchant's own notes on a payment after it was sent. (`POST /payments/{payment_id}/update_metadata`)

use std::collections::BTreeMap;
use std::sync::Arc;

use multirail_kernel::notes::Metadata;
use multirail_kernel::refusal::Refusal;
use serde_json::Value;

use crate::payments::payment::{Context, Payment, PaymentStatus, Step};

/// The name of the note.
const METADATA: &str = "metadata";

impl Payment {
    /// Returns the metadata as texts, as processors accept them. Other values are written as JSON.
    pub(crate) fn metadata_as_texts(&self) -> BTreeMap<String, String> {
        let members = self.particulars.notes.get(METADATA);
        let members = members.and_then(Value::as_object).into_iter().flatten();
        let texts = members.filter_map(|(name, value)| {
            let text = match value {
                Value::Null => return None,
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    value.to_string()
                }
            };
            Some((name.clone(), text))
        });
        texts.collect()
    }

    /// Replaces the metadata. No rule reads them, and a processor that received the former ones doesn't get the new ones.
    pub(crate) fn replace_metadata(
        &self,
        metadata: Metadata,
        context: &Context,
    ) -> Result<Step, Refusal> {
        match self.status {
            PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed => {}
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => {
                return Err(Refusal::precondition(format!(
                    "the metadata of a payment whose status is {} can't be replaced",
                    self.status
                )));
            }
        }
        let mut payment = self.clone();
        payment.modified_at = context.now;
        let notes = &mut Arc::make_mut(&mut payment.particulars).notes;
        notes.insert(METADATA.to_owned(), Value::Object(metadata));
        Ok(Step {
            payment,
            effects: Vec::new(),
            data: None,
        })
    }
}
