//! The methods beside cards that the page offers, and the fields that it asks their payer for.

mod banks;
mod field;

use super::language::{DebitTexts, MethodTexts};
use super::{Language, MandateScope};

pub use banks::{Bank, banks};
pub(crate) use field::FieldLook;
pub use field::{Field, FieldKind};

/// A method that the payer may choose.
#[derive(Clone, Debug)]
pub struct Method<'a> {
    /// `payment_method_type` of the confirm.
    pub kind: &'a str,
    /// `payment_method` of the confirm.
    pub family: &'a str,
    /// The member of `payment_method_data` with the method's data.
    pub member: &'a str,
    /// The payer pays at a page of the processor.
    pub at_page: bool,
    pub fields: Vec<Field<'a>>,
    /// The mandate of a method that debits an account.
    pub mandate: Option<MandateScope>,
}

/// The name of a method.
#[derive(Clone, Copy)]
enum Name {
    /// The same in every language.
    Brand(&'static str),
    Text(fn(&MethodTexts) -> &'static str),
    Debit(fn(&DebitTexts) -> &'static str),
}

use Name::{Brand, Debit, Text};

/// The name of each method that the page offers.
#[rustfmt::skip]
static NAMES: [(&str, Name); 30] = [
    ("ach", Debit(|texts| texts.ach_method)),
    ("affirm", Brand("Affirm")),
    ("afterpay_clearpay", Brand("Afterpay / Clearpay")),
    ("ali_pay", Brand("Alipay")),
    ("bacs", Debit(|texts| texts.bacs_method)),
    ("bancontact_card", Brand("Bancontact")),
    ("becs", Debit(|texts| texts.becs_method)),
    ("blik", Brand("BLIK")),
    ("boleto", Brand("Boleto")),
    ("cashapp", Brand("Cash App Pay")),
    ("eps", Brand("eps")),
    ("ideal", Brand("iDEAL")),
    ("klarna", Brand("Klarna")),
    ("mobile_pay", Brand("MobilePay")),
    ("multibanco", Brand("Multibanco")),
    ("online_banking_poland", Text(|texts| texts.polish_bank)),
    ("oxxo", Brand("OXXO")),
    ("paypal", Brand("PayPal")),
    ("pix", Brand("Pix")),
    ("przelewy24", Brand("Przelewy24")),
    ("sepa", Debit(|texts| texts.sepa_method)),
    ("sepa_bank_transfer", Text(|texts| texts.bank_transfer)),
    ("swish", Brand("Swish")),
    ("trustly", Brand("Trustly")),
    ("twint", Brand("TWINT")),
    ("upi_collect", Text(|texts| texts.upi_address_method)),
    ("upi_intent", Text(|texts| texts.upi_app_method)),
    ("upi_qr", Text(|texts| texts.upi_code_method)),
    ("vipps", Brand("Vipps")),
    ("we_chat_pay", Brand("WeChat Pay")),
];

/// Returns the name that payers read for this `payment_method_type`, or `None` for one that the page doesn't offer.
pub fn method_name(kind: &str, language: Language) -> Option<&'static str> {
    let (_, name) = NAMES.iter().find(|(word, _)| *word == kind)?;
    Some(match *name {
        Brand(name) => name,
        Text(choose) => choose(language.method_texts()),
        Debit(choose) => choose(language.debit_texts()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_every_language() {
        for language in Language::ALL {
            let mut names: Vec<_> = NAMES
                .iter()
                .map(|(kind, _)| method_name(kind, language))
                .collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), NAMES.len(), "{language:?}");
        }
        assert_eq!(method_name("sofort", Language::English), None);
    }
}
