//! What every connector reads of an account in the same way.

use multirail_domain::connector::{Access, AccountSetting, Needed};
use multirail_domain::connector_account::Credentials;
use multirail_domain::secret::SecretText;
use multirail_domain::web_address::check_web_address;
use serde_json::Value;

/// Another address than the processor's own: a stand-in's, a sandbox's. The operator's list has to name it
/// (`connector_allowed_targets`), because cards and credentials go there.
pub const BASE_URL: AccountSetting = AccountSetting {
    name: "base_url",
    needed: Needed::Never,
    form: "an http or https address such as https://stand-in.internal:8443, without query and fragment",
    fits: is_base_url,
};

fn is_base_url(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| check_web_address("", text).is_ok() && !text.contains(['?', '#']))
}

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
    fn a_base_url_is_an_address_and_nothing_behind_it() {
        for (text, expected) in [
            ("https://stand-in.internal:8443", true),
            ("http://127.0.0.1:9000/adyen", true),
            ("https://stand-in.internal/?a=1", false),
            ("https://stand-in.internal/#top", false),
            ("stand-in.internal", false),
            ("https://user@stand-in.internal", false),
        ] {
            assert_eq!((BASE_URL.fits)(&text.into()), expected, "{text}");
        }
        assert!(!(BASE_URL.fits)(&Value::Null));
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
