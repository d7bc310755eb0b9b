//! E-mails for a mail server.

use crate::email::Email;
use crate::secret::SecretText;

/// One e-mail. It doesn't print.
pub struct Mail {
    pub to: Email,
    pub subject: &'static str,
    /// Plain text, which may contain a secret link or code.
    pub text: SecretText,
}
