//! Roles and the users who have them. The document lists the calls of each role (`x-multirail-roles`).

use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use super::PASSWORD_LINK_SECONDS;

words! {
    /// A user's role.
    pub enum Role {
        /// Allows everything in all merchant accounts of an organization.
        OrgAdmin = "org_admin",
        /// Allows everything in one merchant account.
        MerchantAdmin = "merchant_admin",
        /// Integrates one merchant account: keys, routing, events.
        MerchantDeveloper = "merchant_developer",
        /// Manages the payments of one merchant account.
        MerchantOperator = "merchant_operator",
        /// Reads one merchant account.
        MerchantViewOnly = "merchant_view_only",
    }
}

impl Role {
    /// Checks whether the role manages the team of an account.
    pub fn is_admin(self) -> bool {
        match self {
            Role::OrgAdmin | Role::MerchantAdmin => true,
            Role::MerchantDeveloper | Role::MerchantOperator | Role::MerchantViewOnly => false,
        }
    }

    /// Checks whether the role applies to the whole organization.
    pub fn is_of_organization(self) -> bool {
        match self {
            Role::OrgAdmin => true,
            Role::MerchantAdmin
            | Role::MerchantDeveloper
            | Role::MerchantOperator
            | Role::MerchantViewOnly => false,
        }
    }
}

/// A role granted to a user: at most one in an organization and one in each of its merchant accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub user_id: UserId,
    pub organization_id: OrganizationId,
    /// For a role in the organization, the account in which the user begins.
    pub merchant_id: MerchantId,
    pub role: Role,
    pub created_at: Timestamp,
}

/// The place of a role: an organization, or one of its merchant accounts. A user has one role and one offer there at
/// most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolePlace {
    pub organization_id: OrganizationId,
    /// Unset for a role in the whole organization.
    pub merchant_id: Option<MerchantId>,
}

impl Grant {
    /// Returns the place of the role.
    pub fn place(&self) -> RolePlace {
        let is_of_account = !self.role.is_of_organization();
        RolePlace {
            organization_id: self.organization_id.clone(),
            merchant_id: is_of_account.then(|| self.merchant_id.clone()),
        }
    }

    /// Checks whether the role applies in a merchant account of an organization.
    pub fn applies_in(&self, organization_id: &OrganizationId, merchant_id: &MerchantId) -> bool {
        self.organization_id == *organization_id
            && (self.role.is_of_organization() || self.merchant_id == *merchant_id)
    }

    /// Checks whether both grants are in the same organization or the same merchant account, where a user has only one
    /// role.
    pub fn has_scope_of(&self, other: &Grant) -> bool {
        self.place() == other.place()
    }

    /// Adds the role to the user's existing ones, in place of the one with the same scope.
    pub fn add_to(self, held: &mut Vec<Grant>) {
        match held.iter_mut().find(|one| one.has_scope_of(&self)) {
            // The user still begins in the account that the former role names.
            Some(former) => former.role = self.role,
            None => held.push(self),
        }
    }

    /// Checks whether the role adds nothing to the user's existing roles there, so that it takes effect at once. Any
    /// other role waits until the user proves that they own the invited address.
    pub fn adds_nothing_to(&self, held: &[Grant]) -> bool {
        // The roles are sorted by their permissions, the strongest first.
        held.iter()
            .any(|one| one.has_scope_of(self) && one.role <= self.role)
    }
}

/// A role that waits for its user. It takes effect when the user redeems a token sent to their address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub grant: Grant,
    pub expires_at: Timestamp,
    /// The admin who made the offer, with whose role it ends; unset for the operator.
    pub invited_by: Option<UserId>,
}

impl Invitation {
    /// Checks whether the invitation hasn't expired.
    pub fn is_open(&self, now: Timestamp) -> bool {
        now < self.expires_at
    }

    /// Returns when a link to the offer expires: with the offer, but not before [`PASSWORD_LINK_SECONDS`] have passed since
    /// that was made. A link derives from this time which offers came later
    /// ([`PasswordLink::takes_up`](crate::PasswordLink::takes_up)).
    pub fn link_expires_at(&self) -> Timestamp {
        let lasts = self.grant.created_at.plus_seconds(PASSWORD_LINK_SECONDS);
        lasts.map_or(self.expires_at, |lasts| lasts.max(self.expires_at))
    }
}

/// Returns the user's role in a merchant account of an organization.
pub fn role_in(
    grants: &[Grant],
    organization_id: &OrganizationId,
    merchant_id: &MerchantId,
) -> Option<Role> {
    let holds = |grant: &&Grant| grant.applies_in(organization_id, merchant_id);
    // The roles are sorted by their permissions, the strongest first.
    grants.iter().filter(holds).map(|grant| grant.role).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grant(organization: &str, merchant: &str, role: Role) -> Grant {
        Grant {
            user_id: UserId::parse("user_1").expect("an id"),
            organization_id: OrganizationId::parse(organization).expect("an id"),
            merchant_id: MerchantId::parse(merchant).expect("an id"),
            role,
            created_at: Timestamp::EPOCH,
        }
    }

    #[test]
    fn only_what_adds_nothing_takes_effect_at_once() {
        let held = [
            grant("org_1", "books", Role::MerchantDeveloper),
            grant("org_2", "flowers", Role::OrgAdmin),
        ];
        for (organization, merchant, role, at_once) in [
            ("org_1", "books", Role::MerchantAdmin, false),
            ("org_1", "books", Role::MerchantDeveloper, true),
            ("org_1", "books", Role::MerchantViewOnly, true),
            ("org_1", "music", Role::MerchantViewOnly, false),
            ("org_1", "books", Role::OrgAdmin, false),
            ("org_2", "bread", Role::OrgAdmin, true),
            ("org_2", "flowers", Role::MerchantViewOnly, false),
            ("org_3", "books", Role::MerchantDeveloper, false),
        ] {
            let asked = grant(organization, merchant, role);
            assert_eq!(asked.adds_nothing_to(&held), at_once, "{asked:?}");
        }
    }

    #[test]
    fn a_role_replaces_the_one_with_its_scope() {
        let mut held = vec![
            grant("org_1", "books", Role::MerchantDeveloper),
            grant("org_2", "flowers", Role::OrgAdmin),
        ];
        for added in [
            grant("org_1", "books", Role::MerchantAdmin),
            grant("org_1", "music", Role::MerchantViewOnly),
            grant("org_2", "bread", Role::OrgAdmin),
        ] {
            added.add_to(&mut held);
        }
        let wanted = [
            grant("org_1", "books", Role::MerchantAdmin),
            grant("org_2", "flowers", Role::OrgAdmin),
            grant("org_1", "music", Role::MerchantViewOnly),
        ];
        assert_eq!(held, wanted);
    }

    #[test]
    fn a_role_holds_in_its_account_and_an_organizations_in_all_of_its_accounts() {
        let grants = [
            grant("org_1", "books", Role::MerchantViewOnly),
            grant("org_2", "flowers", Role::OrgAdmin),
            grant("org_2", "bread", Role::MerchantViewOnly),
        ];
        let role = |organization, merchant| {
            let organization = OrganizationId::parse(organization).expect("an id");
            role_in(
                &grants,
                &organization,
                &MerchantId::parse(merchant).expect("an id"),
            )
        };
        assert_eq!(role("org_1", "books"), Some(Role::MerchantViewOnly));
        assert_eq!(role("org_1", "music"), None);
        assert_eq!(role("org_2", "bread"), Some(Role::OrgAdmin));
        assert_eq!(role("org_2", "music"), Some(Role::OrgAdmin));
        assert_eq!(role("org_3", "flowers"), None);
    }
}
