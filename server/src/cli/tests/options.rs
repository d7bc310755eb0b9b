//! Options, their help and their completions.

use super::*;

#[test]
fn options_stand_before_or_after_the_subcommand() {
    for line in [
        "--sandbox --listen 127.0.0.1:7 serve",
        "serve --sandbox --listen 127.0.0.1:7",
        "--sandbox serve --listen=127.0.0.1:7",
    ] {
        let (answer, said) = ask(line);
        assert_eq!(answer.code, 0, "{line}: {}", answer.err);
        assert_eq!(said[0].1.listen.port(), 7, "{line}");
        assert_eq!(said[0].1.mode, Mode::Sandbox, "{line}");
    }
    let (answer, _) = ask("--sandbox=false serve");
    assert_eq!(answer.code, 2, "a production server needs keys");
}

#[test]
fn every_option_reaches_its_setting() {
    let (answer, said) = ask(
        "serve --sandbox --sandbox-public --behind-proxy --database-url sqlite:x --listen 1.2.3.4:5 \
         --public-url https://pay.example --log-format json",
    );
    assert_eq!(answer.code, 0, "{}", answer.err);
    let config = &said[0].1;
    for setting in [
        Setting::Sandbox,
        Setting::SandboxPublic,
        Setting::BehindProxy,
        Setting::DatabaseUrl,
        Setting::Listen,
        Setting::PublicUrl,
        Setting::LogFormat,
    ] {
        assert_eq!(config.source(setting).to_string(), setting.option());
    }
    let (answer, _) = ask("serve --config /nowhere/multirail.toml");
    assert!(answer.err.contains("/nowhere/multirail.toml"));
}

#[test]
fn help_explains_every_setting_by_its_environment_variable() {
    let (answer, _) = ask("--help");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    for setting in Setting::ALL {
        assert!(answer.out.contains(&setting.variable()), "{setting}");
        assert!(answer.out.contains(setting.purpose()), "{setting}");
    }
    for word in [
        "serve",
        "migrate",
        "simulator",
        "greet",
        "completions",
        "connector",
        "check-config",
        "backup",
        "restore",
        "openapi",
        "keys",
        "MULTIRAIL_CONFIG",
    ] {
        assert!(answer.out.contains(word), "{word}");
    }
    assert_eq!(ask("--version").0.code, 0);
    assert_eq!(ask("nonsense").0.code, 2);
}

/// Returns the names of the long options that a subcommand shows, apart from --help.
fn options_of(line: &str) -> String {
    let (answer, _) = ask(&format!("{line} --help"));
    assert_eq!(answer.code, 0, "{line}: {}", answer.err);
    let words = answer.out.lines().filter_map(|line| {
        let option = line.trim_start().strip_prefix("--")?;
        option.split([' ', '[', '=']).next()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_subcommand_shows_only_the_options_that_it_uses() {
    let lines = [
        "serve",
        "migrate",
        "check-config",
        "backup",
        "restore",
        "simulator",
        "connector check",
        "connector certify",
        "routing simulate",
        "openapi",
        "completions",
        "keys generate",
        "keys rotate",
        "keys status",
        "audit verify",
        "audit export",
        "greet",
    ];
    let shown = lines.map(|line| {
        let shown = format!("{line}: {}", options_of(line));
        shown.trim_end().to_owned()
    });
    insta::assert_snapshot!(shown.join("\n"), @r"
    serve: config database-url log-format listen sandbox sandbox-public behind-proxy public-url
    migrate: config database-url log-format
    check-config: connect config database-url log-format listen sandbox sandbox-public behind-proxy public-url
    backup: to config database-url log-format
    restore: check config database-url log-format
    simulator: data config listen log-format
    connector check: merchant account server ca-file config
    connector certify: account currency config
    routing simulate: routing payments against config
    openapi: format
    completions:
    keys generate: into
    keys rotate: master-key finish server ca-file config
    keys status: server ca-file config
    audit verify: noted server ca-file config
    audit export: after server ca-file config
    greet: name
    ");
}

#[test]
fn an_option_in_front_of_the_subcommand_counts_if_the_subcommand_uses_it() {
    for (line, port) in [
        (
            "--sandbox --listen 127.0.0.1:7 serve --listen 127.0.0.1:8",
            8,
        ),
        ("--listen 127.0.0.1:7 serve --sandbox", 7),
    ] {
        let (answer, said) = ask(line);
        assert_eq!(answer.code, 0, "{line}: {}", answer.err);
        assert_eq!(said[0].1.listen.port(), port, "{line}");
    }
    for line in [
        "--listen 127.0.0.1:7 migrate",
        "--config multirail.toml openapi",
        "--behind-proxy keys status",
    ] {
        let (answer, said) = ask(line);
        assert_eq!((answer.code, said.len()), (2, 0), "{line}");
        assert!(answer.err.contains("doesn't use it"), "{}", answer.err);
    }
}

#[test]
fn completions_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish"] {
        let (answer, _) = ask(&format!("completions {shell}"));
        assert_eq!(answer.code, 0, "{}", answer.err);
        for word in ["check-config", "rotate", "greet", "database-url"] {
            assert!(answer.out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(ask("completions word").0.code, 2);
}
