//! The next action of the payer's side in a session, and the data that it needs.

use multirail_kernel::words::words;

words! {
    /// The call that the payer's side makes next.
    pub enum NextCall {
        PostSessionTokens = "post_session_tokens",
        Confirm = "confirm",
        Sync = "sync",
        CompleteAuthorize = "complete_authorize",
        AwaitMerchantCallback = "await_merchant_callback",
    }
}

/// What the payer's side does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdkNextAction {
    pub next_action: NextCall,
    /// Confirm has to wait for that call.
    pub should_block_confirm: bool,
}

impl SdkNextAction {
    pub(crate) const CONFIRM: SdkNextAction = SdkNextAction {
        next_action: NextCall::Confirm,
        should_block_confirm: false,
    };
    /// The processor's own kit takes the payment on.
    pub(crate) const SYNC: SdkNextAction = SdkNextAction {
        next_action: NextCall::Sync,
        should_block_confirm: false,
    };
    pub(crate) const POST_SESSION_TOKENS: SdkNextAction = SdkNextAction {
        next_action: NextCall::PostSessionTokens,
        should_block_confirm: true,
    };
}

/// What opens a processor's own kit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SdkSecrets {
    pub display: String,
    pub payment: String,
}
