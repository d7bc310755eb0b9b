//! The `sdk_authorization`: publishable key and client secret in one text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use url::form_urlencoded;

use multirail_kernel::ids::{CustomerId, ProfileId};
use multirail_kernel::secret::SecretText;

/// The content of an `sdk_authorization`: standard base64 of a URL-encoded list. It adds no secret: anyone with the publishable
/// key and the client secret can make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SdkAuthorization {
    pub profile_id: ProfileId,
    pub publishable_key: String,
    pub client_secret: SecretText,
    pub customer_id: Option<CustomerId>,
}

/// The longest accepted text; the server's own have less than half of it.
const LONGEST: usize = 2_048;
/// The usual length before base64.
const USUAL: usize = 256;

impl SdkAuthorization {
    /// Returns the text.
    pub fn encode(&self) -> SecretText {
        // The buffer has room for all of it: a text that grows leaves copies in memory.
        let mut list = form_urlencoded::Serializer::new(String::with_capacity(USUAL));
        list.append_pair("profile_id", self.profile_id.as_str());
        list.append_pair("publishable_key", &self.publishable_key);
        list.append_pair("client_secret", self.client_secret.expose());
        if let Some(customer_id) = &self.customer_id {
            list.append_pair("customer_id", customer_id.as_str());
        }
        let list = SecretText::new(list.finish());
        SecretText::new(STANDARD.encode(list.expose()))
    }

    /// Reads a text. `None` if it can't be read, repeats a member, or lacks one.
    pub fn decode(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let list = SecretText::new(String::from_utf8(STANDARD.decode(text).ok()?).ok()?);
        let mut profile_id = None;
        let mut publishable_key = None;
        let mut client_secret = None;
        let mut customer_id = None;
        for (name, value) in form_urlencoded::parse(list.expose().as_bytes()) {
            let member = match &*name {
                "profile_id" => &mut profile_id,
                "publishable_key" => &mut publishable_key,
                "client_secret" => &mut client_secret,
                "customer_id" => &mut customer_id,
                // Other programs may add members.
                _ => continue,
            };
            if member.replace(value.into_owned()).is_some() {
                return None;
            }
        }
        Some(SdkAuthorization {
            profile_id: ProfileId::parse(&profile_id?).ok()?,
            publishable_key: publishable_key?,
            client_secret: SecretText::new(client_secret?),
            customer_id: match customer_id {
                Some(id) => Some(CustomerId::parse(&id).ok()?),
                None => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> SdkAuthorization {
        SdkAuthorization {
            profile_id: ProfileId::parse("pro_1").expect("an id"),
            publishable_key: "pk_snd_1".to_owned(),
            client_secret: SecretText::new("pay_1_secret_abc"),
            customer_id: Some(CustomerId::parse("ada").expect("an id")),
        }
    }

    #[test]
    fn it_says_what_it_was_made_of() {
        let text = example().encode();
        insta::assert_snapshot!(text.expose(), @"cHJvZmlsZV9pZD1wcm9fMSZwdWJsaXNoYWJsZV9rZXk9cGtfc25kXzEmY2xpZW50X3NlY3JldD1wYXlfMV9zZWNyZXRfYWJjJmN1c3RvbWVyX2lkPWFkYQ==");
        assert_eq!(SdkAuthorization::decode(text.expose()), Some(example()));
    }

    #[test]
    fn what_is_none_says_nothing() {
        let list = |text: &str| STANDARD.encode(text);
        for text in [
            "",
            "not base64",
            &list(""),
            &list("publishable_key=pk_1&client_secret=s"),
            &list("profile_id=pro_1&client_secret=s"),
            &list("profile_id=pro_1&publishable_key=pk_1"),
            &list("profile_id=pro_1&publishable_key=pk_1&publishable_key=pk_2&client_secret=s"),
            &list("profile_id=a/b&publishable_key=pk_1&client_secret=s"),
            &"a".repeat(LONGEST + 4),
        ] {
            assert_eq!(SdkAuthorization::decode(text), None, "{text}");
        }
        let more = list(
            "profile_id=pro_1&publishable_key=pk_1&client_secret=s&platform_publishable_key=pk_2",
        );
        assert!(SdkAuthorization::decode(&more).is_some());
    }
}
