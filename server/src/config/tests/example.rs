//! The example file in `server/deploy` agrees with the list of settings.

use super::*;

const EXAMPLE: &str = include_str!("../../../deploy/multirail.toml.example");

/// Returns the example with its settings switched on: `#name = value` becomes `name = value`. Comments start with `# `.
fn switched_on() -> String {
    EXAMPLE
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(setting) if !setting.starts_with(' ') => setting,
            _ => line,
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn it_changes_nothing_as_it_stands() {
    let table: toml::Table = EXAMPLE.parse().unwrap();
    assert!(table.is_empty(), "{table:?}");
}

#[test]
fn it_names_every_setting_once_and_every_value_is_accepted() {
    let table: toml::Table = switched_on().parse().unwrap();
    let mut named: Vec<&str> = table.keys().map(String::as_str).collect();
    let mut settings: Vec<&str> = Setting::ALL.iter().map(|setting| setting.name()).collect();
    named.sort_unstable();
    settings.sort_unstable();
    assert_eq!(named, settings);

    let directory = tempfile::tempdir().unwrap();
    let config = Config::read(&with_file(directory.path(), &switched_on()));
    assert!(config.is_ok(), "{config:?}");
}
