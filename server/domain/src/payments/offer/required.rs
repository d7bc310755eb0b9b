//! The fields that a checkout has to ask the payer for before the payment can go on. (Facts, appendix A, `RequiredFieldInfo`)
//!
//! Those of a card follow from the payment method alone: connectors send names, addresses and e-mail addresses to the processor
//! if the payment has them, but none refuses a card without them. Those of a debit or a payer's method follow from the
//! connector's rules.

use multirail_sdk::payer_method::PayerMethodRules;
use multirail_sdk::payment_method::PaymentMethod;
use multirail_sdk::required_field::RequiredField;

use crate::payments::payment::{MethodRole, Payment, PaymentStatus};
use crate::routing::{Facts, lacking};

/// Fields of a card that the payer types in.
const OF_A_CARD: [RequiredField; 4] = [
    RequiredField::CardNumber,
    RequiredField::CardExpMonth,
    RequiredField::CardExpYear,
    RequiredField::CardCvc,
];

/// Returns the fields that are missing before this payment method can pay. `code_is_held`: the server still holds the security
/// code of the payment's card.
pub(crate) fn required(
    family: PaymentMethod,
    payment: Option<&Payment>,
    code_is_held: bool,
) -> Vec<RequiredField> {
    match family {
        PaymentMethod::Card => of_card(payment, code_is_held),
        // The wallet, the network or the page of the redirect supplies the data of these methods.
        PaymentMethod::CardRedirect
        | PaymentMethod::PayLater
        | PaymentMethod::Wallet
        | PaymentMethod::BankRedirect
        | PaymentMethod::BankTransfer
        | PaymentMethod::Crypto
        | PaymentMethod::BankDebit
        | PaymentMethod::Reward
        | PaymentMethod::RealTimePayment
        | PaymentMethod::Upi
        | PaymentMethod::Voucher
        | PaymentMethod::GiftCard
        | PaymentMethod::OpenBanking
        | PaymentMethod::MobilePayment
        | PaymentMethod::NetworkToken => Vec::new(),
    }
}

/// Returns the fields that the connector requires for a payer's method and the payment lacks.
pub(crate) fn of_payer(rules: &PayerMethodRules, facts: Option<&Facts<'_>>) -> Vec<RequiredField> {
    let address = facts.and_then(Facts::payer_address);
    let instrument = facts.and_then(|facts| facts.instrument);
    lacking(rules, address.as_deref(), instrument).collect()
}

fn of_card(payment: Option<&Payment>, code_is_held: bool) -> Vec<RequiredField> {
    // Before the confirm, only this status shows that the payment has a method to pay with.
    let waiting = payment.filter(|one| one.status == PaymentStatus::RequiresConfirmation);
    let Some(payment) = waiting else {
        return OF_A_CARD.to_vec();
    };
    let method = payment.active().method.as_deref();
    let is_saved = method.is_some_and(|method| method.role == MethodRole::Pays);
    if is_saved && !payment.is_merchant_initiated() && !code_is_held {
        return vec![RequiredField::SavedCardCvc];
    }
    Vec::new()
}
