//! The printable page of an invoice: its address and its content.
//!
//! The address ends in a token that is derived from a key of the server, like those of the other pages
//! (`payments/payer_address`). Without the right token nothing is looked up.

use std::sync::Arc;

use multirail_app::AppError;
use multirail_app::accounts::ports::MerchantStore;
use multirail_app::customers::ports::CustomerStore;
use multirail_app::payments::payer_address::TOKEN_PREFIX;
use multirail_app::platform::base::Base;
use multirail_billing_domain::calendar::Zone;
use multirail_billing_domain::subscription::Invoice;
use multirail_domain::customers::customer::{CustomerStatus, Personal};
use multirail_kernel::ids::{InvoiceId, MerchantId};
use multirail_kernel::refusal::{Object, Refusal};
use subtle::ConstantTimeEq;

use super::SubscriptionReads;

/// A visit to a page whose address is valid. Only [`InvoicePages::admit`] makes one.
#[derive(Clone, Debug)]
pub struct InvoiceVisit {
    merchant_id: MerchantId,
    invoice_id: InvoiceId,
}

/// The content of the page.
#[derive(Clone, Debug)]
pub struct InvoiceView {
    pub invoice: Invoice,
    /// The merchant's name.
    pub seller: Option<String>,
    /// The billed customer; unset if the personal data was deleted.
    pub customer: Option<Personal>,
    /// The time zone of the dates.
    pub zone: Zone,
}

/// The pages of invoices.
pub struct InvoicePages {
    pub base: Arc<Base>,
    pub reads: Arc<SubscriptionReads>,
    pub merchants: Arc<dyn MerchantStore>,
    pub customers: Arc<dyn CustomerStore>,
    /// The base URL by which browsers reach this server.
    pub public_url: String,
}

impl InvoicePages {
    /// Returns the address of an invoice's page, which needs no key.
    pub fn address(&self, invoice: &Invoice) -> String {
        let (merchant_id, invoice_id) = (&invoice.merchant_id, &invoice.invoice_id);
        let token = self.token_of(merchant_id, invoice_id);
        format!(
            "{}/invoice/{merchant_id}/{invoice_id}/{token}",
            self.public_url
        )
    }

    /// Accepts a page's address if its token is valid. Nothing is looked up.
    pub fn admit(&self, merchant_id: &str, invoice_id: &str, token: &str) -> Option<InvoiceVisit> {
        let visit = InvoiceVisit {
            merchant_id: MerchantId::parse(merchant_id).ok()?,
            invoice_id: InvoiceId::parse(invoice_id).ok()?,
        };
        let ours = self.token_of(&visit.merchant_id, &visit.invoice_id);
        let same: bool = ours.as_bytes().ct_eq(token.as_bytes()).into();
        same.then_some(visit)
    }

    /// Returns the content that the customer sees.
    ///
    /// # Errors
    /// An invoice that doesn't exist any more, or a store that fails.
    pub async fn show(&self, visit: &InvoiceVisit) -> Result<InvoiceView, AppError> {
        let merchant_id = &visit.merchant_id;
        let found = self
            .reads
            .store
            .invoice(merchant_id, &visit.invoice_id)
            .await?;
        let invoice = found.ok_or_else(|| Refusal::not_found(Object::Invoice))?;
        let zone = match &invoice.zone {
            Some(zone) => zone.clone(),
            None => {
                let of = self
                    .reads
                    .standing_of(merchant_id, &invoice.subscription_id);
                of.await?.subscription.plan.price.zone
            }
        };
        let merchant = self.merchants.merchant(merchant_id).await?;
        let merchant = merchant.ok_or_else(|| Refusal::not_found(Object::MerchantAccount))?;
        let customer = self.customers.customer(merchant_id, &invoice.customer_id);
        let customer = customer.await?;
        let known = customer.filter(|customer| customer.status == CustomerStatus::Active);
        Ok(InvoiceView {
            customer: known.map(|customer| customer.personal),
            seller: merchant.merchant_name.clone(),
            zone,
            invoice,
        })
    }

    fn token_of(&self, merchant_id: &MerchantId, invoice_id: &InvoiceId) -> String {
        let about = ["invoice", merchant_id.as_str(), invoice_id.as_str()];
        format!(
            "{TOKEN_PREFIX}{}",
            self.base.seal.visit_token(&about).expose()
        )
    }
}
