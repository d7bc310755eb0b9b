//! The address of a checkout's frame, and the reasons for which a frame isn't opened.

use http::StatusCode;
use multirail_domain::accounts::api_key::is_publishable;
use multirail_kernel::ids::ProfileId;
use multirail_page::document;
use url::form_urlencoded;

/// The longest query of a frame's address, in bytes. Keys and ids are short.
const QUERY_AT_MOST: usize = 512;

/// The query of a frame's address.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrameAddress {
    pub(super) publishable_key: String,
    pub(super) profile_id: Option<ProfileId>,
}

/// The reason for which a frame isn't opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unopened {
    /// The address has no key, or has members besides key and profile.
    Malformed,
    /// The address has a secret, which now stands in histories and logs.
    Secret,
    UnknownKey,
    /// The merchant has no such profile.
    UnknownProfile,
    /// The address names no profile, and none of the merchant's profiles is the default.
    NoProfile,
    TooManyRequests,
    Unavailable,
}

impl FrameAddress {
    /// Reads the query of a frame's address.
    ///
    /// # Errors
    /// Unknown, repeated and missing members, and secrets.
    pub(super) fn read(query: Option<&str>) -> Result<Self, Unopened> {
        let query = query.unwrap_or_default();
        if query.len() > QUERY_AT_MOST {
            return Err(Unopened::Malformed);
        }
        let (mut key, mut profile) = (None, None);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let member = match &*name {
                "key" => &mut key,
                "profile" => &mut profile,
                "client_secret" | "clientSecret" => return Err(Unopened::Secret),
                _ => return Err(Unopened::Malformed),
            };
            if member.replace(value.into_owned()).is_some() {
                return Err(Unopened::Malformed);
            }
        }
        let key = key.filter(|key| !key.is_empty());
        let publishable_key = key.ok_or(Unopened::Malformed)?;
        // Every other key opens more than a checkout.
        if !is_publishable(&publishable_key) {
            return Err(Unopened::Secret);
        }
        let profile_id = profile.map(|id: String| ProfileId::parse(&id));
        let profile_id = profile_id.transpose();
        Ok(Self {
            publishable_key,
            profile_id: profile_id.map_err(|_| Unopened::UnknownProfile)?,
        })
    }
}

impl Unopened {
    /// Returns the status of the answer.
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::Malformed | Self::Secret | Self::NoProfile => StatusCode::BAD_REQUEST,
            Self::UnknownKey | Self::UnknownProfile => StatusCode::NOT_FOUND,
            Self::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Returns the page that says so.
    pub(super) fn page(self) -> String {
        let (title, text) = match self {
            Self::Malformed => (
                "This checkout can't be opened",
                "The address of a checkout has the shop's publishable key as <code>key</code>, and perhaps a <code>profile</code>. \
                 It has nothing else.",
            ),
            Self::Secret => (
                "This address contains a secret",
                "Only a publishable key, which begins with <code>pk_</code>, may stand in the address of a checkout. Addresses \
                 are stored in histories and logs: if this was a secret key, replace it now.",
            ),
            Self::UnknownKey => (
                "This checkout does not exist",
                "No shop has the publishable key in the address.",
            ),
            Self::UnknownProfile => (
                "This checkout does not exist",
                "The shop has no such profile.",
            ),
            Self::NoProfile => (
                "This checkout can't be opened",
                "The shop has several profiles and no default: the address has to name one as <code>profile</code>.",
            ),
            Self::TooManyRequests => (
                "One moment, please",
                "This checkout was opened very often. Please try again in a minute.",
            ),
            Self::Unavailable => (
                "One moment, please",
                "This checkout can't be opened right now. Please try again in a minute.",
            ),
        };
        let main = format!("<h1>{title}</h1>\n<p>{text}</p>\n<small>Nothing was charged.</small>");
        document(title, &main)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "pk_snd_0123456789abcdef0123456789abcdef";

    fn read(query: &str) -> Result<(String, Option<String>), Unopened> {
        let address = FrameAddress::read(Some(query))?;
        let profile = address.profile_id.map(|id| id.as_str().to_owned());
        Ok((address.publishable_key, profile))
    }

    #[test]
    fn an_address_names_a_key_and_perhaps_a_profile() {
        let named = |profile: Option<&str>| Ok((KEY.to_owned(), profile.map(str::to_owned)));
        assert_eq!(read(&format!("key={KEY}")), named(None));
        assert_eq!(
            read(&format!("profile=pro_books&key={KEY}")),
            named(Some("pro_books"))
        );
        let unknown = Err(Unopened::UnknownProfile);
        for profile in ["", "a/b", &"p".repeat(65)] {
            assert_eq!(read(&format!("key={KEY}&profile={profile}")), unknown);
        }
    }

    #[test]
    fn secrets_are_refused_before_anybody_looks_for_them() {
        let client_secret = format!("key={KEY}&client_secret=pay_1_secret_abc");
        for query in [
            "key=snd_0123456789abcdef",
            "key=prd_0123456789abcdef&profile=pro_books",
            "key=epk_0123456789abcdef",
            "key=%20pk_snd_0",
            "key=admin",
            &client_secret,
        ] {
            assert_eq!(read(query), Err(Unopened::Secret), "{query}");
        }
    }

    #[test]
    fn other_members_are_refused() {
        for query in [
            String::new(),
            "key=".to_owned(),
            "profile=pro_books".to_owned(),
            format!("key={KEY}&key={KEY}"),
            format!("key={KEY}&profile=a&profile=b"),
            format!("key={KEY}&locale=de"),
            format!("key={KEY}{}", "0".repeat(QUERY_AT_MOST)),
        ] {
            assert_eq!(read(&query), Err(Unopened::Malformed), "{query}");
        }
        assert_eq!(FrameAddress::read(None), Err(Unopened::Malformed));
    }

    #[test]
    fn every_reason_has_its_page() {
        let reasons = [
            (Unopened::Malformed, 400, "nothing else"),
            (Unopened::Secret, 400, "replace it now"),
            (Unopened::NoProfile, 400, "has to name one"),
            (Unopened::UnknownKey, 404, "publishable key"),
            (Unopened::UnknownProfile, 404, "no such profile"),
            (Unopened::TooManyRequests, 429, "very often"),
            (Unopened::Unavailable, 503, "right now"),
        ];
        for (reason, status, part) in reasons {
            assert_eq!(reason.status().as_u16(), status, "{reason:?}");
            let page = reason.page();
            assert!(page.contains(part), "{page}");
            assert!(page.contains("Nothing was charged."), "{page}");
        }
    }
}
