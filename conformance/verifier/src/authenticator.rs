//! The authenticator app on a person's telephone.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;
use totp_rs::{Builder, Secret, Totp};

/// An authenticator. It shows codes from the time step of its creation on. A story can use two codes without waiting,
/// because the next step's code is accepted early.
pub struct Authenticator {
    totp: Totp,
    first_step: u64,
}

impl Authenticator {
    /// Creates an authenticator with the secret in the answer of `two_factor_begin`.
    ///
    /// # Panics
    /// Panics when the answer has no secret.
    pub fn from_answer(begun: &Value) -> Self {
        let secret = begun["secret"].as_str().expect("a secret");
        let secret = Secret::try_from_base32(secret).expect("base 32");
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            totp: Builder::new().with_secret(secret).build().expect("a code"),
            first_step: now.expect("a time").as_secs() / 30,
        }
    }

    /// Returns the code of the first time step, or of this many steps later.
    pub fn code(&self, ahead: u64) -> String {
        self.code_of_step(self.first_step + ahead)
    }

    /// Returns a code that no time step around now has.
    pub fn wrong(&self) -> String {
        let near: Vec<String> = (self.first_step - 3..self.first_step + 6)
            .map(|step| self.code_of_step(step))
            .collect();
        let mut codes = (0..100).map(|number| format!("{number:06}"));
        let far = codes.find(|code| !near.contains(code));
        far.expect("nine codes are near")
    }

    fn code_of_step(&self, step: u64) -> String {
        self.totp.generate(step * 30).to_string()
    }
}
