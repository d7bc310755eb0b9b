//! Debits of bank accounts.

use multirail_kernel::currency::Currency::{self, *};
use multirail_kernel::secret::{SecretText, sealed};
use serde::{Deserialize, Serialize};

/// A scheme of debits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebitScheme {
    /// The scheme's word in requests.
    pub word: &'static str,
    /// The only accepted currencies.
    pub currencies: &'static [Currency],
    /// The scheme's code and text of a return.
    pub returned: (&'static str, &'static str),
}

impl DebitScheme {
    /// Returns the scheme of this word.
    pub fn parse(word: &str) -> Option<DebitScheme> {
        let mut schemes = DEBIT_SCHEMES.iter().copied();
        schemes.find(|scheme| scheme.word == word)
    }
}

/// Every scheme.
pub const DEBIT_SCHEMES: [DebitScheme; 4] = [
    DebitScheme {
        word: "ach",
        currencies: &[USD],
        returned: ("R10", "The payer did not authorize the debit"),
    },
    DebitScheme {
        word: "bacs",
        currencies: &[GBP],
        returned: ("DDICA", "The payer claimed the debit back"),
    },
    DebitScheme {
        word: "becs",
        currencies: &[AUD],
        returned: ("unauthorised", "The payer claimed the debit back"),
    },
    DebitScheme {
        word: "sepa",
        currencies: &[EUR],
        returned: ("MD06", "The payer claimed the debit back"),
    },
];

/// The account to debit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebitBody {
    /// The word of one of [`DEBIT_SCHEMES`].
    pub scheme: String,
    /// The account number or IBAN. It is never filed.
    #[serde(with = "sealed")]
    pub number: SecretText,
    /// Identifies the bank, apart from `sepa`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_code: Option<String>,
    /// The holder of the account.
    pub holder: String,
}
