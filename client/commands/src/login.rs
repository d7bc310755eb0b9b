//! `multirail login` and `multirail logout`.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use multirail_client::{Client, Error};
use multirail_types::Secret;
use url::Url;
use zeroize::Zeroizing;

use crate::access::{Access, DEFAULT_SERVER};
use crate::address::{is_loopback, read_server};
use crate::failure::Failure;
use crate::logins::{Login, Logins, Name};
use crate::options::LoginOptions;

/// The maximum size of standard input.
const LONGEST_INPUT: u64 = 4 * 1024;

/// Asks for a server and keys, checks them, and stores them.
pub(crate) async fn login(options: LoginOptions, out: &mut dyn Write) -> Result<(), Failure> {
    let logins = Logins::of_user()?;
    let server = options.server.as_deref().map(read_server).transpose();
    let server = server.map_err(|why| Failure::Usage(format!("--server: {why}")))?;
    let asked = if options.api_key_stdin {
        read_lines(server, &mut io::stdin().lock())?
    } else if io::stdin().is_terminal() {
        ask(server, out)?
    } else {
        let hint = "there is no terminal to ask for the key: give it with --api-key-stdin";
        return Err(Failure::Usage(hint.to_owned()));
    };
    if is_sent_in_clear(&asked.server) {
        eprintln!("multirail: warning: without https, others on the way can read the key");
    }
    check(&asked).await?;
    let login = Login {
        server: asked.server,
        api_key: asked.api_key,
        admin_api_key: asked.admin_key,
    };
    let name = &options.login.profile;
    let path = logins.write(name, &login)?;
    let (server, path) = (&login.server, path.display());
    writeln!(
        out,
        "logged in to {server} as {name}; the key is in {path}, which only you can read"
    )?;
    Ok(())
}

/// Removes a stored login.
pub(crate) fn logout(name: &Name, out: &mut dyn Write) -> Result<(), Failure> {
    if !Logins::of_user()?.remove(name)? {
        return Err(Failure::Usage(format!("there is no login {name}")));
    }
    writeln!(
        out,
        "removed the login {name}; its key stays valid until it is revoked"
    )?;
    Ok(())
}

/// Reads the key, and perhaps the operator's, from lines of standard input.
fn read_lines(server: Option<String>, input: &mut impl BufRead) -> Result<Access, Failure> {
    let mut text = Zeroizing::new(String::new());
    input.take(LONGEST_INPUT).read_to_string(&mut text)?;
    let mut lines = text.lines().map(str::trim);
    let api_key = lines.next().filter(|key| !key.is_empty());
    let api_key = api_key.map(Secret::from).ok_or_else(no_key)?;
    let admin_key = lines.next().filter(|key| !key.is_empty());
    if lines.any(|line| !line.is_empty()) {
        let surplus = "standard input has more than two lines: a secret key, and the operator's";
        return Err(Failure::Usage(surplus.to_owned()));
    }
    Ok(Access {
        server: server.unwrap_or_else(|| DEFAULT_SERVER.to_owned()),
        api_key,
        admin_key: admin_key.map(Secret::from),
    })
}

/// Asks on the terminal. Keys are not shown while they are typed.
fn ask(server: Option<String>, out: &mut dyn Write) -> Result<Access, Failure> {
    let server = match server {
        Some(server) => server,
        None => {
            write!(out, "Server [{DEFAULT_SERVER}]: ")?;
            out.flush()?;
            let mut line = String::new();
            io::stdin()
                .lock()
                .take(LONGEST_INPUT)
                .read_line(&mut line)?;
            match line.trim() {
                "" => DEFAULT_SERVER.to_owned(),
                line => read_server(line).map_err(Failure::Usage)?,
            }
        }
    };
    let api_key = Zeroizing::new(rpassword::prompt_password("Secret key: ")?);
    if api_key.trim().is_empty() {
        return Err(no_key());
    }
    let question = "Operator's key, which few commands need (empty for none): ";
    let admin_key = Zeroizing::new(rpassword::prompt_password(question)?);
    let admin_key = Some(admin_key.trim()).filter(|key| !key.is_empty());
    Ok(Access {
        server,
        api_key: Secret::from(api_key.trim()),
        admin_key: admin_key.map(Secret::from),
    })
}

fn no_key() -> Failure {
    Failure::Usage("a secret key is needed".to_owned())
}

/// Calls the server with each key. Neither call changes anything.
async fn check(access: &Access) -> Result<(), Failure> {
    let listed = access.client(None)?.payments_list().limit(1).send().await;
    accepts("the check of the secret key", listed.map(drop))?;
    if let Some(operator) = access.operator()? {
        check_operator(&operator).await?;
    }
    Ok(())
}

async fn check_operator(operator: &Client) -> Result<(), Failure> {
    let shown = operator.keys_retrieve().send().await;
    let shown = shown.map(drop).map_err(Error::from);
    shown.map_err(|error| Failure::call("the check of the operator's key", error))
}

/// A restricted key may not list payments. It is valid all the same.
fn accepts(what: &str, answer: Result<(), impl Into<Error>>) -> Result<(), Failure> {
    match answer.map_err(Into::into) {
        Ok(()) => Ok(()),
        Err(error) if error.status().is_some_and(|status| status.as_u16() == 403) => Ok(()),
        Err(error) => Err(Failure::call(what, error)),
    }
}

fn is_sent_in_clear(server: &str) -> bool {
    Url::parse(server).is_ok_and(|url| url.scheme() == "http" && !is_loopback(&url))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Access, Failure> {
        read_lines(None, &mut text.as_bytes())
    }

    #[test]
    fn keys_are_lines_of_standard_input() {
        let access = read("snd_1\n").expect("a key");
        assert_eq!((access.api_key.expose(), access.admin_key), ("snd_1", None));
        let access = read("snd_1\r\nadmin\r\n\n").expect("two keys");
        assert_eq!(access.admin_key, Some(Secret::new("admin")));
        for wrong in ["", "\nadmin\n", "snd_1\nadmin\nmore\n"] {
            assert_eq!(
                read(wrong).expect_err("refused").exit_code(),
                2,
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn only_this_machine_is_reached_without_a_warning() {
        for (server, is_sent) in [
            ("http://127.0.0.1:8080", false),
            ("http://[::1]:8080", false),
            ("http://localhost", false),
            ("https://pay.example", false),
            ("http://pay.example", true),
        ] {
            assert_eq!(is_sent_in_clear(server), is_sent, "{server}");
        }
    }
}
