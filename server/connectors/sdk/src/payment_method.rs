//! Payment methods (families) and payment method types (varieties within a family).

use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;

words! {
    /// The family of an instrument.
    pub enum PaymentMethod {
        Card = "card",
        CardRedirect = "card_redirect",
        PayLater = "pay_later",
        Wallet = "wallet",
        BankRedirect = "bank_redirect",
        BankTransfer = "bank_transfer",
        Crypto = "crypto",
        BankDebit = "bank_debit",
        Reward = "reward",
        RealTimePayment = "real_time_payment",
        Upi = "upi",
        Voucher = "voucher",
        GiftCard = "gift_card",
        OpenBanking = "open_banking",
        MobilePayment = "mobile_payment",
        NetworkToken = "network_token",
    }
}

/// Declares the types, each under one of the methods that it belongs to.
macro_rules! types {
    ($($method:ident { $($variant:ident = $word:literal,)+ })+) => {
        words! {
            /// The variety of an instrument.
            pub enum PaymentMethodType { $($($variant = $word,)+)+ }
        }

        impl PaymentMethodType {
            /// Returns the method under which this type is declared.
            fn declared_under(self) -> PaymentMethod {
                match self { $($(PaymentMethodType::$variant => PaymentMethod::$method,)+)+ }
            }
        }
    };
}

types! {
    Card {
        Credit = "credit",
        Debit = "debit",
    }
    CardRedirect {
        Benefit = "benefit",
        CardRedirect = "card_redirect",
        Knet = "knet",
        MomoAtm = "momo_atm",
    }
    PayLater {
        Affirm = "affirm",
        AfterpayClearpay = "afterpay_clearpay",
        Alma = "alma",
        Atome = "atome",
        Breadpay = "breadpay",
        Flexiti = "flexiti",
        Klarna = "klarna",
        PayBright = "pay_bright",
        Payjustnow = "payjustnow",
        Walley = "walley",
    }
    Wallet {
        AliPay = "ali_pay",
        AliPayHk = "ali_pay_hk",
        AmazonPay = "amazon_pay",
        ApplePay = "apple_pay",
        Bluecode = "bluecode",
        Cashapp = "cashapp",
        Dana = "dana",
        Gcash = "gcash",
        GoPay = "go_pay",
        GooglePay = "google_pay",
        KakaoPay = "kakao_pay",
        MbWay = "mb_way",
        Mifinity = "mifinity",
        MobilePay = "mobile_pay",
        Momo = "momo",
        Paypal = "paypal",
        Paysera = "paysera",
        Paze = "paze",
        RevolutPay = "revolut_pay",
        SamsungPay = "samsung_pay",
        Skrill = "skrill",
        TouchNGo = "touch_n_go",
        Twint = "twint",
        Venmo = "venmo",
        Vipps = "vipps",
        WeChatPay = "we_chat_pay",
    }
    BankRedirect {
        BancontactCard = "bancontact_card",
        Bizum = "bizum",
        Blik = "blik",
        Eft = "eft",
        Eps = "eps",
        Giropay = "giropay",
        Ideal = "ideal",
        Interac = "interac",
        LocalBankRedirect = "local_bank_redirect",
        OnlineBankingCzechRepublic = "online_banking_czech_republic",
        OnlineBankingFinland = "online_banking_finland",
        OnlineBankingFpx = "online_banking_fpx",
        OnlineBankingPoland = "online_banking_poland",
        OnlineBankingSlovakia = "online_banking_slovakia",
        OnlineBankingThailand = "online_banking_thailand",
        OpenBankingUk = "open_banking_uk",
        Przelewy24 = "przelewy24",
        Sofort = "sofort",
        Swish = "swish",
        Trustly = "trustly",
    }
    BankTransfer {
        BcaBankTransfer = "bca_bank_transfer",
        BniVa = "bni_va",
        BriVa = "bri_va",
        CimbVa = "cimb_va",
        DanamonVa = "danamon_va",
        IndonesianBankTransfer = "indonesian_bank_transfer",
        InstantBankTransfer = "instant_bank_transfer",
        InstantBankTransferFinland = "instant_bank_transfer_finland",
        InstantBankTransferPoland = "instant_bank_transfer_poland",
        LocalBankTransfer = "local_bank_transfer",
        MandiriVa = "mandiri_va",
        Multibanco = "multibanco",
        PermataBankTransfer = "permata_bank_transfer",
        Pix = "pix",
        PixAutomaticoPush = "pix_automatico_push",
        PixAutomaticoQr = "pix_automatico_qr",
        PixEmv = "pix_emv",
        PixKey = "pix_key",
        Pse = "pse",
        SepaBankTransfer = "sepa_bank_transfer",
    }
    Crypto {
        CryptoCurrency = "crypto_currency",
    }
    BankDebit {
        Ach = "ach",
        Bacs = "bacs",
        Becs = "becs",
        EftDebitOrder = "eft_debit_order",
        Sepa = "sepa",
        SepaGuarenteedDebit = "sepa_guarenteed_debit",
    }
    Reward {
        Classic = "classic",
        Evoucher = "evoucher",
    }
    RealTimePayment {
        DuitNow = "duit_now",
        Fps = "fps",
        PromptPay = "prompt_pay",
        Qris = "qris",
        VietQr = "viet_qr",
    }
    Upi {
        UpiCollect = "upi_collect",
        UpiIntent = "upi_intent",
        UpiQr = "upi_qr",
    }
    Voucher {
        Alfamart = "alfamart",
        Boleto = "boleto",
        Efecty = "efecty",
        FamilyMart = "family_mart",
        Indomaret = "indomaret",
        Lawson = "lawson",
        MiniStop = "mini_stop",
        Oxxo = "oxxo",
        PagoEfectivo = "pago_efectivo",
        PayEasy = "pay_easy",
        RedCompra = "red_compra",
        RedPagos = "red_pagos",
        Seicomart = "seicomart",
        SevenEleven = "seven_eleven",
    }
    GiftCard {
        BhnCardNetwork = "bhn_card_network",
        Givex = "givex",
        PaySafeCard = "pay_safe_card",
    }
    OpenBanking {
        OpenBanking = "open_banking",
        OpenBankingPis = "open_banking_pis",
    }
    MobilePayment {
        DirectCarrierBilling = "direct_carrier_billing",
    }
    NetworkToken {
        NetworkToken = "network_token",
    }
}

words! {
    /// The payer's way through a payment.
    pub enum PaymentExperience {
        RedirectToUrl = "redirect_to_url",
        InvokeSdkClient = "invoke_sdk_client",
        DisplayQrCode = "display_qr_code",
        OneClick = "one_click",
        LinkWallet = "link_wallet",
        InvokePaymentApp = "invoke_payment_app",
        DisplayWaitScreen = "display_wait_screen",
        CollectOtp = "collect_otp",
    }
}

impl PaymentMethodType {
    /// Checks whether the type is a variety of this method. `ach` and `bacs` serve both debits and
    /// payouts.
    pub fn belongs_to(self, method: PaymentMethod) -> bool {
        let transfers_too = matches!(self, PaymentMethodType::Ach | PaymentMethodType::Bacs);
        self.declared_under() == method || (transfers_too && method == PaymentMethod::BankTransfer)
    }

    /// Returns the methods that this type is a variety of.
    pub fn parents(self) -> impl Iterator<Item = PaymentMethod> {
        let methods = PaymentMethod::ALL.iter().copied();
        methods.filter(move |method| self.belongs_to(*method))
    }
}

impl PaymentMethod {
    /// Checks whether a payment with this method must name its type. Cards may leave the type out:
    /// the issuer knows it.
    pub fn needs_type(self) -> bool {
        self != PaymentMethod::Card
    }
}

/// Checks that a required type is given and belongs to the method.
pub fn check_type(
    method: PaymentMethod,
    method_type: Option<PaymentMethodType>,
) -> Result<(), Refusal> {
    match method_type {
        None if method.needs_type() => Err(Refusal::missing("payment_method_type")),
        None => Ok(()),
        Some(method_type) => check_belongs(method, method_type),
    }
}

/// Checks that the type belongs to the method.
pub fn check_belongs(method: PaymentMethod, method_type: PaymentMethodType) -> Result<(), Refusal> {
    if method_type.belongs_to(method) {
        return Ok(());
    }
    let parents: Vec<&str> = method_type.parents().map(PaymentMethod::as_str).collect();
    Err(Refusal::invalid_value(format!(
        "payment_method_type {method_type} is no type of payment_method {method}, it belongs to {}",
        parents.join(" and ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_contract() {
        assert_eq!(PaymentMethod::ALL.len(), 16);
        assert_eq!(PaymentMethodType::ALL.len(), 120);
        let table: Vec<String> = PaymentMethod::ALL
            .iter()
            .map(|method| {
                let types = PaymentMethodType::ALL.iter();
                let own: Vec<&str> = types
                    .filter(|method_type| method_type.belongs_to(*method))
                    .map(|method_type| method_type.as_str())
                    .collect();
                format!("{method}: {}", own.join(" "))
            })
            .collect();
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn every_method_but_the_card_needs_a_type() {
        for method in PaymentMethod::ALL {
            let expected = if *method == PaymentMethod::Card {
                Ok(())
            } else {
                Err(Refusal::missing("payment_method_type"))
            };
            assert_eq!(check_type(*method, None), expected, "{method}");
        }
    }

    #[test]
    fn ach_and_bacs_alone_go_with_two_methods() {
        let several = PaymentMethodType::ALL.iter().copied();
        let several: Vec<String> = several
            .map(|kind| (kind, kind.parents().map(PaymentMethod::as_str).collect()))
            .filter(|(_, parents): &(_, Vec<&str>)| parents.len() != 1)
            .map(|(kind, parents)| format!("{kind}: {}", parents.join(" ")))
            .collect();
        assert_eq!(
            several,
            [
                "ach: bank_transfer bank_debit",
                "bacs: bank_transfer bank_debit"
            ]
        );
    }

    #[test]
    fn a_type_goes_with_its_own_methods_only() {
        for method in PaymentMethod::ALL {
            for method_type in PaymentMethodType::ALL {
                let belongs = method_type.belongs_to(*method);
                assert_eq!(check_type(*method, Some(*method_type)).is_ok(), belongs);
            }
        }
        let refusal = check_type(PaymentMethod::Card, Some(PaymentMethodType::Klarna));
        assert!(matches!(refusal, Err(Refusal::InvalidValue { .. })));
    }
}
