//! An account that may be charged, with the capabilities of its connector.

use std::sync::Arc;

use multirail_sdk::charge::CaptureMethod;
use multirail_sdk::connector::Capabilities;
use multirail_sdk::instrument::{Instrument, InstrumentDetails};
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_sdk::wallet::Wallet;

use super::ConnectorAccount;

/// An account of the payment's profile, with the capabilities of its connector.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub account: Arc<ConnectorAccount>,
    pub capabilities: Capabilities,
}

impl Candidate {
    /// Returns whether the connector and the account's keys can charge this payment method.
    pub fn takes(&self, instrument: &Instrument) -> bool {
        let wallets = &self.capabilities.wallets;
        self.capabilities.takes(instrument.payment_method)
            && match &instrument.details {
                InstrumentDetails::Card(_) => true,
                InstrumentDetails::NetworkToken(_) => wallets.network_tokens,
                InstrumentDetails::Wallet(details) if details.is_open == Some(true) => {
                    wallets.network_tokens
                }
                InstrumentDetails::Wallet(details) => self.takes_wallet(details.wallet),
                InstrumentDetails::Kept(kept) => {
                    let own = &self.account.merchant_connector_id;
                    self.capabilities.charges_kept && kept.merchant_connector_id == *own
                }
                InstrumentDetails::Payer(method) => {
                    let rules = self.capabilities.payer_method(method.kind);
                    rules.is_some_and(|rules| rules.takes(method.last4.is_some()))
                }
                InstrumentDetails::BankDebit(account) => {
                    let kind = account.scheme.debited_as();
                    kind.is_some_and(|kind| self.capabilities.payer_method(kind).is_some())
                }
            }
    }

    /// Returns whether a payment can be captured in this way. Its connector has to support the method. If the processor has to
    /// allow it too, the account has to say that it does.
    pub fn captures(&self, method: CaptureMethod) -> bool {
        let is_allowed = match (method, self.capabilities.several_captures_setting) {
            (CaptureMethod::ManualMultiple, Some(setting)) => self.account.allows(setting),
            (
                CaptureMethod::Automatic
                | CaptureMethod::Manual
                | CaptureMethod::ManualMultiple
                | CaptureMethod::Scheduled
                | CaptureMethod::SequentialAutomatic,
                _,
            ) => true,
        };
        is_allowed && self.capabilities.captures(method)
    }

    /// Returns whether the account can be charged with this wallet's sealed token: the processor opens it, or the server does
    /// with the account's key.
    pub fn takes_wallet(&self, wallet: Wallet) -> bool {
        let has_key = |wallet| self.account.opens(wallet);
        self.capabilities.takes_wallet(wallet, has_key)
    }

    /// Returns whether the account can be charged with this payment method type in some form.
    pub fn takes_type(&self, method: PaymentMethod, kind: PaymentMethodType) -> bool {
        let has_key = |wallet| self.account.opens(wallet);
        self.capabilities.takes_type(method, kind, has_key)
    }
}
