//! The simulator's payer pages behind their port.

use std::sync::Arc;

use async_trait::async_trait;

use crate::adapters::connectors::simulator::pages;
use crate::adapters::connectors::simulator::processor::Processor;
use crate::ports::PayerPages;
use crate::ports::payer_pages::{Page, PageRequest};

/// The pages of the simulated processor.
pub(super) struct SimulatorPages(pub Arc<Processor>);

#[async_trait]
impl PayerPages for SimulatorPages {
    async fn answer(&self, request: &PageRequest<'_>) -> Option<Page> {
        let page = pages::answer(&self.0, request.method, request.path, request.query)?;
        Some(Page {
            status: page.status,
            headers: page.headers(),
            html: page.html,
        })
    }
}
