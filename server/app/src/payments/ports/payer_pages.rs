//! Pages that a processor shows to payers, where the processor lives in this process.

use async_trait::async_trait;

/// A request of a payer's browser.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub query: &'a str,
    /// The posted form, URL-encoded.
    pub form: &'a str,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub status: u16,
    /// All of them: content type, policy, and where the browser goes on to.
    pub headers: Vec<(&'static str, String)>,
    pub html: String,
}

/// Answers requests for pages; `None` where there is none at the path.
#[async_trait]
pub trait PayerPages: Send + Sync {
    async fn answer(&self, request: &PageRequest<'_>) -> Option<Page>;
}
