//! The page of an invoice, as the frame calls it.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::AppError;
use multirail_billing::app::subscriptions::InvoicePages;
use multirail_http::platform::satellite_pages::{SatellitePage, SatellitePages};
use multirail_page::invoice::POLICY;
use multirail_page::pay::Language;

use super::invoice_page;

const INVOICE: &str = "/invoice/{merchant_id}/{invoice_id}/{token}";

/// The pages of billing.
pub struct Pages(pub Arc<InvoicePages>);

#[async_trait]
impl SatellitePages for Pages {
    fn name(&self, segments: &[&str]) -> Option<&'static str> {
        matches!(segments, ["invoice", _, _, _]).then_some(INVOICE)
    }

    async fn show(
        &self,
        segments: &[&str],
        language: Language,
    ) -> Result<Option<SatellitePage>, AppError> {
        let ["invoice", merchant_id, invoice_id, token] = segments else {
            return Ok(None);
        };
        let Some(visit) = self.0.admit(merchant_id, invoice_id, token) else {
            return Ok(None);
        };
        let view = self.0.show(&visit).await?;
        Ok(Some(SatellitePage {
            html: invoice_page::write(&view, language),
            policy: POLICY,
        }))
    }
}
