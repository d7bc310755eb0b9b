//! Builds the mailer.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::platform::ports::mail::{MailFailure, Mailer};
use multirail_kernel::mail::Mail;
use multirail_senders::mail::{MailSecurity, SmtpMailer, SmtpServer};

use super::StartupError;
use crate::config::{self, Config};

/// Returns the operator's server, or the log in a sandbox without one. Without either, no mail is sent.
pub(super) fn mailer(config: &Config) -> Result<Option<Arc<dyn Mailer>>, StartupError> {
    match smtp(config)? {
        Some(mailer) => Ok(Some(Arc::new(mailer))),
        None => {
            let printed: Option<Arc<dyn Mailer>> = Some(Arc::new(Printed));
            Ok(printed.filter(|_| config.is_sandbox()))
        }
    }
}

/// Returns the client of the operator's mail server, if there is one.
pub(super) fn smtp(config: &Config) -> Result<Option<SmtpMailer>, StartupError> {
    let mail = &config.mail;
    let (Some(server), Some(from)) = (&mail.server, &mail.from) else {
        return Ok(None);
    };
    let server = SmtpServer {
        host: server.host.clone(),
        port: server.port,
        security: match server.security {
            config::MailSecurity::StartTls => MailSecurity::StartTls,
            config::MailSecurity::Tls => MailSecurity::Tls,
            config::MailSecurity::Plain => MailSecurity::Plain,
        },
        login: mail.user.clone().zip(mail.password.clone()),
        from: from.clone(),
    };
    let mailer = SmtpMailer::new(server)
        .map_err(|why| StartupError::Refused(format!("mail can't be sent: {why}")))?;
    Ok(Some(mailer))
}

/// Prints the mail of a sandbox to the log.
struct Printed;

#[async_trait]
impl Mailer for Printed {
    async fn send(&self, mail: &Mail) -> Result<(), MailFailure> {
        tracing::info!(
            to = mail.to.as_str(),
            subject = mail.subject,
            text = mail.text.expose(),
            "mail, which outside of the sandbox goes to mail_server"
        );
        Ok(())
    }
}
