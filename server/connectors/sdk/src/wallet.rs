//! The wallets that have sessions.

use multirail_kernel::words::words;

use crate::payment_method::{PaymentMethod, PaymentMethodType};

words! {
    /// A wallet with a session of its own; the words are those of `wallet_name`. Lists of sessions have this order.
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
    /// The instrument that the payer pays with, as accounts enable it.
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

    /// Its varieties; each of them stands for the wallet.
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

    /// Whether a request can bring what it hands over.
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

    /// The wallet of a variety that a request can bring the data of.
    pub fn handed_over_as(kind: PaymentMethodType) -> Option<Wallet> {
        let mut brought = Wallet::ALL
            .iter()
            .copied()
            .filter(|one| one.is_handed_over());
        brought.find(|wallet| wallet.payment_method_types().contains(&kind))
    }
}

/// What a connector can do for wallets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalletAbilities {
    /// Those for which its processor opens sessions.
    pub opens: &'static [Wallet],
    /// A JSON object with the settings of wallets that an account has which has none of its own: of a processor that moves no
    /// money, for the wallets that the account's `payment_methods_enabled` let in.
    pub tried_with: Option<&'static str>,
    /// Those whose sealed data its processor opens.
    pub opens_sealed: &'static [Wallet],
    /// Numbers of networks with their cryptograms are taken: from wallets that were opened, and of the merchant's own.
    pub network_tokens: bool,
}

impl WalletAbilities {
    /// Wallets are the business of the account's settings alone.
    pub const NONE: WalletAbilities = WalletAbilities {
        opens: &[],
        tried_with: None,
        opens_sealed: &[],
        network_tokens: false,
    };
}

/// The wallets that a checkout asks for; nothing asks for all of them. What has no session counts for nothing.
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
