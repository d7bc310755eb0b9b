//! Methods that the payer finishes at a page or with something that the merchant shows: Stripe's
//! words for them and their banks, and its rules. The payer's country is limited where Stripe
//! compares it with the currency or requires an address there.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency::{
    self, AUD, BRL, CAD, CHF, CNY, CZK, DKK, EUR, GBP, HKD, INR, JPY, MXN, MYR, NOK, NZD, PLN, RON,
    SEK, SGD, USD,
};
use multirail_sdk::bank_name::BankName;
use multirail_sdk::connector::StepForm;
use multirail_sdk::payer_method::{PayerData, PayerMethodRules, PayerSecret, countries};
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_sdk::required_field::RequiredField::{
    self, BillingCity, BillingCountry, BillingEmail, BillingFirstName, BillingLastName,
    BillingLine1, BillingState, BillingZip, BlikCode, PolishBank, TaxNumber,
};

use super::bank_debits;
use super::generated::wire::{
    BillingDetails, BlikOptions, BoletoData, EpsBank, EpsData, IdealBank, IdealData, MethodData,
    MethodDataMust, MethodOptions, MethodType, P24Bank, P24Data, WeChatOptions,
    WeChatOptionsClient,
};
use crate::amounts::NotWritable;
use crate::text::Secret;

const NAME: &[RequiredField] = &[BillingFirstName, BillingLastName];
const OF_AFTERPAY: &[RequiredField] = &[
    BillingEmail,
    BillingFirstName,
    BillingLastName,
    BillingLine1,
    BillingCity,
    BillingZip,
    BillingCountry,
];

const OF_BOLETO: &[RequiredField] = &[
    TaxNumber,
    BillingEmail,
    BillingFirstName,
    BillingLastName,
    BillingLine1,
    BillingCity,
    BillingState,
    BillingZip,
    BillingCountry,
];
const OF_OXXO: &[RequiredField] = &[BillingEmail, BillingFirstName, BillingLastName];

const BRAZIL: [CountryCode; 1] = countries(["BR"]);
const AFFIRM_COUNTRIES: [CountryCode; 2] = countries(["CA", "US"]);
const AFTERPAY_COUNTRIES: [CountryCode; 5] = countries(["AU", "CA", "GB", "NZ", "US"]);
const AFTERPAY_AMOUNTS: [(Currency, i64, i64); 5] = [
    (AUD, 100, 200_000),
    (CAD, 100, 200_000),
    (GBP, 100, 120_000),
    (NZD, 100, 200_000),
    (USD, 100, 400_000),
];
const KLARNA_COUNTRIES: [CountryCode; 23] = countries([
    "AT", "AU", "BE", "CA", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "GR", "IE", "IT", "NL",
    "NO", "NZ", "PL", "PT", "RO", "SE", "US",
]);

/// Every method, by Stripe's word.
#[rustfmt::skip]
const METHODS: [(MethodType, PayerMethodRules); 22] = [
    (MethodType::Affirm, PayerMethodRules::new(PaymentMethodType::Affirm, &[CAD, USD])
        .in_countries(&AFFIRM_COUNTRIES).between(&[(CAD, 5_000, 3_000_000), (USD, 3_500, 3_000_000)]).reserving_once()),
    (MethodType::AfterpayClearpay, PayerMethodRules::new(PaymentMethodType::AfterpayClearpay, &[AUD, CAD, GBP, NZD, USD])
        .in_countries(&AFTERPAY_COUNTRIES).requiring(OF_AFTERPAY).between(&AFTERPAY_AMOUNTS).reserving_once()),
    (MethodType::Alipay, PayerMethodRules::new(PaymentMethodType::AliPay, &[
        AUD, CAD, CNY, EUR, GBP, HKD, JPY, MYR, NZD, SGD, USD,
    ])),
    (MethodType::Bancontact, PayerMethodRules::new(PaymentMethodType::BancontactCard, &[EUR]).requiring(NAME).without_card()),
    (MethodType::Blik, PayerMethodRules::new(PaymentMethodType::Blik, &[PLN]).requiring(&[BlikCode]).showing(StepForm::WaitScreen)),
    (MethodType::Boleto, PayerMethodRules::new(PaymentMethodType::Boleto, &[BRL])
        .in_countries(&BRAZIL).requiring(OF_BOLETO).between(&[(BRL, 500, 4_999_999)]).showing(StepForm::Voucher)),
    (MethodType::Cashapp, PayerMethodRules::new(PaymentMethodType::Cashapp, &[USD]).reserving_once()),
    (MethodType::Eps, PayerMethodRules::new(PaymentMethodType::Eps, &[EUR]).requiring(NAME)),
    (MethodType::Ideal, PayerMethodRules::new(PaymentMethodType::Ideal, &[EUR])),
    (MethodType::Klarna, PayerMethodRules::new(PaymentMethodType::Klarna, &[
        AUD, CAD, CHF, CZK, DKK, EUR, GBP, NOK, NZD, PLN, RON, SEK, USD,
    ]).in_countries(&KLARNA_COUNTRIES).requiring(&[BillingEmail, BillingCountry]).reserving_once()),
    (MethodType::Mobilepay, PayerMethodRules::new(PaymentMethodType::MobilePay, &[DKK, EUR, NOK, SEK]).reserving_once()),
    (MethodType::Multibanco, PayerMethodRules::new(PaymentMethodType::Multibanco, &[EUR])
        .requiring(&[BillingEmail]).between(&[(EUR, 50, 9_999_900)]).showing(StepForm::BankTransfer)),
    (MethodType::Oxxo, PayerMethodRules::new(PaymentMethodType::Oxxo, &[MXN])
        .requiring(OF_OXXO).between(&[(MXN, 1_000, 1_000_000)]).showing(StepForm::Voucher)),
    (MethodType::P24, PayerMethodRules::new(PaymentMethodType::OnlineBankingPoland, &[PLN]).requiring(&[PolishBank, BillingEmail])),
    (MethodType::P24, PayerMethodRules::new(PaymentMethodType::Przelewy24, &[EUR, PLN]).requiring(&[BillingEmail])),
    (MethodType::Paypal, PayerMethodRules::new(PaymentMethodType::Paypal, &[
        AUD, CAD, CHF, CZK, DKK, EUR, GBP, HKD, NOK, NZD, PLN, SEK, SGD, USD,
    ]).reserving_once()),
    (MethodType::Pix, PayerMethodRules::new(PaymentMethodType::Pix, &[BRL]).showing(StepForm::QrCode)),
    (MethodType::Swish, PayerMethodRules::new(PaymentMethodType::Swish, &[SEK]).showing(StepForm::QrCode)),
    (MethodType::Twint, PayerMethodRules::new(PaymentMethodType::Twint, &[CHF])),
    (MethodType::Upi, PayerMethodRules::new(PaymentMethodType::UpiIntent, &[INR])),
    (MethodType::Upi, PayerMethodRules::new(PaymentMethodType::UpiQr, &[INR])),
    (MethodType::WechatPay, PayerMethodRules::new(PaymentMethodType::WeChatPay, &[
        AUD, CAD, CHF, CNY, DKK, EUR, GBP, HKD, JPY, NOK, SEK, SGD, USD,
    ]).showing(StepForm::QrCode)),
];

/// The rules of all methods, debits included.
pub static RULES: [PayerMethodRules; METHODS.len() + bank_debits::RULES.len()] =
    PayerMethodRules::joined(PayerMethodRules::of_table(&METHODS), bank_debits::RULES);

/// Banks with another word at Stripe.
const RENAMED: [(BankName, &str); 6] = [
    (BankName::Citi, "citi_handlowy"),
    (BankName::EnveloBank, "envelobank"),
    (BankName::IdeaBank, "ideabank"),
    (BankName::MBank, "mbank_mtransfer"),
    (BankName::NationaleNederlanden, "nn"),
    (BankName::VeloBank, "velobank"),
];

/// Returns the method in Stripe's form. The payer chooses a bank that Stripe doesn't know at the
/// page.
///
/// # Errors
/// [`NotWritable`] for a method that isn't offered or lacks its text, and for a card. Routing
/// excludes them.
pub fn data<'a>(
    payer: &'a PayerData,
    billing_details: Option<BillingDetails<'a>>,
) -> Result<MethodData<'a>, NotWritable> {
    let kind = word(payer.method.kind).ok_or_else(|| NotWritable::payer_method(payer))?;
    let text = text(kind, payer)?.filter(|_| kind == MethodType::Boleto);
    let bank = |method| {
        let named = payer.method.bank_name.filter(|_| kind == method);
        named.map(bank_word)
    };
    let eps = bank(MethodType::Eps).and_then(EpsBank::of_text);
    let ideal = bank(MethodType::Ideal).and_then(IdealBank::of_text);
    let p24 = bank(MethodType::P24).and_then(P24Bank::of_text);
    Ok(MethodData {
        boleto: text.map(|tax_id| BoletoData { tax_id }),
        eps: eps.map(|bank| EpsData { bank: Some(bank) }),
        ideal: ideal.map(|bank| IdealData { bank: Some(bank) }),
        p24: p24.map(|bank| P24Data { bank: Some(bank) }),
        billing_details,
        ..MethodData::with(MethodDataMust { kind })
    })
}

/// Returns the options that the method needs.
pub fn options(payer: &PayerData) -> Option<MethodOptions<'_>> {
    let kind = word(payer.method.kind)?;
    let code = text(kind, payer).ok()?.filter(|_| kind == MethodType::Blik);
    // The merchant shows the code on a web page, whichever device the payer uses.
    let client = (kind == MethodType::WechatPay).then_some(WeChatOptionsClient::Web);
    let options = MethodOptions {
        blik: code.map(|code| BlikOptions { code: Some(code) }),
        wechat_pay: client.map(|client| WeChatOptions {
            client: Some(client),
        }),
        ..MethodOptions::empty()
    };
    options.unless_empty()
}

/// Returns the text that the payer entered, if the method has one.
fn text(kind: MethodType, payer: &PayerData) -> Result<Option<Secret<'_>>, NotWritable> {
    let has_text = [MethodType::Blik, MethodType::Boleto].contains(&kind);
    match &payer.secret {
        None if !has_text => Ok(None),
        Some(PayerSecret::Text(text)) if has_text => Ok(Some(Secret::new(text.expose()))),
        None | Some(PayerSecret::Card(_) | PayerSecret::Text(_)) => {
            Err(NotWritable::payer_method(payer))
        }
    }
}

fn word(kind: PaymentMethodType) -> Option<MethodType> {
    let mut methods = METHODS.iter();
    let found = methods.find(|(_, rules)| rules.kind == kind);
    found.map(|(word, _)| *word)
}

/// Returns Stripe's word for a bank, if Stripe knows it.
fn bank_word(name: BankName) -> &'static str {
    let renamed = RENAMED.iter().find(|(own, _)| *own == name);
    renamed.map_or(name.as_str(), |(_, word)| *word)
}
