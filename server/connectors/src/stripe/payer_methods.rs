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

use super::wire;
use crate::amounts::NotWritable;

/// The word of Afterpay, which refuses incomplete shipping addresses.
pub const AFTERPAY: &str = "afterpay_clearpay";
/// Methods for which the payer enters a text.
const BLIK: &str = "blik";
const BOLETO: &str = "boleto";
/// A method that needs an option of its own.
const WECHAT_PAY: &str = "wechat_pay";

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
const METHODS: [(&str, PayerMethodRules); 22] = [
    ("affirm", PayerMethodRules::new(PaymentMethodType::Affirm, &[CAD, USD])
        .in_countries(&AFFIRM_COUNTRIES).between(&[(CAD, 5_000, 3_000_000), (USD, 3_500, 3_000_000)]).reserving_once()),
    (AFTERPAY, PayerMethodRules::new(PaymentMethodType::AfterpayClearpay, &[AUD, CAD, GBP, NZD, USD])
        .in_countries(&AFTERPAY_COUNTRIES).requiring(OF_AFTERPAY).between(&AFTERPAY_AMOUNTS).reserving_once()),
    ("alipay", PayerMethodRules::new(PaymentMethodType::AliPay, &[
        AUD, CAD, CNY, EUR, GBP, HKD, JPY, MYR, NZD, SGD, USD,
    ])),
    ("bancontact", PayerMethodRules::new(PaymentMethodType::BancontactCard, &[EUR]).requiring(NAME).without_card()),
    (BLIK, PayerMethodRules::new(PaymentMethodType::Blik, &[PLN]).requiring(&[BlikCode]).showing(StepForm::WaitScreen)),
    (BOLETO, PayerMethodRules::new(PaymentMethodType::Boleto, &[BRL])
        .in_countries(&BRAZIL).requiring(OF_BOLETO).between(&[(BRL, 500, 4_999_999)]).showing(StepForm::Voucher)),
    ("cashapp", PayerMethodRules::new(PaymentMethodType::Cashapp, &[USD]).reserving_once()),
    ("eps", PayerMethodRules::new(PaymentMethodType::Eps, &[EUR]).requiring(NAME)),
    ("ideal", PayerMethodRules::new(PaymentMethodType::Ideal, &[EUR])),
    ("klarna", PayerMethodRules::new(PaymentMethodType::Klarna, &[
        AUD, CAD, CHF, CZK, DKK, EUR, GBP, NOK, NZD, PLN, RON, SEK, USD,
    ]).in_countries(&KLARNA_COUNTRIES).requiring(&[BillingEmail, BillingCountry]).reserving_once()),
    ("mobilepay", PayerMethodRules::new(PaymentMethodType::MobilePay, &[DKK, EUR, NOK, SEK]).reserving_once()),
    ("multibanco", PayerMethodRules::new(PaymentMethodType::Multibanco, &[EUR])
        .requiring(&[BillingEmail]).between(&[(EUR, 50, 9_999_900)]).showing(StepForm::BankTransfer)),
    ("oxxo", PayerMethodRules::new(PaymentMethodType::Oxxo, &[MXN])
        .requiring(OF_OXXO).between(&[(MXN, 1_000, 1_000_000)]).showing(StepForm::Voucher)),
    ("p24", PayerMethodRules::new(PaymentMethodType::OnlineBankingPoland, &[PLN]).requiring(&[PolishBank, BillingEmail])),
    ("p24", PayerMethodRules::new(PaymentMethodType::Przelewy24, &[EUR, PLN]).requiring(&[BillingEmail])),
    ("paypal", PayerMethodRules::new(PaymentMethodType::Paypal, &[
        AUD, CAD, CHF, CZK, DKK, EUR, GBP, HKD, NOK, NZD, PLN, SEK, SGD, USD,
    ]).reserving_once()),
    ("pix", PayerMethodRules::new(PaymentMethodType::Pix, &[BRL]).showing(StepForm::QrCode)),
    ("swish", PayerMethodRules::new(PaymentMethodType::Swish, &[SEK]).showing(StepForm::QrCode)),
    ("twint", PayerMethodRules::new(PaymentMethodType::Twint, &[CHF])),
    ("upi", PayerMethodRules::new(PaymentMethodType::UpiIntent, &[INR])),
    ("upi", PayerMethodRules::new(PaymentMethodType::UpiQr, &[INR])),
    (WECHAT_PAY, PayerMethodRules::new(PaymentMethodType::WeChatPay, &[
        AUD, CAD, CHF, CNY, DKK, EUR, GBP, HKD, JPY, NOK, SEK, SGD, USD,
    ]).showing(StepForm::QrCode)),
];

pub static RULES: [PayerMethodRules; METHODS.len()] = PayerMethodRules::of_table(&METHODS);

/// Banks with another word at Stripe.
const RENAMED: [(BankName, &str); 6] = [
    (BankName::Citi, "citi_handlowy"),
    (BankName::EnveloBank, "envelobank"),
    (BankName::IdeaBank, "ideabank"),
    (BankName::MBank, "mbank_mtransfer"),
    (BankName::NationaleNederlanden, "nn"),
    (BankName::VeloBank, "velobank"),
];

/// Stripe's words for banks, by method.
#[rustfmt::skip]
pub const BANKS: [(&str, &[&str]); 3] = [
    ("eps", &[
        "arzte_und_apotheker_bank", "austrian_anadi_bank_ag", "bank_austria", "bankhaus_carl_spangler",
        "bankhaus_schelhammer_und_schattera_ag", "bawag_psk_ag", "bks_bank_ag", "brull_kallmus_bank_ag",
        "btv_vier_lander_bank", "capital_bank_grawe_gruppe_ag", "dolomitenbank", "easybank_ag",
        "erste_bank_und_sparkassen", "hypo_alpeadriabank_international_ag",
        "hypo_bank_burgenland_aktiengesellschaft", "hypo_noe_lb_fur_niederosterreich_u_wien",
        "hypo_oberosterreich_salzburg_steiermark", "hypo_tirol_bank_ag", "hypo_vorarlberg_bank_ag",
        "marchfelder_bank", "oberbank_ag", "raiffeisen_bankengruppe_osterreich", "schoellerbank_ag",
        "sparda_bank_wien", "volksbank_gruppe", "volkskreditbank_ag", "vr_bank_braunau",
    ]),
    ("ideal", &[
        "abn_amro", "asn_bank", "bunq", "handelsbanken", "ing", "knab", "moneyou", "n26", "nn", "rabobank",
        "regiobank", "revolut", "sns_bank", "triodos_bank", "van_lanschot", "yoursafe",
    ]),
    ("p24", &[
        "alior_bank", "bank_millennium", "bank_nowy_bfg_sa", "bank_pekao_sa", "banki_spbdzielcze", "blik",
        "bnp_paribas", "boz", "citi_handlowy", "credit_agricole", "envelobank", "etransfer_pocztowy24",
        "getin_bank", "ideabank", "ing", "inteligo", "mbank_mtransfer", "nest_przelew", "noble_pay",
        "pbac_z_ipko", "plus_bank", "santander_przelew24", "toyota_bank", "velobank", "volkswagen_bank",
    ]),
];

/// Returns the method in Stripe's form. The payer chooses a bank that Stripe doesn't know at the
/// page.
///
/// # Errors
/// [`NotWritable`] for a method that isn't offered or lacks its text, and for a card. Routing
/// excludes them.
pub fn data<'a>(
    payer: &'a PayerData,
    billing_details: wire::BillingDetails,
) -> Result<wire::MethodData<'a>, NotWritable> {
    let kind = word(payer.method.kind).ok_or_else(|| NotWritable::payer_method(payer))?;
    let choice = wire::Choice {
        bank: payer.method.bank_name.and_then(|name| bank(kind, name)),
        tax_id: text(kind, payer)?.filter(|_| kind == BOLETO),
    };
    let is_made = choice.bank.is_some() || choice.tax_id.is_some();
    Ok(wire::MethodData {
        kind,
        card: None,
        choices: is_made.then_some((kind, choice)).into_iter().collect(),
        billing_details,
    })
}

/// Returns the options that the method needs.
pub fn options(payer: &PayerData) -> Option<wire::MethodOptions<'_>> {
    let kind = word(payer.method.kind)?;
    let code = text(kind, payer).ok()?.filter(|_| kind == BLIK);
    let blik = code.map(|code| wire::BlikOptions { code });
    // The merchant shows the code on a web page, whichever device the payer uses.
    let wechat_pay = (kind == WECHAT_PAY).then_some(wire::WeChatOptions { client: "web" });
    (blik.is_some() || wechat_pay.is_some()).then(|| wire::MethodOptions {
        blik,
        wechat_pay,
        ..wire::MethodOptions::default()
    })
}

/// Returns the text that the payer entered, if the method has one.
fn text<'a>(kind: &str, payer: &'a PayerData) -> Result<Option<&'a str>, NotWritable> {
    let has_text = matches!(kind, BLIK | BOLETO);
    match &payer.secret {
        None if !has_text => Ok(None),
        Some(PayerSecret::Text(text)) if has_text => Ok(Some(text.expose())),
        None | Some(PayerSecret::Card(_) | PayerSecret::Text(_)) => {
            Err(NotWritable::payer_method(payer))
        }
    }
}

fn word(kind: PaymentMethodType) -> Option<&'static str> {
    let mut methods = METHODS.iter();
    let found = methods.find(|(_, rules)| rules.kind == kind);
    found.map(|(word, _)| *word)
}

fn bank(method: &str, name: BankName) -> Option<&'static str> {
    let renamed = RENAMED.iter().find(|(own, _)| *own == name);
    let word = renamed.map_or(name.as_str(), |(_, word)| *word);
    let (_, known) = BANKS.iter().find(|(own, _)| *own == method)?;
    known.contains(&word).then_some(word)
}
