//! Payers' pages of a processor that runs in this process.

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
    /// All headers of the page: content type, policy, and the redirect.
    pub headers: Vec<(&'static str, String)>,
    pub html: String,
}

/// Answers requests for pages; `None` where the path has no page.
#[async_trait]
pub trait PayerPages: Send + Sync {
    async fn answer(&self, request: &PageRequest<'_>) -> Option<Page>;
}
