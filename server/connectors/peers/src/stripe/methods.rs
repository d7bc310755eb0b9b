//! Methods that the payer finishes elsewhere, as far as the stand-in supports them.

use serde_json::Value;

use super::cards::{Account, Card};
use super::ledger::{Said, int, invalid, text};

pub const US_BANK_ACCOUNT: &str = "us_bank_account";
/// Accounts without funds.
const EMPTY: [&str; 4] = [
    "DE62370400440532013001",
    "000222222227",
    "22222227",
    "222222227",
];

/// A method, with Stripe's rules.
#[derive(Debug, PartialEq, Eq)]
pub struct Method {
    pub word: &'static str,
    currencies: &'static [&'static str],
    /// The money can be reserved.
    reserves: bool,
    /// A bank account is debited.
    debits: bool,
    /// Required members, as JSON pointers into the billing details.
    required: &'static [&'static str],
    /// A required member outside of the billing details, as a JSON pointer into the request.
    entered: Option<&'static str>,
    /// The smallest and the largest amount, by currency.
    amounts: &'static [(&'static str, i64, i64)],
    pub ending: Ending,
    pub refunds: Refunds,
}

/// The end of a payment that the payer doesn't want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The payer leaves the page.
    Leaves,
    /// The payer refuses in an app.
    Refuses,
    /// The payer never pays.
    Lapses,
}

/// The way of refunds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refunds {
    AtOnce,
    /// They are pending first.
    Later,
    Never,
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

const OF_BOLETO: &[&str] = &[
    "/email",
    "/name",
    "/address/line1",
    "/address/city",
    "/address/state",
    "/address/postal_code",
    "/address/country",
];
const AT_WECHAT: &[&str] = &[
    "aud", "cad", "chf", "cny", "dkk", "eur", "gbp", "hkd", "jpy", "nok", "sek", "sgd", "usd",
];

const OF_BACS: &[&str] = &[
    "/email",
    "/name",
    "/address/line1",
    "/address/city",
    "/address/postal_code",
    "/address/country",
];

static METHODS: [Method; 24] = [
    debiting(
        "au_becs_debit",
        &["aud"],
        &["/email", "/name"],
        "/payment_method_data/au_becs_debit/account_number",
    ),
    Method {
        amounts: &[("gbp", 30, 10_000_000)],
        ..debiting(
            "bacs_debit",
            &["gbp"],
            OF_BACS,
            "/payment_method_data/bacs_debit/account_number",
        )
    },
    debiting(
        "sepa_debit",
        &["eur"],
        &["/email", "/name"],
        "/payment_method_data/sepa_debit/iban",
    ),
    debiting(
        US_BANK_ACCOUNT,
        &["usd"],
        &["/name"],
        "/payment_method_data/us_bank_account/account_number",
    ),
    Method {
        amounts: &[("cad", 5_000, 3_000_000), ("usd", 3_500, 3_000_000)],
        ..reserving("affirm", &["cad", "usd"], &[])
    },
    Method {
        amounts: &[
            ("aud", 100, 200_000),
            ("cad", 100, 200_000),
            ("gbp", 100, 120_000),
            ("nzd", 100, 200_000),
            ("usd", 100, 400_000),
        ],
        ..reserving(
            "afterpay_clearpay",
            &["aud", "cad", "gbp", "nzd", "usd"],
            OF_AFTERPAY,
        )
    },
    at_once("alipay", AT_ALIPAY, &[]),
    at_once("bancontact", &["eur"], &["/name"]),
    Method {
        entered: Some("/payment_method_options/blik/code"),
        ending: Ending::Refuses,
        ..at_once("blik", &["pln"], &[])
    },
    Method {
        entered: Some("/payment_method_data/boleto/tax_id"),
        amounts: &[("brl", 500, 4_999_999)],
        refunds: Refunds::Never,
        ending: Ending::Lapses,
        ..at_once("boleto", &["brl"], OF_BOLETO)
    },
    Method {
        ending: Ending::Refuses,
        ..reserving("cashapp", &["usd"], &[])
    },
    at_once("eps", &["eur"], &["/name"]),
    at_once("ideal", &["eur"], &[]),
    reserving("klarna", AT_KLARNA, &["/email", "/address/country"]),
    reserving("mobilepay", &["dkk", "eur", "nok", "sek"], &[]),
    Method {
        amounts: &[("eur", 50, 9_999_900)],
        refunds: Refunds::Later,
        ending: Ending::Lapses,
        ..at_once("multibanco", &["eur"], &["/email"])
    },
    Method {
        amounts: &[("mxn", 1_000, 1_000_000)],
        refunds: Refunds::Never,
        ending: Ending::Lapses,
        ..at_once("oxxo", &["mxn"], &["/email", "/name"])
    },
    at_once("p24", &["eur", "pln"], &["/email"]),
    reserving("paypal", AT_PAYPAL, &[]),
    Method {
        ending: Ending::Lapses,
        ..at_once("pix", &["brl"], &[])
    },
    Method {
        ending: Ending::Refuses,
        ..at_once("swish", &["sek"], &[])
    },
    at_once("twint", &["chf"], &[]),
    Method {
        ending: Ending::Refuses,
        ..at_once("upi", &["inr"], &[])
    },
    Method {
        entered: Some("/payment_method_options/wechat_pay/client"),
        refunds: Refunds::Later,
        ending: Ending::Refuses,
        ..at_once("wechat_pay", AT_WECHAT, &[])
    },
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
        debits: false,
        required,
        entered: None,
        amounts: &[],
        ending: Ending::Leaves,
        refunds: Refunds::AtOnce,
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

const fn debiting(
    word: &'static str,
    currencies: &'static [&'static str],
    required: &'static [&'static str],
    account: &'static str,
) -> Method {
    Method {
        debits: true,
        entered: Some(account),
        refunds: Refunds::Later,
        ..at_once(word, currencies, required)
    }
}

impl Method {
    /// Returns the instrument of this method in a new payment.
    pub fn instrument(&'static self, params: &Value) -> Card {
        if !self.debits {
            return Card::Elsewhere(self);
        }
        let number = self.entered.and_then(|place| params.pointer(place));
        let is_empty = number.is_some_and(|number| EMPTY.contains(&text(number)));
        let account = match is_empty {
            true => Account::LacksFunds,
            false => Account::Pays,
        };
        Card::Debited(self, account)
    }

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
        if method.debits && params["mandate_data"]["customer_acceptance"]["type"].is_null() {
            return wrong("The payer has to consent", "mandate_data");
        }
        if !method.debits && params["return_url"].is_null() {
            return wrong("The payer may be redirected", "return_url");
        }
        method.accepts(text(&params["currency"]), int(&params["amount"]))?;
        method.can_deliver(&params["shipping"]["address"])?;
        let lacking = |param: &str| invalid("parameter_missing", "It is required", param);
        if let Some(entered) = method.entered
            && params.pointer(entered).is_none()
        {
            return Err(lacking(entered));
        }
        let details = &data["billing_details"];
        let mut required = method.required.iter();
        match required.find(|pointer| details.pointer(pointer).is_none()) {
            Some(missing) => Err(lacking(missing)),
            None => Ok(method),
        }
    }

    fn accepts(&self, currency: &str, amount: i64) -> Result<(), Said> {
        let refused = |code, message| Err(invalid(code, message, "amount"));
        let mut rows = self.amounts.iter();
        match rows.find(|(own, ..)| *own == currency) {
            Some((_, least, _)) if amount < *least => {
                refused("amount_too_small", "It is too small")
            }
            Some((.., most)) if amount > *most => refused("amount_too_large", "It is too large"),
            Some(_) | None => Ok(()),
        }
    }

    /// Checks the address of the goods, which Afterpay reads.
    fn can_deliver(&self, address: &Value) -> Result<(), Said> {
        let mut names = ["line1", "postal_code", "country"].iter();
        let is_read = self.word == "afterpay_clearpay" && !address.is_null();
        match names.find(|name| is_read && address[**name].is_null()) {
            Some(name) => {
                let param = format!("shipping[address][{name}]");
                Err(invalid("parameter_missing", "It is required", &param))
            }
            None => Ok(()),
        }
    }
}
