use super::*;

fn named(name: &str) -> Name {
    name.parse().expect("a name")
}

fn login() -> Login {
    Login {
        server: "http://127.0.0.1:8080".to_owned(),
        api_key: Secret::new("snd_secret"),
        admin_api_key: None,
    }
}

#[test]
fn a_login_is_stored_for_its_owner_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let logins = Logins::in_folder(folder.path().join("multirail/logins"));
    assert_eq!(logins.read(&named("default")).expect("no error"), None);
    let path = logins.write(&named("default"), &login()).expect("stored");
    let mode = |path: &Path| {
        fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().expect("a folder")), 0o700);
    let read = logins.read(&named("default")).expect("no error");
    assert_eq!(read, Some(login()));
    assert!(!format!("{read:?}").contains("snd_secret"));
    assert_eq!(logins.read(&named("other")).expect("no error"), None);
}

#[test]
fn a_login_is_replaced_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let logins = Logins::in_folder(folder.path().to_owned());
    logins.write(&named("a"), &login()).expect("stored");
    let newer = Login {
        admin_api_key: Some(Secret::new("admin")),
        ..login()
    };
    logins.write(&named("a"), &newer).expect("stored");
    assert_eq!(logins.read(&named("a")).expect("no error"), Some(newer));
    assert!(logins.remove(&named("a")).expect("no error"));
    assert!(!logins.remove(&named("a")).expect("no error"));
}

#[test]
fn a_file_that_others_can_read_or_that_is_no_login_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let logins = Logins::in_folder(folder.path().to_owned());
    let path = logins.write(&named("a"), &login()).expect("stored");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("changed");
    let refused = logins.read(&named("a")).expect_err("refused").to_string();
    assert!(refused.contains("chmod 600"), "{refused}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed");
    fs::write(&path, "api_key = \"snd_secret\"").expect("written");
    let refused = logins.read(&named("a")).expect_err("refused").to_string();
    assert!(refused.contains("is no login"), "{refused}");
    assert!(!refused.contains("snd_secret"), "{refused}");
}

#[test]
fn a_name_is_a_file_name() {
    let longest = "a".repeat(LONGEST_NAME);
    assert!(longest.parse::<Name>().is_ok());
    for wrong in ["", "..", "a/b", "a b", &format!("{longest}a")] {
        assert!(wrong.parse::<Name>().is_err(), "{wrong}");
    }
}
