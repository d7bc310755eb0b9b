//! `multirail login` and `multirail logout`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;

use super::{Developer, ended};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_checked_and_stored_and_used() {
    let developer = Developer::at_sandbox().await;
    let said = developer.logs_in().await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let key = developer.key();
    assert!(
        !said.out.contains(&key) && !said.err.contains(&key),
        "{said:?}"
    );
    let file = developer
        .home
        .path()
        .join(".config/multirail/logins/default.toml");
    let mode = fs::metadata(&file).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(fs::read_to_string(&file).expect("a text").contains(&key));

    let said = developer.runs(&["trigger", "payment_succeeded"], "").await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("payment "), "{said:?}");

    let said = developer.runs(&["logout"], "").await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!file.exists());
    let said = developer.runs(&["trigger", "payment_succeeded"], "").await;
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("there is no login default"), "{said:?}");
    assert_eq!(developer.runs(&["logout"], "").await.code, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_key_is_not_stored() {
    let developer = Developer::at_sandbox().await;
    let (url, key) = (developer.server.url(), developer.key());
    let operators = format!("{key}\nnot_the_operators");
    for wrong in ["snd_nobodys", operators.as_str()] {
        let arguments = ["login", "--server", url, "--api-key-stdin"];
        let said = developer.runs(&arguments, wrong).await;
        assert_eq!(said.code, Some(1), "{said:?}");
        assert!(said.err.contains("IR_01"), "{said:?}");
        assert!(
            !said.err.contains("snd_") && !said.err.contains("not_the"),
            "{said:?}"
        );
    }
    let said = developer.runs(&["login", "--api-key-stdin"], "").await;
    assert_eq!(said.code, Some(2), "{said:?}");
    let said = developer.runs(&["login"], &key).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--api-key-stdin"), "{said:?}");
    assert!(!developer.home.path().join(".config").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_lacks_its_scheme_only_on_this_machine() {
    let developer = Developer::at_sandbox().await;
    let url = developer.server.url();
    let bare = url.strip_prefix("http://").expect("a scheme");
    let arguments = ["login", "--server", bare, "--api-key-stdin"];
    let said = developer.runs(&arguments, &developer.key()).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains(url), "{said:?}");
    let arguments = ["login", "--server", "pay.example:8443", "--api-key-stdin"];
    let said = developer.runs(&arguments, &developer.key()).await;
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("give https://pay.example:8443"),
        "{said:?}"
    );
}

/// Returns the arguments of a command that needs both keys, at this server.
fn at_server(developer: &Developer) -> [&str; 4] {
    let url = developer.server.url();
    ["trigger", "payment_expired", "--server", url]
}

/// A script may set the variable to nothing instead of leaving it out.
#[tokio::test(flavor = "multi_thread")]
async fn an_empty_address_in_the_variable_is_none() {
    let developer = Developer::at_sandbox().await;
    let arguments = at_server(&developer);
    let mut command = developer.command_with_keys(&arguments);
    command.env("MULTIRAIL_URL", "");
    let said = ended(command, "").await;
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// A key in a variable is only sent to the server in the variable, so an unreadable address stops the command.
#[tokio::test(flavor = "multi_thread")]
async fn a_variable_that_is_no_text_is_refused_by_its_name() {
    let developer = Developer::at_sandbox().await;
    let arguments = at_server(&developer);
    let mut refusals = Vec::new();
    for variable in [
        "MULTIRAIL_URL",
        "MULTIRAIL_API_KEY",
        "MULTIRAIL_ADMIN_API_KEY",
        "MULTIRAIL_PROFILE",
    ] {
        let mut command = developer.command_with_keys(&arguments);
        command.env(variable, OsStr::from_bytes(b"snd_\xff"));
        let said = ended(command, "").await;
        assert_eq!(said.code, Some(2), "{said:?}");
        refusals.push(said.err.trim_end().to_owned());
    }
    assert_snapshot!(refusals.join("\n"), @"
    error: MULTIRAIL_URL is not valid UTF-8
    error: --api-key or MULTIRAIL_API_KEY is not valid UTF-8
    error: --admin-key or MULTIRAIL_ADMIN_API_KEY is not valid UTF-8
    error: --profile or MULTIRAIL_PROFILE is not valid UTF-8
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_name_has_a_login_of_its_own() {
    let developer = Developer::at_sandbox().await;
    let (url, key) = (developer.server.url(), developer.key());
    let both = format!("{key}\n{}\n", developer.server.admin_key());
    let arguments = [
        "login",
        "--server",
        url,
        "--api-key-stdin",
        "--profile",
        "shop",
    ];
    let said = developer.runs(&arguments, &both).await;
    assert_eq!(said.code, Some(0), "{said:?}");
    let trigger = ["trigger", "payment_expired"];
    assert_eq!(developer.runs(&trigger, "").await.code, Some(2));
    let named = [trigger.as_slice(), &["--profile", "shop"]].concat();
    let said = developer.runs(&named, "").await;
    assert_eq!(
        said.code,
        Some(0),
        "the operator's key is in the login: {said:?}"
    );

    let mut elsewhere = developer.command(&named);
    elsewhere.env("MULTIRAIL_URL", "http://127.0.0.1:1");
    let said = ended(elsewhere, "").await;
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("the login shop is for"), "{said:?}");
    let wrong = ["logout", "--profile", "../shop"];
    assert_eq!(developer.runs(&wrong, "").await.code, Some(2));
}
