//! The change of a member's role, and their removal from the team.

use multirail_kernel::ids::{MerchantId, OrganizationId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use super::{MemberStatus, Standing, may_give};
use crate::{Grant, Invitation, Role};

/// A person's roles and open offers in one merchant account and its organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRoles {
    merchant_id: MerchantId,
    grants: Vec<Grant>,
    offers: Vec<Invitation>,
}

/// The place in which another admin has to remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminOf {
    /// An admin of the organization.
    Organization,
    /// An admin of the account or of its organization.
    Account,
}

/// Whether somebody else is an admin: of the organization, and of the account or the organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherAdmins {
    pub of_organization: bool,
    pub of_account: bool,
}

/// The decided change of a person's roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleChange {
    /// Set if an admin leaves. The commit has to check again that another one remains.
    pub keeps: Option<AdminOf>,
    pub taken: Vec<Grant>,
    /// A role, and the one in its place.
    pub replaced: Option<(Grant, Role)>,
    pub given: Option<Grant>,
    pub withdrawn: Vec<Invitation>,
}

impl MemberRoles {
    /// Selects the roles and open offers in an account from all of a person's.
    pub fn in_account(
        (grants, invitations): (Vec<Grant>, Vec<Invitation>),
        organization_id: &OrganizationId,
        merchant_id: &MerchantId,
        now: Timestamp,
    ) -> Self {
        let is_there = |grant: &Grant| grant.applies_in(organization_id, merchant_id);
        let is_open = |one: &Invitation| one.is_open(now) && is_there(&one.grant);
        MemberRoles {
            merchant_id: merchant_id.clone(),
            offers: invitations.into_iter().filter(is_open).collect(),
            grants: grants.into_iter().filter(is_there).collect(),
        }
    }

    /// Returns the standing in the account, or `None` without a role and an open offer.
    pub fn standing(&self) -> Option<Standing> {
        // The roles are sorted by their permissions, the strongest first.
        let role = self.grants.iter().map(|grant| grant.role).min();
        let offered = self.offers.iter().map(|offer| offer.grant.role).min();
        Standing::of(role, offered)
    }

    /// Decides that a caller with the role `own` gives the person another role in the account. A role of the other kind,
    /// in the organization or the account, ends, and so do open offers.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], [`Refusal::NotAllowed`] for a role above the caller's, and [`Refusal::Precondition`] for a
    /// person without a role or the last admin.
    pub fn changed(
        &self,
        own: Role,
        role: Role,
        others: OtherAdmins,
    ) -> Result<RoleChange, Refusal> {
        let standing = self.manageable(own)?;
        may_give(own, role)?;
        if standing.status() == MemberStatus::Invited {
            let why = "the person has not accepted a role yet: invite them again";
            return Err(Refusal::precondition(why));
        }
        let is_same_kind =
            |one: &&Grant| one.role.is_of_organization() == role.is_of_organization();
        let same = self.grants.iter().find(is_same_kind);
        let other = self.grants.iter().find(|one| !is_same_kind(one));
        let mut change = RoleChange {
            taken: other.cloned().into_iter().collect(),
            withdrawn: self.offers.clone(),
            ..RoleChange::default()
        };
        match (same, other) {
            (Some(former), _) if former.role == role => {}
            (Some(former), _) => change.replaced = Some((former.clone(), role)),
            (None, former) => {
                change.given = former.map(|former| Grant {
                    role,
                    merchant_id: self.merchant_id.clone(),
                    ..former.clone()
                });
            }
        }
        change.keeping_an_admin(Some(role), others)
    }

    /// Decides that a caller with the role `own` removes the person from the account: all roles there and open offers.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], [`Refusal::NotAllowed`] for a role above the caller's, and [`Refusal::Precondition`] for
    /// the last admin.
    pub fn removed(&self, own: Role, others: OtherAdmins) -> Result<RoleChange, Refusal> {
        self.manageable(own)?;
        let change = RoleChange {
            taken: self.grants.clone(),
            withdrawn: self.offers.clone(),
            ..RoleChange::default()
        };
        change.keeping_an_admin(None, others)
    }

    /// Returns the standing of a person whom a caller with the role `own` may manage.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if they aren't in the team; [`Refusal::NotAllowed`] if they have, or are offered, a role
    /// above the caller's.
    pub fn manageable(&self, own: Role) -> Result<Standing, Refusal> {
        let standing = self.standing();
        let standing = standing.ok_or_else(|| Refusal::not_found(Object::User))?;
        let strongest = standing.offered().map_or(standing.role(), |offered| {
            // The roles are sorted by their permissions, the strongest first.
            offered.min(standing.role())
        });
        if strongest >= own {
            return Ok(standing);
        }
        Err(Refusal::NotAllowed {
            message: format!("the user's role is {strongest}, which is above your own role"),
        })
    }
}

impl RoleChange {
    /// Returns whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == RoleChange::default()
    }

    /// Refuses the change if nobody else is an admin where an admin leaves. `role` is the person's role after it.
    fn keeping_an_admin(self, role: Option<Role>, others: OtherAdmins) -> Result<Self, Refusal> {
        let replaced = self.replaced.iter().map(|(former, _)| former);
        let mut ended = self.taken.iter().chain(replaced);
        let leaves_organization = ended.clone().any(|one| one.role == Role::OrgAdmin);
        let is_admin_still = role.is_some_and(Role::is_admin);
        let leaves_account = !is_admin_still && ended.any(|one| one.role == Role::MerchantAdmin);
        let (keeps, has_other) = match (leaves_organization, leaves_account) {
            (true, _) => (Some(AdminOf::Organization), others.of_organization),
            (false, true) => (Some(AdminOf::Account), others.of_account),
            (false, false) => (None, true),
        };
        if !has_other {
            let why = "nobody else is an admin there: make somebody else one first";
            return Err(Refusal::precondition(why));
        }
        Ok(RoleChange { keeps, ..self })
    }
}

#[cfg(test)]
mod tests;
