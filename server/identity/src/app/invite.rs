//! Invites a person to a role in a merchant account. The role takes effect when a token sent to their address is
//! redeemed.
//!
//! Redeeming it sets a new password and replaces any earlier one, because an earlier sign-up didn't prove the address.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::CommitError;
use multirail_app::platform::ports::failure::duplicate;
use multirail_identity_domain::{
    AdminOf, Grant, Invitation, PASSWORD_LINK_SECONDS, PasswordMailKind, Role, User, may_invite,
    role_in,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;

use super::find::Users;
use super::sessions::UserCaller;
use super::{AppError, not_allowed, password_link, storable};
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
    /// The end of the offer, if the role waits for its user.
    pub expires_at: Timestamp,
    /// The token by which the user chooses a password and takes up the role, and its expiry. It is shown once; if mail
    /// is sent, the user gets another token. Absent if the role already took effect, and for an admin's invitation.
    pub link: Option<(SecretText, Timestamp)>,
}

impl Users {
    /// Offers a role to a person, in place of their earlier one of the same kind there. A role that adds nothing to the
    /// earlier one takes effect at once. For the operator only, because the answer contains the token.
    ///
    /// # Errors
    /// An unknown account.
    pub async fn invite(&self, origin: &Origin, request: InviteUser) -> Result<Invited, AppError> {
        let account = self.account(&request.merchant_id).await?;
        self.offer(origin, request, &account.organization_id, None)
            .await
    }

    /// Offers a role in the account of the caller's session. The token is only sent to the invited address: it would make
    /// the caller the user, with all of their roles at other merchants.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] if no mail is sent, and the refusals of [`may_invite`].
    pub async fn invite_to_team(
        &self,
        origin: &Origin,
        caller: &UserCaller,
        (email, role): (Email, Role),
    ) -> Result<Invited, AppError> {
        if !self.mails.are_sent() {
            let why = "no mail is sent from here: ask whoever operates the service";
            return Err(not_allowed(why));
        }
        let request = InviteUser {
            email,
            role,
            merchant_id: caller.merchant_id.clone(),
        };
        self.offer(origin, request, &caller.organization_id, Some(caller))
            .await
    }

    /// Returns the present role with which a caller manages the team. It may have ended since the request began.
    async fn admins_role(&self, caller: &UserCaller) -> Result<Grant, AppError> {
        let grants = self.store.grants(&caller.user_id).await?;
        let (organization_id, merchant_id) = (&caller.organization_id, &caller.merchant_id);
        let there = grants
            .into_iter()
            .filter(|grant| grant.applies_in(organization_id, merchant_id));
        // The roles are sorted by their permissions, the strongest first.
        let strongest = there.min_by_key(|grant| grant.role);
        let admin = strongest.filter(|grant| grant.role.is_admin());
        admin.ok_or_else(|| not_allowed("you are no admin of the merchant account any more"))
    }

    /// Offers a role, for an admin or else for the operator.
    async fn offer(
        &self,
        origin: &Origin,
        request: InviteUser,
        organization_id: &OrganizationId,
        inviter: Option<&UserCaller>,
    ) -> Result<Invited, AppError> {
        let InviteUser {
            email,
            role,
            merchant_id,
        } = request;
        let now = self.base.now();
        let expires_at = now.plus_seconds(PASSWORD_LINK_SECONDS).unwrap_or(now);
        // Two requests may invite the same person at once: the second one finds the user that the first one created.
        for _ in 0..TRIES {
            let (spelled, known) = self.stored_as(&email).await?;
            let mut changes: Vec<UserChange> = Vec::new();
            if let Some(caller) = inviter {
                let own = self.admins_role(caller).await?;
                let standing = match &known {
                    Some(user) => {
                        let account = (organization_id, &merchant_id);
                        self.member_roles(&user.user_id, account).await?.standing()
                    }
                    None => None,
                };
                may_invite(own.role, standing, role)?;
                // The offer ends with this role, so it isn't stored after the role.
                changes.push(UserChange::HoldRole(own));
            }
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
                organization_id: organization_id.clone(),
                merchant_id: merchant_id.clone(),
                role,
                created_at: now,
            };
            // An admin's offer never takes effect at once, even if the person takes up a role meanwhile.
            let held = match (&known, inviter) {
                (Some(_), None) => self.store.grants(&user_id).await?,
                (Some(_), Some(_)) | (None, _) => Vec::new(),
            };
            let is_held = grant.adds_nothing_to(&held);
            let offer = (!is_held).then(|| grant.place());
            if is_held {
                // A higher role that was offered there before is withdrawn.
                let offered = self.store.invitations(&user_id).await?;
                let offered = offered.into_iter().find(|it| it.grant.has_scope_of(&grant));
                changes.extend(offered.map(UserChange::EndInvitation));
                let there = |grants: &[Grant]| role_in(grants, organization_id, &merchant_id);
                let mut lowered = held.clone();
                grant.clone().add_to(&mut lowered);
                let left = AdminOf::ended(there(&held), there(&lowered));
                changes.extend(left.map(|of| UserChange::WithdrawOffers {
                    inviter: user_id.clone(),
                    place: of.place(organization_id, &merchant_id),
                }));
                changes.push(UserChange::Grant(grant));
            } else {
                changes.push(UserChange::Invite(Invitation {
                    grant,
                    expires_at,
                    invited_by: inviter.map(|caller| caller.user_id.clone()),
                }));
            }
            let needs_link = !(is_held && has_password);
            let is_shown = needs_link && inviter.is_none();
            let link = is_shown.then(|| password_link(&self.base, &user_id, expires_at, offer));
            if let Some((_, link)) = &link {
                changes.push(UserChange::AddPasswordLink(link.clone()));
            }
            if needs_link && self.mails.are_sent() {
                let request = PasswordMailRequest {
                    email_hash: self.mails.store.mail_hash(&spelled),
                    kind: PasswordMailKind::Invitation,
                    requested_at: now,
                };
                changes.push(UserChange::AskForMail(request));
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
                        expires_at,
                        link: link.map(|(text, link)| (text, link.expires_at)),
                    });
                }
                Err(CommitError::Duplicate(duplicate::USER) | CommitError::Conflict) => {}
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
        Err(Refusal::busy(Object::User).into())
    }

    /// Returns the changes by which a user takes up the offered roles that `is_taken` selects, after proving that they own
    /// the address.
    ///
    /// # Errors
    /// A store that fails.
    pub(super) async fn taken_up(
        &self,
        user_id: &UserId,
        is_taken: impl Fn(&Grant) -> bool,
    ) -> Result<Vec<UserChange>, AppError> {
        let now = self.base.now();
        let offered = self.store.invitations(user_id).await?;
        let open = offered.into_iter();
        let open = open.filter(|it| it.is_open(now) && is_taken(&it.grant));
        let changes = open.flat_map(|it| {
            let granted = Grant {
                created_at: now,
                ..it.grant.clone()
            };
            [UserChange::EndInvitation(it), UserChange::Grant(granted)]
        });
        Ok(changes.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use multirail_app::fixture::{Committed, base, operator};
    use multirail_app::platform::ports::mail::{MailFailure, Mailer};
    use multirail_kernel::mail::Mail;

    use super::*;
    use crate::app::PasswordMails;
    use crate::fixture::{Stored, account, caller, grant, users};
    use crate::ports::SignIn;

    struct Sent;

    #[async_trait]
    impl Mailer for Sent {
        async fn send(&self, _: &Mail) -> Result<(), MailFailure> {
            Ok(())
        }
    }

    /// Makes a service that sends mail.
    fn with_mail(users: Arc<Users>) -> Users {
        let users = Arc::into_inner(users).expect("the only one");
        let mails = Arc::into_inner(users.mails).expect("the only one");
        let mails = PasswordMails {
            mailer: Some(Arc::new(Sent)),
            ..mails
        };
        Users {
            mails: Arc::new(mails),
            ..users
        }
    }

    /// Mail to another spelling would find no user, and be dropped.
    #[tokio::test]
    async fn an_invitation_is_sent_to_the_spelling_in_which_its_user_is_stored() {
        let committed = Arc::new(Committed::default());
        let store = Arc::new(Stored::default());
        let stored = "m\u{fc}ller@books.example";
        let known = SignIn {
            user_id: UserId::parse("user_1").expect("an id"),
            password_hash: None,
            version: 1,
        };
        let known = (stored.to_owned(), known);
        store.sign_ins.lock().expect("no panic").push(known);
        let users = with_mail(users(&base(&committed), &store));
        let email = Email::parse("M\u{dc}LLER@books.example").expect("an address");
        let asked = InviteUser {
            email,
            role: Role::MerchantViewOnly,
            merchant_id: account().merchant_id,
        };
        let invited = users.invite(&operator(), asked).await.expect("an offer");
        assert_eq!(invited.user_id.as_str(), "user_1");
        let lines = committed.lines();
        let mail = lines.iter().find(|line| line.contains("AskForMail"));
        let mail = mail.expect("a request for mail");
        assert!(mail.contains(&format!("{stored:?}")), "{mail}");
    }

    /// Invites `user_1` of the bookshop, who holds these roles there, to read it only.
    async fn lowered(held: &[Role]) -> Vec<String> {
        let committed = Arc::new(Committed::default());
        let store = Arc::new(Stored::default());
        let held = held.iter().map(|role| grant(*role));
        store.grants.lock().expect("no panic").extend(held);
        let email = Email::parse("ada@books.example").expect("an address");
        let known = SignIn {
            user_id: caller(Role::MerchantAdmin).user_id,
            password_hash: Some(SecretText::new("a hash")),
            version: 1,
        };
        let known = (email.as_str().to_owned(), known);
        store.sign_ins.lock().expect("no panic").push(known);
        let users = users(&base(&committed), &store);
        let asked = InviteUser {
            email,
            role: Role::MerchantViewOnly,
            merchant_id: account().merchant_id,
        };
        let invited = users.invite(&operator(), asked).await.expect("a role");
        assert!(invited.link.is_none(), "it takes effect at once");
        committed.lines()
    }

    #[tokio::test]
    async fn the_offers_of_a_lowered_admin_end_unless_they_are_an_admin_still() {
        let ends = |lines: &[String]| lines.iter().any(|line| line.contains("WithdrawOffers"));
        let lines = lowered(&[Role::MerchantAdmin]).await;
        assert!(ends(&lines), "{lines:?}");
        let lines = lowered(&[Role::OrgAdmin, Role::MerchantAdmin]).await;
        assert!(!ends(&lines), "{lines:?}");
        let lines = lowered(&[Role::MerchantOperator]).await;
        assert!(!ends(&lines), "{lines:?}");
    }

    /// An invitation whose token nobody gets would only reserve the address.
    #[tokio::test]
    async fn an_admin_invites_nobody_where_no_mail_is_sent() {
        let committed = Arc::new(Committed::default());
        let users = users(&base(&committed), &Arc::new(Stored::default()));
        let caller = caller(Role::OrgAdmin);
        let email = Email::parse("grace@books.example").expect("an address");
        let asked = (email, Role::MerchantViewOnly);
        let refused = users.invite_to_team(&operator(), &caller, asked).await;
        let refused = refused.err().expect("a refusal").to_string();
        assert!(refused.contains("no mail is sent"), "{refused}");
        assert_eq!(committed.lines(), Vec::<String>::new());
    }
}
