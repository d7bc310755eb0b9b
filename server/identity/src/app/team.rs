//! The team of the merchant account in which its admin's session acts.

use multirail_app::Origin;
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::paging::page_size;
use multirail_identity_domain::{Member, MemberRoles, OtherAdmins, Role, RoleChange, RolePlace};
use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
use multirail_kernel::refusal::{Object, Refusal};

use super::find::Users;
use super::sessions::UserCaller;
use super::{AppError, storable};
use crate::ports::UserChange;

/// The largest page of members.
const LARGEST_PAGE: i64 = 100;

impl Users {
    /// Returns a page of the account's users, and of the people with an open offer, oldest first.
    ///
    /// # Errors
    /// [`Refusal::InvalidValue`] for a limit outside of 0 to 100.
    pub async fn team(
        &self,
        caller: &UserCaller,
        limit: Option<i64>,
        offset: i64,
    ) -> Result<Vec<Member>, AppError> {
        let page = (page_size(limit, LARGEST_PAGE)?, offset);
        let (organization_id, merchant_id) = (&caller.organization_id, &caller.merchant_id);
        let now = self.base.now();
        let found = self.store.team(organization_id, merchant_id, now, page);
        Ok(found.await?)
    }

    /// Gives a member another role in the account. It takes effect at once. Sessions in accounts where no role is left end.
    ///
    /// # Errors
    /// The refusals of [`MemberRoles::changed`].
    pub async fn change_member(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        user_id: &UserId,
        role: Role,
    ) -> Result<(), AppError> {
        let decide = |roles: &MemberRoles, others| roles.changed(caller.role, role, others);
        self.change_roles(origin, caller, user_id, decide).await
    }

    /// Removes a member from the account, with all of their roles, offers and sessions there. After the answer none of
    /// their tokens acts there, at any server, even if they get a role again.
    ///
    /// # Errors
    /// The refusals of [`MemberRoles::removed`].
    pub async fn remove_member(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        user_id: &UserId,
    ) -> Result<(), AppError> {
        let decide = |roles: &MemberRoles, others| roles.removed(caller.role, others);
        self.change_roles(origin, caller, user_id, decide).await
    }

    /// Ends the sessions of a member that act in the account, or in any account of the organization if the caller is an
    /// admin of it. The caller's own session goes on.
    ///
    /// # Errors
    /// The refusals of [`MemberRoles::manageable`].
    pub async fn end_member_sessions(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        user_id: &UserId,
    ) -> Result<(), AppError> {
        let (organization_id, merchant_id) = (&caller.organization_id, &caller.merchant_id);
        let roles = self.member_roles(user_id, (organization_id, merchant_id));
        roles.await?.manageable(caller.role)?;
        let is_one_account = !caller.role.is_of_organization();
        let end = UserChange::EndSessionsIn {
            user_id: user_id.clone(),
            place: RolePlace {
                organization_id: organization_id.clone(),
                merchant_id: is_one_account.then(|| merchant_id.clone()),
            },
            except: Some(caller.session_id.clone()),
        };
        let change_set = self.base.change_set(
            origin,
            Some(merchant_id),
            ForKey::Nothing,
            storable(self.store.as_ref(), [end]),
        );
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }

    /// Returns a person's roles and open offers in a merchant account.
    pub(super) async fn member_roles(
        &self,
        user_id: &UserId,
        (organization_id, merchant_id): (&OrganizationId, &MerchantId),
    ) -> Result<MemberRoles, AppError> {
        let grants = self.store.grants(user_id).await?;
        let invitations = self.store.invitations(user_id).await?;
        let (all, now) = ((grants, invitations), self.base.now());
        Ok(MemberRoles::in_account(
            all,
            organization_id,
            merchant_id,
            now,
        ))
    }

    async fn change_roles(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        user_id: &UserId,
        decide: impl Fn(&MemberRoles, OtherAdmins) -> Result<RoleChange, Refusal>,
    ) -> Result<(), AppError> {
        let (organization_id, merchant_id) = (&caller.organization_id, &caller.merchant_id);
        let mut decisions = Decisions::begin(Object::User);
        loop {
            let account = (organization_id, merchant_id);
            let roles = self.member_roles(user_id, account).await?;
            let others = self
                .store
                .other_admins(user_id, organization_id, merchant_id);
            let change = decide(&roles, others.await?)?;
            if change.is_empty() {
                return Ok(());
            }
            let change_set = self.base.change_set(
                origin,
                Some(merchant_id),
                ForKey::Nothing,
                storable(self.store.as_ref(), changes(change, caller, user_id)),
            );
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(()),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }
}

/// Returns the changes that store a decision. The user's row comes first and the rows of admins next, because they lock.
/// Sessions and views that have no role any more end last.
fn changes(decided: RoleChange, caller: &UserCaller, user_id: &UserId) -> Vec<UserChange> {
    let (organization_id, merchant_id) = (&caller.organization_id, &caller.merchant_id);
    let left = decided
        .keeps
        .map(|of| of.place(organization_id, merchant_id));
    let keep = left.clone().map(|place| UserChange::KeepAdmin {
        leaving: user_id.clone(),
        place,
    });
    let loses_role = !decided.taken.is_empty();
    let replaced = decided.replaced;
    let replaced = replaced.map(|(former, role)| UserChange::ReplaceRole { former, role });
    let mut changes = Vec::new();
    if loses_role {
        changes.push(UserChange::Advance(user_id.clone()));
    }
    changes.extend(keep);
    changes.extend(decided.taken.into_iter().map(UserChange::TakeAway));
    changes.extend(replaced);
    changes.extend(decided.given.map(UserChange::Grant));
    let withdrawn = decided.withdrawn.into_iter();
    changes.extend(withdrawn.map(UserChange::EndInvitation));
    changes.extend(left.map(|place| UserChange::WithdrawOffers {
        inviter: user_id.clone(),
        place,
    }));
    if loses_role {
        changes.push(UserChange::EndSessionsWithoutRole(user_id.clone()));
        changes.push(UserChange::DeleteViewsWithoutRole(user_id.clone()));
    }
    changes
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use multirail_app::fixture::{Committed, base, operator};
    use multirail_app::platform::ports::CommitError;

    use super::*;
    use crate::fixture::{Stored, caller, grant, users};

    fn ada() -> UserCaller {
        caller(Role::MerchantAdmin)
    }

    /// The other admin leaves between the decision and its commit.
    #[tokio::test]
    async fn a_conflict_is_decided_again_and_the_last_admin_stays() {
        let committed = Arc::new(Committed::default());
        let store = Arc::new(Stored::default());
        let role = grant(Role::MerchantAdmin);
        store.grants.lock().expect("no panic").push(role);
        let users = users(&base(&committed), &store);
        let remove = async || {
            let user_id = ada().user_id;
            users.remove_member(&operator(), &ada(), &user_id).await
        };
        *store.has_other_admin.lock().expect("no panic") = true;
        committed.refuse(CommitError::Conflict);
        let refused = remove().await.err();
        assert!(matches!(
            refused,
            Some(AppError::Refused(Refusal::Precondition { .. }))
        ));
        assert_eq!(committed.lines(), Vec::<String>::new());

        *store.has_other_admin.lock().expect("no panic") = true;
        remove().await.expect("a commit");
        let lines = committed.lines();
        assert_eq!(lines.len(), 7, "{lines:?}");
        assert!(lines[1].contains("Advance"), "{lines:?}");
        assert!(lines[2].contains("KeepAdmin"), "{lines:?}");
        assert!(lines[3].contains("TakeAway"), "{lines:?}");
        assert!(lines[4].contains("WithdrawOffers"), "{lines:?}");
        // A role that they get later is not open to an earlier token.
        assert!(lines[5].contains("EndSessionsWithoutRole"), "{lines:?}");
        assert!(lines[6].contains("DeleteViewsWithoutRole"), "{lines:?}");
    }
}
