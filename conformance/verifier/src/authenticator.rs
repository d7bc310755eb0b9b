//! The program on a person's telephone that shows codes.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;
use totp_rs::{Builder, Secret, Totp};

/// An authenticator. Its codes are those of the time step in which it was given the secret and of the ones after it, so
/// that a story uses two of them without waiting: the next step's is taken ahead of its time.
pub struct Authenticator {
    totp: Totp,
    first_step: u64,
}

impl Authenticator {
    /// One that has what the answer of `two_factor_begin` tells.
    ///
    /// # Panics
    /// Where that isn't a secret.
    pub fn of(begun: &Value) -> Self {
        let secret = begun["secret"].as_str().expect("a secret");
        let secret = Secret::try_from_base32(secret).expect("base 32");
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            totp: Builder::new().with_secret(secret).build().expect("a code"),
            first_step: now.expect("a time").as_secs() / 30,
        }
    }

    /// The code of the first time step, or of one so many steps later.
    pub fn code(&self, ahead: u64) -> String {
        self.of_step(self.first_step + ahead)
    }

    /// A code that is no time step's around now.
    pub fn wrong(&self) -> String {
        let near: Vec<String> = (self.first_step - 3..self.first_step + 6)
            .map(|step| self.of_step(step))
            .collect();
        let mut codes = (0..100).map(|number| format!("{number:06}"));
        let far = codes.find(|code| !near.contains(code));
        far.expect("nine codes are near")
    }

    fn of_step(&self, step: u64) -> String {
        self.totp.generate(step * 30).to_string()
    }
}
