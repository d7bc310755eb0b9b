//! A customer: the merchant's record of a payer. (Facts 3.15, 7.6)
//!
//! Personal data is in [`Personal`], which is stored sealed; the record itself contains none. The personal data of one
//! payment's payer is in [`payment::customer`](crate::payments::payment::customer).

mod personal;
mod search;

use serde::{Deserialize, Serialize};

use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

pub use multirail_kernel::notes::Metadata;
pub use personal::Personal;
pub use search::{searched_email, searched_phone};

words! {
    /// The status of a customer: with personal data, or redacted.
    pub enum CustomerStatus {
        Active = "active",
        /// Deleted: the id and the payments stay, without personal data.
        Redacted = "redacted",
    }
}

/// A customer of one merchant, shared by all of its profiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Customer {
    pub merchant_id: MerchantId,
    pub customer_id: CustomerId,
    /// Number of stored changes; 0 until the record is stored. It has its own column.
    #[serde(skip)]
    pub version: i64,
    pub status: CustomerStatus,
    /// The saved payment method used if a payment names none. It is stored with the payment methods, not in the record.
    #[serde(skip)]
    pub default_payment_method_id: Option<PaymentMethodId>,
    /// Stored sealed in its own column, not in the record.
    #[serde(skip)]
    pub personal: Personal,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Customer {
    /// Creates a customer with this personal data.
    pub fn create(
        merchant_id: MerchantId,
        customer_id: CustomerId,
        personal: Personal,
        now: Timestamp,
    ) -> Self {
        Customer {
            merchant_id,
            customer_id,
            version: 0,
            status: CustomerStatus::Active,
            default_payment_method_id: None,
            personal,
            created_at: now,
            modified_at: now,
            unread: UnreadMembers::default(),
        }
    }

    /// Returns the customer if it may still be read and changed.
    ///
    /// # Errors
    /// [`Refusal::CustomerRedacted`].
    pub fn active(self) -> Result<Self, Refusal> {
        match self.status {
            CustomerStatus::Active => Ok(self),
            CustomerStatus::Redacted => Err(Refusal::CustomerRedacted),
        }
    }

    /// Returns the customer with the update applied. A member that is present replaces the stored one as a whole; the others
    /// stay.
    ///
    /// # Errors
    /// [`Refusal::CustomerRedacted`].
    pub fn update(&self, said: Personal, now: Timestamp) -> Result<Self, Refusal> {
        let mut customer = self.clone().active()?;
        customer.personal.merge(said);
        customer.modified_at = now;
        Ok(customer)
    }

    /// Returns the redacted customer: each stored text becomes [`REDACTED`](multirail_kernel::redacted::REDACTED).
    ///
    /// # Errors
    /// [`Refusal::CustomerRedacted`] for a customer that is redacted already.
    pub fn redact(&self, now: Timestamp) -> Result<Self, Refusal> {
        let mut customer = self.clone().active()?;
        customer.status = CustomerStatus::Redacted;
        customer.default_payment_method_id = None;
        customer.personal = customer.personal.redacted();
        // Members that a later version stored may be personal too.
        customer.unread = UnreadMembers::default();
        customer.modified_at = now;
        Ok(customer)
    }

    /// Builds the refusal of a second customer with the same id.
    pub fn id_taken(customer_id: &CustomerId) -> Refusal {
        Refusal::CustomerExists {
            customer_id: customer_id.to_string(),
        }
    }

    /// Builds the refusal for a customer that doesn't exist.
    pub fn unknown() -> Refusal {
        Refusal::not_found(Object::Customer)
    }
}

#[cfg(test)]
mod tests;
