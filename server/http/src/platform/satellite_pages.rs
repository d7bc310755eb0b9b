//! The port for pages of satellites.

use async_trait::async_trait;
use multirail_app::AppError;
use multirail_page::pay::Language;

/// A page to show.
pub struct SatellitePage {
    pub html: String,
    /// The sources from which the page may load.
    pub policy: &'static str,
}

/// Pages for payers, by the segments of their paths.
#[async_trait]
pub trait SatellitePages: Send + Sync {
    /// Returns the page's name in the log, whether or not there is a page at this address.
    fn name(&self, segments: &[&str]) -> Option<&'static str>;

    /// Returns the page at this address; `None` where the address is invalid.
    ///
    /// # Errors
    /// The object of the page is gone, or a store fails.
    async fn show(
        &self,
        segments: &[&str],
        language: Language,
    ) -> Result<Option<SatellitePage>, AppError>;
}
