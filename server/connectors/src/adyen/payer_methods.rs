//! The methods that payers finish at a page, as Adyen offers them.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency::{self, *};
use multirail_sdk::bank_name::BankName;
use multirail_sdk::connector::AuthorizeRequest;
use multirail_sdk::connector::details::Address;
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethodRules, PayerSecret, countries};
use multirail_sdk::payment_method::PaymentMethodType as Kind;
use multirail_sdk::required_field::RequiredField as Field;

use super::request::{card, telephone, test_holder};
use super::wire::{PageDetails, PaymentMethod};
use crate::amounts::NotWritable;

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

const AFFIRM: &[CountryCode] = &countries(["CA", "GB", "US"]);
const AFTERPAY: &[CountryCode] = &countries(["AU", "CA", "GB", "NZ"]);
const KLARNA: &[CountryCode] = &countries([
    "AT", "AU", "BE", "CA", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "GR", "IE", "IT", "NL",
    "NO", "NZ", "PL", "PT", "RO", "SE", "US",
]);

const fn at_once(kind: Kind, currencies: &'static [Currency]) -> PayerMethodRules {
    PayerMethodRules::new(kind, currencies)
}

const fn reserving(kind: Kind, currencies: &'static [Currency]) -> PayerMethodRules {
    PayerMethodRules::new(kind, currencies).reserving()
}

/// Adyen's type of each method, and the method's rules. Adyen doesn't offer Przelewy24.
#[rustfmt::skip]
const METHODS: [(&str, PayerMethodRules); 13] = [
    ("affirm", reserving(Kind::Affirm, &[CAD, GBP, USD]).in_countries(AFFIRM).requiring(INVOICED_WITH_PHONE)),
    ("afterpaytouch", reserving(Kind::AfterpayClearpay, &[AUD, CAD, GBP, NZD]).in_countries(AFTERPAY).requiring(INVOICED)),
    ("alipay", at_once(Kind::AliPay, &[AUD, CAD, CHF, CNY, EUR, GBP, HKD, JPY, NZD, SGD, USD])),
    ("bcmc", at_once(Kind::BancontactCard, &[EUR]).requiring(BANCONTACT)),
    ("eps", at_once(Kind::Eps, &[EUR])),
    ("ideal", at_once(Kind::Ideal, &[EUR])),
    ("klarna", reserving(Kind::Klarna, &[AUD, CAD, CHF, CZK, DKK, EUR, GBP, NOK, NZD, PLN, RON, SEK, USD])
        .in_countries(KLARNA).requiring(INVOICED)),
    ("mobilepay", reserving(Kind::MobilePay, &[DKK, EUR])),
    ("onlineBanking_PL", at_once(Kind::OnlineBankingPoland, &[PLN]).requiring(&[Field::PolishBank, Field::BillingEmail])),
    ("paypal", reserving(Kind::Paypal, &[
        AUD, BRL, CAD, CHF, CZK, DKK, EUR, GBP, HKD, HUF, ILS, JPY, MXN, NOK, NZD, PHP, PLN, SEK, SGD, THB, TWD, USD,
    ])),
    ("trustly", at_once(Kind::Trustly, &[CZK, DKK, EUR, GBP, NOK, PLN, SEK])),
    ("twint", at_once(Kind::Twint, &[CHF])),
    ("vipps", reserving(Kind::Vipps, &[NOK]).requiring(&[Field::BillingPhone])),
];

/// The rules of all methods.
pub(super) static RULES: [PayerMethodRules; METHODS.len()] = PayerMethodRules::of_table(&METHODS);

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

/// Returns the payment method of a request. Bank names of other methods are left out: their payers
/// choose the bank at the page.
///
/// # Errors
/// [`NotWritable`] for another method, a Polish bank without a number, and Bancontact without its
/// card. Routing excludes all but the bank.
pub fn payment_method<'a>(
    payer: &'a PayerData,
    request: &'a AuthorizeRequest,
) -> Result<PaymentMethod<'a>, NotWritable> {
    let refused = || NotWritable::payer_method(payer);
    let kind = payer.method.kind;
    let word = adyens_type(kind, request.money.currency).ok_or_else(refused)?;
    if kind == Kind::BancontactCard {
        let Some(PayerSecret::Card(own)) = &payer.secret else {
            return Err(refused());
        };
        let own = card(word, own, test_holder(request));
        return Ok(PaymentMethod::Card(Box::new(own)));
    }
    let issuer = match kind == Kind::OnlineBankingPoland {
        true => Some(polish_bank(payer).ok_or_else(refused)?),
        false => None,
    };
    let telephone_number = match kind == Kind::Vipps {
        true => telephone(&request.details.payer),
        false => None,
    };
    Ok(PaymentMethod::Page(PageDetails {
        kind: word,
        issuer,
        telephone_number,
    }))
}

/// Returns the country that a payer's method is used in: the bank's, or else the payer's.
pub fn country(request: &AuthorizeRequest) -> Option<&'static str> {
    let PaymentMethodData::Payer(payer) = &request.data else {
        return None;
    };
    let billing = request.details.payer.billing.as_ref();
    let country = payer.method.country.or(billing.and_then(Address::country));
    country.map(CountryCode::as_str)
}

fn adyens_type(kind: Kind, currency: Currency) -> Option<&'static str> {
    let (word, _) = METHODS.iter().find(|(_, rules)| rules.kind == kind)?;
    // Afterpay has another name in the United Kingdom.
    let is_clearpay = kind == Kind::AfterpayClearpay && currency == GBP;
    Some(if is_clearpay { "clearpay" } else { *word })
}

fn polish_bank(payer: &PayerData) -> Option<&'static str> {
    let mut banks = POLISH_BANKS.iter();
    let (_, number) = banks.find(|(bank, _)| payer.method.bank_name == Some(*bank))?;
    Some(*number)
}
