//! A customer: a payer in the merchant's books. (Facts 3.15, 7.6)
//!
//! Who it is stands in [`Personal`], which rests sealed; the record beside it names nobody. What a merchant says of the
//! payer of one payment is [`payment::customer`](crate::payments::payment::customer).

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
    /// Whether it is still known who a customer is.
    pub enum CustomerStatus {
        Active = "active",
        /// Deleted: the id and the payments stay, and tell of nobody any more.
        Redacted = "redacted",
    }
}

/// A customer of one merchant, whatever profile the payments have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Customer {
    pub merchant_id: MerchantId,
    pub customer_id: CustomerId,
    /// Counts the stored changes; 0 until stored. Kept beside the record, not in it.
    #[serde(skip)]
    pub version: i64,
    pub status: CustomerStatus,
    /// The saved payment method that is taken where none is named. Its changes are stored beside those of the methods,
    /// and it is not in the record.
    #[serde(skip)]
    pub default_payment_method_id: Option<PaymentMethodId>,
    /// Kept sealed beside the record, not in it.
    #[serde(skip)]
    pub personal: Personal,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Customer {
    /// A new customer of whom this is said.
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

    /// The customer where it may still be read and changed.
    ///
    /// # Errors
    /// [`Refusal::CustomerRedacted`].
    pub fn active(self) -> Result<Self, Refusal> {
        match self.status {
            CustomerStatus::Active => Ok(self),
            CustomerStatus::Redacted => Err(Refusal::CustomerRedacted),
        }
    }

    /// The customer after an update: members that are said replace the former ones as a whole, the others stay.
    ///
    /// # Errors
    /// A redacted customer.
    pub fn update(&self, said: Personal, now: Timestamp) -> Result<Self, Refusal> {
        let mut customer = self.clone().active()?;
        customer.personal.merge(said);
        customer.modified_at = now;
        Ok(customer)
    }

    /// The customer of whom nothing is known any more. The word [`REDACTED`](multirail_kernel::redacted::REDACTED) stands where something was said.
    ///
    /// # Errors
    /// A customer that is redacted already.
    pub fn redact(&self, now: Timestamp) -> Result<Self, Refusal> {
        let mut customer = self.clone().active()?;
        customer.status = CustomerStatus::Redacted;
        customer.default_payment_method_id = None;
        customer.personal = customer.personal.redacted();
        // What a later version stored here may be personal too.
        customer.unread = UnreadMembers::default();
        customer.modified_at = now;
        Ok(customer)
    }

    /// The refusal of a second customer with the same id.
    pub fn id_taken(customer_id: &CustomerId) -> Refusal {
        Refusal::CustomerExists {
            customer_id: customer_id.to_string(),
        }
    }

    /// The refusal where there is none.
    pub fn unknown() -> Refusal {
        Refusal::not_found(Object::Customer)
    }
}

#[cfg(test)]
mod tests;
