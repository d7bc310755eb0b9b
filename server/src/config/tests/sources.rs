//! The sources of values, and the messages about wrong values.

use super::*;

#[test]
fn a_bad_value_names_its_setting_and_its_source() {
    let cases = [
        (
            Setting::Listen,
            "8080",
            "must be an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080, not \"8080\"",
        ),
        (
            Setting::BehindProxy,
            "maybe",
            "must be true or false, not \"maybe\"",
        ),
        (
            Setting::DatabasePoolSize,
            "0",
            "must be a whole number from 1 to 1000, not \"0\"",
        ),
        (
            Setting::BodyTimeoutMs,
            "10s",
            "must be a whole number from 100 to 600000, not \"10s\"",
        ),
        (
            Setting::LogFormat,
            "xml",
            "must be text, json or auto, not \"xml\"",
        ),
        (
            Setting::LogLevel,
            "info,=",
            "must be error, warn, info, debug, trace or off, by module too (info,dropshot=debug); not \"info,=\"",
        ),
        (
            Setting::PublicUrl,
            "pay.example",
            "must be an http or https address without user, query and fragment, such as https://pay.example",
        ),
        (
            Setting::CorsAllowedOrigins,
            "https://shop.example/cart",
            "must list origins such as https://shop.example, without a path; not \"https://shop.example/cart\"",
        ),
        (
            Setting::DatabaseUrl,
            "mysql://u:hunter2@h/d",
            "must be sqlite:<path> or postgres://<user>:<password>@<host>/<database> (special characters in the password percent-encoded)",
        ),
        (
            Setting::MasterKey,
            "5ec4e7",
            "must be 32 bytes written as 64 hexadecimal digits",
        ),
        (
            Setting::AdminApiKey,
            "with space",
            "must be visible ASCII characters without spaces",
        ),
        (
            Setting::AdminApiKey,
            "pk_dev_1",
            "must not start with pk_, which marks publishable keys",
        ),
    ];
    for (setting, value, what) in cases {
        let variable = setting.variable();
        let said = problems(&with_environment(&[(&variable, value)]));
        assert_eq!(said, [format!("{setting} ({variable}): {what}")]);
    }
}

#[test]
fn the_file_wants_the_right_types_and_knows_no_other_keys() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("multirail.toml");
    let path = path.display();
    let cases = [
        (
            "listn = '127.0.0.1:1'",
            format!("{path}: \"listn\" is no setting; did you mean listen?"),
        ),
        (
            "[server]\nport = 1",
            format!("{path}: \"server\" is no setting"),
        ),
        (
            "client_secret_seconds = 900",
            format!(
                "{path}: \"client_secret_seconds\" is no setting any more: \
                 payments and profiles set session_expiry"
            ),
        ),
        (
            "listen = 8080",
            format!("listen ({path}): must be a text in quotes, not a whole number"),
        ),
        (
            "behind_proxy = 'true'",
            format!("behind_proxy ({path}): must be true or false, not a text"),
        ),
        (
            "database_pool_size = -1",
            format!("database_pool_size ({path}): must be a whole number from 1 to 1000, not -1"),
        ),
        (
            "database_pool_size = '5'",
            format!(
                "database_pool_size ({path}): must be a whole number from 1 to 1000, not a text"
            ),
        ),
        (
            "cors_allowed_origins = 'x'",
            format!("cors_allowed_origins ({path}): must be a list of texts, not a text"),
        ),
        (
            "cors_allowed_origins = [1]",
            format!("cors_allowed_origins ({path}): must be a list of texts"),
        ),
        (
            "master_key = 5",
            format!("master_key ({path}): must be a text in quotes"),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(&with_file(directory.path(), text)), [expected]);
    }
}

#[test]
fn a_file_that_is_no_toml_is_placed_but_not_quoted() {
    let directory = tempfile::tempdir().unwrap();
    let text = "sandbox = true\nmaster_key = 5ec4e7\n";
    let said = problems(&with_file(directory.path(), text));
    assert_eq!(said.len(), 1);
    assert!(
        said[0].contains("multirail.toml line 2: this is not TOML"),
        "{said:?}"
    );
    assert!(
        !said[0].contains("5ec4e7") && !said[0].contains('\n'),
        "{said:?}"
    );
}

#[test]
fn a_named_file_must_exist_and_the_usual_one_need_not() {
    let directory = tempfile::tempdir().unwrap();
    let mut inputs = Inputs {
        directory: Some(directory.path().to_owned()),
        ..Inputs::default()
    };
    assert!(Config::read(&inputs).is_ok());
    inputs.config_file = Some(directory.path().join("other.toml"));
    let said = problems(&inputs);
    assert!(
        said[0].contains("other.toml: cannot read the configuration file"),
        "{said:?}"
    );

    let named = directory.path().join("named.toml");
    std::fs::write(&named, "log_level = 'debug'").unwrap();
    let inputs = with_environment(&[("MULTIRAIL_CONFIG", named.to_str().unwrap())]);
    assert_eq!(Config::read(&inputs).unwrap().log_level, "debug");
}

#[test]
fn a_variable_that_is_no_text_is_refused_by_its_name() {
    let names = [
        "MULTIRAIL_CONFIG",
        "MULTIRAIL_DATABASE_URL",
        "MULTIRAIL_LISTNE",
        "MULTIRAIL_URL",
    ];
    let inputs = Inputs {
        not_text: names.map(str::to_owned).into(),
        ..Inputs::default()
    };
    let said = problems(&inputs);
    assert_eq!(
        said[..2],
        [
            "MULTIRAIL_CONFIG is not valid UTF-8",
            "MULTIRAIL_DATABASE_URL is not valid UTF-8",
        ]
    );
    assert!(
        said[2].starts_with("MULTIRAIL_LISTNE is no setting"),
        "{said:?}"
    );
    assert_eq!(
        said.len(),
        3,
        "a variable of the client's commands is none of ours"
    );
}

#[test]
fn secrets_come_from_files_too() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("key");
    std::fs::write(&file, format!("{MASTER}\n")).unwrap();
    let file = file.to_str().unwrap();

    let config = Config::read(&with_environment(&[("MULTIRAIL_MASTER_KEY_FILE", file)])).unwrap();
    assert_eq!(
        config.master_key.as_ref().unwrap().to_hex().as_str(),
        MASTER
    );
    assert_eq!(
        config.source(Setting::MasterKey).to_string(),
        format!("{file} (MULTIRAIL_MASTER_KEY_FILE)")
    );

    let both = [
        ("MULTIRAIL_MASTER_KEY_FILE", file),
        ("MULTIRAIL_MASTER_KEY", MASTER),
    ];
    assert_eq!(
        problems(&with_environment(&both)),
        ["master_key: both MULTIRAIL_MASTER_KEY and MULTIRAIL_MASTER_KEY_FILE are set; keep one"]
    );

    let missing = problems(&with_environment(&[(
        "MULTIRAIL_ADMIN_API_KEY_FILE",
        "/nowhere/key",
    )]));
    assert!(
        missing[0].starts_with(
            "admin_api_key (/nowhere/key (MULTIRAIL_ADMIN_API_KEY_FILE)): cannot read the file"
        ),
        "{missing:?}"
    );
}

#[test]
fn empty_variables_say_nothing_and_unknown_ones_are_refused() {
    let config = Config::read(&with_environment(&[
        ("MULTIRAIL_LISTEN", ""),
        ("MULTIRAIL_SERVICE_HOST", "10.0.0.1"),
    ]))
    .unwrap();
    assert_eq!(config.listen.port(), 8080);
    assert_eq!(
        problems(&with_environment(&[
            ("MULTIRAIL_LISTNE", "127.0.0.1:1"),
            ("MULTIRAIL_PORT", "8080"),
            ("MULTIRAIL_CLIENT_SECRET_SECONDS", "900"),
        ])),
        [
            "MULTIRAIL_CLIENT_SECRET_SECONDS is no setting any more: \
             payments and profiles set session_expiry",
            "MULTIRAIL_LISTNE is no setting; did you mean MULTIRAIL_LISTEN?",
            "MULTIRAIL_PORT is no setting",
        ]
    );
}

#[test]
fn a_level_that_is_none_is_refused() {
    let said = problems(&with_environment(&[("MULTIRAIL_LOG_LEVEL", "loud")]));
    assert!(said[0].contains("must be error, warn, info"), "{said:?}");
}
