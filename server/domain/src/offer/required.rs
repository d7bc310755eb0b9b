//! What a checkout has to ask of the payer, so that the payment goes on. (Facts, appendix A, `RequiredFieldInfo`)
//!
//! No connector wants more of a payer than what is paid with: names, addresses and e-mail go to the processor where they are
//! there, and none refuses a payment without them. So what is needed follows from the instrument alone.

use multirail_kernel::words::words;
use multirail_sdk::payment_method::PaymentMethod;

use crate::payment::{MethodRole, Payment, PaymentStatus};

words! {
    /// What a checkout shows for a member to be asked for.
    pub enum FieldType {
        CardNumber = "user_card_number",
        CardExpiryMonth = "user_card_expiry_month",
        CardExpiryYear = "user_card_expiry_year",
        CardCvc = "user_card_cvc",
    }
}

/// A member of the confirm without which it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredField {
    CardNumber,
    CardExpMonth,
    CardExpYear,
    CardCvc,
    /// The code of the saved card that was named.
    SavedCardCvc,
}

/// Those of a card that is entered.
const OF_A_CARD: [RequiredField; 4] = [
    RequiredField::CardNumber,
    RequiredField::CardExpMonth,
    RequiredField::CardExpYear,
    RequiredField::CardCvc,
];

impl RequiredField {
    /// Its path in the request.
    pub fn member(self) -> &'static str {
        match self {
            RequiredField::CardNumber => "payment_method_data.card.card_number",
            RequiredField::CardExpMonth => "payment_method_data.card.card_exp_month",
            RequiredField::CardExpYear => "payment_method_data.card.card_exp_year",
            RequiredField::CardCvc => "payment_method_data.card.card_cvc",
            RequiredField::SavedCardCvc => "card_cvc",
        }
    }

    /// Its own name: the end of its path.
    pub fn name(self) -> &'static str {
        let member = self.member();
        member.rsplit_once('.').map_or(member, |(_, name)| name)
    }

    pub fn field_type(self) -> FieldType {
        match self {
            RequiredField::CardNumber => FieldType::CardNumber,
            RequiredField::CardExpMonth => FieldType::CardExpiryMonth,
            RequiredField::CardExpYear => FieldType::CardExpiryYear,
            RequiredField::CardCvc | RequiredField::SavedCardCvc => FieldType::CardCvc,
        }
    }
}

/// What is missing to pay with an instrument of this family. `code_is_held`: the code of the payment's card is still there.
pub(super) fn required(
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
