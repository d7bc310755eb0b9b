//! The next action of the payer's client in a session, and its data.

use multirail_kernel::words::words;

words! {
    /// The next call of the payer's client.
    pub enum NextCall {
        PostSessionTokens = "post_session_tokens",
        Confirm = "confirm",
        Sync = "sync",
        CompleteAuthorize = "complete_authorize",
        AwaitMerchantCallback = "await_merchant_callback",
    }
}

/// The next action of the payer's client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdkNextAction {
    pub next_action: NextCall,
    /// True if the confirm has to wait for that call.
    pub should_block_confirm: bool,
}

impl SdkNextAction {
    pub(crate) const CONFIRM: SdkNextAction = SdkNextAction {
        next_action: NextCall::Confirm,
        should_block_confirm: false,
    };
    /// The processor's own SDK handles the payment.
    pub(crate) const SYNC: SdkNextAction = SdkNextAction {
        next_action: NextCall::Sync,
        should_block_confirm: false,
    };
    pub(crate) const POST_SESSION_TOKENS: SdkNextAction = SdkNextAction {
        next_action: NextCall::PostSessionTokens,
        should_block_confirm: true,
    };
}

/// Secrets that start a processor's own SDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SdkSecrets {
    pub display: String,
    pub payment: String,
}
