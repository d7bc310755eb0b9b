//! The change of a member's role, and their removal from the team.

use multirail_kernel::ids::{MerchantId, OrganizationId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use super::{MemberStatus, Standing, may_give};
use crate::{Grant, Invitation, Role, RolePlace};

/// A person's roles and open offers in one merchant account and its organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRoles {
    merchant_id: MerchantId,
    grants: Vec<Grant>,
    offers: Vec<Invitation>,
}

/// Where somebody was an admin until now: their open offers there end, and another admin has to remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminOf {
    /// An admin of the organization.
    Organization,
    /// An admin of the account or of its organization.
    Account,
}

impl AdminOf {
    /// Decides where somebody is no admin any more. `before` and `after` are their strongest roles that apply in an account.
    ///
    /// With the role in an organization, the offers in all of its accounts end, also in one in which another role remains: they
    /// were made with the stronger role.
    pub fn ended(before: Option<Role>, after: Option<Role>) -> Option<Self> {
        let had = |is_such: fn(Role) -> bool| before.is_some_and(is_such);
        let has = |is_such: fn(Role) -> bool| after.is_some_and(is_such);
        if had(Role::is_of_organization) && !has(Role::is_of_organization) {
            Some(AdminOf::Organization)
        } else if had(Role::is_admin) && !has(Role::is_admin) {
            Some(AdminOf::Account)
        } else {
            None
        }
    }

    /// Returns the place, which is this account or its organization.
    pub fn place(self, organization_id: &OrganizationId, merchant_id: &MerchantId) -> RolePlace {
        RolePlace {
            organization_id: organization_id.clone(),
            merchant_id: match self {
                AdminOf::Organization => None,
                AdminOf::Account => Some(merchant_id.clone()),
            },
        }
    }
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
        let role = self.strongest();
        // The roles are sorted by their permissions, the strongest first.
        let offered = self.offers.iter().map(|offer| offer.grant.role).min();
        Standing::of(role, offered)
    }

    fn strongest(&self) -> Option<Role> {
        // The roles are sorted by their permissions, the strongest first.
        self.grants.iter().map(|grant| grant.role).min()
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
        self.keeping_an_admin(change, Some(role), others)
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
        self.keeping_an_admin(change, None, others)
    }

    /// Refuses a change if nobody else is an admin where an admin leaves. `role` is the person's role after it.
    fn keeping_an_admin(
        &self,
        change: RoleChange,
        role: Option<Role>,
        others: OtherAdmins,
    ) -> Result<RoleChange, Refusal> {
        let keeps = AdminOf::ended(self.strongest(), role);
        let has_other = match keeps {
            Some(AdminOf::Organization) => others.of_organization,
            Some(AdminOf::Account) => others.of_account,
            None => true,
        };
        if !has_other {
            let why = "nobody else is an admin there: make somebody else one first";
            return Err(Refusal::precondition(why));
        }
        Ok(RoleChange { keeps, ..change })
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
}

#[cfg(test)]
mod tests;
