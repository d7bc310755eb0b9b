//! Methods that the payer finishes at a page, as far as the stand-in supports them.

use serde_json::Value;

use super::ledger::{Said, invalid};

/// A method, with Stripe's rules.
#[derive(Debug, PartialEq, Eq)]
pub struct Method {
    pub word: &'static str,
    currencies: &'static [&'static str],
    /// The money can be reserved.
    reserves: bool,
    /// Required members, as JSON pointers into the billing details.
    required: &'static [&'static str],
}

const AT_ALIPAY: &[&str] = &[
    "aud", "cad", "cny", "eur", "gbp", "hkd", "jpy", "myr", "nzd", "sgd", "usd",
];
const AT_KLARNA: &[&str] = &[
    "aud", "cad", "chf", "czk", "dkk", "eur", "gbp", "nok", "nzd", "pln", "ron", "sek", "usd",
];
const AT_PAYPAL: &[&str] = &[
    "aud", "cad", "chf", "czk", "dkk", "eur", "gbp", "hkd", "nok", "nzd", "pln", "sek", "sgd",
    "usd",
];
const OF_AFTERPAY: &[&str] = &[
    "/email",
    "/name",
    "/address/line1",
    "/address/city",
    "/address/postal_code",
    "/address/country",
];

static METHODS: [Method; 11] = [
    reserving("affirm", &["cad", "usd"], &[]),
    reserving(
        "afterpay_clearpay",
        &["aud", "cad", "gbp", "nzd", "usd"],
        OF_AFTERPAY,
    ),
    at_once("alipay", AT_ALIPAY, &[]),
    at_once("bancontact", &["eur"], &["/name"]),
    at_once("eps", &["eur"], &["/name"]),
    at_once("ideal", &["eur"], &[]),
    reserving("klarna", AT_KLARNA, &["/email", "/address/country"]),
    reserving("mobilepay", &["dkk", "eur", "nok", "sek"], &[]),
    at_once("p24", &["eur", "pln"], &["/email"]),
    reserving("paypal", AT_PAYPAL, &[]),
    at_once("twint", &["chf"], &[]),
];

const fn at_once(
    word: &'static str,
    currencies: &'static [&'static str],
    required: &'static [&'static str],
) -> Method {
    Method {
        word,
        currencies,
        reserves: false,
        required,
    }
}

const fn reserving(
    word: &'static str,
    currencies: &'static [&'static str],
    required: &'static [&'static str],
) -> Method {
    Method {
        reserves: true,
        ..at_once(word, currencies, required)
    }
}

impl Method {
    /// Returns the method of a new payment, or Stripe's refusal.
    pub fn of_payment(params: &Value) -> Result<&'static Method, Said> {
        let data = &params["payment_method_data"];
        let mut methods = METHODS.iter();
        let Some(method) = methods.find(|own| data["type"] == own.word) else {
            let message = "The type is not supported";
            return Err(invalid(
                "parameter_invalid_empty",
                message,
                "payment_method_data[type]",
            ));
        };
        let wrong = |message: &str, param: &str| {
            Err(invalid("payment_intent_invalid_parameter", message, param))
        };
        if params["payment_method_types"][0] != method.word {
            return wrong("Another type is allowed", "payment_method_types");
        }
        if !method
            .currencies
            .iter()
            .any(|own| params["currency"] == *own)
        {
            return wrong("The method has another currency", "currency");
        }
        if params["capture_method"] == "manual" && !method.reserves {
            return wrong("The method can't be captured later", "capture_method");
        }
        if params["return_url"].is_null() {
            return wrong("The payer is redirected", "return_url");
        }
        let address = &params["shipping"]["address"];
        let lacks = |name: &&&str| address[**name].is_null();
        if method.word == "afterpay_clearpay"
            && !address.is_null()
            && let Some(name) = ["line1", "postal_code", "country"].iter().find(lacks)
        {
            let param = format!("shipping[address][{name}]");
            return Err(invalid("parameter_missing", "It is required", &param));
        }
        let details = &data["billing_details"];
        let mut required = method.required.iter();
        match required.find(|pointer| details.pointer(pointer).is_none()) {
            Some(missing) => Err(invalid("parameter_missing", "It is required", missing)),
            None => Ok(method),
        }
    }
}
