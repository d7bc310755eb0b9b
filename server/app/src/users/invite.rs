//! Inviting: somebody is given a role in a merchant account and, where he is new, chooses his password by a link.

use multirail_domain::ids::{MerchantId, UserId};
use multirail_domain::random::alphanumeric;
use multirail_domain::refusal::{Object, Refusal};
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::user::{
    Email, Grant, PASSWORD_LINK_SECONDS, PasswordLink, PasswordMailKind, Role, User,
};

use super::AppError;
use crate::App;
use crate::caller::Origin;
use crate::idempotency::ForKey;
use crate::ports::failure::duplicate;
use crate::ports::mail::PasswordMailRequest;
use crate::ports::{Change, CommitError, UserChange};

/// The request, translated.
pub struct Invitation {
    pub email: Email,
    pub role: Role,
    pub merchant_id: MerchantId,
}

/// What came of it.
pub struct Invited {
    pub user_id: UserId,
    /// For a user who has no password yet: what lets him choose one, and until when. Shown once; where mail is sent he
    /// gets one of his own.
    pub link: Option<(SecretText, Timestamp)>,
}

impl App {
    /// Gives somebody a role, in place of the one of its kind that he had there. For the operator only: nothing proves that
    /// whoever has an address here can read its mail, so that a user who invites could let in somebody else.
    ///
    /// # Errors
    /// An unknown account.
    pub async fn invite(
        &self,
        origin: &Origin,
        invitation: Invitation,
    ) -> Result<Invited, AppError> {
        let email = invitation.email;
        let merchant_id = invitation.merchant_id;
        let account = self.merchant_account(&merchant_id).await?;
        let now = self.now();
        // Two may invite the same person at once: the second finds the user whom the first has made.
        for _ in 0..2 {
            let known = self.sign_in_of(&email).await?;
            let mut changes: Vec<Change> = Vec::new();
            let (user_id, needs_link) = match &known {
                Some(user) => (user.user_id.clone(), user.password_hash.is_none()),
                None => {
                    let user_id = UserId::generate(self.random.as_ref());
                    let home = merchant_id.clone();
                    let user = User::create(user_id.clone(), home, email.clone(), None, now);
                    changes.push(UserChange::Insert(Box::new(user)).into());
                    (user_id, true)
                }
            };
            let grant = Grant {
                user_id: user_id.clone(),
                organization_id: account.organization_id.clone(),
                merchant_id: merchant_id.clone(),
                role: invitation.role,
                created_at: now,
            };
            changes.push(UserChange::Grant(grant).into());
            let link = needs_link.then(|| self.password_link(&user_id));
            if let Some((_, link)) = &link {
                changes.push(UserChange::AddPasswordLink(link.clone()).into());
                if self.mailer.is_some() {
                    let request = PasswordMailRequest {
                        email_hash: self.store.mail_hash(&email),
                        kind: PasswordMailKind::Invitation,
                        requested_at: now,
                    };
                    changes.push(UserChange::AskForMail(request).into());
                }
            }
            let change_set = self.change_set(origin, Some(&merchant_id), ForKey::Nothing, changes);
            match self.store.commit(change_set).await {
                Ok(()) => {
                    self.mails.notify();
                    return Ok(Invited {
                        user_id,
                        link: link.map(|(text, link)| (text, link.expires_at)),
                    });
                }
                Err(CommitError::Duplicate(duplicate::USER)) => {}
                Err(error) => return Err(AppError::of_commit(error)),
            }
        }
        Err(Refusal::busy(Object::User).into())
    }

    fn password_link(&self, user_id: &UserId) -> (SecretText, PasswordLink) {
        let now = self.now();
        let text = SecretText::new(format!("pwl_{}", alphanumeric(self.random.as_ref(), 48)));
        let link = PasswordLink {
            hash: self.seal.hash_api_key(&text),
            user_id: user_id.clone(),
            expires_at: now.plus_seconds(PASSWORD_LINK_SECONDS).unwrap_or(now),
        };
        (text, link)
    }
}
