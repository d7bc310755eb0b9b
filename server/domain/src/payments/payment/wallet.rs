//! A wallet, and a network token, as the caller sends them. (Facts, appendix A)

use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::instrument::{NetworkToken, WalletDetails};
use multirail_sdk::wallet::Wallet;

/// The longest accepted cryptogram, in characters; those of the networks have 28 and 40.
pub const LONGEST_CRYPTOGRAM: usize = 64;

/// A wallet's data as the caller wrote it.
#[derive(Clone, Debug)]
pub struct WalletInput {
    pub details: WalletDetails,
    pub data: WalletData,
}

/// The card data of a wallet.
#[derive(Clone, Debug)]
pub enum WalletData {
    Sealed(SecretText),
    /// The merchant decrypted it.
    Open(Box<TokenInput>),
}

/// A network token as the caller wrote it.
#[derive(Clone, Debug)]
pub struct TokenInput {
    pub number: SecretText,
    pub exp_month: String,
    pub exp_year: String,
    pub cryptogram: Option<SecretText>,
    pub eci: Option<String>,
    pub given: GivenCardDetails,
}

/// Full names of a network token's members, for refusals.
pub(crate) struct TokenMembers {
    pub(crate) number: &'static str,
    pub(crate) exp_month: &'static str,
    pub(crate) exp_year: &'static str,
    pub(crate) cryptogram: &'static str,
    pub(crate) eci: &'static str,
}

impl TokenInput {
    /// Checks the token.
    pub(crate) fn check(
        self,
        wallet: Option<Wallet>,
        members: &TokenMembers,
        now: Timestamp,
    ) -> Result<NetworkToken, Refusal> {
        let read = CardNumber::parse(self.number.expose()).map_err(|why| Refusal::Malformed {
            member: members.number.to_owned(),
            why: why.to_string(),
        })?;
        let expiry = Expiry::parse_at(
            (&self.exp_month, members.exp_month),
            (&self.exp_year, members.exp_year),
            now,
        )?;
        if let Some(cryptogram) = &self.cryptogram
            && !is_cryptogram(cryptogram.expose())
        {
            return Err(Refusal::precondition(format!(
                "{} has to have 1 to {LONGEST_CRYPTOGRAM} characters of base64",
                members.cryptogram
            )));
        }
        if self.eci.as_deref().is_some_and(|eci| !is_eci(eci)) {
            return Err(Refusal::precondition(format!(
                "{} has to be one or two digits",
                members.eci
            )));
        }
        Ok(NetworkToken {
            card: Card::new(read, None, expiry, self.given),
            cryptogram: self.cryptogram,
            eci: self.eci,
            wallet,
        })
    }
}

/// Returns whether the text has the form of a cryptogram.
pub fn is_cryptogram(text: &str) -> bool {
    (1..=LONGEST_CRYPTOGRAM).contains(&text.len()) && text.bytes().all(is_of_base64)
}

/// Returns whether the byte belongs to one of the base64 alphabets.
fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte)
}

/// Returns whether the text is one or two digits.
pub fn is_eci(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
