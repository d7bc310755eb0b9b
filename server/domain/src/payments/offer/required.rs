//! What a checkout has to ask of the payer, so that the payment goes on. (Facts, appendix A, `RequiredFieldInfo`)
//!
//! No connector wants more of a payer than what is paid with: names, addresses and e-mail go to the processor where they are
//! there, and none refuses a payment without them. So what is needed follows from the instrument alone.

use multirail_sdk::payment_method::PaymentMethod;

use crate::payments::payment::required_field::RequiredField;
use crate::payments::payment::{MethodRole, Payment, PaymentStatus};

/// Those of a card that is entered.
const OF_A_CARD: [RequiredField; 4] = [
    RequiredField::CardNumber,
    RequiredField::CardExpMonth,
    RequiredField::CardExpYear,
    RequiredField::CardCvc,
];

/// What is missing to pay with an instrument of this family. `code_is_held`: the code of the payment's card is still there.
pub(crate) fn required(
    family: PaymentMethod,
    payment: Option<&Payment>,
    code_is_held: bool,
) -> Vec<RequiredField> {
    match family {
        PaymentMethod::Card => of_card(payment, code_is_held),
        // What they need is handed over by the wallet, the network or the page that the payer is sent to.
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

fn of_card(payment: Option<&Payment>, code_is_held: bool) -> Vec<RequiredField> {
    // Until it is confirmed, that status alone says that there is something to pay with.
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
