//! What can be done with the methods that customers have saved. (Specification 2.6, 4.7; facts 7.7, 9)

mod create;
mod default;
mod delete;
mod delete_kept;
mod ephemeral_key;
mod list;
mod offer;
mod retrieve;
mod update;

pub(super) use create::ROOM;
pub use create::{InstrumentToSave, SaveMethod};
pub use ephemeral_key::{EphemeralKey, OfEphemeralKey, is_ephemeral};
pub use list::{ListMethods, ListedMethod, ListedMethods};
pub use offer::{OfferMethods, OfferedMethods};

use multirail_domain::customer::{Customer, CustomerStatus};
use multirail_domain::ids::{CustomerId, MerchantId, PaymentId, PaymentMethodId, ProfileId};
use multirail_domain::payment::Payment;
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::saved_method::SavedMethod;

use super::{App, AppError};

/// Who asks, where it isn't the merchant: of all customers only this one's methods are to be reached.
#[derive(Clone, Debug, Default)]
pub enum Reach {
    /// Every customer's.
    #[default]
    Merchant,
    /// The customer's whom the caller's ephemeral key names.
    Customer(CustomerId),
    /// The customer's of the payment whose client secret the caller has.
    PayerOf(PaymentId),
}

/// A saved method as it is answered.
#[derive(Clone, Debug)]
pub struct ShownMethod {
    pub method: SavedMethod,
    /// It can be charged without its payer.
    pub recurs: bool,
}

impl App {
    /// Adds what any account of the merchant can do with a method.
    async fn shown(&self, method: SavedMethod) -> Result<ShownMethod, AppError> {
        let candidates = if method.is_agreed() {
            self.connector_accounts
                .able(&method.merchant_id, None)
                .await?
        } else {
            Vec::new()
        };
        let recurs = method.recurs(&candidates);
        Ok(ShownMethod { method, recurs })
    }

    /// Checks that a customer is there and not redacted.
    pub(crate) async fn check_customer(
        &self,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
    ) -> Result<(), AppError> {
        let status = self.store.customer_status(merchant_id, customer_id).await?;
        match status {
            Some(CustomerStatus::Active) => Ok(()),
            Some(CustomerStatus::Redacted) => Err(Refusal::CustomerRedacted.into()),
            None => Err(Customer::unknown().into()),
        }
    }

    /// A method that the caller may reach. What another customer has saved isn't there for him.
    async fn method_within(
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
                let payment = self.store.payment(merchant_id, payment_id).await?;
                let payment = payment.ok_or_else(|| Refusal::not_found(Object::Payment))?;
                payer(&payment)
            }
        })
    }
}

/// Refuses a payment of another profile than the one that the caller narrowed his key to.
fn check_profile(
    payment: Option<&Payment>,
    narrowed_to: Option<&ProfileId>,
) -> Result<(), Refusal> {
    match (payment, narrowed_to) {
        (Some(payment), Some(narrowed)) if payment.profile_id != *narrowed => {
            Err(Refusal::ClientSecretMismatch)
        }
        (Some(_) | None, _) => Ok(()),
    }
}

/// Whose methods a caller reaches.
enum Reached {
    Anybody,
    Customer(CustomerId),
    /// Nobody's: the payer has no customer.
    Guest,
}

fn payer(payment: &Payment) -> Reached {
    match &payment.terms.customer_id {
        Some(customer_id) => Reached::Customer(customer_id.clone()),
        None => Reached::Guest,
    }
}
