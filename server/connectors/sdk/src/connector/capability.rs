//! A connector's capabilities as data. Routing and the domain read this table instead of asking
//! code.

use multirail_kernel::money::Money;

use super::{
    Ability, CapturedVoids, Customers, Deletions, DeviceData, DisputeAbilities, Increments,
    KeptAnswers, NotCounted, PaymentHistory, Recoveries, Recovery, Units, WalletAbilities,
};
use crate::bank_account::BankScheme;
use crate::charge::CaptureMethod;
use crate::payer_method::PayerMethodRules;
use crate::payment_method::{PaymentMethod, PaymentMethodType};
use crate::wallet::Wallet;

/// The capabilities of one connector.
#[derive(Clone, Debug)]
pub struct Capabilities {
    pub payment_methods: &'static [PaymentMethod],
    pub capture_methods: &'static [CaptureMethod],
    /// The setting in an account's `metadata` that must be true before a payment can be captured in
    /// several parts. `None` where every account may do that.
    pub several_captures_setting: Option<&'static str>,
    /// The units in which the processor counts money, and its smallest charges.
    pub units: Units,
    /// The processor may send a payer to one of its pages.
    pub redirects: bool,
    /// Authentication needs the complete `browser_info`.
    pub authenticates_by_browser: bool,
    /// An authorization of 0 checks the card.
    pub verifies_cards: bool,
    /// How an unknown outcome is learned, by kind of operation.
    pub recovery: Recoveries,
    /// A second authorization under the same key returns the first one's result, even at once.
    pub repeats_authorizations: bool,
    /// How long the processor repeats its answer to the same key, if known.
    pub kept_answers: Option<KeptAnswers>,
    /// An authorization may need data of the payer's device.
    pub completes_authorizations: Option<Ability<dyn DeviceData>>,
    /// The processor lists everything that was done to a payment.
    pub looks_over: Option<Ability<dyn PaymentHistory>>,
    /// The query that the payer returned with lets a look-up learn the authorization's outcome.
    pub asks_with_return: bool,
    /// Captured money can be voided before settlement.
    pub voids_captured: Option<Ability<dyn CapturedVoids>>,
    /// Instruments stored at the processor can be charged by id alone.
    pub charges_kept: bool,
    /// Stored instruments need a customer at the processor, who is created first.
    pub keeps_customers: Option<Ability<dyn Customers>>,
    /// Stored instruments and customers can be deleted at the processor.
    pub deletes_stored: Option<Ability<dyn Deletions>>,
    /// An authorization can be raised before its capture.
    pub raises_authorizations: Option<Ability<dyn Increments>>,
    /// The processor may hold an approved payment until the merchant decides.
    pub holds_for_review: bool,
    /// Extended authorizations, which last longer than usual, can be requested.
    pub extends_authorizations: bool,
    /// A single full capture may exceed the authorized amount, if the authorization asked for it.
    pub overcaptures: bool,
    /// Methods that the payer finishes at a page of the processor.
    pub payer_methods: &'static [PayerMethodRules],
    /// Abilities for wallets.
    pub wallets: WalletAbilities,
    /// Abilities for disputes.
    pub disputes: DisputeAbilities,
}

impl Capabilities {
    /// A connector that accepts no payments.
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
        completes_authorizations: None,
        looks_over: None,
        asks_with_return: false,
        voids_captured: None,
        charges_kept: false,
        keeps_customers: None,
        deletes_stored: None,
        raises_authorizations: None,
        holds_for_review: false,
        extends_authorizations: false,
        overcaptures: false,
        payer_methods: &[],
        wallets: WalletAbilities::NONE,
        disputes: DisputeAbilities::NONE,
    };

    /// Checks whether the connector accepts this payment method.
    pub fn takes(&self, method: PaymentMethod) -> bool {
        self.payment_methods.contains(&method)
    }

    /// Returns the rules of a method that the payer finishes elsewhere, if the connector offers it.
    pub fn payer_method(&self, kind: PaymentMethodType) -> Option<&'static PayerMethodRules> {
        self.payer_methods.iter().find(|rules| rules.kind == kind)
    }

    /// Checks whether the processor can charge an amount, by this payment method type if it has
    /// rules of its own.
    ///
    /// # Errors
    /// [`NotCounted`]
    pub fn check_charged(
        &self,
        kind: Option<PaymentMethodType>,
        money: Money,
    ) -> Result<(), NotCounted> {
        self.units.check_charged(money)?;
        let rules = kind.and_then(|kind| self.payer_method(kind));
        rules.map_or(Ok(()), |rules| rules.check_charged(money))
    }

    /// Checks whether an account can be charged with this wallet's sealed token: the processor opens
    /// it, or the server does with a key of the account. `has_key` tells of that key.
    pub fn takes_wallet(&self, wallet: Wallet, has_key: impl Fn(Wallet) -> bool) -> bool {
        let wallets = &self.wallets;
        wallets.opens_sealed.contains(&wallet) || (wallets.network_tokens && has_key(wallet))
    }

    /// Checks whether an account can be charged with this payment method type in some form.
    /// `has_key` says whether the account has a key that opens a wallet's token.
    pub fn takes_type(
        &self,
        method: PaymentMethod,
        kind: PaymentMethodType,
        has_key: impl Fn(Wallet) -> bool,
    ) -> bool {
        let has_rules = self.payer_method(kind).is_some();
        self.takes(method)
            && match method {
                PaymentMethod::Wallet => {
                    let mut wallets = Wallet::ALL.iter().copied();
                    let wallet = wallets.find(|one| one.payment_method_types().contains(&kind));
                    wallet.is_some_and(|wallet| self.takes_wallet(wallet, has_key)) || has_rules
                }
                PaymentMethod::NetworkToken => self.wallets.network_tokens,
                PaymentMethod::Card => true,
                // `ach` and `bacs` are debits; no connector takes transfers of these types.
                PaymentMethod::BankTransfer => BankScheme::debited_by(kind).is_none() && has_rules,
                PaymentMethod::CardRedirect
                | PaymentMethod::PayLater
                | PaymentMethod::BankRedirect
                | PaymentMethod::Crypto
                | PaymentMethod::BankDebit
                | PaymentMethod::Reward
                | PaymentMethod::RealTimePayment
                | PaymentMethod::Upi
                | PaymentMethod::Voucher
                | PaymentMethod::GiftCard
                | PaymentMethod::OpenBanking
                | PaymentMethod::MobilePayment => has_rules,
            }
    }

    /// Returns the types of a method with which some account of the connector can be charged.
    pub fn types(&self, method: PaymentMethod) -> impl Iterator<Item = PaymentMethodType> {
        let all = PaymentMethodType::ALL.iter().copied();
        all.filter(move |kind| {
            kind.belongs_to(method) && self.takes_type(method, *kind, Wallet::is_handed_over)
        })
    }

    /// Checks whether the connector supports this capture method.
    pub fn captures(&self, method: CaptureMethod) -> bool {
        self.capture_methods.contains(&method)
    }
}
