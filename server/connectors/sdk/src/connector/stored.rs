//! Objects stored at a processor apart from payments: customers, and instruments for charges
//! without the payer.

use multirail_kernel::timestamp::Timestamp;

use crate::connector::Access;
use crate::connector::details::{FutureUsage, Payer};
use crate::connector::{AuthorizeRequest, Details, Outcome};

/// A request to create the customer for whom instruments are stored. Repeated requests create one
/// customer only.
#[derive(Clone, Debug)]
pub struct KeepCustomerRequest {
    pub access: Access,
    /// Our id of the account. It separates customers of two merchants that have the same id.
    pub account: String,
    /// The merchant's id of the customer.
    pub customer_id: String,
    pub name: Option<String>,
    pub email: Option<String>,
    /// The phone number with its country code, as the merchant gave it.
    pub phone: Option<String>,
    /// The processor's id of an earlier customer who no longer exists there. The request replaces
    /// that customer.
    pub instead_of: Option<String>,
    /// Wall time.
    pub now: Timestamp,
}

impl KeepCustomerRequest {
    /// Returns the request for the payment's customer, or `None` if the payer is no customer.
    pub fn for_payer(
        access: &Access,
        account: &str,
        payer: &Payer,
        now: Timestamp,
    ) -> Option<Self> {
        let phone = payer.phone.as_deref().map(|number| {
            let code = payer.phone_country_code.as_deref().unwrap_or_default();
            format!("{code}{number}")
        });
        Some(KeepCustomerRequest {
            access: access.clone(),
            account: account.to_owned(),
            customer_id: payer.customer_id.clone()?,
            name: payer.name.clone(),
            email: payer.email.clone(),
            phone,
            instead_of: None,
            now,
        })
    }
}

/// An object stored at a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptAtProcessor {
    /// An instrument.
    Method {
        /// The processor's id.
        id: String,
        /// The processor's id of the owner.
        customer_id: Option<String>,
    },
    /// A customer, with all of their instruments.
    Customer {
        /// The processor's id.
        id: String,
    },
}

impl KeptAtProcessor {
    /// Returns the processor's id.
    pub fn id(&self) -> &str {
        match self {
            KeptAtProcessor::Method { id, .. } | KeptAtProcessor::Customer { id } => id,
        }
    }
}

/// A request to delete a stored object. An object that no longer exists counts as deleted.
#[derive(Clone, Debug)]
pub struct DeleteKeptRequest {
    pub access: Access,
    pub kept: KeptAtProcessor,
}

/// The reason of an authorization that fails because the processor doesn't know the customer. The
/// credentials may belong to another account now, or somebody has deleted the customer there.
pub const CUSTOMER_GONE: &str =
    "the processor doesn't have the customer for whom the card was to be kept";

impl Outcome {
    /// Checks whether the authorization failed because the instrument's customer is unknown at the
    /// processor.
    pub fn says_customer_gone(&self) -> bool {
        match self {
            Outcome::NeverHappened { reason, .. } => reason == CUSTOMER_GONE,
            Outcome::Done(_)
            | Outcome::CustomerMustAct { .. }
            | Outcome::DeviceDataNeeded { .. }
            | Outcome::Declined(_)
            | Outcome::Pending { .. }
            | Outcome::Unknown(_) => false,
        }
    }
}

impl Details {
    /// Checks whether the processor shall store the instrument for charges without the payer.
    pub fn keeps(&self) -> bool {
        let initiation = &self.initiation;
        initiation.future_usage == Some(FutureUsage::OffSession)
            && initiation.off_session != Some(true)
            && initiation.mandate.is_none()
    }
}

impl AuthorizeRequest {
    /// Returns the processor's id of the customer for whom the instrument shall be stored.
    pub fn keeper(&self) -> Option<&str> {
        let keeper = self.details.payer.connector_customer_id.as_deref();
        keeper.filter(|_| self.details.keeps())
    }
}
