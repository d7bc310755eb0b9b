//! The ports of the users' use cases, as traits.

pub mod identity_provider;
pub mod password_mails;
pub mod users;

pub use identity_provider::{IdentityProvider, ProviderFailure, ReturnPage};
pub use password_mails::{AfterMail, ClaimedMail, MailStore, PasswordMailRequest};
pub use users::{SignIn, UserChange, UserStore};
