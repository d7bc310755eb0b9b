//! The simulated processor's error codes.

use crate::{ErrorAnswer, ErrorBody, WireResponse};

/// Declares the table: code, HTTP status and default message.
macro_rules! codes {
    ($($(#[$meta:meta])* $variant:ident = $code:literal, $status:literal, $message:literal;)+) => {
        /// The processor's error codes. Codes up to `DC_08` are those of the public test processor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ErrorCode { $($(#[$meta])* $variant),+ }

        impl ErrorCode {
            /// All codes.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$variant),+];

            /// `DC_…`
            pub fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$variant => $code),+ }
            }

            /// Returns the HTTP status of the error.
            pub fn status(self) -> u16 {
                match self { $(ErrorCode::$variant => $status),+ }
            }

            /// Returns the default message.
            pub fn message(self) -> &'static str {
                match self { $(ErrorCode::$variant => $message),+ }
            }
        }
    };
}

codes! {
    Internal = "DC_00", 500, "The processor has trouble of its own";
    NotFound = "DC_01", 404, "There is nothing under this key";
    InvalidMember = "DC_02", 400, "A member is missing or can't be read";
    /// The public test processor answers this with 500, which would leave the outcome unknown.
    RefundTooLarge = "DC_03", 400, "The refund is above what is left of the captured amount";
    CardNotSupported = "DC_04", 400, "Card not supported. Please use test cards";
    RefundNotFound = "DC_05", 404, "There is no refund under this key";
    DisputeNotFound = "DC_16", 404, "There is no dispute of this name";
    DisputeOver = "DC_17", 400, "The dispute is over";
    /// The authorization's state doesn't allow the operation.
    NotSuccessful = "DC_06", 400, "The payment's state doesn't allow it";
    Storage = "DC_07", 500, "The processor's ledger can't be written";
    Declined = "DC_08", 400, "Payment declined: Card declined";
    AmountAboveRest = "DC_09", 400, "The amount is above what is left of the authorization";
    KeyUsedOtherwise = "DC_10", 409, "This key was used with other terms before";
    NoApiKey = "DC_11", 401, "An API key is needed";
    /// The answer to [`REFUSED_API_KEY`](crate::REFUSED_API_KEY).
    UnknownApiKey = "DC_14", 401, "This API key opens no account";
    NoSuchRoute = "DC_12", 404, "There is no such resource";
    /// No capture of the authorization can succeed any more.
    AuthorizationGone = "DC_13", 400, "The authorization is over: it has lapsed, was voided or was captured for good";
    /// The payer cancelled a method that they finish at the processor's page.
    CancelledByPayer = "DC_18", 400, "Payment declined: Cancelled by the payer";
    AccountClosed = "DC_19", 400, "Payment declined: Account closed";
    NoSuchAccount = "DC_20", 400, "Payment declined: No such account";
    /// The time to pay by a method that the payer finishes elsewhere is over.
    OutOfTime = "DC_21", 400, "Payment declined: The payer did not decide in time";
    /// Only notices contain it.
    TakenBack = "DC_15", 400, "What had been done failed after all";
}

impl ErrorCode {
    /// Returns the code with this spelling, if it is in the table.
    pub fn parse(code: &str) -> Option<ErrorCode> {
        ErrorCode::ALL
            .iter()
            .copied()
            .find(|own| own.as_str() == code)
    }

    /// Returns the error with its default message.
    pub fn plain(self) -> ErrorBody {
        self.saying(self.message())
    }

    /// Returns the error with this message.
    pub fn saying(self, message: impl Into<String>) -> ErrorBody {
        ErrorBody {
            code: self.as_str().to_owned(),
            message: message.into(),
            in_authentication: false,
            issuer: None,
        }
    }
}

/// Returns the answer with this error. Codes that aren't in the table come from scripts and have
/// status 400.
pub fn answer(error: ErrorBody) -> WireResponse {
    let status = ErrorCode::parse(&error.code).map_or(400, ErrorCode::status);
    WireResponse::json(status, &ErrorAnswer { error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table() {
        let table: Vec<_> = ErrorCode::ALL
            .iter()
            .map(|code| (code.as_str(), code.status()))
            .collect();
        let expected = [
            ("DC_00", 500),
            ("DC_01", 404),
            ("DC_02", 400),
            ("DC_03", 400),
            ("DC_04", 400),
            ("DC_05", 404),
            ("DC_16", 404),
            ("DC_17", 400),
            ("DC_06", 400),
            ("DC_07", 500),
            ("DC_08", 400),
            ("DC_09", 400),
            ("DC_10", 409),
            ("DC_11", 401),
            ("DC_14", 401),
            ("DC_12", 404),
            ("DC_13", 400),
            ("DC_18", 400),
            ("DC_19", 400),
            ("DC_20", 400),
            ("DC_21", 400),
            ("DC_15", 400),
        ];
        assert_eq!(table, expected);
        for code in ErrorCode::ALL {
            assert_eq!(ErrorCode::parse(code.as_str()), Some(*code));
        }
        assert_eq!(ErrorCode::parse("DC_99"), None);
    }
}
