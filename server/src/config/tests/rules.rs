//! The rules between settings.

use super::*;

#[test]
fn a_complete_production_configuration_passes() {
    let config = Config::read(&production()).unwrap();
    assert_eq!(config.check(), Ok(()));
    assert_eq!(config.warnings(), Vec::<String>::new());
}

#[test]
fn production_refuses_to_start_half_protected() {
    let said = problems(&Inputs::default());
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(
        said[0].starts_with("admin_api_key is not set: make one with `multirail keys generate`")
    );
    assert!(
        said[0].contains("MULTIRAIL_ADMIN_API_KEY or in a file that MULTIRAIL_ADMIN_API_KEY_FILE")
    );
    assert!(said[1].starts_with("master_key is not set: make one with `multirail keys generate`"));
    assert!(said[2].starts_with("TLS is not set up"));
    assert!(said.iter().all(|line| !line.contains('\n')));

    let open = production().with(Setting::CorsAllowedOrigins, "*");
    assert_eq!(
        problems(&open),
        [
            "cors_allowed_origins (--cors-allowed-origins): \"*\" is for the sandbox only; list the origins of your shops"
        ]
    );
    let weak = Inputs {
        options: production().options.split_off(1),
        ..Inputs::default()
    }
    .with(Setting::AdminApiKey, "test_admin");
    assert_eq!(
        problems(&weak),
        [
            "admin_api_key (--admin-api-key): must have at least 32 characters; `multirail keys generate` makes one"
        ]
    );
}

#[test]
fn the_sandbox_stays_on_loopback_unless_it_is_public() {
    let sandbox = Inputs::default().with(Setting::Sandbox, "true");
    for listen in ["127.0.0.1:1", "[::1]:1", "localhost:1"] {
        let config = Config::read(&sandbox.clone().with(Setting::Listen, listen)).unwrap();
        assert_eq!(config.check(), Ok(()), "{listen}");
        assert_eq!(config.cors_allowed_origins, CorsOrigins::Any);
    }
    let everywhere = sandbox.with(Setting::Listen, "0.0.0.0:1");
    assert_eq!(
        problems(&everywhere),
        [
            "listen (--listen): the sandbox listens on loopback only, and 0.0.0.0 is not: choose 127.0.0.1, or say --sandbox-public to let others in"
        ]
    );
    let public = everywhere.with(Setting::SandboxPublic, "true");
    assert_eq!(Config::read(&public).unwrap().check(), Ok(()));
    let weak = public.with(Setting::AdminApiKey, "test_admin");
    assert_eq!(problems(&weak).len(), 1);
}

#[test]
fn the_guard_stands_where_the_world_connects() {
    let sandbox = Inputs::default().with(Setting::Sandbox, "true");
    let public = Inputs::default().with(Setting::SandboxPublic, "true");
    let exposed = Inputs::default();
    let behind_proxy = Inputs::default().with(Setting::BehindProxy, "true");
    let table = [
        ("sandbox", &sandbox, [false, true, false]),
        ("public sandbox", &public, [true, true, false]),
        ("exposed", &exposed, [true, true, false]),
        ("behind a proxy", &behind_proxy, [false, true, false]),
    ];
    for (place, inputs, expected) in table {
        let stands = ["auto", "on", "off"].map(|word| {
            let inputs = inputs.clone().with(Setting::ConnectionGuard, word);
            Config::read(&inputs).unwrap().has_connection_guard()
        });
        assert_eq!(stands, expected, "{place}");
    }
    let wrong = exposed.with(Setting::ConnectionGuard, "maybe");
    assert_eq!(
        problems(&wrong),
        ["connection_guard (--connection-guard): must be auto, on or off, not \"maybe\""]
    );
}

#[test]
fn one_client_gets_a_quarter_and_a_proxy_is_everybody() {
    let per_client = |inputs: &Inputs| Config::read(inputs).unwrap().max_connections_per_client;
    let exposed = Inputs::default();
    let behind_proxy = Inputs::default()
        .with(Setting::BehindProxy, "true")
        .with(Setting::MaxConnections, "5000");
    assert_eq!(per_client(&exposed), 256);
    assert_eq!(per_client(&behind_proxy), 5_000);
    let warned = |inputs: Inputs| {
        let inputs = inputs.with(Setting::MaxConnectionsPerClient, "9");
        let warnings = Config::read(&inputs).unwrap().warnings();
        warnings
            .iter()
            .any(|warning| warning.starts_with("max_connections_per_client"))
    };
    assert!(!warned(exposed.clone()));
    assert!(warned(exposed.with(Setting::ConnectionGuard, "off")));
    assert!(warned(behind_proxy.clone()));
    assert!(warned(behind_proxy.with(Setting::ConnectionGuard, "on")));
}

#[test]
fn keys_are_limited_outside_of_the_sandbox() {
    let rate = |inputs: &Inputs| Config::read(inputs).unwrap().rate_limit_per_second;
    assert_eq!(rate(&production()), 100);
    let sandbox = Inputs::default().with(Setting::Sandbox, "true");
    assert_eq!(rate(&sandbox), 0);
    assert_eq!(rate(&sandbox.with(Setting::RateLimitPerSecond, "7")), 7);
    let public = Inputs::default().with(Setting::SandboxPublic, "true");
    assert_eq!(rate(&public), 20);
    assert_eq!(rate(&public.with(Setting::RateLimitPerSecond, "0")), 0);
}

#[test]
fn a_client_has_a_quarter_of_the_requests() {
    let per_client = |inputs: &Inputs| Config::read(inputs).unwrap().max_requests_per_client;
    assert_eq!(per_client(&Inputs::default()), 256);
    let few = Inputs::default().with(Setting::MaxRequests, "20");
    assert_eq!(per_client(&few), 20);
    assert_eq!(per_client(&few.with(Setting::MaxRequestsPerClient, "5")), 5);
}

#[test]
fn metrics_stay_on_loopback_or_are_warned_of() {
    let open = |inputs: Inputs| inputs.with(Setting::MetricsListen, "0.0.0.0:9090");
    let sandbox = Inputs::default().with(Setting::Sandbox, "true");
    assert_eq!(
        problems(&open(sandbox.clone())),
        [
            "metrics_listen (--metrics-listen): the sandbox serves its figures on loopback only, and 0.0.0.0 is not"
        ]
    );
    let config = Config::read(&open(production())).unwrap();
    assert_eq!(config.check(), Ok(()));
    assert!(
        config.warnings()[0].contains("is not on loopback"),
        "{:?}",
        config.warnings()
    );
    let local = sandbox.with(Setting::MetricsListen, "127.0.0.1:9090");
    assert_eq!(
        Config::read(&local).unwrap().warnings(),
        Vec::<String>::new()
    );
}

#[test]
fn tls_takes_two_files_that_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("server.pem");
    std::fs::write(&file, "").unwrap();
    let file = file.to_str().unwrap();
    let with = |certificate: &str, key: &str| {
        Inputs::default()
            .with(Setting::Sandbox, "true")
            .with(Setting::TlsCertificate, certificate)
            .with(Setting::TlsKey, key)
    };
    let config = Config::read(&with(file, file)).unwrap();
    assert_eq!(config.check(), Ok(()));
    assert_eq!(config.public_url(config.listen), "https://127.0.0.1:8080");
    let said = problems(&with(file, "/nowhere/key.pem"));
    assert!(said[0].starts_with("tls_key (--tls-key): /nowhere/key.pem cannot be read"));
    let half = Inputs::default().with(Setting::TlsKey, file);
    assert_eq!(
        problems(&half),
        ["tls_key (--tls-key): needs tls_certificate beside it"]
    );
}

#[test]
fn the_console_has_a_host_of_its_own() {
    let with = |origin: &str| production().with(Setting::ConsoleOrigin, origin);
    let config = Config::read(&with("https://console.example")).unwrap();
    assert_eq!(config.check(), Ok(()));
    for same in ["https://pay.example", "https://pay.example:8443"] {
        assert_eq!(
            problems(&with(same)),
            [
                "console_origin (--console-origin): has the host of public_url, where payers' pages are; give the console a host of its own"
            ]
        );
    }
    let unsaid = Inputs::default()
        .with(Setting::AdminApiKey, ADMIN)
        .with(Setting::MasterKey, MASTER)
        .with(Setting::BehindProxy, "true")
        .with(Setting::ConsoleOrigin, "https://console.example");
    assert_eq!(
        problems(&unsaid),
        ["console_origin (--console-origin): needs public_url beside it"]
    );
    for wrong in [
        "http://console.example",
        "https://console.example/x",
        "console",
    ] {
        let said = problems(&with(wrong));
        assert!(said[0].contains("must be an https origin"), "{said:?}");
    }
}
