//! Builds the services of users over the adapters of their ports.

use std::sync::Arc;

use multirail_app::platform::base::Base;
use multirail_identity::app::{
    Identity, MailNotifier, PasswordMails, SecondFactors, Sessions, SignIns, Users,
};
use multirail_identity::store::SqlUsers;
use multirail_kernel::random::Random;
use multirail_seal::Argon2Passwords;

use super::StartupError;
use super::mail;
use super::oidc;
use super::open::Opened;
use crate::config::Config;

pub(super) fn services(
    config: &Config,
    opened: &Opened,
    base: &Arc<Base>,
    random: &Arc<dyn Random>,
) -> Result<Identity, StartupError> {
    let store = &opened.store;
    let stored = Arc::new(SqlUsers::new(store.clone()));
    let sessions = Arc::new(Sessions {
        base: Arc::clone(base),
        store: stored.clone(),
        accounts: store.clone(),
        tokens: opened.seal.clone(),
    });
    let password_mails = Arc::new(PasswordMails {
        base: Arc::clone(base),
        store: stored.clone(),
        users: stored.clone(),
        mailer: mail::mailer(config)?,
        notifier: MailNotifier::default(),
        password_page: config.mail.password_page.clone(),
    });
    let passwords = Argon2Passwords::new(opened.ring.clone(), Arc::clone(random));
    let users = Arc::new(Users {
        base: Arc::clone(base),
        store: stored.clone(),
        accounts: store.clone(),
        profiles: store.clone(),
        organizations: store.clone(),
        passwords: Arc::new(passwords),
        sessions: Arc::clone(&sessions),
        mails: Arc::clone(&password_mails),
        open_sign_up: config.open_sign_up,
    });
    let second_factors = Arc::new(SecondFactors {
        base: Arc::clone(base),
        store: stored.clone(),
        users: Arc::clone(&users),
        sessions: Arc::clone(&sessions),
    });
    let sign_ins = SignIns {
        base: Arc::clone(base),
        store: stored,
        tries: store.clone(),
        accounts: store.clone(),
        users: Arc::clone(&users),
        sessions: Arc::clone(&sessions),
        second_factors: Arc::clone(&second_factors),
        oidc: oidc::provider(config, opened.clock.clone())?,
    };
    Ok(Identity {
        users,
        sessions,
        second_factors,
        sign_ins: Arc::new(sign_ins),
        password_mails,
    })
}
