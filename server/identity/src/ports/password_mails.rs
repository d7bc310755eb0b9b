//! The queue of mail for choosing a password.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::PasswordMailKind;
use multirail_kernel::email::Email;
use multirail_kernel::timestamp::Timestamp;

/// A request for mail. Only one mail of a kind waits for an address. An invitation's names the newest open offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordMailRequest {
    /// The keyed hash of the address. Its user, if there is one, is looked up when the mail is written.
    pub email_hash: String,
    pub kind: PasswordMailKind,
    pub requested_at: Timestamp,
}

/// Mail that a server has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedMail {
    pub email_hash: String,
    pub kind: PasswordMailKind,
    /// The number of failed tries.
    pub tries: i64,
    pub fence: i64,
}

/// The result of processing claimed mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterMail {
    /// The mail was sent, or no user should get it.
    Done(Timestamp),
    /// The mail is retried at this time.
    Again(Timestamp),
}

#[async_trait]
pub trait MailStore: Send + Sync {
    /// Returns the hash under which mail to an address waits.
    fn mail_hash(&self, email: &Email) -> String;

    /// Requests mail, unless mail of the kind waits for the address. After recent mail, an invitation waits until the pause
    /// is over, and other mail isn't sent. It is one statement, whether or not a user has the address.
    async fn ask_for_mail(&self, request: &PasswordMailRequest) -> Result<(), StoreFailure>;

    /// Claims one mail that is due.
    async fn claim_mail(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedMail>, StoreFailure>;

    /// Stores the result, under the fencing counter.
    async fn note_mail(&self, claimed: &ClaimedMail, after: AfterMail) -> Result<(), StoreFailure>;
}
