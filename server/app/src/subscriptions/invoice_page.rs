//! The page of an invoice, which its customer can print: its address, and what it shows.
//!
//! The address ends in a token, derived from a key of ours like those of the other pages (`payments/payer_address`): without it
//! nothing is looked up.

use multirail_domain::billing::calendar::Zone;
use multirail_domain::customer::{CustomerStatus, Personal};
use multirail_domain::ids::{InvoiceId, MerchantId};
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::subscription::Invoice;
use subtle::ConstantTimeEq;

use super::super::payments::payer_address::TOKEN_PREFIX;
use super::super::{App, AppError};

/// A visit to a page that has an address of ours. Only [`App::admit_to_invoice`] makes one.
#[derive(Clone, Debug)]
pub struct InvoiceVisit {
    merchant_id: MerchantId,
    invoice_id: InvoiceId,
}

/// What the page shows.
#[derive(Clone, Debug)]
pub struct InvoiceView {
    pub invoice: Invoice,
    /// The merchant's name.
    pub seller: Option<String>,
    /// Who is billed; unset where nobody knows any more.
    pub customer: Option<Personal>,
    /// By whose calendar its days are.
    pub zone: Zone,
}

impl App {
    /// Where an invoice can be looked at without a key.
    pub fn invoice_address(&self, invoice: &Invoice) -> String {
        let (merchant_id, invoice_id) = (&invoice.merchant_id, &invoice.invoice_id);
        let token = self.invoice_token(merchant_id, invoice_id);
        format!(
            "{}/invoice/{merchant_id}/{invoice_id}/{token}",
            self.settings.public_url
        )
    }

    /// Nothing unless the whole address is one that we made. Nothing is looked up.
    pub fn admit_to_invoice(
        &self,
        merchant_id: &str,
        invoice_id: &str,
        token: &str,
    ) -> Option<InvoiceVisit> {
        let visit = InvoiceVisit {
            merchant_id: MerchantId::parse(merchant_id).ok()?,
            invoice_id: InvoiceId::parse(invoice_id).ok()?,
        };
        let ours = self.invoice_token(&visit.merchant_id, &visit.invoice_id);
        let same: bool = ours.as_bytes().ct_eq(token.as_bytes()).into();
        same.then_some(visit)
    }

    /// What the customer sees.
    ///
    /// # Errors
    /// An invoice that is gone, or a store that fails.
    pub async fn invoice_page(&self, visit: &InvoiceVisit) -> Result<InvoiceView, AppError> {
        let merchant_id = &visit.merchant_id;
        let found = self.store.invoice(merchant_id, &visit.invoice_id).await?;
        let invoice = found.ok_or_else(|| Refusal::not_found(Object::Invoice))?;
        let zone = match &invoice.zone {
            Some(zone) => zone.clone(),
            None => {
                let of = self.standing_of(merchant_id, &invoice.subscription_id);
                of.await?.subscription.plan.price.zone
            }
        };
        let merchant = self.merchants.find(merchant_id).await?;
        let customer = self.store.customer(merchant_id, &invoice.customer_id);
        let customer = customer.await?;
        let known = customer.filter(|customer| customer.status == CustomerStatus::Active);
        Ok(InvoiceView {
            customer: known.map(|customer| customer.personal),
            seller: merchant.merchant_name.clone(),
            zone,
            invoice,
        })
    }

    fn invoice_token(&self, merchant_id: &MerchantId, invoice_id: &InvoiceId) -> String {
        let about = ["invoice", merchant_id.as_str(), invoice_id.as_str()];
        format!("{TOKEN_PREFIX}{}", self.seal.visit_token(&about).expose())
    }
}
