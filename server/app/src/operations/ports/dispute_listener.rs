//! The port by which notices reach disputes.

use async_trait::async_trait;
use multirail_domain::operations::received_notice::Sender;
use multirail_kernel::ids::MerchantId;
use multirail_sdk::connector::DisputeNews;

use crate::{AppError, Origin};

/// Receives the state of a dispute from a processor.
#[async_trait]
pub trait DisputeListener: Send + Sync {
    /// Opens or moves the dispute that this account reports, and returns its id. Returns `None` where no payment
    /// matches on which the account may report.
    async fn hear_of(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        news: &DisputeNews,
    ) -> Result<Option<String>, AppError>;
}
