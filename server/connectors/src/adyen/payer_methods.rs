//! The methods that payers finish elsewhere, as Adyen offers them.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency::{self, *};
use multirail_sdk::bank_name::BankName;
use multirail_sdk::connector::details::Address;
use multirail_sdk::connector::{AuthorizeRequest, StepForm};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethodRules, PayerSecret, countries};
use multirail_sdk::payment_method::PaymentMethodType as Kind;
use multirail_sdk::required_field::RequiredField as Field;

use super::generated::wire::{
    BlikDetails, BlikDetailsType, CardDetailsType, CashAppDetails, CashAppDetailsType,
    PaymentMethod, PaymentRequestChannel, PlainDetails, PlainDetailsType as Plain,
    PolishBankDetails, PolishBankDetailsType, UpiCollectDetails, UpiCollectDetailsType,
    VippsDetails, VippsDetailsType,
};
use super::request::{card, telephone, test_holder};
use super::{address, bank_debits};
use crate::amounts::NotWritable;
use crate::text::Secret;

/// The members that an invoice needs.
const INVOICED: &[Field] = &[
    Field::BillingEmail,
    Field::BillingFirstName,
    Field::BillingLastName,
    Field::BillingLine1,
    Field::BillingCity,
    Field::BillingZip,
    Field::BillingState,
    Field::BillingCountry,
];
const INVOICED_WITH_PHONE: &[Field] = &[
    Field::BillingEmail,
    Field::BillingPhone,
    Field::BillingFirstName,
    Field::BillingLastName,
    Field::BillingLine1,
    Field::BillingCity,
    Field::BillingZip,
    Field::BillingState,
    Field::BillingCountry,
];
const BANCONTACT: &[Field] = &[
    Field::BancontactNumber,
    Field::BancontactExpMonth,
    Field::BancontactExpYear,
];

/// The members that a boleto shows.
const BOLETO: &[Field] = &[
    Field::TaxNumber,
    Field::BillingFirstName,
    Field::BillingLastName,
    Field::BillingLine1,
    Field::BillingCity,
    Field::BillingZip,
    Field::BillingState,
    Field::BillingCountry,
];

const AFFIRM: &[CountryCode] = &countries(["CA", "GB", "US"]);
const AFTERPAY: &[CountryCode] = &countries(["AU", "CA", "GB", "NZ"]);
const KLARNA: &[CountryCode] = &countries([
    "AT", "AU", "BE", "CA", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "GR", "IE", "IT", "NL",
    "NO", "NZ", "PL", "PT", "RO", "SE", "US",
]);

const BR: &[CountryCode] = &countries(["BR"]);
const IN: &[CountryCode] = &countries(["IN"]);
const MX: &[CountryCode] = &countries(["MX"]);
const PL: &[CountryCode] = &countries(["PL"]);
const PT: &[CountryCode] = &countries(["PT"]);
const SE: &[CountryCode] = &countries(["SE"]);
const US: &[CountryCode] = &countries(["US"]);

const fn at_once(kind: Kind, currencies: &'static [Currency]) -> PayerMethodRules {
    PayerMethodRules::new(kind, currencies)
}

const fn reserving(kind: Kind, currencies: &'static [Currency]) -> PayerMethodRules {
    PayerMethodRules::new(kind, currencies).reserving()
}

const fn shown(kind: Kind, currencies: &'static [Currency], form: StepForm) -> PayerMethodRules {
    at_once(kind, currencies).showing(form)
}

/// The form in which Adyen takes a method.
#[derive(Clone, Copy)]
enum Form {
    Plain(Plain),
    Bancontact,
    PolishBank,
    Vipps,
    CashApp,
    Blik,
    UpiCollect,
}

/// Adyen's form of each method, and the method's rules. Adyen doesn't offer Przelewy24. UPI Intent
/// needs the name of the payer's app, which no member of ours has.
#[rustfmt::skip]
const METHODS: [(Form, PayerMethodRules); 24] = [
    (Form::Plain(Plain::Affirm), reserving(Kind::Affirm, &[CAD, GBP, USD]).in_countries(AFFIRM).requiring(INVOICED_WITH_PHONE)),
    (Form::Plain(Plain::Afterpaytouch), reserving(Kind::AfterpayClearpay, &[AUD, CAD, GBP, NZD]).in_countries(AFTERPAY).requiring(INVOICED)),
    (Form::Plain(Plain::Alipay), at_once(Kind::AliPay, &[AUD, CAD, CHF, CNY, EUR, GBP, HKD, JPY, NZD, SGD, USD])),
    (Form::Plain(Plain::BankTransferIban), shown(Kind::SepaBankTransfer, &[EUR], StepForm::BankTransfer).requiring(&[Field::SepaCountry])),
    (Form::Bancontact, at_once(Kind::BancontactCard, &[EUR]).requiring(BANCONTACT)),
    (Form::Blik, shown(Kind::Blik, &[PLN], StepForm::WaitScreen).in_countries(PL).requiring(&[Field::BlikCode])),
    (Form::Plain(Plain::Boletobancario), shown(Kind::Boleto, &[BRL], StepForm::Voucher).in_countries(BR).requiring(BOLETO)),
    (Form::CashApp, PayerMethodRules::new(Kind::Cashapp, &[USD]).in_countries(US).reserving_once()),
    (Form::Plain(Plain::Eps), at_once(Kind::Eps, &[EUR])),
    (Form::Plain(Plain::Ideal), at_once(Kind::Ideal, &[EUR])),
    (Form::Plain(Plain::Klarna), reserving(Kind::Klarna, &[AUD, CAD, CHF, CZK, DKK, EUR, GBP, NOK, NZD, PLN, RON, SEK, USD])
        .in_countries(KLARNA).requiring(INVOICED)),
    (Form::Plain(Plain::Mobilepay), reserving(Kind::MobilePay, &[DKK, EUR])),
    (Form::Plain(Plain::Multibanco), shown(Kind::Multibanco, &[EUR], StepForm::BankTransfer).in_countries(PT)),
    (Form::PolishBank, at_once(Kind::OnlineBankingPoland, &[PLN]).at_banks(&BANKS)
        .requiring(&[Field::PolishBank, Field::BillingEmail])),
    (Form::Plain(Plain::Oxxo), shown(Kind::Oxxo, &[MXN], StepForm::Voucher).in_countries(MX)),
    (Form::Plain(Plain::Paypal), reserving(Kind::Paypal, &[
        AUD, BRL, CAD, CHF, CZK, DKK, EUR, GBP, HKD, HUF, ILS, JPY, MXN, NOK, NZD, PHP, PLN, SEK, SGD, THB, TWD, USD,
    ])),
    (Form::Plain(Plain::Pix), shown(Kind::Pix, &[BRL], StepForm::QrCode).in_countries(BR)),
    (Form::Plain(Plain::Swish), shown(Kind::Swish, &[SEK], StepForm::QrCode).in_countries(SE)),
    (Form::Plain(Plain::Trustly), at_once(Kind::Trustly, &[CZK, DKK, EUR, GBP, NOK, PLN, SEK])),
    (Form::Plain(Plain::Twint), at_once(Kind::Twint, &[CHF])),
    (Form::UpiCollect, shown(Kind::UpiCollect, &[INR], StepForm::WaitScreen).in_countries(IN).requiring(&[Field::UpiAddress])),
    (Form::Plain(Plain::UpiQr), shown(Kind::UpiQr, &[INR], StepForm::QrCode).in_countries(IN)),
    (Form::Vipps, reserving(Kind::Vipps, &[NOK]).requiring(&[Field::BillingPhone])),
    (Form::Plain(Plain::WechatpayQr), shown(Kind::WeChatPay, &[AUD, CAD, CNY, EUR, GBP, HKD, JPY, NZD, SGD, USD], StepForm::QrCode)),
];

/// The rules of all methods, debits included.
pub(super) static RULES: [PayerMethodRules; METHODS.len() + bank_debits::RULES.len()] =
    PayerMethodRules::joined(PayerMethodRules::of_table(&METHODS), bank_debits::RULES);

/// Adyen's numbers of the banks of `onlineBanking_PL`.
const POLISH_BANKS: [(BankName, &str); 19] = [
    (BankName::BankMillennium, "85"),
    (BankName::BankNowySA, "144"),
    (BankName::BankPEKAOSA, "65"),
    (BankName::BankiSpoldzielcze, "143"),
    (BankName::BlikPSP, "154"),
    (BankName::BNPParibasPoland, "33"),
    (BankName::CreditAgricole, "45"),
    (BankName::ETransferPocztowy24, "141"),
    (BankName::MBank, "243"),
    (BankName::PayWithAliorBank, "88"),
    (BankName::PayWithBOS, "99"),
    (BankName::PayWithCitiHandlowy, "119"),
    (BankName::PayWithING, "112"),
    (BankName::PayWithInteligo, "26"),
    (BankName::PayWithPlusBank, "131"),
    (BankName::PlaceZIPKO, "31"),
    (BankName::SantanderPrzelew24, "20"),
    (BankName::ToyotaBank, "64"),
    (BankName::VeloBank, "153"),
];

const BANKS: [BankName; POLISH_BANKS.len()] = {
    let mut all = [POLISH_BANKS[0].0; POLISH_BANKS.len()];
    let mut place = 0;
    while place < all.len() {
        all[place] = POLISH_BANKS[place].0;
        place += 1;
    }
    all
};

/// Returns the payment method of a request. Bank names of other methods are left out: their payers
/// choose the bank at the page.
///
/// # Errors
/// [`NotWritable`] for another method, a Polish bank without a number, and a method without its card,
/// text, phone number or address. Routing excludes all of them, apart from a state in words.
pub fn payment_method<'a>(
    payer: &'a PayerData,
    request: &'a AuthorizeRequest,
) -> Result<PaymentMethod<'a>, NotWritable> {
    let refused = || NotWritable::payer_method(payer);
    let form = form(payer.method.kind, request.money.currency).ok_or_else(refused)?;
    if lacks_address(payer.method.kind, request) {
        return Err(refused());
    }
    let secret = || text(payer).map(Secret::new).ok_or_else(refused);
    Ok(match form {
        Form::Plain(kind) => PaymentMethod::PlainDetails(Box::new(PlainDetails { kind })),
        Form::Bancontact => {
            let Some(PayerSecret::Card(own)) = &payer.secret else {
                return Err(refused());
            };
            card(CardDetailsType::Bcmc, own, test_holder(request))
        }
        Form::PolishBank => PaymentMethod::PolishBankDetails(Box::new(PolishBankDetails {
            kind: PolishBankDetailsType::OnlineBankingPl,
            issuer: polish_bank(payer).ok_or_else(refused)?.into(),
        })),
        Form::Vipps => PaymentMethod::VippsDetails(Box::new(VippsDetails {
            kind: VippsDetailsType::Vipps,
            telephone_number: (telephone(&request.details.payer).ok_or_else(refused)?).into(),
        })),
        Form::CashApp => PaymentMethod::CashAppDetails(Box::new(CashAppDetails {
            kind: CashAppDetailsType::Cashapp,
            subtype: "redirect".into(),
        })),
        Form::Blik => PaymentMethod::BlikDetails(Box::new(BlikDetails {
            kind: BlikDetailsType::Blik,
            blik_code: secret()?,
        })),
        Form::UpiCollect => PaymentMethod::UpiCollectDetails(Box::new(UpiCollectDetails {
            kind: UpiCollectDetailsType::UpiCollect,
            virtual_payment_address: secret()?,
        })),
    })
}

/// Returns the tax number that a boleto shows.
pub fn tax_number(data: &PaymentMethodData) -> Option<&str> {
    let payer = payer(data)?;
    text(payer).filter(|_| payer.method.kind == Kind::Boleto)
}

/// Returns the place of the checkout, for the method that wants to know it.
pub fn channel(data: &PaymentMethodData) -> Option<PaymentRequestChannel> {
    let kind = payer(data)?.method.kind;
    (kind == Kind::Cashapp).then_some(PaymentRequestChannel::Web)
}

/// Checks whether the payer of this instrument may be authenticated by 3-D Secure.
pub fn has_three_ds(data: &PaymentMethodData) -> bool {
    kind(data).is_none_or(|kind| kind == Kind::BancontactCard)
}

/// Checks whether the method needs a billing address and the payer's can't be written.
fn lacks_address(kind: Kind, request: &AuthorizeRequest) -> bool {
    let needs = |rules: &PayerMethodRules| rules.required.contains(&Field::BillingLine1);
    let billing = request.details.payer.billing.as_ref();
    let place = billing.and_then(|billing| billing.address.as_ref());
    rules(kind).is_some_and(needs) && place.and_then(address::written).is_none()
}

/// Returns the method or debit of this instrument, if rules describe it.
fn kind(data: &PaymentMethodData) -> Option<Kind> {
    match data {
        PaymentMethodData::Payer(payer) => Some(payer.method.kind),
        PaymentMethodData::BankDebit(account) => account.debited_as(),
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::Kept(_) => None,
    }
}

fn rules(kind: Kind) -> Option<&'static PayerMethodRules> {
    RULES.iter().find(|rules| rules.kind == kind)
}

fn payer(data: &PaymentMethodData) -> Option<&PayerData> {
    match data {
        PaymentMethodData::Payer(payer) => Some(payer),
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::BankDebit(_) => None,
    }
}

fn text(payer: &PayerData) -> Option<&str> {
    match &payer.secret {
        Some(PayerSecret::Text(text)) => Some(text.expose()),
        Some(PayerSecret::Card(_)) | None => None,
    }
}

/// Returns the country that a payer's method or a debit is used in: the bank's, or else the payer's,
/// or else the only one of the method.
pub fn country(request: &AuthorizeRequest) -> Option<&'static str> {
    let kind = kind(&request.data)?;
    let bank = payer(&request.data).and_then(|payer| payer.method.country);
    let billing = request.details.payer.billing.as_ref();
    let country = bank.or(billing.and_then(Address::country));
    let only = || match rules(kind)?.countries {
        [only] => Some(*only),
        _ => None,
    };
    country.or_else(only).map(CountryCode::as_str)
}

fn form(kind: Kind, currency: Currency) -> Option<Form> {
    let (form, _) = METHODS.iter().find(|(_, rules)| rules.kind == kind)?;
    // Afterpay has another name in the United Kingdom.
    let is_clearpay = kind == Kind::AfterpayClearpay && currency == GBP;
    Some(if is_clearpay {
        Form::Plain(Plain::Clearpay)
    } else {
        *form
    })
}

fn polish_bank(payer: &PayerData) -> Option<&'static str> {
    let mut banks = POLISH_BANKS.iter();
    let (_, number) = banks.find(|(bank, _)| payer.method.bank_name == Some(*bank))?;
    Some(*number)
}
