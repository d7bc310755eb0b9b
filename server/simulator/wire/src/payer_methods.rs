//! The methods that a payer finishes at a page of the processor.

use multirail_kernel::currency::Currency;

/// One of these methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayerMethod {
    /// The method's word in requests.
    pub word: &'static str,
    /// The name that the page shows.
    pub name: &'static str,
    /// The only accepted currencies.
    pub currencies: &'static [Currency],
    /// The money can be reserved, and captured later.
    pub reserves: bool,
}

pub const IDEAL: PayerMethod = PayerMethod {
    word: "ideal",
    name: "iDEAL",
    currencies: &[Currency::EUR],
    reserves: false,
};

pub const KLARNA: PayerMethod = PayerMethod {
    word: "klarna",
    name: "Klarna",
    currencies: &[
        Currency::AUD,
        Currency::CAD,
        Currency::CHF,
        Currency::CZK,
        Currency::DKK,
        Currency::EUR,
        Currency::GBP,
        Currency::NOK,
        Currency::NZD,
        Currency::PLN,
        Currency::SEK,
        Currency::USD,
    ],
    reserves: true,
};

pub const PAYPAL: PayerMethod = PayerMethod {
    word: "paypal",
    name: "PayPal",
    currencies: &[
        Currency::AUD,
        Currency::BRL,
        Currency::CAD,
        Currency::CHF,
        Currency::CZK,
        Currency::DKK,
        Currency::EUR,
        Currency::GBP,
        Currency::HKD,
        Currency::HUF,
        Currency::ILS,
        Currency::JPY,
        Currency::MXN,
        Currency::NOK,
        Currency::NZD,
        Currency::PHP,
        Currency::PLN,
        Currency::SEK,
        Currency::SGD,
        Currency::THB,
        Currency::TWD,
        Currency::USD,
    ],
    reserves: true,
};

/// Every method.
pub const PAYER_METHODS: [PayerMethod; 3] = [IDEAL, KLARNA, PAYPAL];

impl PayerMethod {
    /// Returns the method of this word.
    pub fn parse(word: &str) -> Option<PayerMethod> {
        PAYER_METHODS
            .iter()
            .copied()
            .find(|method| method.word == word)
    }
}
