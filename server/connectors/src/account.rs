//! Access to an account's credentials and settings, shared by all connectors.

use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::Credentials;
use multirail_sdk::connector::{Access, AccountSetting};
use serde_json::Value;

/// The base URL of a stand-in or a sandbox, in place of the processor's own.
pub const BASE_URL: AccountSetting = AccountSetting::BASE_URL;

/// Returns one member of the account's credentials.
pub fn credential(access: &Access, member: &str) -> Option<SecretText> {
    let credentials = Credentials::from_json(&access.credentials).ok()?;
    credentials.member(member).cloned()
}

/// Checks whether a setting is a processor's id: `word` followed by letters and digits.
pub fn is_id(word: &str, value: &Value) -> bool {
    let id = value.as_str().and_then(|text| text.strip_prefix(word));
    id.is_some_and(|id| {
        (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Checks whether a setting can be the first label of a host name.
pub fn is_host_label(value: &Value) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    value.as_str().is_some_and(|text| {
        (1..=64).contains(&text.len()) && text.bytes().all(is_letter) && !text.starts_with('-')
    })
}

/// Returns the text of a setting. Unset settings and settings of another form count as not given:
/// the account was checked when it was created.
pub fn setting<'a>(access: &'a Access, setting: &AccountSetting) -> Option<&'a str> {
    let value = access.metadata.get(setting.name)?;
    value.as_str().filter(|_| (setting.fits)(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_its_word_and_letters_and_digits() {
        for (id, is) in [
            ("pc_dkgoofpvuwuerekvd4ssr6jwom", true),
            ("pc_", false),
            ("dkgoofpvuwuerekvd4ssr6jwom", false),
            ("pc_a/b", false),
            (&format!("pc_{}", "a".repeat(65)), false),
        ] {
            assert_eq!(is_id("pc_", &id.into()), is, "{id}");
        }
        assert!(!is_id("pc_", &5.into()));
    }

    #[test]
    fn the_first_part_of_a_hosts_name_cannot_lead_to_another_host() {
        for (label, is) in [
            ("1797a841fbb37ca7-Bookshop", true),
            ("vkuhvk4v", true),
            ("", false),
            ("evil.example/", false),
            ("evil.example#", false),
            ("user@evil", false),
            ("-a", false),
            (&"a".repeat(65), false),
        ] {
            assert_eq!(is_host_label(&label.into()), is, "{label}");
        }
        assert!(!is_host_label(&5.into()));
    }

    #[test]
    fn credentials_and_settings_are_read_by_their_names() {
        let mut access = Access {
            credentials: SecretText::new(r#"{"auth_type":"HeaderKey","api_key":"sesame"}"#),
            ..Access::default()
        };
        assert_eq!(
            credential(&access, "api_key"),
            Some(SecretText::new("sesame"))
        );
        assert_eq!(credential(&access, "key1"), None);
        assert_eq!(setting(&access, &BASE_URL), None);
        let url = "https://stand-in.internal";
        access.metadata.insert("base_url".to_owned(), url.into());
        assert_eq!(setting(&access, &BASE_URL), Some(url));
        access.metadata.insert("base_url".to_owned(), 5.into());
        assert_eq!(setting(&access, &BASE_URL), None);
    }
}
