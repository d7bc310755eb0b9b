//! What the issuers of the simulated cards say when they approve and when they decline, and what their schemes advise.

use multirail_simulator_wire::errors::ErrorCode;
use multirail_simulator_wire::{ErrorBody, IssuerBody};
use serde_json::{Map, Value};

/// The advice codes of the schemes, in words.
const NEW_DATA: (&str, &str) = ("01", "Ask the payer for the card's data again");
const LATER: (&str, &str) = ("02", "Try again later");
const WITH_PAYER: (&str, &str) = ("04", "Ask the payer to authenticate");
const NEVER: (&str, &str) = ("03", "Do not try again");

/// Why an issuer declines.
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

    /// The processor's word for it, the issuer's response code and words, and the scheme's advice.
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

    /// The processor's refusal for it.
    pub fn to_error(self) -> ErrorBody {
        with_issuer(ErrorCode::Declined.saying(self.message()))
    }
}

/// The same refusal with what the issuer said, where it was an issuer that declined. The books keep the processor's words
/// alone, and the issuer's follow from them.
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

/// The code of an approval: the last six digits of what was approved.
pub fn auth_code(approved: i64) -> String {
    format!("{:06}", approved % 1_000_000)
}

/// What the schemes' references of payments begin with.
const NETWORK_TRANSACTION: &str = "nti";

/// The scheme's reference of a payment, of the processor's own.
pub fn network_transaction_id(reference: &str) -> String {
    let characters = reference.bytes().filter(u8::is_ascii_alphanumeric);
    let own: String = characters.map(char::from).collect();
    format!("{NETWORK_TRANSACTION}{own}")
}

/// Whether one of the simulated schemes may have given it, to whichever processor.
pub fn is_network_transaction_id(text: &str) -> bool {
    text.strip_prefix(NETWORK_TRANSACTION)
        .is_some_and(|own| own.len() > 3 && own.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// The results of 3-D Secure with a payer who approved.
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
