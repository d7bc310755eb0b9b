//! The operations on the methods that customers saved. (Specification 2.6, 4.7; facts 7.7, 9)

mod create;
mod default;
mod delete;
mod ephemeral_key;
mod list;
mod processor_deletions;
mod retrieve;
mod update;

pub use create::{InstrumentToSave, SaveMethod};
pub(crate) use create::{ROOM, check_room};
pub use ephemeral_key::{EphemeralKey, EphemeralKeys, OfEphemeralKey, is_ephemeral};
pub use list::{ListMethods, ListedMethod, ListedMethods};
pub use processor_deletions::ProcessorDeletions;

use std::sync::Arc;

use multirail_domain::customers::saved_method::SavedMethod;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId, PaymentMethodId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};

use super::mandates::Mandates;
use crate::AppError;
use crate::accounts::ports::{MerchantStore, ProfileStore};
use crate::accounts::processor_accounts::ProcessorAccounts;
use crate::customers::Customers;
use crate::customers::ports::checkouts::{Checkout, Checkouts};
use crate::customers::ports::{SavedMethodStore, Vault};
use crate::platform::announcer::Announcer;
use crate::platform::base::Base;
use crate::platform::ports::tries::TryStore;

/// The customers whose methods a caller reaches.
#[derive(Clone, Debug, Default)]
pub enum Reach {
    /// Every customer.
    #[default]
    Merchant,
    /// The customer whom the caller's ephemeral key names.
    Customer(CustomerId),
    /// The customer of the payment whose client secret the caller has.
    PayerOf(PaymentId),
}

/// A saved method as the API shows it.
#[derive(Clone, Debug)]
pub struct ShownMethod {
    pub method: SavedMethod,
    /// True if the merchant can charge it without the payer.
    pub recurs: bool,
}

/// The use cases of saved methods.
pub struct SavedMethods {
    pub base: Arc<Base>,
    pub announcer: Arc<Announcer>,
    pub store: Arc<dyn SavedMethodStore>,
    pub customers: Arc<Customers>,
    pub mandates: Arc<Mandates>,
    pub vault: Arc<dyn Vault>,
    /// The accounts that may charge saved methods.
    pub accounts: Arc<ProcessorAccounts>,
    pub merchants: Arc<dyn MerchantStore>,
    pub profiles: Arc<dyn ProfileStore>,
    /// The payments of payers who call.
    pub checkouts: Arc<dyn Checkouts>,
    /// Counts the methods that payers' clients save.
    pub tries: Arc<dyn TryStore>,
}

impl SavedMethods {
    /// Adds whether any account of the merchant can charge the method without the payer.
    async fn shown(&self, method: SavedMethod) -> Result<ShownMethod, AppError> {
        let candidates = if method.is_agreed() {
            self.accounts.able(&method.merchant_id, None).await?
        } else {
            Vec::new()
        };
        let recurs = method.recurs(&candidates);
        Ok(ShownMethod { method, recurs })
    }

    /// Returns a method that the caller may reach. Methods of other customers are not found.
    pub(crate) async fn method_within(
        &self,
        merchant_id: &MerchantId,
        reach: &Reach,
        payment_method_id: &PaymentMethodId,
    ) -> Result<SavedMethod, AppError> {
        let unknown = || Refusal::not_found(Object::PaymentMethod);
        let found = self.store.saved_method(merchant_id, payment_method_id);
        let method = found.await?.ok_or_else(unknown)?;
        match self.customer_within(merchant_id, reach).await? {
            Reached::Anybody => Ok(method),
            Reached::Customer(customer_id) if customer_id == method.customer_id => Ok(method),
            Reached::Customer(_) | Reached::Guest => Err(unknown().into()),
        }
    }

    async fn customer_within(
        &self,
        merchant_id: &MerchantId,
        reach: &Reach,
    ) -> Result<Reached, AppError> {
        Ok(match reach {
            Reach::Merchant => Reached::Anybody,
            Reach::Customer(customer_id) => Reached::Customer(customer_id.clone()),
            Reach::PayerOf(payment_id) => {
                let checkout = self.checkout(merchant_id, payment_id).await?;
                payer(&checkout)
            }
        })
    }

    /// Returns the payment in checkout of a caller's client secret or authorization.
    async fn checkout(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Checkout, AppError> {
        let found = self.checkouts.checkout(merchant_id, payment_id).await?;
        found.ok_or_else(|| Refusal::not_found(Object::Payment).into())
    }
}

/// Refuses a payment of another profile than the one that the caller's key is narrowed to.
pub(crate) fn check_profile(
    of_payment: Option<&ProfileId>,
    narrowed_to: Option<&ProfileId>,
) -> Result<(), Refusal> {
    match (of_payment, narrowed_to) {
        (Some(profile_id), Some(narrowed)) if profile_id != narrowed => {
            Err(Refusal::ClientSecretMismatch)
        }
        (Some(_) | None, _) => Ok(()),
    }
}

/// The customer whose methods a caller reaches.
enum Reached {
    Anybody,
    Customer(CustomerId),
    /// None: the payer has no customer.
    Guest,
}

fn payer(checkout: &Checkout) -> Reached {
    match &checkout.customer_id {
        Some(customer_id) => Reached::Customer(customer_id.clone()),
        None => Reached::Guest,
    }
}
