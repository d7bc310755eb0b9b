//! Mail that lets somebody choose a password, while it waits to be handed over.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::PasswordMailKind;
use multirail_kernel::email::Email;
use multirail_kernel::timestamp::Timestamp;

/// Mail that is asked for: one of a kind waits for an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordMailRequest {
    /// Keyed hash of the address: whether it is one of a user is looked up when the mail is written.
    pub email_hash: String,
    pub kind: PasswordMailKind,
    pub requested_at: Timestamp,
}

/// Mail that a server has taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedMail {
    pub email_hash: String,
    pub kind: PasswordMailKind,
    /// How often it could not be handed over.
    pub tries: i64,
    pub fence: i64,
}

/// What becomes of mail that was taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterMail {
    /// It was handed over, or nobody is to have it.
    Done(Timestamp),
    /// It is tried again then.
    Again(Timestamp),
}

#[async_trait]
pub trait MailStore: Send + Sync {
    /// The hash under which mail to an address waits.
    fn mail_hash(&self, email: &Email) -> String;

    /// Asks for mail, unless some of the kind waits for the address or was sent there lately. One statement, whoever has
    /// the address.
    async fn ask_for_mail(&self, request: &PasswordMailRequest) -> Result<(), StoreFailure>;

    /// Takes up one that is due.
    async fn claim_mail(
        &self,
        now: Timestamp,
        wall: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<ClaimedMail>, StoreFailure>;

    /// Notes what became of it, under the fence.
    async fn note_mail(&self, claimed: &ClaimedMail, after: AfterMail) -> Result<(), StoreFailure>;
}
