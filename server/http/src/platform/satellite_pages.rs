//! The port of the pages that satellites bring along.

use async_trait::async_trait;
use multirail_app::AppError;
use multirail_page::pay::Language;

/// A page that is shown.
pub struct SatellitePage {
    pub html: String,
    /// The sources from which the page may load.
    pub policy: &'static str,
}

/// Pages for payers, each known by the segments of its path.
#[async_trait]
pub trait SatellitePages: Send + Sync {
    /// Returns the name of such a page in the log, whether or not there is one at this address.
    fn name(&self, segments: &[&str]) -> Option<&'static str>;

    /// Returns the page at this address; nothing where the address is none of ours.
    ///
    /// # Errors
    /// The object of the page is gone, or a store fails.
    async fn show(
        &self,
        segments: &[&str],
        language: Language,
    ) -> Result<Option<SatellitePage>, AppError>;
}
