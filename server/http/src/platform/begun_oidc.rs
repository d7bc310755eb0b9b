//! A sign-in by the identity provider that a browser has begun at the console, as its cookie keeps it.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use multirail_kernel::secret::SecretText;

/// A sign-in by the identity provider that a browser has begun at the console.
pub struct BegunOidc {
    /// The token that finishes the sign-in, once.
    pub token: SecretText,
    /// The screen at which the user was. Only the console reads it.
    pub screen: String,
}

impl BegunOidc {
    /// Returns the cookie's value. A screen's address may have characters that no cookie may have.
    pub(crate) fn to_text(&self) -> SecretText {
        let screen = BASE64_URL_SAFE_NO_PAD.encode(&self.screen);
        SecretText::new(format!("{}.{screen}", self.token.expose()))
    }

    /// Reads a cookie's value. Returns `None` for a value that this server didn't write.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let (token, screen) = text.split_once('.')?;
        let screen = BASE64_URL_SAFE_NO_PAD.decode(screen).ok()?;
        Some(BegunOidc {
            token: SecretText::new(token),
            screen: String::from_utf8(screen).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_keeps_the_token_and_the_screen() {
        let begun = BegunOidc {
            token: SecretText::new("oidc_1"),
            screen: "/payments?group=failed;\"ä, b\"".to_owned(),
        };
        let text = begun.to_text();
        let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        assert!(text.expose().bytes().all(is_fine), "{}", text.expose());
        let read = BegunOidc::from_text(text.expose()).expect("its own value");
        assert_eq!(read.token, begun.token);
        assert_eq!(read.screen, begun.screen);
    }

    #[test]
    fn other_values_are_none() {
        for other in ["", "oidc_1", "oidc_1.%", "oidc_1._w", "oidc_1.Lw=="] {
            assert!(BegunOidc::from_text(other).is_none(), "{other}");
        }
        let bare = BegunOidc::from_text("oidc_1.").expect("a token without a screen");
        assert_eq!(bare.screen, "");
    }
}
