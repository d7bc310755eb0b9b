//! The operator's help for users who can't sign in any more, and the removal of roles.

use multirail_app::Origin;
use multirail_app::platform::decisions::Decisions;
use multirail_app::platform::idempotency::ForKey;
use multirail_identity_domain::{AdminOf, Grant, Role, SecondFactor, role_in};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::{Object, Refusal};

use super::find::Users;
use super::{AppError, storable};
use crate::ports::UserChange;

/// The parts of a user's sign-in to reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forgotten {
    /// The authenticator with its recovery codes.
    pub second_factor: bool,
    /// The link to the identity provider.
    pub identity: bool,
}

/// The parts that existed and were reset.
pub struct SignInReset {
    pub user_id: UserId,
    pub forgotten: Forgotten,
}

impl Users {
    /// Removes a user's second factor, their link to the identity provider, or both, and ends all their sign-ins. A
    /// missing part is no error, because the operator may not know.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] if no user has the address, [`Refusal::Missing`] if no part is named.
    pub async fn reset_sign_in(
        &self,
        origin: &Origin,
        email: &Email,
        asked: Forgotten,
    ) -> Result<SignInReset, AppError> {
        if !asked.second_factor && !asked.identity {
            return Err(Refusal::missing("two_factor or oidc").into());
        }
        let user_id = self.user_of(email).await?;
        let mut decisions = Decisions::begin(Object::User);
        loop {
            let factor = match asked.second_factor {
                true => self.store.second_factor(&user_id).await?,
                false => None,
            };
            let identity = asked.identity && self.store.has_identity(&user_id).await?;
            let second_factor = factor.as_ref().is_some_and(SecondFactor::is_on);
            let mut changes = vec![UserChange::EndSessions {
                user_id: user_id.clone(),
                except: None,
            }];
            if let Some(factor) = factor {
                changes.push(UserChange::EndSecondFactor(Box::new(factor)));
            }
            if identity {
                changes.push(UserChange::Unlink(user_id.clone()));
            }
            let change_set = self.base.change_set(
                origin,
                None,
                ForKey::Nothing,
                storable(self.store.as_ref(), changes),
            );
            match self.base.commit(change_set).await {
                Ok(()) => {
                    return Ok(SignInReset {
                        user_id,
                        forgotten: Forgotten {
                            second_factor,
                            identity,
                        },
                    });
                }
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Removes a role. After the answer none of the user's tokens has its rights, at any server, even if they get a role
    /// there again. An invitation to the role is withdrawn, and so are those by a user who is no admin any more.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] for an unknown account or user, and for a user without this role there.
    pub async fn remove_role(
        &self,
        origin: &Origin,
        email: &Email,
        merchant_id: &MerchantId,
        role: Role,
    ) -> Result<Grant, AppError> {
        let account = self.account(merchant_id).await?;
        let user_id = self.user_of(email).await?;
        let is_it = |grant: &Grant| {
            grant.role == role && grant.applies_in(&account.organization_id, merchant_id)
        };
        let there = |grants: &[Grant]| role_in(grants, &account.organization_id, merchant_id);
        let grants = self.store.grants(&user_id).await?;
        let before = there(&grants);
        let (held, kept): (Vec<Grant>, Vec<Grant>) = grants.into_iter().partition(is_it);
        let held = held.into_iter().next();
        let left = AdminOf::ended(before, there(&kept));
        let offered = self.store.invitations(&user_id).await?;
        let offered = offered.into_iter().find(|it| is_it(&it.grant));
        let grant = held.as_ref().or(offered.as_ref().map(|it| &it.grant));
        let grant = grant.cloned();
        let grant = grant.ok_or_else(|| Refusal::not_found(Object::UserRole))?;
        let mut changes = Vec::new();
        if let Some(held) = held {
            changes.push(UserChange::Advance(user_id.clone()));
            changes.push(UserChange::TakeAway(held));
            changes.extend(left.map(|of| UserChange::WithdrawOffers {
                inviter: user_id.clone(),
                place: of.place(&account.organization_id, merchant_id),
            }));
            changes.push(UserChange::EndSessionsWithoutRole(user_id.clone()));
            changes.push(UserChange::DeleteViewsWithoutRole(user_id));
        }
        changes.extend(offered.map(UserChange::EndInvitation));
        let change_set = self.base.change_set(
            origin,
            Some(merchant_id),
            ForKey::Nothing,
            storable(self.store.as_ref(), changes),
        );
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)?;
        Ok(grant)
    }

    async fn user_of(&self, email: &Email) -> Result<UserId, AppError> {
        let found = self.sign_in_of(email).await?;
        let found = found.ok_or_else(|| Refusal::not_found(Object::User))?;
        Ok(found.user_id)
    }
}
