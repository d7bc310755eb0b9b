//! Saved bank accounts, for payouts or debits. (Specification 2.6; facts, appendix A)

mod check;

use multirail_kernel::country::CountryCode;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::last_of;

use check::{iban, is_bic, is_routing_number};

pub use multirail_sdk::bank_account::{BankAccount, BankAccountKind, BankHolderKind, BankScheme};

/// An account for payouts, as the caller wrote it. One of `routing_number`, `sort_code`, `iban` and `pix_key` is present and
/// decides the scheme.
#[derive(Debug, Default)]
pub struct TransferInput {
    pub account_number: Option<SecretText>,
    pub routing_number: Option<String>,
    pub sort_code: Option<String>,
    pub iban: Option<SecretText>,
    pub bic: Option<String>,
    pub pix_key: Option<SecretText>,
    pub tax_id: Option<SecretText>,
    pub bank_name: Option<String>,
    pub bank_branch: Option<String>,
    pub bank_country: Option<CountryCode>,
    pub bank_city: Option<String>,
    pub holder_name: Option<String>,
}

/// An account to debit, as the caller wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebitInput {
    pub scheme: BankScheme,
    /// Account number or IBAN.
    pub number: SecretText,
    pub bank_code: Option<String>,
    pub bank_name: Option<String>,
    pub holder_name: Option<String>,
    pub kind: Option<BankAccountKind>,
    pub holder_kind: Option<BankHolderKind>,
}

const TRANSFER: &str = "bank_transfer";

impl TransferInput {
    /// Reads the account.
    ///
    /// # Errors
    /// A refusal for members that name no scheme or don't belong to it, and for invalid numbers.
    pub fn check(self) -> Result<BankAccount, Refusal> {
        let said = [
            self.routing_number.is_some(),
            self.sort_code.is_some(),
            self.iban.is_some(),
            self.pix_key.is_some(),
        ];
        let scheme = match said {
            [true, false, false, false] => BankScheme::Ach,
            [false, true, false, false] => BankScheme::Bacs,
            [false, false, true, false] => BankScheme::Sepa,
            [false, false, false, true] => BankScheme::Pix,
            _ => {
                return Err(Refusal::invalid_value(
                    "bank_transfer has to have exactly one of bank_routing_number, bank_sort_code, iban and pix_key",
                ));
            }
        };
        let is_sepa = scheme == BankScheme::Sepa;
        let is_pix = scheme == BankScheme::Pix;
        let strangers = [
            (
                "bank_account_number",
                is_sepa && self.account_number.is_some(),
            ),
            ("bic", !is_sepa && self.bic.is_some()),
            ("tax_id", !is_pix && self.tax_id.is_some()),
            ("bank_branch", !is_pix && self.bank_branch.is_some()),
        ];
        if let Some((member, _)) = strangers.into_iter().find(|(_, is_there)| *is_there) {
            return Err(Refusal::invalid_value(format!(
                "{TRANSFER}.{member} does not go together with the other members"
            )));
        }
        let (number, member) = match self.iban {
            Some(iban) => (iban, "iban"),
            None => {
                let number = self.account_number;
                let missing = || Refusal::missing(format!("{TRANSFER}.bank_account_number"));
                (number.ok_or_else(missing)?, "bank_account_number")
            }
        };
        let (code, code_member) = match scheme {
            BankScheme::Ach => (self.routing_number, "bank_routing_number"),
            BankScheme::Bacs => (self.sort_code, "bank_sort_code"),
            BankScheme::Sepa => (self.bic, "bic"),
            BankScheme::Becs | BankScheme::Pix => (None, "bank_code"),
        };
        Ok(BankAccount {
            scheme,
            number: checked_number(scheme, &number, &format!("{TRANSFER}.{member}"))?,
            bank_code: code
                .map(|code| checked_code(scheme, &code, &format!("{TRANSFER}.{code_member}")))
                .transpose()?,
            pix_key: self.pix_key,
            tax_id: self.tax_id,
            bank_name: self.bank_name,
            bank_branch: self.bank_branch,
            bank_country: self.bank_country,
            bank_city: self.bank_city,
            holder_name: self.holder_name,
            kind: None,
            holder_kind: None,
            unread: UnreadMembers::default(),
        })
    }
}

impl DebitInput {
    /// Returns an account with its number alone.
    pub fn new(scheme: BankScheme, number: SecretText) -> Self {
        DebitInput {
            scheme,
            number,
            bank_code: None,
            bank_name: None,
            holder_name: None,
            kind: None,
            holder_kind: None,
        }
    }

    /// Reads the account. `path` is its path in the body.
    ///
    /// # Errors
    /// A refusal for invalid numbers.
    pub fn check(self, path: &str) -> Result<BankAccount, Refusal> {
        let scheme = self.scheme;
        let (member, code_member) = match scheme {
            BankScheme::Ach => ("account_number", "routing_number"),
            BankScheme::Bacs => ("account_number", "sort_code"),
            BankScheme::Becs => ("account_number", "bsb_number"),
            BankScheme::Pix => ("account_number", "bank_code"),
            BankScheme::Sepa => ("iban", "bic"),
        };
        Ok(BankAccount {
            scheme,
            number: checked_number(scheme, &self.number, &format!("{path}.{member}"))?,
            bank_code: self
                .bank_code
                .map(|code| checked_code(scheme, &code, &format!("{path}.{code_member}")))
                .transpose()?,
            pix_key: None,
            tax_id: None,
            bank_name: self.bank_name,
            bank_branch: None,
            bank_country: None,
            bank_city: None,
            holder_name: self.holder_name,
            kind: self.kind,
            holder_kind: self.holder_kind,
            unread: UnreadMembers::default(),
        })
    }
}

/// Returns a text with all but the last characters hidden, as a payer's client sees it.
pub fn hidden(text: &SecretText) -> String {
    format!("{}{}", text.hidden(), last_of(text.expose()))
}

/// Returns the number without the separators that people group it by.
fn checked_number(
    scheme: BankScheme,
    number: &SecretText,
    member: &str,
) -> Result<SecretText, Refusal> {
    let wrong = |why: &str| Refusal::Malformed {
        member: member.to_owned(),
        why: why.to_owned(),
    };
    let (least, most) = match scheme {
        BankScheme::Ach => (4, 17),
        BankScheme::Bacs => (8, 8),
        BankScheme::Becs => (5, 9),
        BankScheme::Pix => (1, 20),
        BankScheme::Sepa => {
            let why = "is no IBAN: its form or its check digits are wrong";
            return iban(number).ok_or_else(|| wrong(why));
        }
    };
    let digits = plain(number.expose());
    let is_digits = digits.expose().bytes().all(|byte| byte.is_ascii_digit());
    if is_digits && (least..=most).contains(&digits.expose().len()) {
        return Ok(digits);
    }
    Err(wrong(&if least == most {
        format!("has to be {most} digits")
    } else {
        format!("has to be {least} to {most} digits")
    }))
}

fn checked_code(scheme: BankScheme, code: &str, member: &str) -> Result<String, Refusal> {
    let code = plain(code).expose().to_owned();
    let is_digits =
        |count: usize| code.len() == count && code.bytes().all(|byte| byte.is_ascii_digit());
    let (is_one, why) = match scheme {
        BankScheme::Ach => (
            is_routing_number(&code),
            "is no routing number: it has 9 digits, of which the last one checks the others",
        ),
        BankScheme::Bacs | BankScheme::Becs => (is_digits(6), "has to be 6 digits"),
        BankScheme::Sepa => (
            is_bic(&code),
            "is no BIC: it has 8 or 11 letters and digits",
        ),
        BankScheme::Pix => (is_digits(8), "has to be 8 digits"),
    };
    if is_one {
        Ok(code.to_ascii_uppercase())
    } else {
        Err(Refusal::Malformed {
            member: member.to_owned(),
            why: why.to_owned(),
        })
    }
}

/// Returns the text without spaces and dashes.
fn plain(text: &str) -> SecretText {
    // The buffer has room for all of the text: a text that grows leaves copies in memory.
    let mut kept = String::with_capacity(text.len());
    kept.extend(text.chars().filter(|c| !matches!(c, ' ' | '-')));
    SecretText::new(kept)
}

#[cfg(test)]
mod tests;
