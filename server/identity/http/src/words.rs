//! Converts the words of users.

use multirail_api::ApiError;
use multirail_http::platform::errors::refused;
use multirail_identity_domain::{MemberStatus, Role, SessionKind};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

/// Reads a role.
///
/// # Errors
/// A word that the document lacks.
pub(crate) fn role(word: &types::UserRole) -> Result<Role, ApiError> {
    role_to_domain(word).ok_or_else(|| refused(Refusal::invalid_value("role_id is no role")))
}

/// Pairs the roles of the document with those of the domain, both ways.
macro_rules! roles {
    ($($word:ident = $own:ident,)+) => {
        /// Returns the word of the wire.
        pub(crate) fn role_to_wire(role: Role) -> types::UserRole {
            match role { $(Role::$own => types::UserRole::$word,)+ }
        }

        /// Returns the role, unless the document lacks this word.
        fn role_to_domain(word: &types::UserRole) -> Option<Role> {
            match word {
                $(types::UserRole::$word => Some(Role::$own),)+
                types::UserRole::Unknown(_) => None,
            }
        }
    };
}

multirail_api::with_words! { UserRole => roles! {} }

/// Pairs the kinds of sessions of the domain with those of the document.
macro_rules! session_kinds {
    ($($word:ident = $own:ident,)+) => {
        /// Returns the word of the wire.
        pub(crate) fn session_kind_to_wire(kind: SessionKind) -> types::UserSessionKind {
            match kind { $(SessionKind::$own => types::UserSessionKind::$word,)+ }
        }
    };
}

multirail_api::with_words! { UserSessionKind => session_kinds! {} }

/// Pairs the statuses of members of the domain with those of the document.
macro_rules! member_statuses {
    ($($word:ident = $own:ident,)+) => {
        /// Returns the word of the wire.
        pub(crate) fn member_status_to_wire(status: MemberStatus) -> types::TeamMemberStatus {
            match status { $(MemberStatus::$own => types::TeamMemberStatus::$word,)+ }
        }
    };
}

multirail_api::with_words! { TeamMemberStatus => member_statuses! {} }
