//! The sources of values: options, environment, file. The first one with a value wins.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::foreign::is_foreign;
use super::problem::{Problem, Source};
use super::setting::Setting;

/// Names the configuration file, as `--config` does.
const CONFIG_VARIABLE: &str = "MULTIRAIL_CONFIG";
const CONFIG_FILE: &str = "multirail.toml";

/// Settings of earlier versions, with the place that decides now.
const RETIRED: &[(&str, &str)] = &[(
    "client_secret_seconds",
    "payments and profiles set session_expiry",
)];

/// All inputs of a configuration.
///
/// Tests build them with [`Inputs::default`] and [`Inputs::with`], which don't depend on the machine.
#[derive(Clone, Default)]
pub struct Inputs {
    /// The options of the command line.
    pub options: Vec<(Setting, String)>,
    /// `--config`.
    pub config_file: Option<PathBuf>,
    /// The environment; only names that start with `MULTIRAIL_` count.
    pub environment: BTreeMap<String, String>,
    /// Names of variables whose values are not valid UTF-8.
    pub not_text: BTreeSet<String>,
    /// The folder where `multirail.toml` is looked for if no file is named; `None`: nowhere.
    pub directory: Option<PathBuf>,
    /// Whether it is a sandbox if no source says otherwise.
    pub is_sandbox_by_default: bool,
}

impl Inputs {
    /// Returns the process's environment and working directory, without options.
    pub fn from_process() -> Self {
        let mut inputs = Self {
            directory: Some(PathBuf::new()),
            ..Self::default()
        };
        let names = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| name.starts_with("MULTIRAIL_"));
        for (name, value) in names {
            if let Ok(value) = value.into_string() {
                inputs.environment.insert(name, value);
            } else {
                inputs.not_text.insert(name);
            }
        }
        inputs
    }

    /// Adds an option as if the command line had it.
    pub fn with(mut self, setting: Setting, value: impl Into<String>) -> Self {
        self.options.push((setting, value.into()));
        self
    }
}

/// A value as given.
#[derive(Clone)]
pub(super) enum Raw {
    /// By option or environment.
    Text(String),
    /// By the configuration file.
    Toml(toml::Value),
}

/// The winning value of each setting that has one.
pub(super) struct Layers {
    pub(super) found: BTreeMap<Setting, (Raw, Source)>,
    pub(super) problems: Vec<Problem>,
}

impl Layers {
    pub(super) fn gather(inputs: &Inputs) -> Self {
        let mut layers = Self {
            found: BTreeMap::new(),
            problems: Vec::new(),
        };
        // Strongest first: an existing value stays.
        for (setting, value) in &inputs.options {
            layers.add(*setting, Raw::Text(value.clone()), Source::Option(*setting));
        }
        layers.add_environment(&inputs.environment, &inputs.not_text);
        layers.add_config_file(inputs);
        layers
    }

    fn add(&mut self, setting: Setting, raw: Raw, source: Source) {
        self.found.entry(setting).or_insert((raw, source));
    }

    fn add_environment(
        &mut self,
        environment: &BTreeMap<String, String>,
        not_text: &BTreeSet<String>,
    ) {
        // Many tools set an empty variable for "not set".
        let given = |name: &str| environment.get(name).filter(|value| !value.is_empty());
        let mut known = vec![CONFIG_VARIABLE.to_owned()];
        for setting in Setting::ALL.iter().copied() {
            let variable = setting.variable();
            let direct = given(&variable);
            if let Some(value) = direct {
                let source = Source::Variable(variable.clone());
                self.add(setting, Raw::Text(value.clone()), source);
            }
            if let Some(file_variable) = setting.file_variable() {
                match (given(&file_variable), direct) {
                    (Some(_), Some(_)) => self.problems.push(Problem(format!(
                        "{setting}: both {variable} and {file_variable} are set; keep one"
                    ))),
                    (Some(path), None) => self.add_file(setting, &file_variable, path),
                    (None, _) => {}
                }
                known.push(file_variable);
            }
            known.push(variable);
        }
        for name in not_text.iter().filter(|name| known.contains(name)) {
            let problem = format!("{name} is not valid UTF-8");
            self.problems.push(Problem(problem));
        }
        let texts = environment.iter().map(|(name, value)| (name, &**value));
        for (name, value) in texts.chain(not_text.iter().map(|name| (name, ""))) {
            if name.starts_with("MULTIRAIL_") && !known.contains(name) && !is_foreign(name, value) {
                let setting = name["MULTIRAIL_".len()..].to_ascii_lowercase();
                let hint = retired(&setting)
                    .unwrap_or_else(|| nearest(name, known.iter().map(String::as_str)));
                self.problems
                    .push(Problem(format!("{name} is no setting{hint}")));
            }
        }
    }

    fn add_file(&mut self, setting: Setting, variable: &str, path: &str) {
        let source = Source::FileOf {
            variable: variable.to_owned(),
            path: PathBuf::from(path),
        };
        match std::fs::read_to_string(path) {
            // Editors and `echo` end files with a line break that is no part of a key.
            Ok(text) => self.add(setting, Raw::Text(text.trim().to_owned()), source),
            Err(error) => self.problems.push(Problem::new(
                setting,
                &source,
                format!("cannot read the file: {error}"),
            )),
        }
    }

    fn add_config_file(&mut self, inputs: &Inputs) {
        let from_environment = inputs
            .environment
            .get(CONFIG_VARIABLE)
            .filter(|path| !path.is_empty())
            .map(PathBuf::from);
        let named = inputs.config_file.clone().or(from_environment);
        let path = match (&named, &inputs.directory) {
            (Some(path), _) => path.clone(),
            (None, Some(directory)) => directory.join(CONFIG_FILE),
            (None, None) => return,
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => self.add_toml(&path, &text),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.problems.push(Problem(format!(
                "{}: cannot read the configuration file: {error}",
                path.display()
            ))),
        }
    }

    fn add_toml(&mut self, path: &Path, text: &str) {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => return self.problems.push(unreadable(path, text, &error)),
        };
        for (name, value) in table {
            match Setting::named(&name) {
                Some(setting) => {
                    let source = Source::ConfigFile(path.to_owned());
                    self.add(setting, Raw::Toml(value), source);
                }
                None => {
                    let names = Setting::ALL.iter().map(|setting| setting.name());
                    let hint = retired(&name).unwrap_or_else(|| nearest(&name, names));
                    self.problems.push(Problem(format!(
                        "{}: \"{}\" is no setting{hint}",
                        path.display(),
                        name.escape_debug()
                    )));
                }
            }
        }
    }
}

/// Returns where a file stops being TOML. The parser's own text would show the line, which may hold a key, so only its
/// place and reason are used.
fn unreadable(path: &Path, text: &str, error: &toml::de::Error) -> Problem {
    let line = error.span().map(|span| {
        let end = span.start.min(text.len());
        text.as_bytes()[..end]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1
    });
    let place = line.map_or_else(String::new, |line| format!(" line {line}"));
    let reason = error.message().lines().next().unwrap_or_default();
    Problem(format!(
        "{}{place}: this is not TOML: {reason}",
        path.display()
    ))
}

/// Explains where the value of a setting of an earlier version belongs now.
fn retired(name: &str) -> Option<String> {
    RETIRED
        .iter()
        .find(|(setting, _)| *setting == name)
        .map(|(_, instead)| format!(" any more: {instead}"))
}

/// Returns "; did you mean …?" if one of the names is close.
fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|name| (edits(given, name), name))
        .min()
        .filter(|(edits, _)| *edits <= 3)
        .map_or_else(String::new, |(_, name)| format!("; did you mean {name}?"))
}

/// Returns how many letters must be added, removed or changed to make `a` into `b`.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (above, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (index, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[index + 1];
            row[index + 1] = changed.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[b.len()]
}
