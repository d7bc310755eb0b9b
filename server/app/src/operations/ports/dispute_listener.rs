//! The port by which notices reach disputes.

use async_trait::async_trait;
use multirail_domain::operations::received_notice::Sender;
use multirail_kernel::ids::MerchantId;
use multirail_sdk::connector::DisputeNews;

use crate::{AppError, Origin};

/// Takes in how a processor says that a dispute stands.
#[async_trait]
pub trait DisputeListener: Send + Sync {
    /// Opens or moves the dispute that this account tells of, and answers its id; nothing where no payment is found that the
    /// dispute is about and that the account has a say in.
    async fn hear_of(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        sender: Sender<'_>,
        news: &DisputeNews,
    ) -> Result<Option<String>, AppError>;
}
