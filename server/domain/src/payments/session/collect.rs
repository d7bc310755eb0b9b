//! Contact data that wallets collect besides the payment, by the profile's settings.

use crate::accounts::profile::Profile;
use crate::payments::payment::Payment;

/// The addresses that the payer's wallet is to collect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Collect {
    pub billing: bool,
    pub shipping: bool,
}

impl Collect {
    /// Decides by the profile's switches: an address is collected always, or only if the payment has none.
    pub(crate) fn for_payment(profile: &Profile, payment: &Payment) -> Self {
        let wants = |member: &str| profile.switch(member);
        let own = payment.active().instrument.as_ref();
        let has_billing = payment.payer.billing.is_some()
            || own.is_some_and(|instrument| instrument.holder.billing.is_some());
        let has_shipping = payment.payer.shipping.is_some();
        Collect {
            billing: wants("always_collect_billing_details_from_wallet_connector")
                || (wants("collect_billing_details_from_wallet_connector") && !has_billing),
            shipping: wants("always_collect_shipping_details_from_wallet_connector")
                || (wants("collect_shipping_details_from_wallet_connector") && !has_shipping),
        }
    }
}
