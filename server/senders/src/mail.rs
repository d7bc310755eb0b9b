//! Sends mail through the SMTP server that the operator names. Only the operator chooses its address, which is often in
//! their own network, so no target rules apply.

use std::time::Duration;

use async_trait::async_trait;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use multirail_app::platform::ports::mail::{MailFailure, Mailer};
use multirail_kernel::mail::Mail;
use multirail_kernel::secret::SecretText;
use tokio::time::timeout;

/// The longest time for sending one mail.
const LONGEST: Duration = Duration::from_secs(25);

/// The protection of the connection to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailSecurity {
    /// TLS by STARTTLS before any other command; without it nothing is sent.
    StartTls,
    /// TLS from the first byte.
    Tls,
    /// No protection.
    Plain,
}

/// The operator's mail server.
pub struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
    pub login: Option<(String, SecretText)>,
    /// The sender's address.
    pub from: String,
}

/// Sends mail to one server.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl SmtpMailer {
    /// Makes the mailer without a connection.
    ///
    /// # Errors
    /// An invalid sender address, or certificate authorities that can't be read.
    pub fn new(server: SmtpServer) -> Result<Self, String> {
        let from = server.from.parse::<Mailbox>();
        let tls = || TlsParameters::new(server.host.clone()).map_err(|error| error.to_string());
        let tls = match server.security {
            MailSecurity::StartTls => Tls::Required(tls()?),
            MailSecurity::Tls => Tls::Wrapper(tls()?),
            MailSecurity::Plain => Tls::None,
        };
        let builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(server.host)
            .port(server.port)
            .tls(tls)
            .timeout(Some(LONGEST));
        let builder = match server.login {
            Some((user, password)) => {
                builder.credentials(Credentials::new(user, password.expose().to_owned()))
            }
            None => builder,
        };
        Ok(SmtpMailer {
            transport: builder.build(),
            from: from.map_err(|error| error.to_string())?,
        })
    }
}

impl SmtpMailer {
    /// Connects with TLS and login as for a mail, without sending one.
    ///
    /// # Errors
    /// The reason why the server can't be used, in a line.
    pub async fn try_connection(&self) -> Result<(), String> {
        match timeout(LONGEST, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err("the mail server does not answer as one".to_owned()),
            Ok(Err(error)) => Err(match error.status() {
                Some(code) => format!("the mail server answered {code}"),
                None => error.to_string(),
            }),
            Err(_) => Err("the mail server took too long".to_owned()),
        }
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: &Mail) -> Result<(), MailFailure> {
        let of_no_use = |why: String| MailFailure {
            why,
            is_final: true,
        };
        // The library's error may contain the address.
        let to = mail.to.as_str().parse::<Address>();
        let to = to.map_err(|_| of_no_use("the address is none that mail can go to".to_owned()))?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(mail.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text.expose().to_owned())
            .map_err(|_| of_no_use("the mail can't be written".to_owned()))?;
        match timeout(LONGEST, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(MailFailure {
                why: match error.status() {
                    // The rest of the answer may repeat the address.
                    Some(code) => format!("the mail server answered {code}"),
                    None => error.to_string(),
                },
                // The operator can correct a failed login; a refused mailbox stays refused.
                is_final: error
                    .status()
                    .is_some_and(|code| (550..=554).contains(&u16::from(code))),
            }),
            Err(_) => Err(MailFailure {
                why: "the mail server took too long".to_owned(),
                is_final: false,
            }),
        }
    }
}
