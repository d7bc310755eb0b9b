//! Mail, as it is handed to a mail server.

use crate::email::Email;
use crate::secret::SecretText;

/// One mail. It doesn't print.
pub struct Mail {
    pub to: Email,
    pub subject: &'static str,
    /// Plain text, with what opens something in it.
    pub text: SecretText,
}
