//! Objects that a processor keeps beside payments: customers, and the instruments that are charged without them.

use multirail_kernel::timestamp::Timestamp;

use crate::connector::Access;
use crate::connector::details::{FutureUsage, Payer};
use crate::connector::{AuthorizeRequest, Details, Outcome};

/// Make the customer for whom instruments are kept. The processor has one of them, however often it is asked.
#[derive(Clone, Debug)]
pub struct KeepCustomerRequest {
    pub access: Access,
    /// Our id of the account: two merchants may call their customers by the same name.
    pub account: String,
    /// The merchant's id of the customer.
    pub customer_id: String,
    pub name: Option<String>,
    pub email: Option<String>,
    /// With its country code, as the merchant said it.
    pub phone: Option<String>,
    /// The processor's id of the customer before, who is gone there: another one is wanted.
    pub instead_of: Option<String>,
    /// Now, by the machine's clock.
    pub now: Timestamp,
}

impl KeepCustomerRequest {
    /// The customer who pays. `None` where the payer is nobody's customer.
    pub fn of(access: &Access, account: &str, payer: &Payer, now: Timestamp) -> Option<Self> {
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

/// Something that a processor keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptAtProcessor {
    /// An instrument.
    Method {
        /// The processor's id.
        id: String,
        /// The processor's id of whose it is.
        customer_id: Option<String>,
    },
    /// A customer, with all instruments that are kept for them.
    Customer {
        /// The processor's id.
        id: String,
    },
}

impl KeptAtProcessor {
    /// The processor's id.
    pub fn id(&self) -> &str {
        match self {
            KeptAtProcessor::Method { id, .. } | KeptAtProcessor::Customer { id } => id,
        }
    }
}

/// Delete what the processor keeps. What isn't there any more is deleted.
#[derive(Clone, Debug)]
pub struct DeleteKeptRequest {
    pub access: Access,
    pub kept: KeptAtProcessor,
}

/// Why an authorization is not taken whose keeper the processor doesn't have: the account's credentials may open another account since,
/// or somebody has deleted the customer there.
pub const CUSTOMER_GONE: &str =
    "the processor doesn't have the customer for whom the card was to be kept";

impl Outcome {
    /// Returns whether nothing was done for want of the customer for whom the card was to be kept.
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
    /// Returns whether the processor is to keep the instrument for charges without the payer.
    pub fn keeps(&self) -> bool {
        let initiation = &self.initiation;
        initiation.future_usage == Some(FutureUsage::OffSession)
            && initiation.off_session != Some(true)
            && initiation.mandate.is_none()
    }
}

impl AuthorizeRequest {
    /// For whom the processor is to keep the instrument.
    pub fn keeper(&self) -> Option<&str> {
        let keeper = self.details.payer.connector_customer_id.as_deref();
        keeper.filter(|_| self.details.keeps())
    }
}
