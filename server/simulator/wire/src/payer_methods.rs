//! The methods that a payer finishes at a page of the processor.

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

    /// Returns the method of this word.
    pub fn parse(word: &str) -> Option<PayerMethod> {
        let mut methods = PAYER_METHODS.iter().copied();
        methods.find(|method| method.word == word)
    }
}

const AU: CountryCode = CountryCode::known("AU");
const CA: CountryCode = CountryCode::known("CA");
const GB: CountryCode = CountryCode::known("GB");
const NZ: CountryCode = CountryCode::known("NZ");
const US: CountryCode = CountryCode::known("US");

/// Every method.
#[rustfmt::skip]
pub const PAYER_METHODS: [PayerMethod; 14] = [
    reserving("affirm", "Affirm", &[CAD, USD]).for_payers_in(&[CA, US]),
    reserving("afterpay_clearpay", "Afterpay", &[AUD, CAD, GBP, NZD, USD]).for_payers_in(&[AU, CA, GB, NZ, US]),
    at_once("ali_pay", "Alipay", &[AUD, CAD, CNY, EUR, GBP, HKD, JPY, MYR, NZD, SGD, USD]),
    at_once("bancontact_card", "Bancontact", &[EUR]),
    at_once("eps", "eps", &[EUR]),
    at_once("ideal", "iDEAL", &[EUR]),
    reserving("klarna", "Klarna", &[AUD, CAD, CHF, CZK, DKK, EUR, GBP, NOK, NZD, PLN, SEK, USD]),
    reserving("mobile_pay", "MobilePay", &[DKK, EUR, NOK, SEK]),
    at_once("online_banking_poland", "Przelewy online", &[PLN]),
    reserving("paypal", "PayPal", &[
        AUD, BRL, CAD, CHF, CZK, DKK, EUR, GBP, HKD, HUF, ILS, JPY, MXN, NOK, NZD, PHP, PLN, SEK, SGD, THB, TWD, USD,
    ]),
    at_once("przelewy24", "Przelewy24", &[EUR, PLN]),
    at_once("trustly", "Trustly", &[CZK, DKK, EUR, GBP, NOK, PLN, SEK]),
    at_once("twint", "TWINT", &[CHF]),
    reserving("vipps", "Vipps", &[NOK]),
];
