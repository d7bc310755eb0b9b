use multirail_http::platform::admin_keys::AdminKeys;
use multirail_system::random::OsRandom;

use super::*;
use crate::config::Inputs;

fn sandbox_in(directory: &Path) -> Config {
    let inputs = Inputs::default()
        .with(Setting::Sandbox, "true")
        .with(Setting::DataDirectory, directory.to_str().unwrap());
    Config::read(&inputs).unwrap()
}

#[test]
fn the_first_start_makes_keys_and_the_second_one_finds_them() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("deep").join("data");
    let config = sandbox_in(&data);

    let first = keys_for(&config, &OsRandom).unwrap();
    assert_eq!(
        first.made,
        [data.join("admin.key"), data.join("master.key")]
    );

    let second = keys_for(&config, &OsRandom).unwrap();
    assert!(second.made.is_empty());
    assert_eq!(first.admin_api_key.expose(), second.admin_api_key.expose());
    assert_eq!(first.master_key.to_hex(), second.master_key.to_hex());

    let mut names: Vec<_> = fs::read_dir(&data)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["admin.key", "master.key"]);
}

#[cfg(unix)]
#[test]
fn only_their_owner_may_read_them() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    keys_for(&sandbox_in(&data), &OsRandom).unwrap();
    for (path, expected) in [("admin.key", 0o600), ("master.key", 0o600), ("", 0o700)] {
        let mode = fs::metadata(data.join(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, expected, "{path}");
    }
}

#[test]
fn a_given_key_wins_and_makes_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut config = sandbox_in(directory.path());
    config.admin_api_key = Some(SecretText::new("test_admin"));
    let keys = keys_for(&config, &OsRandom).unwrap();
    assert_eq!(keys.admin_api_key.expose(), "test_admin");
    assert_eq!(keys.made, [directory.path().join("master.key")]);
}

#[test]
fn a_spoilt_file_is_refused_and_stays() {
    let directory = tempfile::tempdir().unwrap();
    let config = sandbox_in(directory.path());
    for (file, text) in [("admin.key", "\n"), ("master.key", "abc")] {
        keys_for(&config, &OsRandom).unwrap();
        let path = directory.path().join(file);
        fs::write(&path, text).unwrap();
        let error = keys_for(&config, &OsRandom).unwrap_err();
        assert!(matches!(error, KeysError::NotAKey { .. }), "{error}");
        assert!(!error.to_string().contains("abc"));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn production_makes_none() {
    let directory = tempfile::tempdir().unwrap();
    let inputs = Inputs::default().with(Setting::DataDirectory, directory.path().to_str().unwrap());
    let config = Config::read(&inputs).unwrap();
    let error = keys_for(&config, &OsRandom).unwrap_err();
    assert!(matches!(error, KeysError::NotSet(Setting::AdminApiKey)));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn the_admin_key_is_recognised_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let keys = keys_for(&sandbox_in(directory.path()), &OsRandom).unwrap();
    let key = keys.admin_api_key.expose();
    assert_eq!(key.len(), 54);
    assert!(AdminKeys::from(&keys).include(key));
    for other in ["", &key[..53], &format!("{key}x"), &key.to_uppercase()] {
        assert!(!AdminKeys::from(&keys).include(other));
    }
    assert!(!format!("{keys:?}").contains(key));
}

#[test]
fn the_admin_key_of_before_is_taken_while_it_is_set() {
    let directory = tempfile::tempdir().unwrap();
    let former = "admin_of_before_0123456789_0123456789";
    let inputs = Inputs::default()
        .with(Setting::Sandbox, "true")
        .with(Setting::DataDirectory, directory.path().to_str().unwrap())
        .with(Setting::FormerAdminApiKey, former);
    let config = Config::read(&inputs).unwrap();
    let keys = keys_for(&config, &OsRandom).unwrap();
    assert!(AdminKeys::from(&keys).include(former));
    assert!(AdminKeys::from(&keys).include(keys.admin_api_key.expose()));
    assert!(!AdminKeys::from(&keys).include("admin_of_before_0123456789_012345678"));
    assert!(
        config
            .warnings()
            .iter()
            .any(|line| line.contains("the admin key of before is still taken"))
    );
}

#[test]
fn fresh_keys_are_written_once() {
    let directory = tempfile::tempdir().unwrap();
    let (admin, master) = write_fresh_keys(directory.path(), &OsRandom).unwrap();
    let text = fs::read_to_string(&master).unwrap();
    assert!(MasterKey::from_hex(text.trim()).is_ok());
    let error = write_fresh_keys(directory.path(), &OsRandom).unwrap_err();
    assert!(matches!(error, KeysError::Exists(path) if path == admin));
}

#[test]
fn a_key_takes_the_place_of_another_in_a_folder_that_need_not_be_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("data").join("demo.key");
    for key in ["first", "second"] {
        keep_instead(&path, &SecretText::new(key)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{key}\n"));
    }
    // No other file is left.
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    assert_eq!(entries.count(), 1);
}
