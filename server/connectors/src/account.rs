//! What every connector reads of an account in the same way.

use multirail_domain::connector::{Access, AccountSetting};
use multirail_domain::connector_account::Credentials;
use multirail_domain::secret::SecretText;

/// Another address than the processor's own: a stand-in's, a sandbox's.
pub const BASE_URL: AccountSetting = AccountSetting::BASE_URL;

/// The member of the account's credentials.
pub fn credential(access: &Access, member: &str) -> Option<SecretText> {
    let credentials = Credentials::from_json(&access.credentials).ok()?;
    credentials.member(member).cloned()
}

/// The text of a setting. One that is unset or of another form was not given: the account was checked when it was opened.
pub fn setting<'a>(access: &'a Access, setting: &AccountSetting) -> Option<&'a str> {
    let value = access.metadata.get(setting.name)?;
    value.as_str().filter(|_| (setting.fits)(value))
}

#[cfg(test)]
mod tests {
    use super::*;

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
