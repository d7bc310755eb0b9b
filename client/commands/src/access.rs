//! The server and the keys that a command uses.

use multirail_client::{Client, Connection};
use multirail_types::Secret;
use url::Url;

use crate::address::read_server;
use crate::failure::Failure;
use crate::logins::{Login, Logins};
use crate::options::{AccessOptions, Given, OperatorOptions, SERVER_VARIABLE};

/// The address of a sandbox that `multirail` starts without options.
pub(crate) const DEFAULT_SERVER: &str = "http://127.0.0.1:8080";
/// The beginning of every secret key of a sandbox.
const SANDBOX_PREFIX: &str = "snd_";

/// A server, with a key of a merchant and perhaps the operator's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Access {
    pub(crate) server: String,
    pub(crate) api_key: Secret,
    pub(crate) admin_key: Option<Secret>,
}

impl Access {
    /// Chooses from options, environment and login.
    pub(crate) fn find(options: &AccessOptions) -> Result<Self, Failure> {
        Self::find_with(options, None)
    }

    /// Does the same for a command that also takes the operator's key.
    pub(crate) fn find_with_operator(
        options: &AccessOptions,
        operator: &OperatorOptions,
    ) -> Result<Self, Failure> {
        Self::find_with(options, operator.admin_key.clone())
    }

    fn find_with(
        options: &AccessOptions,
        admin_key: Option<Given<Secret>>,
    ) -> Result<Self, Failure> {
        let options = ranked(&with_whole_addresses(options)?)?;
        let stored = match options.api_key {
            Some(_) => None,
            None => Logins::of_user()?.read(&options.profile.value)?,
        };
        Self::choose(&options, admin_key, stored)
    }

    /// Chooses the server and the keys. A given key replaces the whole login, so that no key goes to the server of
    /// another one. The operator's key in a variable is for the server in a variable, or else for that of the option.
    fn choose(
        options: &AccessOptions,
        admin_key: Option<Given<Secret>>,
        stored: Option<Login>,
    ) -> Result<Self, Failure> {
        let server = options.server.as_ref().map(|server| &*server.value);
        let is_for_server = server.is_some_and(|server| is_for_variables(options, server));
        let admin_key = admin_key.filter(|key| key.is_option || is_for_server);
        let admin_key = admin_key.map(|key| key.value);
        if let Some(api_key) = options.api_key.clone() {
            return Ok(Self {
                server: server.unwrap_or(DEFAULT_SERVER).to_owned(),
                api_key: api_key.value,
                admin_key,
            });
        }
        let name = &options.profile.value;
        let login = stored.ok_or_else(|| {
            Failure::Usage(format!(
                "there is no login {name}: run `multirail login`, or set MULTIRAIL_API_KEY"
            ))
        })?;
        if let Some(server) = server
            && !is_same(server, &login.server)
        {
            let stored = login.server;
            return Err(Failure::Usage(format!(
                "the login {name} is for {stored}; give a key for {server}, or another --profile"
            )));
        }
        Ok(Self {
            server: login.server,
            api_key: login.api_key,
            admin_key: admin_key.or(login.admin_api_key),
        })
    }

    /// Refuses a key that isn't a sandbox's. `command` names the command in the refusal.
    pub(crate) fn check_sandbox(&self, command: &str) -> Result<(), Failure> {
        if self.api_key.expose().starts_with(SANDBOX_PREFIX) {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "`multirail {command}` works only with a sandbox: its keys begin with {SANDBOX_PREFIX}"
        )))
    }

    /// Returns the merchant's client, limited to a business profile if one is given.
    pub(crate) fn client(&self, profile_id: Option<&str>) -> Result<Client, Failure> {
        let mut connection = Connection::new(&self.server).secret_key(self.api_key.clone());
        if let Some(profile_id) = profile_id {
            connection = connection.profile(profile_id);
        }
        build(connection)
    }

    /// Returns the operator's client, if there is a key for it.
    pub(crate) fn operator(&self) -> Result<Option<Client>, Failure> {
        let key = self.admin_key.clone();
        let connection = key.map(|key| Connection::new(&self.server).admin_key(key));
        connection.map(build).transpose()
    }
}

/// Completes the addresses of the option and of the variable.
fn with_whole_addresses(options: &AccessOptions) -> Result<AccessOptions, Failure> {
    let read = |place: &str, text: &str| {
        read_server(text).map_err(|why| Failure::Usage(format!("{place}: {why}")))
    };
    let mut whole = options.clone();
    if let Some(server) = &mut whole.server {
        let place = if server.is_option {
            "--server"
        } else {
            SERVER_VARIABLE
        };
        server.value = read(place, &server.value)?;
    }
    if let Some(address) = &mut whole.server_of_variables {
        *address = read(SERVER_VARIABLE, address)?;
    }
    Ok(whole)
}

/// Lets the option `--profile` replace the key of a variable, with the server that belongs to it. Refuses to send that
/// key to another server.
fn ranked(options: &AccessOptions) -> Result<AccessOptions, Failure> {
    let mut ranked = options.clone();
    let Some(key) = options.api_key.as_ref() else {
        return Ok(ranked);
    };
    if ranked.profile.is_option {
        if key.is_option {
            let both = "--api-key replaces the login that --profile names: give one of them";
            return Err(Failure::Usage(both.to_owned()));
        }
        ranked.api_key = None;
        ranked.server = ranked.server.filter(|server| server.is_option);
        return Ok(ranked);
    }
    if let (false, Some(server)) = (key.is_option, &ranked.server)
        && let Some(other) = &ranked.server_of_variables
        && !is_for_variables(&ranked, &server.value)
    {
        let server = &server.value;
        return Err(Failure::Usage(format!(
            "MULTIRAIL_API_KEY is for {other}, the address in MULTIRAIL_URL; give --api-key for {server}, or a login \
             with --profile"
        )));
    }
    Ok(ranked)
}

/// Checks whether keys in variables may be sent to a server: to the one that a variable names, if one does.
fn is_for_variables(options: &AccessOptions, server: &str) -> bool {
    let named = options.server_of_variables.as_deref();
    named.is_none_or(|named| is_same(named, server))
}

fn build(connection: Connection) -> Result<Client, Failure> {
    let built = connection.build();
    built.map_err(|error| Failure::Usage(error.to_string()))
}

fn is_same(one: &str, other: &str) -> bool {
    match (Url::parse(one), Url::parse(other)) {
        (Ok(one), Ok(other)) => {
            one.as_str().trim_end_matches('/') == other.as_str().trim_end_matches('/')
        }
        (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
    }
}

#[cfg(test)]
mod tests;
