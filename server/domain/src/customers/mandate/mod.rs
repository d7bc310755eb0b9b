//! A mandate: a payer's permission for later charges in the payer's absence, within limits. (Specification 2.11; facts 3.15,
//! 7.13)

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

/// A mandate. It charges a saved payment method.
#[derive(Clone, Debug, PartialEq)]
pub struct Mandate {
    pub merchant_id: MerchantId,
    pub mandate_id: MandateId,
    /// The profile of the first payment; it receives the mandate's events.
    pub profile_id: ProfileId,
    pub customer_id: CustomerId,
    /// Number of stored changes; 0 until the record is stored.
    pub version: i64,
    pub status: MandateStatus,
    pub terms: MandateTerms,
    /// The payment with which the payer agreed: the latest one, if there are several.
    pub payment_id: PaymentId,
    pub payment_method_id: PaymentMethodId,
    pub payment_method: PaymentMethod,
    pub payment_method_type: Option<PaymentMethodType>,
    /// The connector of that payment.
    pub connector: Option<String>,
    pub merchant_connector_id: Option<ConnectorAccountId>,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
}

/// A mandate as merchants see it.
#[derive(Clone, Debug, PartialEq)]
pub struct MandateView {
    pub mandate: Mandate,
    /// The card of its payment method, if that exists.
    pub card: Option<CardRecord>,
    /// `None` after the payer's personal data was redacted.
    pub consent: Option<Consent>,
}

impl Mandate {
    /// Returns the mandate after a move, or `None` if the move isn't allowed.
    pub fn moved(&self, by: MandateMove, now: Timestamp) -> Option<Mandate> {
        let status = by.after(self.status)?;
        Some(Mandate {
            status,
            modified_at: now,
            ..self.clone()
        })
    }

    /// Revokes the permission for the merchant or the payer.
    ///
    /// # Errors
    /// [`Refusal::Mandate`] if it is revoked already.
    pub fn revoke(&self, now: Timestamp) -> Result<Mandate, Refusal> {
        self.moved(MandateMove::Revoke, now)
            .ok_or_else(|| Refusal::Mandate {
                why: format!("the mandate is {} already", self.status),
            })
    }
}
