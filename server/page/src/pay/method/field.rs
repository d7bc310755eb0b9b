//! The fields of a method's form, and the browser's checks of them.

use super::Bank;
use crate::pay::Language;

/// A field of a method's form.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    pub kind: FieldKind<'a>,
    /// The path of the member in the confirm.
    pub member: String,
    pub is_required: bool,
}

/// The kinds of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldKind<'a> {
    Email,
    Phone,
    FirstName,
    LastName,
    Line1,
    City,
    Zip,
    State,
    /// One of these countries, by their two letters.
    Country(Vec<&'a str>),
    /// One of these banks.
    Bank(Vec<Bank>),
    BlikCode,
    UpiAddress,
    TaxNumber,
    CardNumber,
    /// The member is the month. The year's is beside it.
    CardExpiry,
    AccountHolder,
    Iban,
    AchAccount,
    BacsAccount,
    BecsAccount,
    RoutingNumber,
    SortCode,
    BsbNumber,
    /// Checking or savings account.
    AccountType,
}

/// The look of a field, and its checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldLook {
    /// The end of the field's id.
    pub id: &'static str,
    pub label: &'static str,
    pub hint: Option<&'static str>,
    /// The text for a value that can't be right.
    pub bad: &'static str,
    pub input: &'static str,
    pub inputmode: &'static str,
    pub autocomplete: &'static str,
    pub longest: u16,
    /// The pattern of the whole value, or of its digits.
    pub pattern: Option<&'static str>,
    /// The script's own check.
    pub check: Option<&'static str>,
    /// The text for an expired card.
    pub expired: Option<&'static str>,
}

/// A text with at least one visible character.
const SOME_TEXT: &str = r".*\S.*";

const fn text(
    id: &'static str,
    label: &'static str,
    bad: &'static str,
    autocomplete: &'static str,
) -> FieldLook {
    FieldLook {
        id,
        label,
        hint: None,
        bad,
        input: "text",
        inputmode: "text",
        autocomplete,
        longest: 255,
        pattern: Some(SOME_TEXT),
        check: None,
        expired: None,
    }
}

/// A field of digits, which the script separates from other characters.
const fn digits(look: FieldLook, longest: u16, pattern: &'static str) -> FieldLook {
    FieldLook {
        inputmode: "numeric",
        longest,
        pattern: Some(pattern),
        check: Some("digits"),
        ..look
    }
}

/// A number of a bank account, whose spaces and dashes the script leaves out.
const fn of_account(
    id: &'static str,
    label: &'static str,
    bad: &'static str,
    pattern: &'static str,
) -> FieldLook {
    FieldLook {
        check: Some("account"),
        ..digits(text(id, label, bad, "off"), 24, pattern)
    }
}

impl FieldKind<'_> {
    pub(crate) fn look(&self, language: Language) -> FieldLook {
        let (texts, card) = (language.method_texts(), language.texts());
        let debit = language.debit_texts();
        let empty = texts.bad_text;
        match self {
            FieldKind::Email => FieldLook {
                input: "email",
                inputmode: "email",
                pattern: None,
                ..text("email", texts.email, texts.bad_email, "email")
            },
            FieldKind::Phone => FieldLook {
                hint: Some(texts.phone_hint),
                input: "tel",
                inputmode: "tel",
                pattern: Some(r"\s*\+[0-9 \(\)\.\-]{6,24}"),
                ..text("phone", texts.phone, texts.bad_phone, "tel")
            },
            FieldKind::FirstName => text("first-name", texts.first_name, empty, "given-name"),
            FieldKind::LastName => text("last-name", texts.last_name, empty, "family-name"),
            FieldKind::Line1 => text("line1", texts.line1, empty, "address-line1"),
            FieldKind::City => text("city", texts.city, empty, "address-level2"),
            FieldKind::Zip => text("zip", texts.zip, empty, "postal-code"),
            FieldKind::State => text("state", texts.state, empty, "address-level1"),
            FieldKind::Country(_) => text("country", texts.country, texts.bad_choice, "country"),
            FieldKind::Bank(_) => text("bank", texts.bank, texts.bad_choice, "off"),
            FieldKind::BlikCode => FieldLook {
                hint: Some(texts.blik_hint),
                ..digits(
                    text("blik", texts.blik, texts.bad_blik, "one-time-code"),
                    16,
                    "[0-9]{6}",
                )
            },
            FieldKind::UpiAddress => FieldLook {
                hint: Some(texts.upi_hint),
                inputmode: "email",
                pattern: Some(r"\s*[^\s@]+@[^\s@]+\s*"),
                ..text("upi", texts.upi, texts.bad_upi, "off")
            },
            FieldKind::TaxNumber => FieldLook {
                hint: Some(texts.tax_hint),
                ..digits(
                    text("tax-number", texts.tax, texts.bad_tax, "off"),
                    24,
                    "[0-9]{11}|[0-9]{14}",
                )
            },
            FieldKind::CardNumber => FieldLook {
                inputmode: "numeric",
                longest: 23,
                pattern: None,
                check: Some("number"),
                ..text("number", card.number, card.bad_number, "cc-number")
            },
            FieldKind::CardExpiry => FieldLook {
                inputmode: "numeric",
                longest: 9,
                pattern: None,
                check: Some("expiry"),
                expired: Some(card.expired_card),
                ..text("expiry", card.expiry, card.bad_expiry, "cc-exp")
            },
            FieldKind::AccountHolder => text("holder", debit.holder, empty, "name"),
            FieldKind::Iban => FieldLook {
                longest: 48,
                pattern: None,
                check: Some("iban"),
                ..text("iban", debit.iban, debit.bad_iban, "off")
            },
            FieldKind::AchAccount => of_account(
                "account",
                debit.account,
                debit.bad_ach_account,
                "[0-9]{4,17}",
            ),
            FieldKind::BacsAccount => {
                of_account("account", debit.account, debit.bad_bacs_account, "[0-9]{8}")
            }
            FieldKind::BecsAccount => of_account(
                "account",
                debit.account,
                debit.bad_becs_account,
                "[0-9]{5,9}",
            ),
            FieldKind::RoutingNumber => FieldLook {
                check: Some("routing"),
                ..of_account("routing", debit.routing, debit.bad_routing, "[0-9]{9}")
            },
            FieldKind::SortCode => of_account(
                "sort-code",
                debit.sort_code,
                debit.bad_sort_code,
                "[0-9]{6}",
            ),
            FieldKind::BsbNumber => of_account("bsb", debit.bsb, debit.bad_bsb, "[0-9]{6}"),
            FieldKind::AccountType => text("kind", debit.kind, texts.bad_choice, "off"),
        }
    }
}
