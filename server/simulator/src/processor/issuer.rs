//! The answers of the simulated issuers, and the advice of their schemes.

use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{ErrorBody, IssuerBody};
use serde_json::{Map, Value};

/// The schemes' advice codes and their texts.
const NEW_DATA: (&str, &str) = ("01", "Ask the payer for the card's data again");
const LATER: (&str, &str) = ("02", "Try again later");
const WITH_PAYER: (&str, &str) = ("04", "Ask the payer to authenticate");
const NEVER: (&str, &str) = ("03", "Do not try again");

/// The reason of a decline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    CardDeclined,
    InsufficientFunds,
    LostCard,
    StolenCard,
    ExpiredCard,
    IncorrectCode,
    TooOften,
    SuspectedFraud,
    AuthenticationRequired,
}

impl Reason {
    const ALL: &'static [Reason] = &[
        Reason::CardDeclined,
        Reason::InsufficientFunds,
        Reason::LostCard,
        Reason::StolenCard,
        Reason::ExpiredCard,
        Reason::IncorrectCode,
        Reason::TooOften,
        Reason::SuspectedFraud,
        Reason::AuthenticationRequired,
    ];

    /// Returns the processor's message, the issuer's code and message, and the scheme's advice.
    fn words(
        self,
    ) -> (
        &'static str,
        &'static str,
        &'static str,
        (&'static str, &'static str),
    ) {
        match self {
            Reason::CardDeclined => ("Card declined", "05", "Do not honour", LATER),
            Reason::InsufficientFunds => {
                ("Insufficient funds", "51", "Not sufficient funds", LATER)
            }
            Reason::LostCard => ("Lost card", "41", "Lost card", NEVER),
            Reason::StolenCard => ("Stolen card", "43", "Stolen card", NEVER),
            Reason::ExpiredCard => ("Expired card", "54", "Expired card", NEW_DATA),
            Reason::IncorrectCode => ("Incorrect card code", "N7", "Card code mismatch", NEW_DATA),
            Reason::TooOften => (
                "Card used too often",
                "65",
                "Exceeds frequency limit",
                LATER,
            ),
            Reason::SuspectedFraud => ("Suspected fraud", "59", "Suspected fraud", NEVER),
            Reason::AuthenticationRequired => (
                "Authentication required",
                "1A",
                "Additional customer authentication required",
                WITH_PAYER,
            ),
        }
    }

    fn message(self) -> String {
        let (word, ..) = self.words();
        format!("Payment declined: {word}")
    }

    /// Returns the processor's error.
    pub fn to_error(self) -> ErrorBody {
        with_issuer(ErrorCode::Declined.saying(self.message()))
    }
}

/// Adds the issuer's answer to an issuer's decline. The ledger stores only the processor's message,
/// from which the issuer's answer follows.
pub fn with_issuer(error: ErrorBody) -> ErrorBody {
    let said = Reason::ALL.iter().find(|reason| {
        error.code == ErrorCode::Declined.as_str() && error.message == reason.message()
    });
    let issuer = said.map(|reason| {
        let (_, code, message, (advice_code, advice_message)) = reason.words();
        Box::new(IssuerBody {
            code: code.to_owned(),
            message: message.to_owned(),
            advice_code: advice_code.to_owned(),
            advice_message: advice_message.to_owned(),
        })
    });
    ErrorBody { issuer, ..error }
}

/// Returns an approval code: the last six digits of the approved amount.
pub fn auth_code(approved: i64) -> String {
    format!("{:06}", approved % 1_000_000)
}

/// The prefix of a scheme's reference.
const NETWORK_TRANSACTION: &str = "nti";

/// Returns the scheme's reference of a payment, derived from the processor's.
pub fn network_transaction_id(reference: &str) -> String {
    let characters = reference.bytes().filter(u8::is_ascii_alphanumeric);
    let own: String = characters.map(char::from).collect();
    format!("{NETWORK_TRANSACTION}{own}")
}

/// Checks whether a text can be a reference of the simulated schemes, from any processor.
pub fn is_network_transaction_id(text: &str) -> bool {
    text.strip_prefix(NETWORK_TRANSACTION)
        .is_some_and(|own| own.len() > 3 && own.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Returns the 3-D Secure results of a payer who approved.
pub fn authentication() -> Map<String, Value> {
    let results = [
        ("authentication_flow", "challenge"),
        ("electronic_commerce_indicator", "05"),
        ("result", "authenticated"),
        ("version", "2.2.0"),
    ];
    let results = results.into_iter();
    results
        .map(|(name, word)| (name.to_owned(), word.into()))
        .collect()
}
