//! The operations on payments.

mod aggregate;
pub mod answer;
mod authorize;
mod calls;
pub mod cancel;
pub mod cancel_post_capture;
pub mod capture;
pub mod card_codes;
pub mod checkout;
pub mod client_secret;
mod command;
pub mod complete;
pub mod confirm;
pub mod content;
mod counted;
mod counting;
pub mod create;
pub mod credentials;
mod customer;
pub mod disputes;
mod excess;
mod find_mandate;
pub mod lapse;
pub mod link;
pub mod list;
mod mandate;
pub mod metadata;
mod of_others;
pub mod offer;
mod operated;
mod owner;
pub mod payer;
pub mod payer_address;
pub mod ports;
mod processor_customer;
pub mod raise;
pub mod read;
pub mod redaction;
pub mod refunds;
mod release;
mod resume;
pub mod retrieve;
pub mod review;
mod save;
mod saved;
pub mod session_tokens;
#[cfg(test)]
mod tests;
mod unfinished;
pub mod update;
mod wallet;
pub mod wallet_secrets;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use multirail_domain::customers::saved_method::SavedMethodStatus;
use multirail_domain::payments::dispute::Dispute;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::refund::Refund;
use multirail_domain::payments::session::SdkAuthorization;
use multirail_kernel::ids::{MerchantId, PaymentId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::AppError;
use super::routing::Routing;
use crate::accounts::merchant_accounts::Merchants;
use crate::accounts::ports::{ConnectorAccountStore, ProfileStore};
use crate::customers::ports::{
    ConnectorCustomerStore, CustomerStore, MandateStore, SavedMethodStore, Vault,
};
use crate::customers::saved_methods::{EphemeralKey, EphemeralKeys};
use crate::operations::driver::CarriedOut;
use crate::operations::driver::Driver;
use crate::operations::error_mappings::ErrorMappings;
use crate::operations::processors::Processors;
use crate::operations::questions::Questions;
use crate::payments::card_codes::CardCodes;
use crate::payments::ports::{DisputeStore, HeldStore, PaymentOwners, PaymentStore, WalletOpener};
use crate::payments::refunds::Refunds;
use crate::platform::base::Base;
use crate::routing::ports::DynamicRoutingStore;

pub(crate) use counted::check_counted;
pub use counted::units_of;
pub(crate) use credentials::check_kind;
pub use credentials::{CallCredentials, GivenCredentials};
pub(crate) use customer::check_not_redacted;
pub use link::Link;
pub(crate) use owner::changes_of_owner;

/// The use cases of payments.
pub struct Payments {
    pub base: Arc<Base>,
    pub driver: Arc<Driver>,
    pub processors: Arc<Processors>,
    pub store: Arc<dyn PaymentStore>,
    /// Cards and credentials that wait for a confirm.
    pub held: Arc<dyn HeldStore>,
    pub codes: Arc<CardCodes>,
    pub vault: Arc<dyn Vault>,
    pub wallet_opener: Arc<dyn WalletOpener>,
    pub merchants: Arc<Merchants>,
    pub profiles: Arc<dyn ProfileStore>,
    pub connector_accounts: Arc<dyn ConnectorAccountStore>,
    pub customers: Arc<dyn CustomerStore>,
    /// Customers as processors know them.
    pub connector_customers: Arc<dyn ConnectorCustomerStore>,
    pub saved_methods: Arc<dyn SavedMethodStore>,
    pub mandates: Arc<dyn MandateStore>,
    pub ephemeral_keys: Arc<EphemeralKeys>,
    pub routing: Arc<Routing>,
    /// The counters of dynamic routing.
    pub counted: Arc<dyn DynamicRoutingStore>,
    pub error_mappings: Arc<ErrorMappings>,
    pub refunds: Arc<Refunds>,
    pub disputes: Arc<dyn DisputeStore>,
    /// The hook of the objects that own payments.
    pub owners: Arc<dyn PaymentOwners>,
    pub content: Arc<dyn content::PaymentContent>,
    /// The objects about which requests are asking processors.
    pub questions: Arc<Questions>,
    /// The address at which payers and processors reach us, without a trailing slash.
    pub public_url: String,
    /// The literal path segments that stand in the place of a payment's id. No caller may choose them as ids.
    pub reserved_ids: &'static [&'static str],
    /// The literal path segments that stand in the place of a customer's id.
    pub reserved_customer_ids: &'static [&'static str],
}

/// A payment with the derived parts of its answer.
#[derive(Clone, Debug)]
pub struct PaymentView<'a> {
    pub payment: Cow<'a, Payment>,
    pub client_secret: SecretText,
    /// The client secret and the merchant's publishable key in one text.
    pub sdk_authorization: Option<SdkAuthorization>,
    /// The address to which the payer's client sends the payer, while the payer has to act.
    pub redirect_to_url: Option<String>,
    /// The address that the payer's client calls after collecting device data, while the processor waits for it.
    pub complete_url: Option<String>,
    /// The hosted payment page.
    pub link: Option<Link>,
    /// The status of the saved method; absent in lists, which don't look it up.
    pub method_status: Option<SavedMethodStatus>,
    /// A key for the customer, in the answer to the creation.
    pub ephemeral_key: Option<EphemeralKey>,
    /// Filled where one payment is read.
    pub refunds: Vec<Refund>,
    /// Filled where one payment is read.
    pub disputes: Vec<Dispute>,
    /// The answer to the merchant's secret key, where the payment's event contains it already.
    pub written: Option<WrittenAnswer>,
}

/// The text of an answer. It has no `Debug` output, because it contains a client secret.
#[derive(Clone)]
pub struct WrittenAnswer(pub String);

impl fmt::Debug for WrittenAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WrittenAnswer").finish_non_exhaustive()
    }
}

/// Loads a payment of the merchant.
///
/// # Errors
/// An unknown payment, or a store that fails.
pub(crate) async fn load(
    payments: &dyn PaymentStore,
    merchant_id: &MerchantId,
    payment_id: &PaymentId,
) -> Result<Payment, AppError> {
    let found = payments.payment(merchant_id, payment_id).await?;
    found.ok_or_else(|| Refusal::not_found(Object::Payment).into())
}

impl Payments {
    /// Loads a payment of the merchant.
    pub(super) async fn load(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Payment, AppError> {
        load(&*self.store, merchant_id, payment_id).await
    }

    /// Checks that the payment belongs to the profile that a call is narrowed to. A payment never changes its profile.
    ///
    /// # Errors
    /// An unknown payment, or one of another profile.
    pub async fn check_scope(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        scope: Option<&ProfileId>,
    ) -> Result<(), AppError> {
        let Some(scope) = scope else {
            return Ok(());
        };
        let payment = self.load(merchant_id, payment_id).await?;
        if payment.profile_id == *scope {
            Ok(())
        } else {
            Err(Refusal::not_found(Object::Payment).into())
        }
    }

    /// Builds the answer to a request that was carried out.
    fn answered(&self, carried_out: CarriedOut<Payment>) -> PaymentView<'static> {
        PaymentView {
            written: carried_out.content.map(WrittenAnswer),
            ..self.view(Cow::Owned(carried_out.object))
        }
    }

    /// Builds a payment's answer.
    pub fn view<'a>(&self, payment: Cow<'a, Payment>) -> PaymentView<'a> {
        let client_secret = self.client_secret(&payment.merchant_id, &payment.payment_id);
        let sdk_authorization = self.sdk_authorization(&payment, &client_secret);
        let active = payment.active();
        let redirect_to_url = active
            .redirect_url
            .as_ref()
            .map(|_| self.to_processor_address(&payment, active));
        let complete_url = active.awaits_device_data().then(|| {
            let public_url = &self.public_url;
            format!(
                "{public_url}/payments/{}/complete_authorize",
                payment.payment_id
            )
        });
        let link = payment.has_link().then(|| self.link(&payment));
        // A method that pays, or was just saved, is active.
        let method_status = active.saved_method().map(|_| SavedMethodStatus::Active);
        let customer_id = payment.terms.customer_id.clone();
        let ephemeral_key = customer_id.map(|customer_id| {
            // The key is made for the time of the creation, so the stored answer contains the same key.
            let made_at = payment.created_at;
            self.ephemeral_keys
                .derive(&payment.merchant_id, customer_id, made_at)
        });
        PaymentView {
            payment,
            ephemeral_key,
            method_status,
            client_secret,
            sdk_authorization,
            redirect_to_url,
            complete_url,
            link,
            refunds: Vec::new(),
            disputes: Vec::new(),
            written: None,
        }
    }
}
