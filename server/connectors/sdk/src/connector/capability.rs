//! What a connector can do, as data: routing and the domain ask this table, not the connector's code.

use super::{DisputeAbilities, KeptAnswers, Recoveries, Recovery, Units};
use crate::charge::CaptureMethod;
use crate::payment_method::PaymentMethod;
use crate::wallet::WalletAbilities;

/// One connector's abilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    pub payment_methods: &'static [PaymentMethod],
    pub capture_methods: &'static [CaptureMethod],
    /// The setting that has to be true in an account's `metadata` before a payment of it is captured in several parts. `None`
    /// where every account may do that.
    pub several_captures_setting: Option<&'static str>,
    /// The units in which its processor counts money, and its smallest charges.
    pub units: Units,
    /// A payer may be sent to a page of the processor.
    pub redirects: bool,
    /// An authentication of the payer needs all that `browser_info` says of their browser.
    pub authenticates_by_browser: bool,
    /// A zero amount checks the card.
    pub verifies_cards: bool,
    /// How the outcome of an operation is learned that had no answer which can be trusted.
    pub recovery: Recoveries,
    /// An authorization that is sent again at once, the same under the same key, is answered with what became of the first.
    pub repeats_authorizations: bool,
    /// The answer to the same request under the same key, where that is known.
    pub kept_answers: Option<KeptAnswers>,
    /// The processor tells what became of an authorization to whoever hands in what the payer came back with.
    pub asks_with_return: bool,
    /// What was captured can be voided, before it is settled.
    pub voids_captured: bool,
    /// What the processor keeps of an instrument can be charged by its id alone.
    pub charges_kept: bool,
    /// The processor keeps instruments for customers of its own, who are made before.
    pub keeps_customers: bool,
    /// An authorization can be raised before it is captured.
    pub raises_authorizations: bool,
    /// The processor may hold what it approves until the merchant decides.
    pub holds_for_review: bool,
    /// An authorization can be asked for that stands longer than usual.
    pub extends_authorizations: bool,
    /// A capture that takes all at once can be let take more than was authorized, where that is asked for.
    pub overcaptures: bool,
    /// What can be done for wallets.
    pub wallets: WalletAbilities,
    /// What can be done about disputes.
    pub disputes: DisputeAbilities,
}

impl Capabilities {
    /// Takes no payments.
    pub const NONE: Capabilities = Capabilities {
        payment_methods: &[],
        capture_methods: &[],
        several_captures_setting: None,
        units: Units::ISO,
        redirects: false,
        authenticates_by_browser: false,
        verifies_cards: false,
        recovery: Recoveries::all(Recovery::Notice),
        repeats_authorizations: false,
        kept_answers: None,
        asks_with_return: false,
        voids_captured: false,
        charges_kept: false,
        keeps_customers: false,
        raises_authorizations: false,
        holds_for_review: false,
        extends_authorizations: false,
        overcaptures: false,
        wallets: WalletAbilities::NONE,
        disputes: DisputeAbilities::NONE,
    };

    /// Whether the connector takes this payment method at all.
    pub fn takes(&self, method: PaymentMethod) -> bool {
        self.payment_methods.contains(&method)
    }

    /// Whether the connector can capture in this way.
    pub fn captures(&self, method: CaptureMethod) -> bool {
        self.capture_methods.contains(&method)
    }
}
