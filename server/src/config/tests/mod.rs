use std::path::Path;

use super::*;

mod example;
mod oidc;
mod rules;
mod sources;

const ADMIN: &str = "admin_0123456789abcdefghijklmnopqrstuvwxyz";
const MASTER: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn with_environment(pairs: &[(&str, &str)]) -> Inputs {
    Inputs {
        environment: pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        ..Inputs::default()
    }
}

fn with_file(directory: &Path, text: &str) -> Inputs {
    std::fs::write(directory.join("multirail.toml"), text).unwrap();
    Inputs {
        directory: Some(directory.to_owned()),
        ..Inputs::default()
    }
}

/// Returns a complete production configuration.
fn production() -> Inputs {
    Inputs::default()
        .with(Setting::AdminApiKey, ADMIN)
        .with(Setting::MasterKey, MASTER)
        .with(Setting::BehindProxy, "true")
        .with(Setting::PublicUrl, "https://pay.example")
}

fn problems(inputs: &Inputs) -> Vec<String> {
    let problems = match Config::read(inputs) {
        Ok(config) => config.check().expect_err("something is wrong"),
        Err(problems) => problems,
    };
    problems.0.into_iter().map(|problem| problem.0).collect()
}

#[test]
fn the_stronger_layer_wins() {
    let directory = tempfile::tempdir().unwrap();
    let listen = |port: u16| format!("127.0.0.1:{port}");
    // The layers with a value, and the layer that wins.
    let table = [
        ([false, false, false], 8080, "default"),
        ([false, false, true], 3, "multirail.toml"),
        ([false, true, false], 2, "MULTIRAIL_LISTEN"),
        ([false, true, true], 2, "MULTIRAIL_LISTEN"),
        ([true, false, false], 1, "--listen"),
        ([true, false, true], 1, "--listen"),
        ([true, true, false], 1, "--listen"),
        ([true, true, true], 1, "--listen"),
    ];
    for ([option, variable, file], port, source) in table {
        let text = if file { "listen = '127.0.0.1:3'" } else { "" };
        let mut inputs = with_file(directory.path(), text);
        if variable {
            let name = "MULTIRAIL_LISTEN".to_owned();
            inputs.environment.insert(name, listen(2));
        }
        if option {
            inputs = inputs.with(Setting::Listen, listen(1));
        }
        let config = Config::read(&inputs).unwrap();
        assert_eq!(config.listen.to_string(), listen(port));
        let said = config.source(Setting::Listen).to_string();
        assert!(said.ends_with(source), "{said} for {source}");
    }
}

#[test]
fn the_defaults_are_those_that_the_list_names() {
    let config = Config::read(&Inputs::default()).unwrap();
    for setting in Setting::ALL.iter().copied() {
        let depends = ["<", "none", "("];
        if depends
            .iter()
            .any(|mark| setting.default_text().contains(mark))
        {
            continue;
        }
        let row = format!("{setting} ");
        let printout = config.printout();
        let line = printout
            .lines()
            .find(|line| line.starts_with(&row))
            .unwrap();
        // Columns are two blanks apart; a value never has two.
        let value = line[row.len()..].trim_start().split("  ").next().unwrap();
        assert_eq!(value, setting.default_text(), "{setting}");
    }
    assert_eq!(
        config.database_url.expose(),
        "sqlite:multirail-data/multirail.sqlite"
    );
    assert_eq!(config.cors_allowed_origins, CorsOrigins::Listed(Vec::new()));
    assert_eq!(config.mode, Mode::Production);
}

#[test]
fn the_database_follows_the_data_directory() {
    let inputs = Inputs::default().with(Setting::DataDirectory, "/var/lib/multirail");
    let config = Config::read(&inputs).unwrap();
    assert_eq!(
        config.database_url.expose(),
        "sqlite:/var/lib/multirail/multirail.sqlite"
    );
}

#[test]
fn who_is_a_sandbox() {
    use Mode::{Production, PublicSandbox, Sandbox};
    // Without a subcommand; `sandbox`; `sandbox_public`; the mode.
    let table = [
        (false, None, None, Production),
        (true, None, None, Sandbox),
        (false, Some("true"), None, Sandbox),
        (true, Some("false"), None, Production),
        (true, Some("true"), None, Sandbox),
        (false, None, Some("true"), PublicSandbox),
        (true, None, Some("true"), PublicSandbox),
        (false, Some("true"), Some("true"), PublicSandbox),
        (true, None, Some("false"), Sandbox),
    ];
    for (bare, sandbox, public, expected) in table {
        let mut inputs = Inputs {
            is_sandbox_by_default: bare,
            ..Inputs::default()
        };
        for (setting, value) in [
            (Setting::Sandbox, sandbox),
            (Setting::SandboxPublic, public),
        ] {
            if let Some(value) = value {
                inputs = inputs.with(setting, value);
            }
        }
        let mode = Config::read(&inputs).unwrap().mode;
        assert_eq!(mode, expected, "{bare} {sandbox:?} {public:?}");
    }
    let torn = Inputs::default()
        .with(Setting::Sandbox, "false")
        .with(Setting::SandboxPublic, "true");
    assert_eq!(
        problems(&torn),
        ["sandbox (--sandbox): is false, yet sandbox_public asks for a sandbox; keep one of them"]
    );
}

#[test]
fn links_start_with_the_public_url_or_where_the_server_listens() {
    let url = |inputs: &Inputs, bound: &str| {
        Config::read(inputs)
            .unwrap()
            .public_url(bound.parse().unwrap())
    };
    let plain = Inputs::default();
    assert_eq!(url(&plain, "127.0.0.1:9"), "http://127.0.0.1:9");
    assert_eq!(url(&plain, "0.0.0.0:9"), "http://127.0.0.1:9");
    assert_eq!(url(&plain, "[::]:9"), "http://[::1]:9");
    let given = plain.with(Setting::PublicUrl, "https://pay.example/rail/");
    assert_eq!(url(&given, "0.0.0.0:9"), "https://pay.example/rail");
}

#[test]
fn origins_are_compared_as_browsers_write_them() {
    let inputs = Inputs::default().with(
        Setting::CorsAllowedOrigins,
        "https://Shop.Example:443/, http://localhost:3000",
    );
    let origins = Config::read(&inputs).unwrap().cors_allowed_origins;
    assert!(origins.allows("https://shop.example"));
    assert!(origins.allows("http://localhost:3000"));
    assert!(!origins.allows("https://shop.example.evil"));
    assert!(!origins.allows("null"));
    assert_eq!(
        origins.to_string(),
        "https://shop.example, http://localhost:3000"
    );
}

#[test]
fn webhooks_go_where_the_mode_and_the_list_allow() {
    let allows = |inputs: &Inputs, url: &str| {
        let targets = Config::read(inputs).unwrap().webhook_targets();
        targets.check_url(url).is_ok()
    };
    let (here, inside) = ("http://127.0.0.1:4242/", "http://10.0.0.7/");
    let (plain, secure) = ("http://shop.example/", "https://shop.example/");
    let sandbox = Inputs::default().with(Setting::Sandbox, "true");
    let public = Inputs::default().with(Setting::SandboxPublic, "true");
    for (inputs, allowed) in [
        (Inputs::default(), [false, false, false, true]),
        (sandbox, [true, false, true, true]),
        (public, [false, false, true, true]),
    ] {
        for (url, is_allowed) in [here, inside, plain, secure].into_iter().zip(allowed) {
            assert_eq!(allows(&inputs, url), is_allowed, "{url}");
        }
        let listed = inputs.with(Setting::WebhookAllowedTargets, "10.0.0.0/8, 127.0.0.1");
        assert!(allows(&listed, here) && allows(&listed, inside));
    }
    let doubtful = Inputs::default().with(Setting::WebhookAllowedTargets, "10.0.0.0/8,127.1");
    assert_eq!(
        problems(&doubtful),
        [
            "webhook_allowed_targets (--webhook-allowed-targets): must list hosts (receiver.internal), IP addresses (10.0.0.7) and networks (10.0.0.0/8), not \"127.1\""
        ]
    );
}

/// Public addresses need to be listed, too: cards would be sent there.
#[test]
fn an_accounts_own_address_is_on_the_list_or_in_a_private_sandbox_here() {
    let allows = |inputs: &Inputs, url: &str| {
        let targets = Config::read(inputs).unwrap().connector_targets();
        targets.check_listed(url).is_ok()
    };
    let (here, listed) = ("http://127.0.0.1:4242", "http://stand-in.internal:8080");
    let others = ["https://shop.example", "http://10.0.0.7"];
    let sandbox = Inputs::default().with(Setting::Sandbox, "true");
    let public = Inputs::default().with(Setting::SandboxPublic, "true");
    for (inputs, allows_here) in [(Inputs::default(), false), (sandbox, true), (public, false)] {
        assert_eq!(allows(&inputs, here), allows_here);
        assert!(!allows(&inputs, listed));
        let inputs = inputs.with(Setting::ConnectorAllowedTargets, "stand-in.internal");
        assert!(allows(&inputs, listed));
        for other in others {
            assert!(!allows(&inputs, other), "{other}");
        }
    }
}

#[test]
fn certificates_are_read_before_anybody_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let given = |path: &str| {
        let inputs = Inputs::default().with(Setting::Sandbox, "true");
        inputs.with(Setting::ConnectorTrustedCertificates, path)
    };
    let pem = || {
        let made = rcgen::generate_simple_self_signed(["gateway.internal".to_owned()]);
        made.unwrap().cert.pem()
    };
    let bundle = file("bundle.pem", &format!("{}{}", pem(), pem()));
    let config = Config::read(&given(&bundle)).unwrap();
    assert_eq!(config.check(), Ok(()));
    assert_eq!(config.connector_certificates().unwrap().len(), 2);
    assert!(config.printout().contains(&bundle));

    let block =
        |body: &str| format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
    let doubtful = [
        file("empty.pem", "no certificate at all\n"),
        file("broken.pem", "-----BEGIN CERTIFICATE-----\nMIIB"),
        file("second.pem", &format!("{}{}", pem(), block("AAAA"))),
        folder.path().join("missing.pem").display().to_string(),
    ];
    let said = doubtful.map(|path| problems(&given(&path)).join("; "));
    let said = said.join("\n");
    insta::assert_snapshot!(said.replace(&folder.path().display().to_string(), "<folder>"), @"
    connector_trusted_certificates (--connector-trusted-certificates): <folder>/empty.pem holds no certificate
    connector_trusted_certificates (--connector-trusted-certificates): <folder>/broken.pem is no whole PEM file
    connector_trusted_certificates (--connector-trusted-certificates): certificate 2 of <folder>/second.pem cannot be used: invalid peer certificate: BadEncoding
    connector_trusted_certificates (--connector-trusted-certificates): <folder>/missing.pem cannot be read: No such file or directory (os error 2)
    ");
}

#[test]
fn a_proxy_is_shown_without_its_password() {
    let given = |text| Inputs::default().with(Setting::ConnectorProxy, text);
    let config = Config::read(&given("http://rail:hunter4@proxy.internal:3128")).unwrap();
    let printed = config.printout();
    assert!(printed.contains("http://proxy.internal:3128") && !printed.contains("hunter4"));
    assert_eq!(
        problems(&given("proxy.internal:3128 with hunter4")),
        [
            "connector_proxy (--connector-proxy): must be an address such as http://proxy.internal:3128"
        ]
    );
}

#[test]
fn no_printout_shows_a_secret() {
    let inputs = production().with(
        Setting::DatabaseUrl,
        "postgres://rail:hunter2@db.example/rail?password=hunter3",
    );
    let config = Config::read(&inputs).unwrap();
    for printed in [
        config.printout(),
        format!("{config:?}"),
        format!("{config:#?}"),
    ] {
        for secret in [ADMIN, MASTER, "hunter"] {
            assert!(!printed.contains(secret), "{printed}");
        }
        assert!(
            printed.contains("postgres://rail:***@db.example/rail?***"),
            "{printed}"
        );
        for setting in Setting::ALL {
            assert!(printed.contains(setting.name()), "{setting}");
        }
    }
    assert_eq!(config.database_url.engine(), DatabaseEngine::Postgres);
}

#[test]
fn the_printout_names_sources() {
    let inputs =
        with_environment(&[("MULTIRAIL_MASTER_KEY", MASTER)]).with(Setting::SandboxPublic, "true");
    let config = Config::read(&inputs).unwrap();
    let rows: Vec<Vec<String>> = config
        .printout()
        .lines()
        .map(|line| {
            line.split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .map(str::to_owned)
                .collect()
        })
        .collect();
    for row in [
        ["listen", "127.0.0.1:8080", "default"],
        ["sandbox", "true", "implied by sandbox_public"],
        ["sandbox_public", "true", "--sandbox-public"],
        ["master_key", "***", "MULTIRAIL_MASTER_KEY"],
        [
            "admin_api_key",
            "*** in multirail-data/admin.key",
            "default",
        ],
    ] {
        assert!(
            rows.iter().any(|found| *found == row),
            "{row:?} in {rows:#?}"
        );
    }
}
