//! Mail for choosing a password: a request stores a row, and a worker writes and sends the mail.
//!
//! The request for a forgotten password only stores the row. A worker looks for the user of the address later, so that
//! neither the answer nor its time reveals one. The token is made when the mail is written, and stored as a keyed hash.
//! If a server dies in between, nobody knows the token, and another server processes the row.

use std::sync::Arc;

use multirail_app::Origin;
use multirail_app::platform::base::Base;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::lease::Leased;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::mail::Mailer;
use multirail_identity_domain::{
    Invitation, MailLink, PasswordMailKind, User, next_try, password_mail,
};
use multirail_kernel::email::Email;
use multirail_kernel::mail::Mail;
use multirail_kernel::refusal::Refusal;
use tokio::sync::Notify;

use super::{AppError, not_allowed, password_link, storable};
use crate::ports::{AfterMail, ClaimedMail, MailStore, PasswordMailRequest};
use crate::ports::{UserChange, UserStore};

/// The most offers that one mail names.
const MOST_OFFERS: usize = 10;

/// Wakes this server's worker when mail was requested here. It is only a hint; the stored rows count.
#[derive(Default)]
pub struct MailNotifier(Notify);

impl MailNotifier {
    pub(super) fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits until mail is requested. A dropped wait loses no notification.
    pub async fn requested(&self) {
        self.0.notified().await;
    }
}

/// The use cases of mail for choosing a password.
pub struct PasswordMails {
    pub base: Arc<Base>,
    pub store: Arc<dyn MailStore>,
    pub users: Arc<dyn UserStore>,
    /// Sends mail; unset if the server sends none.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// Wakes the worker that sends the mail.
    pub notifier: MailNotifier,
    /// The page for choosing a password.
    pub password_page: Option<String>,
}

impl PasswordMails {
    /// Checks whether this server sends mail.
    pub(super) fn are_sent(&self) -> bool {
        self.mailer.is_some()
    }

    /// Requests mail for a user who forgot their password. Neither the answer nor its time reveals whether a user has
    /// the address.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] if this server sends no mail.
    pub async fn ask(&self, email: &str) -> Result<(), AppError> {
        if !self.are_sent() {
            let why = "no mail is sent from here: ask whoever operates the service";
            return Err(not_allowed(why));
        }
        // An invalid address is stored like any other and has no effect.
        let hashes: Vec<String> = match Email::parse(email) {
            Ok(email) => {
                let before = email.stored_before();
                let forms = std::iter::once(email).chain(before);
                forms.map(|email| self.store.mail_hash(&email)).collect()
            }
            Err(Refusal::EmailInvalid) => vec![self.base.seal.fingerprint("no_email", email)],
            Err(other) => return Err(other.into()),
        };
        for email_hash in hashes {
            let request = PasswordMailRequest {
                email_hash,
                kind: PasswordMailKind::Reset,
                requested_at: self.base.now(),
            };
            self.store.ask_for_mail(&request).await?;
        }
        self.notifier.notify();
        Ok(())
    }

    /// Claims mail that is due, if any.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(&self) -> Result<Option<ClaimedMail>, StoreFailure> {
        if !self.are_sent() {
            return Ok(None);
        }
        let wall = self.base.clock.wall();
        let lease_until = self.base.leases.until(Leased::Mail, wall);
        self.store
            .claim_mail(self.base.now(), wall, lease_until)
            .await
    }

    /// Writes the mail and sends it. Mail that the mail server doesn't accept is retried a few times.
    ///
    /// # Errors
    /// A store that fails. The mail is claimed again after its lease has expired.
    pub async fn send(&self, origin: &Origin, claimed: ClaimedMail) -> Result<(), AppError> {
        let Some(mailer) = &self.mailer else {
            return Ok(());
        };
        let mail = self.write(origin, &claimed).await?;
        let sent = match &mail {
            Some(mail) => mailer.send(mail).await,
            None => Ok(()),
        };
        let now = self.base.now();
        let after = match sent {
            Ok(()) => AfterMail::Done(now),
            Err(failure) => {
                let next = next_try(claimed.tries + 1, now).filter(|_| !failure.is_final);
                let kind = claimed.kind;
                match next {
                    Some(next) => {
                        tracing::warn!(%kind, %failure, "mail could not be sent and will be retried");
                        AfterMail::Again(next)
                    }
                    None => {
                        tracing::error!(%kind, %failure, "mail could not be sent and is given up");
                        AfterMail::Done(now)
                    }
                }
            }
        };
        self.store.note_mail(&claimed, after).await?;
        Ok(())
    }

    /// Writes the mail with its own token. Returns `None` if no user has the address.
    async fn write(
        &self,
        origin: &Origin,
        claimed: &ClaimedMail,
    ) -> Result<Option<Mail>, AppError> {
        let Some(user_id) = self.users.user_of_hash(&claimed.email_hash).await? else {
            return Ok(None);
        };
        let Some(user) = self.users.user(&user_id).await? else {
            return Ok(None);
        };
        let offers = match claimed.kind {
            PasswordMailKind::Reset => vec![None],
            PasswordMailKind::Invitation => self.offers_of(&user).await?,
        };
        // The user chose a password before the mail was written.
        if offers.is_empty() {
            return Ok(None);
        }
        let now = self.base.now();
        let expires_at = now.plus_seconds(claimed.kind.link_seconds()).unwrap_or(now);
        let mut changes = Vec::with_capacity(offers.len());
        let mut links = Vec::with_capacity(offers.len());
        for offer in offers {
            let expires_at = offer
                .as_ref()
                .map_or(expires_at, Invitation::link_expires_at);
            let place = offer.as_ref().map(|it| it.grant.place());
            let (token, link) = password_link(&self.base, &user_id, expires_at, place);
            changes.push(UserChange::AddPasswordLink(link));
            links.push(MailLink {
                token,
                invites_to: offer.map(|it| it.grant.merchant_id),
            });
        }
        let merchant_id = Some(&user.home_merchant_id);
        let change_set = self.base.change_set(
            origin,
            merchant_id,
            ForKey::Nothing,
            storable(self.users.as_ref(), changes),
        );
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)?;
        let page = self.password_page.as_deref();
        let email = user.personal.email;
        Ok(Some(password_mail(claimed.kind, email, &links, page)))
    }

    /// Returns the open offers of a user, the newest ones first, or `None` in their place for a user who only has to choose a
    /// password.
    async fn offers_of(&self, user: &User) -> Result<Vec<Option<Invitation>>, AppError> {
        let now = self.base.now();
        let offered = self.users.invitations(&user.user_id).await?;
        let open = offered.into_iter().rev().filter(|it| it.is_open(now));
        let mut offers: Vec<Option<Invitation>> = open.take(MOST_OFFERS).map(Some).collect();
        if offers.is_empty() && user.password_hash.is_none() {
            offers.push(None);
        }
        Ok(offers)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use multirail_app::fixture::{Committed, base, operator};
    use multirail_app::platform::ports::mail::MailFailure;
    use multirail_identity_domain::{Grant, Role};
    use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
    use multirail_kernel::timestamp::Timestamp;

    use super::*;
    use crate::fixture::{Stored, account, grant, users};

    /// Keeps the texts of the mails.
    #[derive(Default)]
    struct Sent(Mutex<Vec<String>>);

    #[async_trait]
    impl Mailer for Sent {
        async fn send(&self, mail: &Mail) -> Result<(), MailFailure> {
            let text = mail.text.expose().to_owned();
            self.0.lock().expect("no panic").push(text);
            Ok(())
        }
    }

    /// Makes offers of so many organizations to one user, the oldest first.
    fn offers(number: i64, now: Timestamp) -> Vec<Invitation> {
        let offer = |index: i64| Invitation {
            grant: Grant {
                organization_id: OrganizationId::parse(&format!("org_{index}")).expect("an id"),
                merchant_id: MerchantId::parse(&format!("shop_{index}")).expect("an id"),
                created_at: now.plus_seconds(index - number).expect("a moment"),
                ..grant(Role::MerchantViewOnly)
            },
            expires_at: now.plus_seconds(100).expect("a moment"),
            invited_by: None,
        };
        (0..number).map(offer).collect()
    }

    /// Anybody who has an account of their own can invite a stranger, so one mail has a bound.
    #[tokio::test]
    async fn one_mail_names_the_ten_newest_offers() {
        let committed = Arc::new(Committed::default());
        let base = base(&committed);
        let store = Arc::new(Stored::default());
        let user_id = UserId::parse("user_1").expect("an id");
        let email = Email::parse("ada@books.example").expect("an address");
        let home = account().merchant_id;
        let ada = User::create(user_id.clone(), home, email, None, base.now());
        *store.user.lock().expect("no panic") = Some(ada);
        *store.invitations.lock().expect("no panic") = offers(12, base.now());
        let sent = Arc::new(Sent::default());
        let mails = PasswordMails {
            base: Arc::clone(&base),
            store: store.clone(),
            users: store.clone(),
            mailer: Some(sent.clone()),
            notifier: MailNotifier::default(),
            password_page: None,
        };
        let claimed = ClaimedMail {
            email_hash: "a hash".to_owned(),
            kind: PasswordMailKind::Invitation,
            tries: 0,
            fence: 1,
        };
        mails.send(&operator(), claimed).await.expect("a mail");
        let text = sent.0.lock().expect("no panic").pop().expect("one mail");
        assert_eq!(text.matches("pwl_").count(), 10, "{text}");
        let names = |index: &i64| text.contains(&format!("shop_{index}.\n"));
        let named: Vec<i64> = (0..12).filter(names).collect();
        assert_eq!(named, (2..12).collect::<Vec<i64>>(), "the newest: {text}");
        let links = committed.lines();
        let links = links.iter().filter(|line| line.contains("AddPasswordLink"));
        assert_eq!(links.count(), 10);

        // A sign-in by the identity provider proves the address, and takes up all of them.
        let users = users(&base, &store);
        let changes = users.taken_up(&user_id, |_| true).await.expect("changes");
        let given = changes
            .iter()
            .filter(|one| matches!(one, UserChange::Grant(_)));
        assert_eq!((given.count(), changes.len()), (12, 24));
    }
}
