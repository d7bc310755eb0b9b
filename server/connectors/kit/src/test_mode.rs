//! A processor's test mode: its cards and bank accounts, and the marks of test credentials.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::{BankAccount, BankScheme};
use multirail_sdk::card::{Card, CardCode, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::{Access, Credentials};

/// The behavior of a test card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardThat {
    IsApproved,
    IsDeclined,
    /// Approved or declined, as the payer decides at a page.
    AsksThePayer,
}

/// A card of a processor's test mode, and its holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestCard {
    pub number: &'static str,
    pub code: &'static str,
    pub holder: &'static str,
}

impl TestCard {
    /// Returns the card as a payer enters it. It is valid until March 2030, the month that some processors demand.
    ///
    /// # Errors
    /// The refusal of a card that nobody could enter.
    pub fn entered(&self) -> Result<Card, Refusal> {
        let number = CardNumber::parse(self.number)
            .map_err(|wrong| Refusal::precondition(wrong.to_string()))?;
        let code = CardCode::parse(self.code, "card_cvc")?;
        let expiry = Expiry::parse("3", "2030", "card", Timestamp::EPOCH)?;
        let given = GivenCardDetails {
            holder_name: Some(self.holder.to_owned()),
            ..GivenCardDetails::default()
        };
        Ok(Card::new(number, Some(code), expiry, given))
    }
}

/// A bank account of a processor's test mode, which pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestAccount {
    pub scheme: BankScheme,
    pub number: &'static str,
    /// The routing number, sort code or BSB number. An IBAN has none.
    pub bank_code: Option<&'static str>,
}

impl TestAccount {
    /// Returns the account as its payer enters it.
    pub fn entered(&self) -> BankAccount {
        BankAccount {
            scheme: self.scheme,
            number: SecretText::new(self.number),
            bank_code: self.bank_code.map(str::to_owned),
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
}

/// The test mode of a processor.
#[derive(Clone, Copy, Debug)]
pub struct TestMode {
    pub approved: TestCard,
    pub declined: TestCard,
    pub asks_payer: TestCard,
    /// An account for each scheme that can be debited.
    pub accounts: &'static [TestAccount],
    /// The beginnings of `api_key` in test mode. Empty where live keys have the same form: they can't be used at the processor's
    /// test address.
    pub key_prefixes: &'static [&'static str],
}

impl TestMode {
    /// Returns the card with this behavior.
    pub fn card(&self, wanted: CardThat) -> TestCard {
        match wanted {
            CardThat::IsApproved => self.approved,
            CardThat::IsDeclined => self.declined,
            CardThat::AsksThePayer => self.asks_payer,
        }
    }

    /// Returns the account of this scheme.
    pub fn account(&self, scheme: BankScheme) -> Option<&'static TestAccount> {
        self.accounts.iter().find(|own| own.scheme == scheme)
    }

    /// Returns why the account may be live; `None` for a test account.
    pub fn doubt(&self, access: &Access) -> Option<String> {
        if !access.test_mode {
            return Some("test_mode has to be true".to_owned());
        }
        if self.key_prefixes.is_empty() {
            return None;
        }
        let credentials = Credentials::from_json(&access.credentials).ok();
        let key = credentials.and_then(|all| all.member("api_key").cloned());
        let is_marked = key.is_some_and(|key| {
            let mut prefixes = self.key_prefixes.iter();
            prefixes.any(|prefix| key.expose().starts_with(prefix))
        });
        (!is_marked).then(|| {
            let prefixes = self.key_prefixes.join(" or ");
            format!("connector_account_details.api_key has to be of test mode: it begins with {prefixes}")
        })
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::secret::SecretText;
    use multirail_sdk::connector::Access;

    use super::*;

    const CARD: TestCard = TestCard {
        number: "4242424242424242",
        code: "123",
        holder: "A. Reader",
    };
    const MARKED: TestMode = TestMode {
        approved: CARD,
        declined: CARD,
        asks_payer: CARD,
        accounts: &[],
        key_prefixes: &["sk_test_", "rk_test_"],
    };

    fn doubt(mode: &TestMode, test_mode: bool, key: &str) -> String {
        let credentials = format!(r#"{{"auth_type":"HeaderKey","api_key":"{key}"}}"#);
        let access = Access {
            credentials: SecretText::new(credentials),
            test_mode,
            ..Access::default()
        };
        mode.doubt(&access).unwrap_or_else(|| "none".to_owned())
    }

    #[test]
    fn only_test_accounts_are_beyond_doubt() {
        let unmarked = TestMode {
            key_prefixes: &[],
            ..MARKED
        };
        let table = [
            doubt(&MARKED, true, "sk_test_1"),
            doubt(&MARKED, true, "rk_test_1"),
            doubt(&MARKED, true, "sk_live_1"),
            doubt(&MARKED, false, "sk_test_1"),
            doubt(&unmarked, true, "any"),
            doubt(&unmarked, false, "any"),
        ];
        assert_eq!(
            table,
            [
                "none",
                "none",
                "connector_account_details.api_key has to be of test mode: it begins with sk_test_ or rk_test_",
                "test_mode has to be true",
                "none",
                "test_mode has to be true",
            ]
        );
    }
}
