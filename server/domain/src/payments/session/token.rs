//! The data that the payer's client needs for one wallet.

use crate::payments::session::apple_pay::ApplePayToken;
use crate::payments::session::google_pay::GooglePayToken;
use crate::payments::session::next_action::SdkNextAction;
use crate::payments::session::others::{
    AmazonPayToken, ClickToPayToken, PazeToken, SamsungPayToken,
};

/// One wallet's session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionToken {
    ApplePay(Box<ApplePayToken>),
    GooglePay(Box<GooglePayToken>),
    /// The processor's own SDK makes the payment data request.
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
    /// The next action if the processor's own SDK handles Google Pay.
    pub const GOOGLE_PAY_OF_PROCESSOR: SdkNextAction = SdkNextAction::SYNC;
}
