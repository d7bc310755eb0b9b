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

#[test]
fn an_address_may_lack_its_scheme_on_this_machine() {
    let options = AccessOptions {
        server_of_variables: Some("localhost:9000".to_owned()),
        ..options(Some("127.0.0.1:9000"), None)
    };
    let whole = with_whole_addresses(&options).expect("completed");
    let server = whole.server.expect("an address").value;
    assert_eq!(server, "http://127.0.0.1:9000");
    let variable = whole.server_of_variables.expect("an address");
    assert_eq!(variable, "http://localhost:9000");
}

#[test]
fn a_wrong_address_is_named_with_its_place() {
    let refused = with_whole_addresses(&options(Some("pay.example"), None));
    insta::assert_snapshot!(refused.expect_err("refused"), @"--server: `pay.example` has no scheme: give https://pay.example, so that nobody on the way can read the key");
    let refused = with_whole_addresses(&variables(Some("http://8080"), None));
    insta::assert_snapshot!(refused.expect_err("refused"), @"MULTIRAIL_URL: `http://8080` is no address such as 3000, localhost:3000/hooks or https://shop.example");
}
