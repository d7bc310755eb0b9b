//! Settings of mail to users.

use multirail_kernel::email::Email;
use multirail_kernel::secret::SecretText;
use url::Url;

use super::values::{self, Value};
use super::{Raw, Reader, Setting};

/// The settings of mail. Prints without secrets.
#[derive(Clone)]
pub struct MailSettings {
    pub server: Option<MailServer>,
    /// The sender's address.
    pub from: Option<String>,
    pub user: Option<String>,
    pub password: Option<SecretText>,
    /// The page where users choose a password.
    pub password_page: Option<String>,
}

/// The protection of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailSecurity {
    /// TLS after STARTTLS.
    StartTls,
    /// TLS from the first byte.
    Tls,
    /// None.
    Plain,
}

/// An SMTP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailServer {
    pub host: String,
    pub port: u16,
    pub security: MailSecurity,
}

impl MailSettings {
    pub(super) fn read(reader: &mut Reader) -> Self {
        MailSettings {
            server: reader.maybe(Setting::MailServer, server),
            from: reader.maybe(Setting::MailFrom, sender),
            user: reader.maybe(Setting::MailUser, |raw| Ok(values::text(raw)?.to_owned())),
            password: reader.maybe(Setting::MailPassword, values::secret),
            password_page: reader.maybe(Setting::MailPasswordPage, values::public_url),
        }
    }
}

impl MailServer {
    /// Returns whether the mail server is on this machine.
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']);
        let address = host.parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }

    /// Returns the address as written in settings.
    pub(super) fn shown(&self) -> String {
        let scheme = match self.security {
            MailSecurity::StartTls => "smtp",
            MailSecurity::Tls => "smtps",
            MailSecurity::Plain => "smtp+plain",
        };
        format!("{scheme}://{}:{}", self.host, self.port)
    }
}

/// Parses the address: `smtp://host` uses STARTTLS, `smtps://host` TLS from the start, `smtp+plain://host` no TLS.
fn server(raw: &Raw) -> Value<MailServer> {
    let text = values::text(raw)?;
    let wrong = || {
        "must be smtp://<host>[:587], smtps://<host>[:465] or smtp+plain://<host>[:25], without user and password"
            .to_owned()
    };
    let url = Url::parse(text).map_err(|_| wrong())?;
    let (security, port) = match url.scheme() {
        "smtp" => (MailSecurity::StartTls, 587),
        "smtps" => (MailSecurity::Tls, 465),
        "smtp+plain" => (MailSecurity::Plain, 25),
        _ => return Err(wrong()),
    };
    let is_bare = matches!(url.path(), "" | "/")
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    let host = url.host_str().filter(|host| is_bare && !host.is_empty());
    Ok(MailServer {
        host: host.ok_or_else(wrong)?.to_owned(),
        port: url.port().unwrap_or(port),
        security,
    })
}

fn sender(raw: &Raw) -> Value<String> {
    let text = values::text(raw)?;
    match Email::parse(text) {
        Ok(email) => Ok(email.as_str().to_owned()),
        Err(_) => Err(format!("must be an e-mail address, not {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        server(&Raw::Text(text.to_owned())).map(|server| server.shown())
    }

    #[test]
    fn servers_are_named_with_how_they_are_spoken_to() {
        for (given, shown) in [
            ("smtp://mail.example", "smtp://mail.example:587"),
            ("smtps://mail.example/", "smtps://mail.example:465"),
            ("smtp+plain://127.0.0.1", "smtp+plain://127.0.0.1:25"),
            ("smtp://[::1]:2525", "smtp://[::1]:2525"),
        ] {
            assert_eq!(read(given).as_deref(), Ok(shown));
        }
        for wrong in [
            "mail.example:25",
            "http://mail.example",
            "smtp://",
            "smtp://ada:secret@mail.example",
            "smtp://mail.example/path",
            "smtp://mail.example?tls=no",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let at = |text: &str| server(&Raw::Text(text.to_owned())).expect("a server");
        assert!(at("smtp+plain://[::1]").is_loopback());
        assert!(at("smtp+plain://localhost").is_loopback());
        assert!(!at("smtp+plain://10.0.0.7").is_loopback());
    }
}
