//! Workers of users.

mod mails;

use multirail_platform::workers::Worker;

use crate::app::Identity;

/// Returns every worker of users.
pub fn all(identity: &Identity) -> Vec<Worker> {
    vec![Worker::new(
        mails::WORKER,
        &identity.password_mails,
        mails::run,
    )]
}
