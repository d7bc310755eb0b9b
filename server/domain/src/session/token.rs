//! What the payer's side needs for one wallet.

use multirail_kernel::words::words;

use crate::session::apple_pay::ApplePayToken;
use crate::session::google_pay::GooglePayToken;
use crate::session::others::{AmazonPayToken, ClickToPayToken, PazeToken, SamsungPayToken};

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

/// One wallet's session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionToken {
    ApplePay(Box<ApplePayToken>),
    GooglePay(Box<GooglePayToken>),
    /// The kit of the processor makes the payment data request.
    GooglePayOfProcessor {
        connector: String,
    },
    SamsungPay(Box<SamsungPayToken>),
    Paypal {
        connector: String,
        session_token: String,
        sdk_next_action: SdkNextAction,
    },
    Klarna {
        session_token: String,
        session_id: String,
    },
    AmazonPay(Box<AmazonPayToken>),
    Paze(Box<PazeToken>),
    ClickToPay(Box<ClickToPayToken>),
    OpenBanking {
        session_token: String,
    },
}

impl SessionToken {
    /// What is next where the kit of the processor takes Google Pay on.
    pub const GOOGLE_PAY_OF_PROCESSOR: SdkNextAction = SdkNextAction::SYNC;
}
