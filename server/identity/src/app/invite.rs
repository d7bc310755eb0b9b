//! Invites a person to a role in a merchant account. The role takes effect when a token sent to their address is
//! redeemed.
//!
//! Redeeming it sets a new password and replaces any earlier one, because an earlier sign-up didn't prove the address.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::CommitError;
use multirail_app::platform::ports::failure::duplicate;
use multirail_identity_domain::{
    Grant, Invitation, PASSWORD_LINK_SECONDS, PasswordLink, PasswordMailKind, Role, User,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::find::Users;
use super::{AppError, one_time_token, storable};
use crate::ports::PasswordMailRequest;
use crate::ports::UserChange;

/// The maximum number of look-ups, in case two requests invite the same person at once.
const TRIES: u32 = 3;

/// The request to invite, translated.
pub struct InviteUser {
    pub email: Email,
    pub role: Role,
    pub merchant_id: MerchantId,
}

/// The result of an invitation.
pub struct Invited {
    pub user_id: UserId,
    /// The token by which the user chooses a password and takes up the role, and its expiry. It is shown once; if mail
    /// is sent, the user gets another token. Absent if the role already took effect.
    pub link: Option<(SecretText, Timestamp)>,
}

impl Users {
    /// Offers a role to a person, in place of their earlier one of the same kind there. A role that adds nothing to the
    /// earlier one takes effect at once. For the operator only, because the answer contains the token.
    ///
    /// # Errors
    /// An unknown account.
    pub async fn invite(&self, origin: &Origin, request: InviteUser) -> Result<Invited, AppError> {
        let InviteUser {
            email,
            role,
            merchant_id,
        } = request;
        let account = self.account(&merchant_id).await?;
        let now = self.base.now();
        // Two requests may invite the same person at once: the second one finds the user that the first one created.
        for _ in 0..TRIES {
            let known = self.sign_in_of(&email).await?;
            let mut changes: Vec<UserChange> = Vec::new();
            let (user_id, has_password) = match &known {
                Some(user) => (user.user_id.clone(), user.password_hash.is_some()),
                None => {
                    let user_id = UserId::generate(self.base.random.as_ref());
                    let home = merchant_id.clone();
                    let user = User::create(user_id.clone(), home, email.clone(), None, now);
                    changes.push(UserChange::Insert(Box::new(user)));
                    (user_id, false)
                }
            };
            let grant = Grant {
                user_id: user_id.clone(),
                organization_id: account.organization_id.clone(),
                merchant_id: merchant_id.clone(),
                role,
                created_at: now,
            };
            let is_held = match known {
                Some(_) => grant.adds_nothing_to(&self.store.grants(&user_id).await?),
                None => false,
            };
            if is_held {
                // A higher role that was offered there before is withdrawn.
                let offered = self.store.invitations(&user_id).await?;
                let offered = offered.into_iter().find(|it| it.grant.has_scope_of(&grant));
                changes.extend(offered.map(UserChange::EndInvitation));
                changes.push(UserChange::Grant(grant));
            } else {
                let expires_at = now.plus_seconds(PASSWORD_LINK_SECONDS).unwrap_or(now);
                changes.push(UserChange::Invite(Invitation { grant, expires_at }));
            }
            let needs_link = !(is_held && has_password);
            let link = needs_link.then(|| self.password_link(&user_id));
            if let Some((_, link)) = &link {
                changes.push(UserChange::AddPasswordLink(link.clone()));
                if self.mails.are_sent() {
                    let request = PasswordMailRequest {
                        email_hash: self.mails.store.mail_hash(&email),
                        kind: PasswordMailKind::Invitation,
                        requested_at: now,
                    };
                    changes.push(UserChange::AskForMail(request));
                }
            }
            let change_set = self.base.change_set(
                origin,
                Some(&merchant_id),
                ForKey::Nothing,
                storable(self.store.as_ref(), changes),
            );
            match self.base.commit(change_set).await {
                Ok(()) => {
                    self.mails.notifier.notify();
                    return Ok(Invited {
                        user_id,
                        link: link.map(|(text, link)| (text, link.expires_at)),
                    });
                }
                Err(CommitError::Duplicate(duplicate::USER) | CommitError::Conflict) => {}
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
        Err(Refusal::busy(Object::User).into())
    }

    /// Returns the changes by which a user takes up all offered roles, after proving that they own the address.
    ///
    /// # Errors
    /// A store that fails.
    pub(super) async fn taken_up(&self, user_id: &UserId) -> Result<Vec<UserChange>, AppError> {
        let now = self.base.now();
        let offered = self.store.invitations(user_id).await?;
        let open = offered.into_iter().filter(|it| it.is_open(now));
        let changes = open.flat_map(|it| {
            let granted = Grant {
                created_at: now,
                ..it.grant.clone()
            };
            [UserChange::EndInvitation(it), UserChange::Grant(granted)]
        });
        Ok(changes.collect())
    }

    fn password_link(&self, user_id: &UserId) -> (SecretText, PasswordLink) {
        let now = self.base.now();
        let (text, hash) = one_time_token(&self.base, "pwl");
        let link = PasswordLink {
            hash,
            user_id: user_id.clone(),
            expires_at: now.plus_seconds(PASSWORD_LINK_SECONDS).unwrap_or(now),
        };
        (text, link)
    }
}
