//! Debits of bank accounts, and methods that the payer finishes elsewhere, such as at a page of their bank.

use multirail_types::{
    AchDebitRequest, AfterpayClearpayRedirectRequest, BacsDebitRequest, BancontactCardRequest,
    BankDebitRequest, BankRedirectRequest, BankTransferRequest, BecsDebitRequest, BlikRequest,
    BoletoRequest, EpsRequest, IdealRequest, KlarnaRedirectRequest, MultibancoRequest,
    OnlineBankingPolandRequest, PayLaterRequest, PaymentMethod, PaymentMethodDataRequest,
    PaymentMethodType, PaypalRedirectRequest, Przelewy24Request, RedirectRequest,
    SepaBankTransferRequest, SepaDebitRequest, TrustlyRequest, UpiCollectRequest, UpiRequest,
    VoucherRequest, WalletRequest,
};
use serde_json::Map;

use crate::instruments::Instrument;

/// Declares the methods: each with the setters of its family and of its data.
macro_rules! payer_methods {
    (
        chosen { $($name:ident($data:ident) = $method:ident::$family:ident.$member:ident in $request:ident,)+ }
        plain { $($plain:ident = $plain_method:ident::$plain_family:ident.$plain_member:ident in $plain_request:ident,)+ }
    ) => {
        /// A debit, or a method that the payer finishes elsewhere.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum PayerMethod {
            $(
                #[doc = concat!("With the choices in [`", stringify!($data), "`].")]
                $name($data),
            )+
            $(
                #[doc = concat!("`", stringify!($plain_member), "`, which has no choices.")]
                $plain,
            )+
        }

        impl PayerMethod {
            /// Returns method, type and data of a request.
            pub(crate) fn members(
                self,
                data: PaymentMethodDataRequest,
            ) -> (PaymentMethod, PaymentMethodType, PaymentMethodDataRequest) {
                match self {
                    $(PayerMethod::$name(choices) => (
                        PaymentMethod::$method,
                        PaymentMethodType::$name,
                        data.$family($request::new().$member(choices)),
                    ),)+
                    $(PayerMethod::$plain => (
                        PaymentMethod::$plain_method,
                        PaymentMethodType::$plain,
                        data.$plain_family($plain_request::new().$plain_member(RedirectRequest(Map::new()))),
                    ),)+
                }
            }
        }

        $(
            impl From<$data> for Instrument {
                fn from(choices: $data) -> Self {
                    Instrument::Payer(PayerMethod::$name(choices))
                }
            }
        )+
    };
}

payer_methods! {
    chosen {
        Ach(AchDebitRequest) = BankDebit::bank_debit.ach_bank_debit in BankDebitRequest,
        Bacs(BacsDebitRequest) = BankDebit::bank_debit.bacs_bank_debit in BankDebitRequest,
        Becs(BecsDebitRequest) = BankDebit::bank_debit.becs_bank_debit in BankDebitRequest,
        Sepa(SepaDebitRequest) = BankDebit::bank_debit.sepa_bank_debit in BankDebitRequest,
        BancontactCard(BancontactCardRequest) = BankRedirect::bank_redirect.bancontact_card in BankRedirectRequest,
        Blik(BlikRequest) = BankRedirect::bank_redirect.blik in BankRedirectRequest,
        Eps(EpsRequest) = BankRedirect::bank_redirect.eps in BankRedirectRequest,
        Ideal(IdealRequest) = BankRedirect::bank_redirect.ideal in BankRedirectRequest,
        OnlineBankingPoland(OnlineBankingPolandRequest) = BankRedirect::bank_redirect.online_banking_poland in BankRedirectRequest,
        Przelewy24(Przelewy24Request) = BankRedirect::bank_redirect.przelewy24 in BankRedirectRequest,
        Trustly(TrustlyRequest) = BankRedirect::bank_redirect.trustly in BankRedirectRequest,
        Multibanco(MultibancoRequest) = BankTransfer::bank_transfer.multibanco_bank_transfer in BankTransferRequest,
        SepaBankTransfer(SepaBankTransferRequest) = BankTransfer::bank_transfer.sepa_bank_transfer in BankTransferRequest,
        AfterpayClearpay(AfterpayClearpayRedirectRequest) = PayLater::pay_later.afterpay_clearpay_redirect in PayLaterRequest,
        Klarna(KlarnaRedirectRequest) = PayLater::pay_later.klarna_redirect in PayLaterRequest,
        UpiCollect(UpiCollectRequest) = Upi::upi.upi_collect in UpiRequest,
        Boleto(BoletoRequest) = Voucher::voucher.boleto in VoucherRequest,
        Paypal(PaypalRedirectRequest) = Wallet::wallet.paypal_redirect in WalletRequest,
    }
    plain {
        Affirm = PayLater::pay_later.affirm_redirect in PayLaterRequest,
        AliPay = Wallet::wallet.ali_pay_redirect in WalletRequest,
        Cashapp = Wallet::wallet.cashapp_qr in WalletRequest,
        MobilePay = Wallet::wallet.mobile_pay_redirect in WalletRequest,
        Oxxo = Voucher::voucher.oxxo in VoucherRequest,
        Pix = BankTransfer::bank_transfer.pix in BankTransferRequest,
        Swish = BankRedirect::wallet.swish_qr in WalletRequest,
        Twint = Wallet::wallet.twint_redirect in WalletRequest,
        UpiIntent = Upi::upi.upi_intent in UpiRequest,
        UpiQr = Upi::upi.upi_qr in UpiRequest,
        Vipps = Wallet::wallet.vipps_redirect in WalletRequest,
        WeChatPay = Wallet::wallet.we_chat_pay_qr in WalletRequest,
    }
}
