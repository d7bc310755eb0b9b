//! The server and the keys that a command uses.

use multirail_client::{Client, Connection};
use multirail_types::Secret;
use url::{Host, Url};

use crate::failure::Failure;
use crate::logins::{Login, Logins};
use crate::options::{AccessOptions, Given, OperatorOptions};

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
        let options = ranked(options)?;
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

/// Checks whether an address leads to this machine itself.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option<T>(value: T) -> Given<T> {
        Given {
            value,
            is_option: true,
        }
    }

    fn variable<T>(value: T) -> Given<T> {
        Given {
            value,
            is_option: false,
        }
    }

    fn options(server: Option<&str>, api_key: Option<&str>) -> AccessOptions {
        AccessOptions {
            server: server.map(|server| option(server.to_owned())),
            server_of_variables: None,
            api_key: api_key.map(|key| option(Secret::from(key))),
            profile: variable("default".parse().expect("a name")),
        }
    }

    fn variables(server: Option<&str>, api_key: Option<&str>) -> AccessOptions {
        AccessOptions {
            server: server.map(|server| variable(server.to_owned())),
            server_of_variables: server.map(str::to_owned),
            api_key: api_key.map(|key| variable(Secret::from(key))),
            profile: variable("default".parse().expect("a name")),
        }
    }

    fn with_profile(options: AccessOptions) -> AccessOptions {
        AccessOptions {
            profile: option("shop".parse().expect("a name")),
            ..options
        }
    }

    fn login() -> Login {
        Login {
            server: "http://127.0.0.1:9000/".to_owned(),
            api_key: Secret::new("snd_stored"),
            admin_api_key: Some(Secret::new("admin_stored")),
        }
    }

    /// Returns the chosen server, key and operator's key.
    fn choice(options: &AccessOptions, admin: Option<Given<&str>>) -> [String; 3] {
        let admin = admin.map(|key| Given {
            value: Secret::from(key.value),
            is_option: key.is_option,
        });
        let options = ranked(options).expect("ranked");
        let access = Access::choose(&options, admin, Some(login())).expect("chosen");
        let admin = access.admin_key.map(|key| key.expose().to_owned());
        let key = access.api_key.expose().to_owned();
        [access.server, key, admin.unwrap_or_default()]
    }

    fn chosen(server: Option<&str>, api_key: Option<&str>, admin: Option<&str>) -> [String; 3] {
        choice(&options(server, api_key), admin.map(option))
    }

    #[test]
    fn a_given_key_replaces_the_whole_login() {
        let stored = ["http://127.0.0.1:9000/", "snd_stored", "admin_stored"];
        assert_eq!(chosen(None, None, None), stored);
        let given = [DEFAULT_SERVER, "snd_given", ""];
        assert_eq!(chosen(None, Some("snd_given"), None), given);
        let both = ["http://a.example", "snd_given", "admin"];
        assert_eq!(
            chosen(Some("http://a.example"), Some("snd_given"), Some("admin")),
            both
        );
        assert_eq!(chosen(None, None, Some("admin"))[2], "admin");
        assert_eq!(
            chosen(Some("http://127.0.0.1:9000"), None, None)[1],
            "snd_stored"
        );
    }

    #[test]
    fn the_option_profile_replaces_variables() {
        let stored = ["http://127.0.0.1:9000/", "snd_stored", "admin_stored"];
        let given = variables(Some("http://a.example"), Some("snd_given"));
        let admin = || Some(variable("admin"));
        assert_eq!(
            choice(&given, admin()),
            ["http://a.example", "snd_given", "admin"]
        );
        assert_eq!(choice(&with_profile(given), admin()), stored);
        let elsewhere = with_profile(variables(Some("http://a.example"), None));
        let elsewhere = ranked(&elsewhere).expect("ranked");
        let refused = Access::choose(&elsewhere, None, Some(login()));
        assert!(refused.is_err(), "an address alone has to be the login's");
        let both = with_profile(options(None, Some("snd_given")));
        insta::assert_snapshot!(ranked(&both).expect_err("refused"), @"--api-key replaces the login that --profile names: give one of them");
    }

    #[test]
    fn an_operators_key_in_a_variable_is_for_a_given_server() {
        let admin = || Some(variable("admin"));
        let without = |api_key| choice(&variables(None, api_key), admin())[2].clone();
        assert_eq!(without(None), "admin_stored");
        assert_eq!(without(Some("snd_given")), "");
        let with_server = variables(Some("http://127.0.0.1:9000"), None);
        assert_eq!(choice(&with_server, admin())[2], "admin");
    }

    #[test]
    fn keys_in_variables_are_sent_only_to_the_server_in_a_variable() {
        let variables = variables(Some("http://a.example"), Some("snd_a"));
        let at = |server: &str| AccessOptions {
            server: Some(option(server.to_owned())),
            ..variables.clone()
        };
        let admin = || Some(variable("admin_a"));
        let same = ["http://a.example/", "snd_a", "admin_a"];
        assert_eq!(choice(&at("http://a.example/"), admin()), same);
        let refused = ranked(&at("http://b.example"));
        insta::assert_snapshot!(refused.expect_err("refused"), @"MULTIRAIL_API_KEY is for http://a.example, the address in MULTIRAIL_URL; give --api-key for http://b.example, or a login with --profile");
        let own_key = AccessOptions {
            api_key: Some(option(Secret::new("snd_b"))),
            ..at("http://b.example")
        };
        let without_operator = ["http://b.example", "snd_b", ""];
        assert_eq!(choice(&own_key, admin()), without_operator);
        let with_login = AccessOptions {
            api_key: None,
            ..at("http://127.0.0.1:9000")
        };
        let of_login = ["http://127.0.0.1:9000/", "snd_stored", "admin_stored"];
        assert_eq!(choice(&with_login, admin()), of_login);
        assert_eq!(
            choice(&with_profile(at("http://127.0.0.1:9000")), admin()),
            of_login
        );
        let alone = AccessOptions {
            server_of_variables: None,
            ..at("http://b.example")
        };
        let given = ["http://b.example", "snd_a", "admin_a"];
        assert_eq!(
            choice(&alone, admin()),
            given,
            "the option names the keys' server"
        );
    }

    #[test]
    fn a_stored_key_is_not_sent_elsewhere() {
        let options = options(Some("http://elsewhere.example"), None);
        let refused = Access::choose(&options, None, Some(login()));
        insta::assert_snapshot!(refused.expect_err("refused"), @"the login default is for http://127.0.0.1:9000/; give a key for http://elsewhere.example, or another --profile");
        let refused = Access::choose(&options, None, None);
        insta::assert_snapshot!(refused.expect_err("refused"), @"there is no login default: run `multirail login`, or set MULTIRAIL_API_KEY");
    }

    #[test]
    fn only_a_sandbox_has_its_prefix() {
        let access = |key| Access::choose(&options(None, Some(key)), None, None).expect("chosen");
        assert!(access("snd_1").check_sandbox("trigger").is_ok());
        let refused = access("prd_1").check_sandbox("trigger");
        insta::assert_snapshot!(refused.expect_err("refused"), @"`multirail trigger` works only with a sandbox: its keys begin with snd_");
    }
}
