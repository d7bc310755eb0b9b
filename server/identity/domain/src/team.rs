//! The team of a merchant account: its users, the people who were invited, and the changes that its admins may make.

mod change;

pub use change::{AdminOf, MemberRoles, OtherAdmins, RoleChange};

use std::fmt;

use multirail_kernel::email::Email;
use multirail_kernel::ids::UserId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use crate::Role;

words! {
    /// Whether a person has a role in the account, or only an offer.
    pub enum MemberStatus {
        Invited = "invited",
        Active = "active",
    }
}

/// A person's roles in one merchant account. A role in its organization counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// They haven't accepted a role yet.
    Invited { offered: Role },
    /// They have a role, and perhaps the offer of another one.
    Active { role: Role, offered: Option<Role> },
}

impl Standing {
    /// Returns the standing by the strongest role and the strongest offer, or `None` without any.
    pub fn of(role: Option<Role>, offered: Option<Role>) -> Option<Self> {
        match (role, offered) {
            (Some(role), offered) => Some(Standing::Active { role, offered }),
            (None, Some(offered)) => Some(Standing::Invited { offered }),
            (None, None) => None,
        }
    }

    pub fn status(self) -> MemberStatus {
        match self {
            Standing::Invited { .. } => MemberStatus::Invited,
            Standing::Active { .. } => MemberStatus::Active,
        }
    }

    /// Returns the role, or the offered one before they have accepted any.
    pub fn role(self) -> Role {
        match self {
            Standing::Invited { offered } => offered,
            Standing::Active { role, .. } => role,
        }
    }

    pub fn offered(self) -> Option<Role> {
        match self {
            Standing::Invited { offered } => Some(offered),
            Standing::Active { offered, .. } => offered,
        }
    }
}

/// A user of a merchant account, or a person who was invited to it.
#[derive(Clone, PartialEq, Eq)]
pub struct Member {
    pub user_id: UserId,
    pub email: Email,
    pub name: String,
    pub standing: Standing,
    pub has_second_factor: bool,
    /// The latest sign-in that acted with a role in the account.
    pub last_sign_in_at: Option<Timestamp>,
}

/// Prints only members without personal data.
impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member")
            .field("user_id", &self.user_id)
            .field("standing", &self.standing)
            .finish_non_exhaustive()
    }
}

impl Member {
    /// Returns the name and whether they have a second factor. Until a person has accepted a role, the account learns
    /// nothing of them but the address that it invited.
    pub fn known(&self) -> Option<(&str, bool)> {
        match self.standing.status() {
            MemberStatus::Invited => None,
            MemberStatus::Active => Some((&self.name, self.has_second_factor)),
        }
    }
}

/// Checks an invitation by a caller with the role `own`. The invited person has this standing in the account.
///
/// # Errors
/// [`Refusal::NotAllowed`] for a role above the caller's; [`Refusal::Precondition`] if the person has a role already,
/// which an offer of a lower one would replace.
pub fn may_invite(own: Role, standing: Option<Standing>, offered: Role) -> Result<(), Refusal> {
    may_give(own, offered)?;
    match standing {
        Some(Standing::Active { .. }) => Err(Refusal::precondition(
            "the person has a role in the account already: change that one",
        )),
        Some(Standing::Invited { .. }) | None => Ok(()),
    }
}

/// Checks that an admin sets whether everybody in the account needs a second factor. `is_own_on` says whether the admin
/// has one.
///
/// # Errors
/// [`Refusal::Precondition`] for an admin without one, whom the rule would shut out at once.
pub fn may_require_second_factor(is_required: bool, is_own_on: bool) -> Result<(), Refusal> {
    if is_required && !is_own_on {
        let why = "set up your own second factor before you require it of everybody";
        return Err(Refusal::precondition(why));
    }
    Ok(())
}

fn may_give(own: Role, given: Role) -> Result<(), Refusal> {
    // The roles are sorted by their permissions, the strongest first.
    if given >= own {
        return Ok(());
    }
    Err(Refusal::NotAllowed {
        message: format!("role_id is {given}, which is above your own role"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(standing: Standing) -> Member {
        Member {
            user_id: UserId::parse("user_1").expect("an id"),
            email: Email::parse("ada@books.example").expect("an address"),
            name: "ada".to_owned(),
            standing,
            has_second_factor: true,
            last_sign_in_at: None,
        }
    }

    #[test]
    fn a_person_is_invited_until_they_have_a_role() {
        let (low, high) = (Role::MerchantViewOnly, Role::MerchantAdmin);
        assert_eq!(Standing::of(None, None), None);
        for (role, offered, status, shown) in [
            (None, Some(low), MemberStatus::Invited, low),
            (Some(low), None, MemberStatus::Active, low),
            (Some(low), Some(high), MemberStatus::Active, low),
        ] {
            let standing = Standing::of(role, offered).expect("a standing");
            assert_eq!(standing.status(), status);
            assert_eq!(standing.role(), shown);
            assert_eq!(standing.offered(), offered);
        }
    }

    /// The invited address may belong to a user of other merchants.
    #[test]
    fn nothing_is_learned_of_a_person_who_was_only_invited() {
        let offered = Role::MerchantViewOnly;
        let invited = member(Standing::Invited { offered });
        assert_eq!(invited.known(), None);
        let (role, offered) = (Role::MerchantViewOnly, None);
        let active = member(Standing::Active { role, offered });
        assert_eq!(active.known(), Some(("ada", true)));
    }

    #[test]
    fn nobody_requires_a_second_factor_that_they_lack() {
        let refused = may_require_second_factor(true, false);
        assert!(matches!(refused, Err(Refusal::Precondition { .. })));
        for (is_required, is_own_on) in [(true, true), (false, true), (false, false)] {
            assert_eq!(may_require_second_factor(is_required, is_own_on), Ok(()));
        }
    }

    #[test]
    fn nobody_invites_to_a_role_above_their_own() {
        for own in Role::ALL {
            for offered in Role::ALL {
                let is_allowed = may_invite(*own, None, *offered).is_ok();
                assert_eq!(is_allowed, offered >= own, "{own} invites to {offered}");
            }
        }
    }

    /// An offer that adds nothing takes effect at once, and would lower the role of an admin.
    #[test]
    fn an_offer_replaces_an_offer_and_no_role() {
        let (own, offered) = (Role::OrgAdmin, Role::MerchantViewOnly);
        let invited = Standing::Invited { offered };
        assert_eq!(may_invite(own, Some(invited), offered), Ok(()));
        let active = Standing::of(Some(Role::MerchantAdmin), None);
        let refused = may_invite(own, active, offered);
        assert!(matches!(refused, Err(Refusal::Precondition { .. })));
    }
}
