//! Stripe's public test cards, as far as the stand-in supports them. TEST_CARDS.md lists them for
//! merchants.

use serde_json::{Value, json};

use super::methods::{Ending, Method, US_BANK_ACCOUNT};

/// The behavior of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Card {
    Approved,
    Declined(&'static Refusal),
    /// The payer must always authenticate.
    Authenticated(After),
    /// The payer must authenticate if the merchant asks for it.
    CanAuthenticate,
    /// The scheme doesn't support incremental authorizations.
    Unraisable,
    /// Refunds are pending first.
    SlowRefunds,
    /// Refunds succeed first and fail later.
    FailingRefunds,
    /// No card, but a method that the payer finishes elsewhere.
    Elsewhere(&'static Method),
    /// A bank account to debit.
    Debited(&'static Method, Account),
}

/// The behavior of a debited account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    Pays,
    LacksFunds,
}

/// The result after a successful authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Approved,
    Declined,
}

/// The reason of a decline.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    pub code: &'static str,
    pub decline_code: Option<&'static str>,
    pub network_decline_code: Option<&'static str>,
    pub advice_code: Option<&'static str>,
}

const fn declined(
    decline_code: &'static str,
    network: &'static str,
    advice: &'static str,
) -> Refusal {
    Refusal {
        code: "card_declined",
        decline_code: Some(decline_code),
        network_decline_code: Some(network),
        advice_code: Some(advice),
    }
}

const fn refused(code: &'static str) -> Refusal {
    Refusal {
        code,
        decline_code: None,
        network_decline_code: None,
        advice_code: None,
    }
}

pub static GENERIC: Refusal = declined("generic_decline", "05", "try_again_later");
pub static INSUFFICIENT: Refusal = declined("insufficient_funds", "51", "try_again_later");
static LOST: Refusal = declined("lost_card", "41", "do_not_try_again");
static STOLEN: Refusal = declined("stolen_card", "43", "do_not_try_again");
static VELOCITY: Refusal = declined("card_velocity_exceeded", "65", "try_again_later");
static EXPIRED: Refusal = refused("expired_card");
static WRONG_CODE: Refusal = refused("incorrect_cvc");
static PROCESSING: Refusal = refused("processing_error");
/// The payer failed or left the authentication.
pub static NOT_AUTHENTICATED: Refusal = refused("payment_intent_authentication_failure");
/// The payer never decided.
pub static NOT_DECIDED: Refusal = refused("payment_intent_payment_attempt_expired");
/// The payer refused in an app.
pub static NOT_AGREED: Refusal = refused("payment_method_customer_decline");
/// The issuer requires authentication of an absent payer.
pub static NEEDS_AUTHENTICATION: Refusal =
    declined("authentication_required", "1A", "confirm_card_data");

/// Every card by its number.
pub const ALL: &[(&str, Card)] = &[
    ("4242424242424242", Card::Approved),
    ("5555555555554444", Card::Approved),
    ("378282246310005", Card::Approved),
    ("3566002020360505", Card::Unraisable),
    ("4000000000000002", Card::Declined(&GENERIC)),
    ("4000000000009995", Card::Declined(&INSUFFICIENT)),
    ("4000000000009987", Card::Declined(&LOST)),
    ("4000000000009979", Card::Declined(&STOLEN)),
    ("4000000000006975", Card::Declined(&VELOCITY)),
    ("4000000000000069", Card::Declined(&EXPIRED)),
    ("4000000000000127", Card::Declined(&WRONG_CODE)),
    ("4000000000000119", Card::Declined(&PROCESSING)),
    ("4000002760003184", Card::Authenticated(After::Approved)),
    ("4000000000003220", Card::Authenticated(After::Approved)),
    ("4000008400001629", Card::Authenticated(After::Declined)),
    ("4000000000003055", Card::CanAuthenticate),
    ("4000000000007726", Card::SlowRefunds),
    ("4000000000005126", Card::FailingRefunds),
];

/// Tokens of the test mode.
const TOKENS: &[(&str, Card)] = &[
    ("tok_visa", Card::Approved),
    ("tok_chargeDeclined", Card::Declined(&GENERIC)),
];

impl Card {
    /// Returns the test card behind this token.
    pub fn of_token(token: &str) -> Option<Card> {
        let mut rows = TOKENS.iter();
        rows.find(|(own, _)| *own == token).map(|(_, card)| *card)
    }

    /// Returns the test card with this number.
    pub fn by_number(number: &str) -> Option<Card> {
        let mut rows = ALL.iter();
        rows.find(|(own, _)| *own == number).map(|(_, card)| *card)
    }

    /// Returns the method, if this is no card.
    pub fn method(self) -> Option<&'static Method> {
        if let Card::Elsewhere(method) | Card::Debited(method, _) = self {
            return Some(method);
        }
        None
    }

    /// Returns the account, if one is debited.
    pub fn account(self) -> Option<Account> {
        if let Card::Debited(_, account) = self {
            return Some(account);
        }
        None
    }

    /// Returns the reason of a payment that the payer doesn't want.
    pub fn unwanted(self) -> &'static Refusal {
        match self.method().map(|method| method.ending) {
            Some(Ending::Leaves) | None => &NOT_AUTHENTICATED,
            Some(Ending::Refuses) => &NOT_AGREED,
            Some(Ending::Lapses) => &NOT_DECIDED,
        }
    }

    /// Checks whether the payer must act; `wanted` is the merchant's wish.
    pub fn asks_the_payer(self, wanted: bool) -> bool {
        match self {
            Card::Authenticated(_) | Card::Elsewhere(_) => true,
            Card::CanAuthenticate => wanted,
            // The payer confirms small deposits.
            Card::Debited(method, _) => method.word == US_BANK_ACCOUNT,
            Card::Approved
            | Card::Declined(_)
            | Card::Unraisable
            | Card::SlowRefunds
            | Card::FailingRefunds => false,
        }
    }

    /// Returns the reason of a decline, after any required authentication.
    pub fn refusal(self) -> Option<&'static Refusal> {
        match self {
            Card::Declined(refusal) => Some(refusal),
            Card::Authenticated(After::Declined) => Some(&GENERIC),
            Card::Authenticated(After::Approved)
            | Card::Approved
            | Card::CanAuthenticate
            | Card::Unraisable
            | Card::SlowRefunds
            | Card::FailingRefunds
            | Card::Elsewhere(_)
            | Card::Debited(..) => None,
        }
    }
}

impl Refusal {
    /// Returns the error for an answer and for the payment.
    pub fn error(&self) -> Value {
        let mut error = json!({
            "type": "card_error",
            "code": self.code,
            "message": format!("The card was not charged: {}.", self.decline_code.unwrap_or(self.code)),
        });
        for (name, value) in [
            ("decline_code", self.decline_code),
            ("network_decline_code", self.network_decline_code),
            ("advice_code", self.advice_code),
        ] {
            if let Some(value) = value {
                error[name] = value.into();
            }
        }
        error
    }
}
