//! The second factor: codes of an authenticator (TOTP, RFC 6238), and recovery codes to replace them.
//!
//! A code is valid in its time step of 30 seconds and in the adjacent ones, and only once: accepting a code closes its
//! step and all earlier ones.

use std::fmt;

use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::random::Random;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};
use totp_rs::{Builder, Secret, Totp};

use super::User;

/// Seconds for the second step after the password was accepted.
pub const SECOND_STEP_SECONDS: i64 = 300;

/// The number of recovery codes.
const RECOVERY_CODES: usize = 10;

/// The 160 bits that RFC 4226 recommends.
const SECRET_BYTES: usize = 20;

/// The name of the account in authenticators.
const ISSUER: &str = "multirail";

/// Letters and digits of recovery codes that can't be confused with each other.
const RECOVERY_ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// A user's second factor.
#[derive(Clone, PartialEq, Eq)]
pub struct SecondFactor {
    pub user_id: UserId,
    /// The merchant account that the user started in. Its key seals the secrets.
    pub home_merchant_id: MerchantId,
    pub secrets: SecondFactorSecrets,
    /// Since when the factor is required: a code has proved that an authenticator has the secret.
    pub confirmed_at: Option<Timestamp>,
    /// The time step of the last accepted code.
    pub last_step: i64,
    /// The moment at which all guesses are forgotten: the level of a leaky bucket.
    pub guesses_empty_at: Timestamp,
    /// The number of stored changes; 0 until stored.
    pub version: i64,
    pub created_at: Timestamp,
}

/// Prints only members that are no secrets.
impl fmt::Debug for SecondFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecondFactor")
            .field("user_id", &self.user_id)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// The secrets, which are stored sealed and don't print.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactorSecrets {
    /// The secret shared with the authenticator, in base 32.
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub totp: SecretText,
    /// The keyed hashes of the unused recovery codes.
    pub recovery_hashes: Vec<String>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A proof of the second factor.
pub enum Proof {
    Totp(SecretText),
    RecoveryCode(SecretText),
}

impl Proof {
    /// Returns the given proof.
    ///
    /// # Errors
    /// [`Refusal::TotpRequired`] for none, [`Refusal::InvalidValue`] for two.
    pub fn new(totp: Option<SecretText>, recovery: Option<SecretText>) -> Result<Self, Refusal> {
        match (totp, recovery) {
            (Some(code), None) => Ok(Proof::Totp(code)),
            (None, Some(code)) => Ok(Proof::RecoveryCode(code)),
            (None, None) => Err(Refusal::TotpRequired),
            (Some(_), Some(_)) => Err(Refusal::invalid_value(
                "totp and recovery_code: only one of them can be given",
            )),
        }
    }
}

impl SecondFactor {
    /// Creates a new secret, which isn't required until a code has confirmed it.
    pub fn begin(user: &User, now: Timestamp, random: &dyn Random) -> Self {
        let mut bytes = [0; SECRET_BYTES];
        random.fill(&mut bytes);
        let secret = SecretText::new(Secret::from(bytes).to_base32());
        zeroize::Zeroize::zeroize(&mut bytes);
        SecondFactor {
            user_id: user.user_id.clone(),
            home_merchant_id: user.home_merchant_id.clone(),
            secrets: SecondFactorSecrets {
                totp: secret,
                recovery_hashes: Vec::new(),
                unread: UnreadMembers::default(),
            },
            confirmed_at: None,
            last_step: 0,
            guesses_empty_at: Timestamp::EPOCH,
            version: 0,
            created_at: now,
        }
    }

    /// Returns the address that authenticators read from a QR code: `otpauth://totp/...`, with the secret in it.
    pub fn uri(&self, user: &User) -> Option<SecretText> {
        // A colon separates issuer and account.
        let account = user.personal.email.as_str().replace(':', " ");
        let totp = self.totp(Some(&account))?;
        totp.to_url().ok().map(SecretText::new)
    }

    /// Checks whether the factor is required.
    pub fn is_on(&self) -> bool {
        self.confirmed_at.is_some()
    }

    /// Confirms the factor by a first code. `wall` is the wall time, which authenticators use.
    ///
    /// # Errors
    /// [`Refusal::TotpInvalid`].
    pub fn confirmed(
        &self,
        code: &SecretText,
        recovery_hashes: Vec<String>,
        (now, wall): (Timestamp, Timestamp),
    ) -> Result<Self, Refusal> {
        let taken = self.with_code(code, wall)?;
        Ok(SecondFactor {
            confirmed_at: Some(now),
            ..taken.with_recovery_hashes(recovery_hashes)
        })
    }

    /// Accepts a code. It and all earlier codes become invalid, and the guesses are forgotten.
    ///
    /// # Errors
    /// [`Refusal::TotpInvalid`] for a wrong code, and for one of a closed time step.
    pub fn with_code(&self, code: &SecretText, wall: Timestamp) -> Result<Self, Refusal> {
        let step = self.step_of(code, wall);
        let step = step.filter(|step| *step > self.last_step);
        let step = step.ok_or(Refusal::TotpInvalid)?;
        Ok(SecondFactor {
            last_step: step,
            guesses_empty_at: Timestamp::EPOCH,
            ..self.clone()
        })
    }

    /// Uses up a recovery code. The guesses are forgotten.
    ///
    /// # Errors
    /// [`Refusal::RecoveryCodeInvalid`].
    pub fn without_recovery_hash(&self, hash: &str) -> Result<Self, Refusal> {
        let mut left = self.clone();
        left.secrets.recovery_hashes.retain(|kept| kept != hash);
        if left.secrets.recovery_hashes.len() == self.secrets.recovery_hashes.len() {
            return Err(Refusal::RecoveryCodeInvalid);
        }
        left.guesses_empty_at = Timestamp::EPOCH;
        Ok(left)
    }

    /// Replaces all recovery codes.
    pub fn with_recovery_hashes(mut self, hashes: Vec<String>) -> Self {
        self.secrets.recovery_hashes = hashes;
        self
    }

    /// Returns the time step of a code, if it is the current or an adjacent one.
    fn step_of(&self, code: &SecretText, wall: Timestamp) -> Option<i64> {
        let digits: String = code.expose().split_whitespace().collect();
        let seconds = u64::try_from(wall.unix_seconds()).ok()?;
        let step = self.totp(None)?.check(&digits, seconds)?;
        i64::try_from(step).ok()
    }

    /// Makes the generator: six digits, SHA-1, steps of 30 seconds, one step of skew. Every authenticator supports
    /// this.
    fn totp(&self, account: Option<&str>) -> Option<Totp> {
        let secret = Secret::try_from_base32(self.secrets.totp.expose()).ok()?;
        let builder = Builder::new().with_secret(secret).with_skew(1);
        let builder = match account {
            Some(account) => builder.with_account_name(account).with_issuer(Some(ISSUER)),
            None => builder,
        };
        builder.build().ok()
    }
}

/// Makes new recovery codes of 60 bits each: `abcd-efgh-ijkl`.
pub fn recovery_codes(random: &dyn Random) -> Vec<SecretText> {
    let code = |_| {
        let mut bytes = [0_u8; 12];
        random.fill(&mut bytes);
        let mut text = String::with_capacity(14);
        for (index, byte) in bytes.iter().enumerate() {
            if index > 0 && index % 4 == 0 {
                text.push('-');
            }
            text.push(char::from(RECOVERY_ALPHABET[usize::from(byte % 32)]));
        }
        zeroize::Zeroize::zeroize(&mut bytes);
        SecretText::new(text)
    };
    (0..RECOVERY_CODES).map(code).collect()
}

/// Normalizes a recovery code for hashing. The user's id is included, so that one code of two users has two hashes.
pub fn recovery_text(user_id: &UserId, code: &SecretText) -> SecretText {
    let letters = code.expose().chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|one| one.to_ascii_lowercase()).collect();
    SecretText::new(format!("{user_id}/{letters}"))
}

/// A permission to take the second step of a sign-in, once, for someone who knows a user's password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondStep {
    /// The keyed hash of the token. The token itself is never stored.
    pub hash: String,
    pub user_id: UserId,
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests;
