//! Bank accounts that are saved: to be paid out to, or to be debited. (Specification 2.6; facts, appendix A)

mod check;

use multirail_kernel::country::CountryCode;
use multirail_kernel::record_object::record_object;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::payment_method::PaymentMethodType;

use check::{iban, is_bic, is_routing_number};

words! {
    /// By whose rules an account is named.
    pub enum BankScheme {
        /// United States: account and routing number.
        Ach = "ach",
        /// United Kingdom: account number and sort code.
        Bacs = "bacs",
        /// Australia: account and BSB number.
        Becs = "becs",
        /// Europe: IBAN.
        Sepa = "sepa",
        /// Brazil: account number and key.
        Pix = "pix",
    }
}

words! {
    /// What kind of account it is.
    pub enum BankAccountKind {
        Checking = "checking",
        Savings = "savings",
    }
}

words! {
    /// What kind of holder it has.
    pub enum BankHolderKind {
        Personal = "personal",
        Business = "business",
    }
}

record_object! {
    /// A bank account. It rests sealed for its customer, with all that is said of it; its numbers don't print.
    #[derive(Eq)]
    pub struct BankAccount {
        scheme: BankScheme,
        /// The number within the bank; with [`BankScheme::Sepa`] the IBAN.
        #[serde(with = "multirail_kernel::secret::sealed")]
        number: SecretText,
    } and maybe {
        /// Which bank: routing number, sort code, BSB number or BIC.
        bank_code: String,
        #[serde(with = "multirail_kernel::secret::sealed_option", default)]
        pix_key: SecretText,
        #[serde(with = "multirail_kernel::secret::sealed_option", default)]
        tax_id: SecretText,
        bank_name: String,
        bank_branch: String,
        bank_country: CountryCode,
        bank_city: String,
        holder_name: String,
        kind: BankAccountKind,
        holder_kind: BankHolderKind,
    }
}

/// An account to pay out to, as the caller wrote it. The one of `routing_number`, `sort_code`, `iban` and `pix_key` that is
/// there says by whose rules it is named.
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
#[derive(Debug)]
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

/// The digits that are shown of a number.
const SHOWN: usize = 4;

impl TransferInput {
    /// Reads the account.
    ///
    /// # Errors
    /// Members that don't say by whose rules the account is named, or that those rules don't know; numbers that are none.
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
    /// Reads the account. `path` is where it stands in the body.
    ///
    /// # Errors
    /// Numbers that are none.
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

impl BankAccount {
    /// The last characters of its number.
    pub fn mask(&self) -> String {
        last_of(&self.number)
    }

    /// What is the same whenever the same account is saved: to be hashed with a key, and for nothing else.
    pub fn identity(&self) -> SecretText {
        let code = self
            .bank_code
            .as_deref()
            .filter(|_| self.scheme != BankScheme::Sepa);
        // Numbers of accounts at different banks may be the same; the key is nobody else's.
        let key = self.pix_key.as_ref().map_or("", SecretText::expose);
        SecretText::new(format!(
            "{}/{}/{}/{key}",
            self.scheme,
            code.unwrap_or_default(),
            self.number.expose()
        ))
    }

    /// The variety of instrument that debits it.
    pub fn debited_as(&self) -> Option<PaymentMethodType> {
        match self.scheme {
            BankScheme::Ach => Some(PaymentMethodType::Ach),
            BankScheme::Bacs => Some(PaymentMethodType::Bacs),
            BankScheme::Becs => Some(PaymentMethodType::Becs),
            BankScheme::Sepa => Some(PaymentMethodType::Sepa),
            BankScheme::Pix => None,
        }
    }

    /// The variety of instrument that pays out to it, where that has a word.
    pub fn paid_out_as(&self) -> Option<PaymentMethodType> {
        match self.scheme {
            BankScheme::Sepa => Some(PaymentMethodType::SepaBankTransfer),
            BankScheme::Pix => Some(PaymentMethodType::Pix),
            BankScheme::Ach => Some(PaymentMethodType::Ach),
            BankScheme::Bacs => Some(PaymentMethodType::Bacs),
            BankScheme::Becs => None,
        }
    }

    /// The account after it is saved once more: what is said of it is renewed, the rest stays.
    pub(crate) fn renewed(&self, again: BankAccount) -> BankAccount {
        let former = self.clone();
        BankAccount {
            bank_code: again.bank_code.or(former.bank_code),
            pix_key: again.pix_key.or(former.pix_key),
            tax_id: again.tax_id.or(former.tax_id),
            bank_name: again.bank_name.or(former.bank_name),
            bank_branch: again.bank_branch.or(former.bank_branch),
            bank_country: again.bank_country.or(former.bank_country),
            bank_city: again.bank_city.or(former.bank_city),
            holder_name: again.holder_name.or(former.holder_name),
            kind: again.kind.or(former.kind),
            holder_kind: again.holder_kind.or(former.holder_kind),
            ..former
        }
    }
}

/// All but the last characters of a text hidden, as it is shown to a payer's client.
pub fn hidden(text: &SecretText) -> String {
    format!("{}{}", text.hidden(), last_of(text))
}

fn last_of(text: &SecretText) -> String {
    let characters: Vec<char> = text.expose().chars().collect();
    // Of so short a text too much would be known.
    let shown = if characters.len() > SHOWN { SHOWN } else { 0 };
    characters[characters.len() - shown..].iter().collect()
}

/// The number without what people group it by.
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

/// Without spaces and dashes.
fn plain(text: &str) -> SecretText {
    // With room for all from the start: a text that grows leaves copies behind.
    let mut kept = String::with_capacity(text.len());
    kept.extend(text.chars().filter(|c| !matches!(c, ' ' | '-')));
    SecretText::new(kept)
}

#[cfg(test)]
mod tests;
