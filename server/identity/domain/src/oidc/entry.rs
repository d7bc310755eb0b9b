//! Decides who can sign in by the identity provider.

use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::Refusal;

use super::super::Role;
use super::Identity;

/// The operator's rules for signing in by the identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcRules {
    /// The provider's name for users.
    pub label: String,
    /// The allowed domains of addresses in lower case; empty if the provider decides alone.
    pub email_domains: Vec<String>,
    pub newcomers: Newcomers,
}

/// The handling of people who were not invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Newcomers {
    Refused,
    /// Newcomers get an organization and a merchant account of their own, as by signing up.
    OwnAccount,
    /// Newcomers get this role.
    Role {
        merchant_id: MerchantId,
        role: Role,
    },
}

/// The result of looking up a person whom the provider has authenticated.
pub enum Known {
    /// The person is linked to this user.
    Linked(UserId),
    /// A user has the person's verified address.
    Address {
        user_id: UserId,
        has_password: bool,
        /// True if the user is linked to another person of the provider.
        is_linked: bool,
    },
    Nobody,
}

/// The way a person signs in.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry {
    As(UserId),
    /// As an invited user, who is linked to the person from now on.
    LinkedTo(UserId),
    AsNewcomer,
}

impl OidcRules {
    /// Checks whether people without an invitation get an account.
    pub fn lets_in_newcomers(&self) -> bool {
        match self.newcomers {
            Newcomers::Refused => false,
            Newcomers::OwnAccount | Newcomers::Role { .. } => true,
        }
    }

    /// Checks whether the operator admits the person, linked or not.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`]
    pub fn admit(&self, identity: &Identity) -> Result<(), Refusal> {
        if self.email_domains.is_empty() {
            return Ok(());
        }
        let email = identity.email.as_ref().ok_or_else(unverified)?;
        let domain = email.domain();
        if self.email_domains.iter().any(|known| known == domain) {
            Ok(())
        } else {
            let domains = self.email_domains.join(", ");
            Err(not_allowed(format!(
                "only people with an e-mail address at {domains} sign in by {} here",
                self.label
            )))
        }
    }

    /// Decides how a person signs in whom the provider has authenticated.
    ///
    /// The provider can't open an account that has a password. The account may belong to another person, because its
    /// address was never verified.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`]
    pub fn entry(&self, identity: &Identity, known: Known) -> Result<Entry, Refusal> {
        self.admit(identity)?;
        let of_address = match known {
            Known::Linked(user_id) => return Ok(Entry::As(user_id)),
            Known::Address {
                user_id,
                has_password,
                is_linked,
            } => Some((user_id, has_password, is_linked)),
            Known::Nobody => None,
        };
        if identity.email.is_none() {
            return Err(unverified());
        }
        match of_address {
            Some((_, _, true)) => Err(not_allowed(
                "somebody else of the identity provider is known here by your e-mail address: ask whoever operates the service",
            )),
            Some((_, true, false)) => Err(not_allowed(
                "you have a password here: sign in with it once, and link your account with the identity provider (oidc_link)",
            )),
            Some((user_id, false, false)) => Ok(Entry::LinkedTo(user_id)),
            None if self.lets_in_newcomers() => Ok(Entry::AsNewcomer),
            None => Err(not_allowed(
                "you have no account here: ask whoever operates the service for an invitation",
            )),
        }
    }
}

fn unverified() -> Refusal {
    not_allowed("the identity provider names no verified e-mail address of yours")
}

fn not_allowed(message: impl Into<String>) -> Refusal {
    Refusal::NotAllowed {
        message: message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::email::Email;

    fn identity(email: Option<&str>) -> Identity {
        Identity {
            issuer: "https://id.example".to_owned(),
            subject: "1".to_owned(),
            email: email.map(|email| Email::parse(email).expect("an address")),
        }
    }

    fn rules(domains: &[&str], newcomers: Newcomers) -> OidcRules {
        OidcRules {
            label: "Books ID".to_owned(),
            email_domains: domains.iter().map(ToString::to_string).collect(),
            newcomers,
        }
    }

    fn user() -> UserId {
        UserId::parse("user_1").expect("an id")
    }

    fn by_address(has_password: bool, is_linked: bool) -> Known {
        Known::Address {
            user_id: user(),
            has_password,
            is_linked,
        }
    }

    #[test]
    fn invited_users_are_linked_and_users_with_a_password_are_not() {
        let rules = rules(&[], Newcomers::Refused);
        let ada = identity(Some("ada@books.example"));
        let nameless = identity(None);
        assert_eq!(
            rules.entry(&ada, Known::Linked(user())),
            Ok(Entry::As(user()))
        );
        assert_eq!(
            rules.entry(&nameless, Known::Linked(user())),
            Ok(Entry::As(user()))
        );
        assert_eq!(
            rules.entry(&ada, by_address(false, false)),
            Ok(Entry::LinkedTo(user()))
        );
        for known in [
            by_address(true, false),
            by_address(false, true),
            by_address(true, true),
            Known::Nobody,
        ] {
            assert!(rules.entry(&ada, known).is_err());
        }
        assert!(rules.entry(&nameless, by_address(false, false)).is_err());
    }

    #[test]
    fn newcomers_come_in_where_the_operator_says_so() {
        let role = Newcomers::Role {
            merchant_id: MerchantId::parse("bookshop").expect("an id"),
            role: Role::MerchantViewOnly,
        };
        for newcomers in [Newcomers::OwnAccount, role] {
            let rules = rules(&[], newcomers);
            let ada = identity(Some("ada@books.example"));
            assert_eq!(rules.entry(&ada, Known::Nobody), Ok(Entry::AsNewcomer));
            assert!(rules.entry(&identity(None), Known::Nobody).is_err());
            // A user with a password is refused even so.
            assert!(rules.entry(&ada, by_address(true, false)).is_err());
        }
    }

    #[test]
    fn domains_hold_for_everybody_and_exactly() {
        let rules = rules(&["books.example"], Newcomers::OwnAccount);
        for (email, is_let) in [
            (Some("ada@books.example"), true),
            (Some("Ada@BOOKS.example"), true),
            (Some("ada@evil.books.example"), false),
            (Some("ada@notbooks.example"), false),
            (Some("books.example@evil.example"), false),
            (None, false),
        ] {
            let identity = identity(email);
            let linked = rules.entry(&identity, Known::Linked(user()));
            assert_eq!(linked.is_ok(), is_let, "{email:?}");
            let nobody = rules.entry(&identity, Known::Nobody);
            assert_eq!(nobody.is_ok(), is_let, "{email:?}");
        }
    }
}
