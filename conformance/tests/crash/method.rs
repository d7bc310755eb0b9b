//! The methods of the load that payers finish elsewhere: at a page, by a code, a voucher or a transfer.

use multirail_conformance::bodies::with;
use serde_json::{Value, json};

/// A method of the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Ideal,
    Klarna,
    Pix,
    Boleto,
    Oxxo,
    Multibanco,
    Transfer,
}

impl Method {
    /// The methods that the simulator takes, each with its weight.
    pub const AT_SIMULATOR: &[(u64, Method)] = &[
        (30, Method::Ideal),
        (15, Method::Klarna),
        (20, Method::Pix),
        (10, Method::Boleto),
        (5, Method::Oxxo),
        (10, Method::Multibanco),
        (10, Method::Transfer),
    ];

    /// The methods that the stand-in of Stripe takes.
    pub const AT_STRIPE: &[(u64, Method)] = &[(60, Method::Ideal), (40, Method::Klarna)];

    pub fn currency(self) -> &'static str {
        match self {
            Method::Ideal | Method::Klarna | Method::Multibanco | Method::Transfer => "EUR",
            Method::Pix | Method::Boleto => "BRL",
            Method::Oxxo => "MXN",
        }
    }

    pub fn is_transfer(self) -> bool {
        match self {
            Method::Multibanco | Method::Transfer => true,
            Method::Ideal | Method::Klarna | Method::Pix | Method::Boleto | Method::Oxxo => false,
        }
    }

    pub fn is_voucher(self) -> bool {
        match self {
            Method::Boleto | Method::Oxxo => true,
            Method::Ideal
            | Method::Klarna
            | Method::Pix
            | Method::Multibanco
            | Method::Transfer => false,
        }
    }

    /// Checks whether the payer enters something that is sent with the confirm and never stored.
    pub fn has_secret(self) -> bool {
        match self {
            Method::Boleto => true,
            Method::Ideal
            | Method::Klarna
            | Method::Pix
            | Method::Oxxo
            | Method::Multibanco
            | Method::Transfer => false,
        }
    }

    /// Returns the members of a request that pays by this method.
    pub fn members(self) -> Value {
        let (family, kind, member, choices) = match self {
            Method::Ideal => (
                "bank_redirect",
                "ideal",
                "ideal",
                json!({ "bank_name": "ing" }),
            ),
            Method::Klarna => {
                let choices =
                    json!({ "billing_email": "ada@example.com", "billing_country": "NL" });
                ("pay_later", "klarna", "klarna_redirect", choices)
            }
            Method::Pix => ("bank_transfer", "pix", "pix", json!({})),
            Method::Boleto => {
                let choices = json!({ "social_security_number": "12345678909" });
                return with(by("voucher", "boleto", "boleto", choices), payer_in("BR"));
            }
            Method::Oxxo => {
                return with(by("voucher", "oxxo", "oxxo", json!({})), payer_in("MX"));
            }
            Method::Multibanco => {
                let choices = json!({ "billing_details": { "email": "ada@example.com" } });
                (
                    "bank_transfer",
                    "multibanco",
                    "multibanco_bank_transfer",
                    choices,
                )
            }
            Method::Transfer => {
                let choices =
                    json!({ "country": "NL", "billing_details": { "name": "Ada Okafor" } });
                (
                    "bank_transfer",
                    "sepa_bank_transfer",
                    "sepa_bank_transfer",
                    choices,
                )
            }
        };
        by(family, kind, member, choices)
    }
}

fn by(family: &str, kind: &str, member: &str, choices: Value) -> Value {
    json!({
        "payment_method": family, "payment_method_type": kind,
        "payment_method_data": { family: { member: choices } },
    })
}

fn payer_in(country: &str) -> Value {
    json!({ "billing": {
        "email": "ada@example.com", "address": { "first_name": "Ada", "last_name": "Okafor", "country": country },
    } })
}
