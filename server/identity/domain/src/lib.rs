//! Users: people who sign in. A user's permissions in a merchant account follow from their [`Role`] there.

mod grant;
mod mail;
mod oidc;
mod operator_session;
mod password;
mod saved_view;
mod second_factor;
mod session;
mod team;

pub use grant::{Grant, Invitation, Role, RolePlace, role_in};
pub use mail::{
    MAIL_PAUSE_SECONDS, MailLink, PasswordMailKind, RESET_LINK_SECONDS, next_try, password_mail,
};
pub use oidc::{
    BegunOidc, Entry, Expected, IdTokenClaims, Identity, IdentityLink, Known, Newcomers,
    OIDC_SECONDS, OidcRules, OidcTies, TokenFault, UserInfoClaims, is_state_of,
};
pub use operator_session::{OPERATOR_SECONDS, OPERATOR_TOKEN_PREFIX, OperatorSession};
pub use password::check_password;
pub use saved_view::{MOST_SAVED_VIEWS, SavedView};
pub use second_factor::{
    Proof, SECOND_STEP_SECONDS, SecondFactor, SecondFactorSecrets, SecondStep, recovery_codes,
    recovery_text,
};
pub use session::{
    SESSION_SECONDS, SIGN_IN_LINK_SECONDS, SessionKind, SignInClient, SignInLink, UserSession,
};
pub use team::{
    AdminOf, Member, MemberRoles, MemberStatus, OtherAdmins, RoleChange, Standing, may_invite,
    may_require_second_factor,
};

use std::fmt;

use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

/// Seconds until a link for choosing a password expires: seven days.
pub const PASSWORD_LINK_SECONDS: i64 = 7 * 86_400;

/// A person who can sign in.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    pub user_id: UserId,
    /// The merchant account that the user started in. Its key seals their personal data, and new sign-ins begin there.
    pub home_merchant_id: MerchantId,
    /// The slow hash of the password; `None` until the user chooses one, and after a sandbox's link took the user over.
    pub password_hash: Option<SecretText>,
    pub personal: UserPersonal,
    /// Grows with each stored change, and each time that all sign-ins of the user end; 0 until stored.
    pub version: i64,
    pub created_at: Timestamp,
    pub modified_at: Timestamp,
}

/// Prints only members without personal data.
impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("User")
            .field("user_id", &self.user_id)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// A user's personal data. It is stored sealed and doesn't print.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserPersonal {
    pub email: Email,
    pub name: String,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl User {
    /// The version of a user who has just been stored.
    pub const FIRST_VERSION: i64 = 1;

    /// Creates a user whose name is the part of their address before the `@`.
    pub fn create(
        user_id: UserId,
        home_merchant_id: MerchantId,
        email: Email,
        password_hash: Option<SecretText>,
        now: Timestamp,
    ) -> Self {
        User {
            user_id,
            home_merchant_id,
            password_hash,
            personal: UserPersonal {
                name: email.before_the_at().to_owned(),
                email,
                unread: UnreadMembers::default(),
            },
            version: 0,
            created_at: now,
            modified_at: now,
        }
    }

    /// Returns the user with another password.
    pub fn with_password(&self, hash: SecretText, now: Timestamp) -> Self {
        User {
            password_hash: Some(hash),
            modified_at: now,
            ..self.clone()
        }
    }

    /// Returns the user without a password.
    pub fn without_password(&self, now: Timestamp) -> Self {
        User {
            password_hash: None,
            modified_at: now,
            ..self.clone()
        }
    }
}

/// A link by which its holder chooses the password of one user, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordLink {
    /// The keyed hash of the token. The token itself is never stored.
    pub hash: String,
    pub user_id: UserId,
    pub expires_at: Timestamp,
    /// The place of the offer that its holder takes up ([`PasswordLink::takes_up`]); unset for a link that only chooses a
    /// password.
    pub offer: Option<RolePlace>,
}

impl PasswordLink {
    /// Returns whether the link takes up an offered role: the one that it was made for, also if that was offered again since.
    /// A later offer of another role in the same place has a link of its own.
    pub fn takes_up(&self, offered: &Grant) -> bool {
        self.offer.as_ref() == Some(&offered.place()) && offered.created_at <= self.made_at()
    }

    /// Returns when the link was made, or the offer that it was made for.
    pub fn made_at(&self) -> Timestamp {
        let made_at = self.expires_at.plus_seconds(-PASSWORD_LINK_SECONDS);
        made_at.unwrap_or(Timestamp::EPOCH)
    }
}

/// Checks the name of a further merchant account: 1 to 64 characters.
///
/// # Errors
/// [`Refusal::CompanyNameInvalid`].
pub fn company_name(given: &str) -> Result<String, Refusal> {
    let name = given.trim();
    if (1..=64).contains(&name.chars().count()) {
        Ok(name.to_owned())
    } else {
        Err(Refusal::CompanyNameInvalid)
    }
}

/// Turns a name into an id: its ASCII letters and digits in lower case, with `_` between words, at most 40 characters.
/// The id is empty if the name has no such letter or digit.
pub fn as_id(name: &str) -> String {
    let mut id = String::new();
    for character in name.chars() {
        if id.len() == 40 {
            break;
        }
        if character.is_ascii_alphanumeric() {
            id.push(character.to_ascii_lowercase());
        } else if !id.is_empty() && !id.ends_with('_') {
            id.push('_');
        }
    }
    id.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use multirail_kernel::ids::OrganizationId;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(seconds).expect("in range")
    }

    fn offer(merchant: &str, role: Role, made: i64) -> Invitation {
        Invitation {
            grant: Grant {
                user_id: UserId::parse("user_1").expect("an id"),
                organization_id: OrganizationId::parse("org_1").expect("an id"),
                merchant_id: MerchantId::parse(merchant).expect("an id"),
                role,
                created_at: at(made),
            },
            expires_at: at(made + PASSWORD_LINK_SECONDS),
            invited_by: None,
        }
    }

    fn link_to(offer: &Invitation) -> PasswordLink {
        PasswordLink {
            hash: "a hash".to_owned(),
            user_id: offer.grant.user_id.clone(),
            expires_at: offer.link_expires_at(),
            offer: Some(offer.grant.place()),
        }
    }

    /// Otherwise the letter of a low offer would give a high one.
    #[test]
    fn a_link_takes_up_the_offer_that_it_was_made_for() {
        let low = offer("books", Role::MerchantViewOnly, 10);
        let link = link_to(&low);
        assert!(link.takes_up(&low.grant));
        let high = offer("books", Role::MerchantAdmin, 11);
        assert!(!link.takes_up(&high.grant));
        let elsewhere = offer("stall", Role::MerchantViewOnly, 10);
        assert!(!link.takes_up(&elsewhere.grant));
        // An offer of the same role keeps its time. The links to both take it up.
        let again = Invitation {
            expires_at: at(20 + PASSWORD_LINK_SECONDS),
            ..low.clone()
        };
        assert!(link_to(&again).takes_up(&low.grant));
        let high = offer("books", Role::MerchantAdmin, 21);
        assert!(!link_to(&again).takes_up(&high.grant));
        // The offer to the owner of a sandbox lasts minutes only.
        let brief = Invitation {
            expires_at: at(900),
            ..low.clone()
        };
        assert!(link_to(&brief).takes_up(&low.grant));
        let chooses = PasswordLink {
            offer: None,
            ..link
        };
        assert!(!chooses.takes_up(&low.grant));
    }

    #[test]
    fn names_of_accounts_have_1_to_64_characters() {
        assert_eq!(company_name(" Books ").as_deref(), Ok("Books"));
        assert_eq!(company_name(""), Err(Refusal::CompanyNameInvalid));
        let long = "n".repeat(65);
        assert_eq!(company_name(&long), Err(Refusal::CompanyNameInvalid));
    }

    #[test]
    fn a_name_becomes_an_id() {
        for (name, id) in [
            ("Books & More, Inc.", "books_more_inc"),
            ("  ", ""),
            ("Bücher", "b_cher"),
            ("書店", ""),
        ] {
            assert_eq!(as_id(name), id);
        }
        assert_eq!(as_id(&"n".repeat(64)).len(), 40);
    }
}
