mod asked;
mod keys;
mod options;
mod routing;

use super::*;
use crate::config::{Mode, Setting};
use asked::Asked;

/// A client's command that takes one option and changes nothing.
const CLIENT: ClientCommands = ClientCommands {
    described: || vec![clap::Command::new("greet").arg(clap::Arg::new("name").long("name"))],
    run: |matches, document| {
        let (_, own) = matches.subcommand().expect("its own");
        let is_called = own.get_one::<String>("name").is_some();
        assert_eq!(document(), Ok("Json\n".to_owned()));
        if is_called { 0 } else { 7 }
    },
};

struct Output {
    code: u8,
    out: String,
    err: String,
}

fn ask_with(work: &Asked, inputs: Inputs, line: &str) -> Output {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = ["multirail"].into_iter().chain(line.split_whitespace());
    let code = answer(
        arguments.map(OsString::from),
        inputs,
        (work, &CLIENT),
        &OsRandom,
        &mut Terminal {
            out: &mut out,
            err: &mut err,
        },
    );
    Output {
        code,
        out: String::from_utf8(out).unwrap(),
        err: String::from_utf8(err).unwrap(),
    }
}

fn ask(line: &str) -> (Output, Vec<(&'static str, Config)>) {
    let work = Asked::default();
    let answer = ask_with(&work, Inputs::default(), line);
    (answer, work.said.into_inner().unwrap())
}

#[test]
fn without_arguments_it_serves_a_sandbox() {
    let (answer, said) = ask("");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let (what, config) = &said[0];
    assert_eq!((*what, config.mode), ("serve", Mode::Sandbox));
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    let (_, said) = ask("--listen 127.0.0.1:0 --sandbox-public");
    assert_eq!(said[0].1.mode, Mode::PublicSandbox);
}

#[test]
fn a_plain_serve_is_no_sandbox_and_refuses_to_start_without_keys() {
    let (answer, said) = ask("serve");
    assert_eq!(answer.code, 2);
    assert!(said.is_empty());
    let lines: Vec<_> = answer.err.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("multirail: admin_api_key is not set"));
    assert!(lines[1].starts_with("multirail: master_key is not set"));
    assert!(lines[2].starts_with("multirail: TLS is not set up"));
}

#[test]
fn generated_keys_start_a_server_outside_of_the_sandbox() {
    let (answer, _) = ask("keys generate");
    assert_eq!(answer.code, 0);
    let inputs = Inputs {
        environment: answer
            .out
            .lines()
            .map(|line| line.split_once('=').unwrap())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        ..Inputs::default()
    };
    let work = Asked::default();
    let answer = ask_with(&work, inputs, "serve --behind-proxy");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert_eq!(work.said.lock().unwrap()[0].1.mode, Mode::Production);
}

#[test]
fn keys_can_be_written_into_a_folder_once() {
    let directory = tempfile::tempdir().unwrap();
    let line = format!("keys generate --into {}", directory.path().display());
    let (answer, _) = ask(&line);
    assert_eq!(answer.code, 0);
    let master = directory.path().join("master.key");
    let expected = format!("MULTIRAIL_MASTER_KEY_FILE={}\n", master.display());
    assert!(answer.out.ends_with(&expected), "{}", answer.out);
    let (answer, _) = ask(&line);
    assert_eq!(answer.code, 1);
    assert!(answer.err.contains("keys are not overwritten"));
}

#[test]
fn a_backup_is_taken_and_restored_with_a_master_key() {
    let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let (answer, said) = ask("backup --to /backup/one");
    assert_eq!((answer.code, answer.out.as_str()), (0, "to /backup/one\n"));
    assert_eq!(said[0].0, "backup");
    let (answer, said) = ask("restore --check /backup/one");
    assert_eq!(answer.code, 2);
    assert!(said.is_empty());
    assert!(answer.err.contains("nobody can tell"), "{}", answer.err);
    for (line, out) in [
        ("restore --check /backup/one", "checked /backup/one\n"),
        ("restore /backup/one", "restored /backup/one\n"),
        ("restore --check", "checked \n"),
    ] {
        let inputs = Inputs::default().with(Setting::MasterKey, key);
        let answer = ask_with(&Asked::default(), inputs, line);
        assert_eq!(
            (answer.code, answer.out.as_str()),
            (0, out),
            "{}",
            answer.err
        );
    }
}

#[test]
fn check_config_tries_what_it_names_where_it_is_asked_to() {
    let (answer, _) = ask("check-config --sandbox --connect");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(
        answer.out.contains("multirail.sqlite answers"),
        "{}",
        answer.out
    );
    let work = Asked {
        is_failing: true,
        ..Asked::default()
    };
    let answer = ask_with(&work, Inputs::default(), "check-config --sandbox --connect");
    assert_eq!(answer.code, 2);
    assert_eq!(answer.err, "multirail: database_url: nobody answers\n");
    let answer = ask_with(&work, Inputs::default(), "check-config --sandbox");
    assert_eq!(answer.code, 0, "{}", answer.err);
}

#[test]
fn a_migration_needs_no_keys() {
    let (answer, said) = ask("migrate --database-url sqlite:elsewhere.sqlite");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert_eq!(said[0].0, "migrate");
    assert_eq!(said[0].1.database_url.expose(), "sqlite:elsewhere.sqlite");
}

#[test]
fn the_simulator_runs_on_a_port_of_its_own_on_loopback_only() {
    let work = Asked::default();
    let inputs = Inputs::default().with(Setting::SimulatorDelayMs, "20");
    let answer = ask_with(&work, inputs.clone(), "simulator --data ledger.sqlite");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let answer = ask_with(&work, inputs, "simulator --listen 127.0.0.1:0 --data x");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let asked = work.simulated.into_inner().unwrap();
    assert_eq!(asked[0].listen.to_string(), "127.0.0.1:8090");
    assert_eq!(asked[0].data.to_str(), Some("ledger.sqlite"));
    assert_eq!(asked[0].delay.as_millis(), 20);
    assert_eq!(asked[1].listen.to_string(), "127.0.0.1:0");
    let (answer, _) = ask("simulator --listen 0.0.0.0:8090 --data x");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("loopback"), "{}", answer.err);
    assert_eq!(ask("simulator").0.code, 2, "without a ledger");
}

#[test]
fn check_config_shows_all_and_ends_as_serve_would() {
    let (answer, said) = ask("check-config --sandbox");
    assert_eq!(answer.code, 0);
    assert!(said.is_empty());
    assert!(answer.out.contains("listen "));
    assert!(answer.out.ends_with("These settings start a sandbox.\n"));
    let (answer, _) = ask("check-config");
    assert_eq!(answer.code, 2);
    assert!(answer.out.contains("master_key"));
    assert!(answer.err.contains("master_key is not set"));
}

#[test]
fn check_config_names_the_connectors_and_how_they_are_called() {
    let part = |line: &str| {
        let (answer, _) = ask(line);
        let from = answer.out.find("\nconnectors\n").expect("connectors");
        let part: Vec<&str> = answer.out[from + 1..].lines().take(5).collect();
        part.join("\n")
    };
    insta::assert_snapshot!(part("check-config"), @r"
    connectors
      acme           API version v7                  usable
      acme_test      -                               simulated, in a sandbox only
    Processors are called directly, with at most 64 calls of an account at once, and waited for 30000 ms.
    metadata.base_url of an account may lead to: none.
    ");
    let inputs = Inputs::default()
        .with(
            Setting::ConnectorProxy,
            "http://gate:sesame@proxy.internal:3128",
        )
        .with(Setting::ConnectorAllowedTargets, "stand-in.internal");
    let answer = ask_with(&Asked::default(), inputs, "check-config --sandbox");
    assert!(!answer.out.contains("sesame"), "{}", answer.out);
    for told in [
        "  acme_test      -                               usable, simulated\n",
        "called through the proxy http://",
        "may lead to: this machine, stand-in.internal.\n",
    ] {
        assert!(answer.out.contains(told), "{told}\nin\n{}", answer.out);
    }
}

#[test]
fn an_account_is_checked_by_the_server_that_runs_with_the_operators_key() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = || {
        Inputs::default().with(
            Setting::DataDirectory,
            folder.path().to_string_lossy().into_owned(),
        )
    };
    let line = "connector check --merchant demo --account mca_1";
    let work = Asked::default();
    let answer = ask_with(&work, inputs(), line);
    assert_eq!(answer.code, 2);
    assert!(
        answer.err.contains("admin_api_key is not set"),
        "{}",
        answer.err
    );

    std::fs::write(folder.path().join("admin.key"), "of_the_sandbox\n").unwrap();
    let answer = ask_with(&work, inputs(), line);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let given = inputs().with(Setting::AdminApiKey, "of_the_operator");
    let line = "connector check --merchant ../x --account mca_1 --server https://pay.example/api/";
    assert_eq!(ask_with(&work, given, line).code, 0);
    let asked = work.checked.into_inner().unwrap();
    let asked: Vec<_> = asked
        .iter()
        .map(|one| format!("{} {}", one.address, one.admin_key.expose()))
        .collect();
    insta::assert_snapshot!(asked.join("\n"), @r"
    http://127.0.0.1:8080/account/demo/connectors/mca_1/check of_the_sandbox
    https://pay.example/api/account/..%2Fx/connectors/mca_1/check of_the_operator
    ");
    let line = "connector check --merchant demo --account mca_1 --server pay.example";
    let answer = ask_with(&Asked::default(), inputs(), line);
    assert_eq!(answer.code, 2);
    assert!(
        answer.err.contains("--server has to be an address"),
        "{}",
        answer.err
    );
}

#[test]
fn the_document_is_printed_in_either_form() {
    assert_eq!(ask("openapi").0.out, "Yaml\n");
    assert_eq!(ask("openapi --format json").0.out, "Json\n");
    assert_eq!(ask("openapi --format xml").0.code, 2);
}

#[test]
fn failed_work_is_one_line_with_its_causes() {
    let work = Asked {
        is_failing: true,
        ..Asked::default()
    };
    let answer = ask_with(&work, Inputs::default(), "");
    assert_eq!(answer.code, 1);
    assert_eq!(
        answer.err,
        "multirail: the database is locked: by process 7\n"
    );
}

#[test]
fn the_arguments_are_well_formed() {
    CLIENT.whole().debug_assert();
}

#[test]
fn the_commands_of_a_client_run_with_their_own_options() {
    assert_eq!(ask("greet --name ada").0.code, 0);
    assert_eq!(ask("greet").0.code, 7);
    assert_eq!(ask("greet --listen 127.0.0.1:0").0.code, 2);
    let (answer, _) = ask("--listen 127.0.0.1:0 greet");
    assert_eq!(answer.code, 2);
    assert_eq!(
        answer.err,
        "multirail: --listen: this subcommand doesn't use it\n"
    );
}
