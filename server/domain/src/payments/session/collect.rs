//! Contact data that wallets collect besides the payment, by the profile's settings.

use crate::payments::session::Checkout;

/// The addresses that the payer's wallet is to collect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Collect {
    pub billing: bool,
    pub shipping: bool,
}

impl Collect {
    /// Decides by the profile's switches: an address is collected always, or only if none goes with the
    /// payment method.
    pub(crate) fn for_checkout(checkout: &Checkout<'_>) -> Self {
        let wants = |member: &str| checkout.profile.switch(member);
        let has_billing = checkout.facts().payer_address().is_some();
        let has_shipping = checkout.payment.payer.shipping.is_some();
        Collect {
            billing: wants("always_collect_billing_details_from_wallet_connector")
                || (wants("collect_billing_details_from_wallet_connector") && !has_billing),
            shipping: wants("always_collect_shipping_details_from_wallet_connector")
                || (wants("collect_shipping_details_from_wallet_connector") && !has_shipping),
        }
    }
}
