//! Implements the port of payer pages for the simulator.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::payments::ports::PayerPages;
use multirail_app::payments::ports::payer_pages::{Page, PageRequest};
use multirail_simulator::pages;
use multirail_simulator::processor::Processor;

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
