//! The wallets that have sessions.

use multirail_kernel::words::words;

use crate::payment_method::{PaymentMethod, PaymentMethodType};

words! {
    /// A wallet with its own sessions, spelled as in `wallet_name`. Lists of sessions have this
    /// order.
    pub enum Wallet {
        ApplePay = "apple_pay",
        GooglePay = "google_pay",
        SamsungPay = "samsung_pay",
        Paypal = "paypal",
        Klarna = "klarna",
        AmazonPay = "amazon_pay",
        Paze = "paze",
        ClickToPay = "click_to_pay",
        OpenBanking = "open_banking",
    }
}

impl Wallet {
    /// Returns the payment method under which accounts enable the wallet.
    pub fn payment_method(self) -> PaymentMethod {
        match self {
            Wallet::ApplePay
            | Wallet::GooglePay
            | Wallet::SamsungPay
            | Wallet::Paypal
            | Wallet::AmazonPay
            | Wallet::Paze => PaymentMethod::Wallet,
            Wallet::Klarna => PaymentMethod::PayLater,
            Wallet::ClickToPay => PaymentMethod::Card,
            Wallet::OpenBanking => PaymentMethod::OpenBanking,
        }
    }

    /// Returns the types of the wallet. Each of them stands for the whole wallet.
    pub fn payment_method_types(self) -> &'static [PaymentMethodType] {
        match self {
            Wallet::ApplePay => &[PaymentMethodType::ApplePay],
            Wallet::GooglePay => &[PaymentMethodType::GooglePay],
            Wallet::SamsungPay => &[PaymentMethodType::SamsungPay],
            Wallet::Paypal => &[PaymentMethodType::Paypal],
            Wallet::Klarna => &[PaymentMethodType::Klarna],
            Wallet::AmazonPay => &[PaymentMethodType::AmazonPay],
            Wallet::Paze => &[PaymentMethodType::Paze],
            Wallet::ClickToPay => &[PaymentMethodType::Credit, PaymentMethodType::Debit],
            Wallet::OpenBanking => &[
                PaymentMethodType::OpenBankingPis,
                PaymentMethodType::OpenBanking,
            ],
        }
    }

    /// Checks whether a payment request can carry the wallet's token.
    pub fn is_handed_over(self) -> bool {
        match self {
            Wallet::ApplePay | Wallet::GooglePay => true,
            Wallet::SamsungPay
            | Wallet::Paypal
            | Wallet::Klarna
            | Wallet::AmazonPay
            | Wallet::Paze
            | Wallet::ClickToPay
            | Wallet::OpenBanking => false,
        }
    }

    /// Returns the wallet of a type whose token a request can carry.
    pub fn handed_over_as(kind: PaymentMethodType) -> Option<Wallet> {
        let mut brought = Wallet::ALL
            .iter()
            .copied()
            .filter(|one| one.is_handed_over());
        brought.find(|wallet| wallet.payment_method_types().contains(&kind))
    }
}

/// Returns the wallets that a checkout asks for, or all wallets if it names no type. Types without
/// sessions are ignored.
pub fn wanted(types: &[PaymentMethodType]) -> Vec<Wallet> {
    let is_wanted = |wallet: &Wallet| {
        types.is_empty()
            || wallet
                .payment_method_types()
                .iter()
                .any(|own| types.contains(own))
    };
    Wallet::ALL.iter().copied().filter(is_wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_asks_for_all() {
        assert_eq!(wanted(&[]), Wallet::ALL);
        let some = [PaymentMethodType::Paypal, PaymentMethodType::ApplePay];
        assert_eq!(wanted(&some), [Wallet::ApplePay, Wallet::Paypal]);
        assert_eq!(wanted(&[PaymentMethodType::Debit]), [Wallet::ClickToPay]);
        assert_eq!(wanted(&[PaymentMethodType::Ideal]), []);
    }

    #[test]
    fn a_wallet_and_its_varieties_are_of_one_method() {
        for wallet in Wallet::ALL {
            for own in wallet.payment_method_types() {
                assert!(own.belongs_to(wallet.payment_method()), "{wallet}");
            }
        }
    }
}
