//! A mandate: a payer's permission for later charges without him, within limits. (Specification 2.11; facts 3.15, 7.13)

pub mod charge;
pub mod status;
pub mod terms;

#[cfg(test)]
mod tests;

use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, MandateId, MerchantId, PaymentId, PaymentMethodId, ProfileId,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::CardRecord;
use multirail_sdk::consent::Consent;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

pub use charge::Charge;
pub use status::{MandateMove, MandateStatus};
pub use terms::{MandateLimits, MandateTerms};

/// A mandate. What it charges is a saved method.
#[derive(Clone, Debug, PartialEq)]
pub struct Mandate {
    pub merchant_id: MerchantId,
    pub mandate_id: MandateId,
    /// That of its first payment: its events go there.
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    /// Counts the stored changes; 0 until stored.
    pub version: i64,
    pub status: MandateStatus,
    pub terms: MandateTerms,
    /// The payment by which its payer agreed, the last one where he did so again.
    pub payment_id: PaymentId,
    pub payment_method_id: PaymentMethodId,
    pub payment_method: PaymentMethod,
    pub payment_method_type: Option<PaymentMethodType>,
    /// Through which that payment went.
    pub connector: Option<String>,
    pub merchant_connector_id: Option<ConnectorAccountId>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
}

/// A mandate as merchants see it.
#[derive(Clone, Debug, PartialEq)]
pub struct MandateView {
    pub mandate: Mandate,
    /// Of its method, while that is there.
    pub card: Option<CardRecord>,
    /// Nothing where the payer was forgotten.
    pub consent: Option<Consent>,
}

impl Mandate {
    /// The mandate after a move; nothing where that can't be made.
    pub fn moved(&self, by: MandateMove, now: Timestamp) -> Option<Mandate> {
        let status = by.after(self.status)?;
        Some(Mandate {
            status,
            modified_at: now,
            ..self.clone()
        })
    }

    /// The merchant or the payer takes the permission back.
    ///
    /// # Errors
    /// [`Refusal::Mandate`] where it is revoked already.
    pub fn revoke(&self, now: Timestamp) -> Result<Mandate, Refusal> {
        self.moved(MandateMove::Revoke, now)
            .ok_or_else(|| Refusal::Mandate {
                why: format!("the mandate is {} already", self.status),
            })
    }
}
