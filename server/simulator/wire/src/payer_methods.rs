//! The methods that a payer finishes elsewhere, such as at a page of the processor.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency::{self, *};

/// One of these methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayerMethod {
    /// The method's word in requests.
    pub word: &'static str,
    /// The name that the page shows.
    pub name: &'static str,
    /// The only accepted currencies.
    pub currencies: &'static [Currency],
    /// The only accepted countries of payers. Empty: every country.
    pub countries: &'static [CountryCode],
    /// The money can be reserved, and captured later.
    pub reserves: bool,
    /// The form of the payer's step.
    pub step: Step,
    /// The method needs a text from the payer: a code, a UPI address or a tax number.
    pub needs_text: bool,
}

/// The form of a payer's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Page,
    QrCode,
    WaitScreen,
    Voucher,
    Transfer,
}

impl Step {
    /// Returns the seconds that a payer has.
    pub const fn valid_seconds(self) -> i64 {
        match self {
            Step::Page => 36_000,
            Step::QrCode => 900,
            Step::WaitScreen => 300,
            Step::Voucher => 259_200,
            Step::Transfer => 604_800,
        }
    }
}

/// A method that is captured at once.
const fn at_once(
    word: &'static str,
    name: &'static str,
    currencies: &'static [Currency],
) -> PayerMethod {
    PayerMethod {
        word,
        name,
        currencies,
        countries: &[],
        reserves: false,
        step: Step::Page,
        needs_text: false,
    }
}

/// A method whose money can be reserved.
const fn reserving(
    word: &'static str,
    name: &'static str,
    currencies: &'static [Currency],
) -> PayerMethod {
    PayerMethod {
        reserves: true,
        ..at_once(word, name, currencies)
    }
}

impl PayerMethod {
    /// The method with a card that the payer may have entered before.
    pub const WITH_CARD: &'static str = "bancontact_card";

    const fn for_payers_in(self, countries: &'static [CountryCode]) -> Self {
        PayerMethod { countries, ..self }
    }

    const fn by(self, step: Step) -> Self {
        PayerMethod { step, ..self }
    }

    const fn with_text(self) -> Self {
        PayerMethod {
            needs_text: true,
            ..self
        }
    }

    /// Returns the method of this word.
    pub fn parse(word: &str) -> Option<PayerMethod> {
        let mut methods = PAYER_METHODS.iter().copied();
        methods.find(|method| method.word == word)
    }
}

const AU: CountryCode = CountryCode::known("AU");
const BR: CountryCode = CountryCode::known("BR");
const CA: CountryCode = CountryCode::known("CA");
const GB: CountryCode = CountryCode::known("GB");
const IN: CountryCode = CountryCode::known("IN");
const MX: CountryCode = CountryCode::known("MX");
const NZ: CountryCode = CountryCode::known("NZ");
const US: CountryCode = CountryCode::known("US");

/// Every method.
#[rustfmt::skip]
pub const PAYER_METHODS: [PayerMethod; 26] = [
    reserving("affirm", "Affirm", &[CAD, USD]).for_payers_in(&[CA, US]),
    reserving("afterpay_clearpay", "Afterpay", &[AUD, CAD, GBP, NZD, USD]).for_payers_in(&[AU, CA, GB, NZ, US]),
    at_once("ali_pay", "Alipay", &[AUD, CAD, CNY, EUR, GBP, HKD, JPY, MYR, NZD, SGD, USD]),
    at_once("bancontact_card", "Bancontact", &[EUR]),
    at_once("blik", "BLIK", &[PLN]).by(Step::WaitScreen).with_text(),
    at_once("boleto", "Boleto", &[BRL]).for_payers_in(&[BR]).by(Step::Voucher).with_text(),
    reserving("cashapp", "Cash App", &[USD]).for_payers_in(&[US]).by(Step::QrCode),
    at_once("eps", "eps", &[EUR]),
    at_once("ideal", "iDEAL", &[EUR]),
    reserving("klarna", "Klarna", &[AUD, CAD, CHF, CZK, DKK, EUR, GBP, NOK, NZD, PLN, SEK, USD]),
    reserving("mobile_pay", "MobilePay", &[DKK, EUR, NOK, SEK]),
    at_once("multibanco", "Multibanco", &[EUR]).by(Step::Transfer),
    at_once("online_banking_poland", "Przelewy online", &[PLN]),
    at_once("oxxo", "OXXO", &[MXN]).for_payers_in(&[MX]).by(Step::Voucher),
    reserving("paypal", "PayPal", &[
        AUD, BRL, CAD, CHF, CZK, DKK, EUR, GBP, HKD, HUF, ILS, JPY, MXN, NOK, NZD, PHP, PLN, SEK, SGD, THB, TWD, USD,
    ]),
    at_once("pix", "Pix", &[BRL]).by(Step::QrCode),
    at_once("przelewy24", "Przelewy24", &[EUR, PLN]),
    at_once("sepa_bank_transfer", "bank transfer", &[EUR]).by(Step::Transfer),
    at_once("swish", "Swish", &[SEK]).by(Step::QrCode),
    at_once("trustly", "Trustly", &[CZK, DKK, EUR, GBP, NOK, PLN, SEK]),
    at_once("twint", "TWINT", &[CHF]),
    at_once("upi_collect", "UPI", &[INR]).for_payers_in(&[IN]).by(Step::WaitScreen).with_text(),
    at_once("upi_intent", "UPI", &[INR]).for_payers_in(&[IN]),
    at_once("upi_qr", "UPI", &[INR]).for_payers_in(&[IN]).by(Step::QrCode),
    reserving("vipps", "Vipps", &[NOK]),
    at_once("we_chat_pay", "WeChat Pay", &[AUD, CAD, CNY, EUR, GBP, HKD, JPY, NZD, SGD, USD]).by(Step::QrCode),
];
