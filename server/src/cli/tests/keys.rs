//! `multirail keys`.

use super::*;

/// Runs a command line about keys; returns its requests to a server.
fn about_keys(line: &str) -> (Output, Vec<KeysRequest>) {
    let work = Asked::default();
    let master = "1f2e3d4c5b6a79880123456789abcdef1f2e3d4c5b6a79880123456789abcdef";
    let inputs = Inputs::default()
        .with(
            Setting::AdminApiKey,
            "admin_0123456789abcdef0123456789abcdef",
        )
        .with(Setting::MasterKey, master);
    let answer = ask_with(&work, inputs, line);
    (answer, work.about_keys.into_inner().unwrap())
}

#[test]
fn keys_are_changed_by_the_server_that_the_settings_name() {
    let (answer, asked) = about_keys("keys rotate");
    assert_eq!(
        (answer.code, answer.out.as_str()),
        (0, "asked\n"),
        "{}",
        answer.err
    );
    assert_eq!(asked[0].wanted, KeysWanted::NewDataKeys);
    assert_eq!(
        asked[0].changed_at.as_str(),
        "http://127.0.0.1:8080/keys/rotate"
    );
    assert_eq!(asked[0].shown_at.as_str(), "http://127.0.0.1:8080/keys");
    let (_, asked) = about_keys("keys status --server https://pay.example/api/");
    assert_eq!(asked[0].wanted, KeysWanted::Status);
    assert_eq!(asked[0].shown_at.as_str(), "https://pay.example/api/keys");
    let (_, asked) = about_keys("keys rotate --finish");
    assert_eq!(asked[0].wanted, KeysWanted::FinishMasterKey);
    let (answer, asked) = about_keys("keys rotate --finish --master-key next.key");
    assert_eq!((answer.code, asked.len()), (2, 0), "{}", answer.err);
}

#[test]
fn the_next_master_key_is_made_once_and_does_not_travel() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("next.key");
    let line = format!("keys rotate --master-key {}", file.display());
    let (answer, first) = about_keys(&line);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let made = std::fs::read_to_string(&file).unwrap();
    let (_, second) = about_keys(&line);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), made, "kept");
    for asked in [&first[0], &second[0]] {
        let KeysWanted::NextMasterKey { handed_over, .. } = &asked.wanted else {
            panic!("{asked:?}");
        };
        assert!(!handed_over.contains(made.trim()));
    }
    std::fs::write(&file, "no key\n").unwrap();
    let (answer, asked) = about_keys(&line);
    assert_eq!((answer.code, asked.len()), (2, 0));
    assert!(answer.err.contains("must be 32 bytes"), "{}", answer.err);
}
