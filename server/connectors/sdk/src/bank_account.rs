//! A bank account: complete, as a processor needs it, and the part that is stored and shown.

use multirail_kernel::country::CountryCode;
use multirail_kernel::record_object::record_object;
use multirail_kernel::secret::SecretText;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

use crate::payment_method::PaymentMethodType;

words! {
    /// The banking scheme that identifies an account.
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
    /// The kind of account.
    pub enum BankAccountKind {
        Checking = "checking",
        Savings = "savings",
    }
}

words! {
    /// The kind of account holder.
    pub enum BankHolderKind {
        Personal = "personal",
        Business = "business",
    }
}

record_object! {
    /// A bank account. The whole record is stored sealed; `Debug` doesn't print its numbers.
    #[derive(Eq)]
    pub struct BankAccount {
        scheme: BankScheme,
        /// The number within the bank; with [`BankScheme::Sepa`] the IBAN.
        #[serde(with = "multirail_kernel::secret::sealed")]
        number: SecretText,
    } and maybe {
        /// Identifies the bank: routing number, sort code, BSB number or BIC.
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

record_object! {
    /// The details of a debited account that are stored with its payment and shown. Nobody can debit
    /// the account with them.
    #[derive(Eq)]
    pub struct BankAccountDetails {
        scheme: BankScheme,
        /// The last characters of the account number or IBAN.
        last4: String,
    } and maybe {
        /// The first two letters of an IBAN.
        country: CountryCode,
        /// Identifies the bank: routing number, sort code or BSB number.
        bank_code: String,
        bank_name: String,
        kind: BankAccountKind,
        holder_kind: BankHolderKind,
    }
}

/// The most characters shown of an account number.
const SHOWN: usize = 4;

/// The fewest characters hidden of an account number.
const HIDDEN: usize = 4;

impl BankScheme {
    /// Returns the payment method type that debits accounts of this scheme.
    pub fn debited_as(self) -> Option<PaymentMethodType> {
        match self {
            BankScheme::Ach => Some(PaymentMethodType::Ach),
            BankScheme::Bacs => Some(PaymentMethodType::Bacs),
            BankScheme::Becs => Some(PaymentMethodType::Becs),
            BankScheme::Sepa => Some(PaymentMethodType::Sepa),
            BankScheme::Pix => None,
        }
    }

    /// Returns the member of `payment_method_data` with an account of this scheme to debit.
    pub fn debit_member(self) -> Option<&'static str> {
        match self {
            BankScheme::Ach => Some("bank_debit.ach_bank_debit"),
            BankScheme::Bacs => Some("bank_debit.bacs_bank_debit"),
            BankScheme::Becs => Some("bank_debit.becs_bank_debit"),
            BankScheme::Sepa => Some("bank_debit.sepa_bank_debit"),
            BankScheme::Pix => None,
        }
    }

    /// Returns the scheme that this payment method type debits.
    pub fn debited_by(kind: PaymentMethodType) -> Option<BankScheme> {
        let mut schemes = BankScheme::ALL.iter().copied();
        schemes.find(|scheme| scheme.debited_as() == Some(kind))
    }
}

impl BankAccountDetails {
    /// Returns the details of an account of which only the scheme is known.
    pub fn new(scheme: BankScheme) -> Self {
        BankAccountDetails {
            scheme,
            last4: String::new(),
            country: None,
            bank_code: None,
            bank_name: None,
            kind: None,
            holder_kind: None,
            unread: UnreadMembers::default(),
        }
    }
}

impl BankAccount {
    /// Returns the last characters of the account number.
    pub fn mask(&self) -> String {
        last_of(self.number.expose())
    }

    /// Returns a text that is equal whenever the same account is saved. Use it only as input of a
    /// keyed hash.
    pub fn identity(&self) -> SecretText {
        let code = self
            .bank_code
            .as_deref()
            .filter(|_| self.scheme != BankScheme::Sepa);
        // Accounts at different banks may have the same number. A Pix key is unique.
        let key = self.pix_key.as_ref().map_or("", SecretText::expose);
        SecretText::new(format!(
            "{}/{}/{}/{key}",
            self.scheme,
            code.unwrap_or_default(),
            self.number.expose()
        ))
    }

    /// Returns the payment method type that debits the account.
    pub fn debited_as(&self) -> Option<PaymentMethodType> {
        self.scheme.debited_as()
    }

    /// Returns the payment method type that pays out to the account, if the contract has a word for
    /// it.
    pub fn paid_out_as(&self) -> Option<PaymentMethodType> {
        match self.scheme {
            BankScheme::Sepa => Some(PaymentMethodType::SepaBankTransfer),
            BankScheme::Pix => Some(PaymentMethodType::Pix),
            BankScheme::Ach => Some(PaymentMethodType::Ach),
            BankScheme::Bacs => Some(PaymentMethodType::Bacs),
            BankScheme::Becs => None,
        }
    }

    /// Returns the details that may be stored and shown.
    pub fn details(&self) -> BankAccountDetails {
        let is_sepa = self.scheme == BankScheme::Sepa;
        let of_iban = self.number.expose().get(..2);
        let of_iban = of_iban.and_then(|letters| letters.parse().ok());
        BankAccountDetails {
            scheme: self.scheme,
            last4: self.mask(),
            country: of_iban.filter(|_| is_sepa),
            bank_code: self.bank_code.clone().filter(|_| !is_sepa),
            bank_name: self.bank_name.clone(),
            kind: self.kind,
            holder_kind: self.holder_kind,
            unread: UnreadMembers::default(),
        }
    }

    /// Returns the account after it is saved again: new members replace stored ones, the others
    /// stay.
    pub fn renewed(&self, again: BankAccount) -> BankAccount {
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

/// Returns the end of a text. It never has more characters than the hidden part.
pub fn last_of(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let shown = characters.len().saturating_sub(HIDDEN).min(SHOWN);
    characters[characters.len() - shown..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(scheme: BankScheme, number: &str, bank_code: Option<&str>) -> BankAccount {
        BankAccount {
            scheme,
            number: SecretText::new(number),
            bank_code: bank_code.map(str::to_owned),
            pix_key: None,
            tax_id: None,
            bank_name: None,
            bank_branch: None,
            bank_country: None,
            bank_city: None,
            holder_name: Some("Ada Okafor".to_owned()),
            kind: None,
            holder_kind: None,
            unread: UnreadMembers::default(),
        }
    }

    #[test]
    fn the_details_have_the_end_of_the_number_and_no_holder() {
        let sepa = account(BankScheme::Sepa, "DE89370400440532013000", Some("COBADEFF"));
        let ach = account(BankScheme::Ach, "000123456789", Some("110000000"));
        let written = |account: &BankAccount| {
            serde_json::to_string(&account.details()).expect("an object of texts")
        };
        insta::assert_snapshot!(written(&sepa), @r#"{"scheme":"sepa","last4":"3000","country":"DE"}"#);
        insta::assert_snapshot!(written(&ach), @r#"{"scheme":"ach","last4":"6789","bank_code":"110000000"}"#);
        let printed = format!("{sepa:?}");
        assert!(!printed.contains("0532013"), "{printed}");
    }

    #[test]
    fn at_least_four_characters_are_hidden() {
        assert_eq!(last_of(""), "");
        assert_eq!(last_of("1234"), "");
        assert_eq!(last_of("12345"), "5");
        assert_eq!(last_of("1234567"), "567");
        assert_eq!(last_of("12345678"), "5678");
        assert_eq!(last_of("123456789"), "6789");
    }

    #[test]
    fn every_debit_has_a_member_and_a_type_of_its_family() {
        use crate::payment_method::PaymentMethod;
        for scheme in BankScheme::ALL.iter().copied() {
            let (kind, member) = (scheme.debited_as(), scheme.debit_member());
            assert_eq!(kind.is_some(), member.is_some(), "{scheme}");
            if let Some(kind) = kind {
                assert!(kind.belongs_to(PaymentMethod::BankDebit), "{kind}");
                assert_eq!(BankScheme::debited_by(kind), Some(scheme));
            }
        }
        assert_eq!(BankScheme::debited_by(PaymentMethodType::Ideal), None);
    }
}
