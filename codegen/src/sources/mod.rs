//! The files that the document is written in: one for each resource, and `main.yaml` for the whole document and the order
//! of tags and paths. Each is an OpenAPI document that refers to its neighbours, so that stock tools open any of them;
//! [`join`](Sources::join) makes the one document that is published.

mod findings;
mod join;
mod lines;
mod lint;
mod names;
mod references;

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::Error;
use crate::document::{items, members, parse_yaml};
use crate::finding::Finding;
pub use lines::{Lines, escape, unescape};

/// Kinds of components that a file may define, in the order of the published document.
const KINDS: [&str; 6] = [
    "schemas",
    "examples",
    "parameters",
    "headers",
    "responses",
    "securitySchemes",
];

/// Sections of path items: the files of the resources define them, the main file lists them in order.
const ITEM_SECTIONS: [&str; 2] = ["paths", "x-webhooks"];

/// One file.
#[derive(Debug, Clone)]
struct Source {
    /// The path in findings: the folder and the name.
    shown: String,
    /// The name in references, such as `payments.yaml`.
    name: String,
    text: String,
    value: Value,
    lines: Lines,
}

/// All files: `main.yaml` first, the others in the order in which its paths name them and then by name.
#[derive(Debug, Clone)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Reads a main file and all other YAML files of its folder. Findings name a file that is below `root` by its path from
    /// there.
    ///
    /// # Errors
    /// Fails when a file can't be read, isn't YAML, or repeats a key.
    pub fn read(main: &Path, root: &Path) -> Result<Self, Error> {
        let folder = match main.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let shown = folder.strip_prefix(root).unwrap_or(folder);
        let mut paths = vec![main.to_path_buf()];
        let entries =
            fs::read_dir(folder).map_err(|error| Error::File(folder.to_path_buf(), error))?;
        let mut others: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        others.retain(|path| {
            path.extension().is_some_and(|end| end == "yaml")
                && path.file_name() != main.file_name()
        });
        others.sort();
        paths.extend(others);
        let texts = paths
            .into_iter()
            .map(|path| {
                let text =
                    fs::read_to_string(&path).map_err(|error| Error::File(path.clone(), error))?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let shown = shown.join(&*name).display().to_string();
                Ok((shown, name.into_owned(), text))
            })
            .collect::<Result<Vec<_>, Error>>()?;
        Self::parse(texts)
    }

    /// Takes the files as texts, the main file first. Each comes as the path for findings, its name and its text.
    ///
    /// # Errors
    /// Fails when a text isn't YAML or repeats a key.
    pub fn parse(texts: Vec<(String, String, String)>) -> Result<Self, Error> {
        let mut files = Vec::new();
        let mut findings = Vec::new();
        for (shown, name, text) in texts {
            let lines = Lines::parse(&text).map_err(|error| {
                let line = error.marker().line();
                Error::Document(format!("{shown}:{line}: {}", error.info()))
            })?;
            findings.extend(lines.repeated().map(|one| Finding {
                file: shown.clone(),
                line: one.line,
                location: format!("#{}", one.pointer),
                problem: format!("it is said twice, first in line {}", one.first),
                remedy: "remove one of them; readers would take either".to_owned(),
            }));
            if lines.repeated().next().is_none() {
                let value = parse_yaml(&text)
                    .map_err(|problem| Error::Document(format!("{shown}: {problem}")))?;
                files.push(Source {
                    shown,
                    name,
                    text,
                    value,
                    lines,
                });
            }
        }
        if !findings.is_empty() {
            return Err(Error::Lint(findings));
        }
        let mut sources = Self { files };
        sources.sort();
        Ok(sources)
    }

    /// Returns the faults that keep the files from being one document, such as a name that has no definition, or two, or is
    /// never used.
    pub fn lint(&self) -> Vec<Finding> {
        lint::lint(self)
    }

    /// Returns the text of the published document, made from files that pass the [lint](Self::lint).
    pub fn join(&self) -> String {
        join::join(self)
    }

    /// Returns file and line of a place of the joined document.
    pub fn at(&self, pointer: &str) -> (&str, usize) {
        let file = self.owner(pointer);
        (&file.shown, file.lines.at(pointer))
    }

    fn main(&self) -> &Source {
        &self.files[0]
    }

    fn others(&self) -> &[Source] {
        &self.files[1..]
    }

    fn named(&self, name: &str) -> Option<&Source> {
        self.files.iter().find(|file| file.name == name)
    }

    /// Returns the file that defines the object at a pointer into the joined document.
    fn owner(&self, pointer: &str) -> &Source {
        let parts: Vec<&str> = pointer.split('/').skip(1).collect();
        let entry = match parts.as_slice() {
            ["components", kind, name, ..] => format!("/components/{kind}/{name}"),
            [section, name, ..] if ITEM_SECTIONS.contains(section) => format!("/{section}/{name}"),
            _ => return self.main(),
        };
        let defines = |file: &&Source| {
            file.value
                .pointer(&entry)
                .is_some_and(|entry| !is_elsewhere(entry))
        };
        self.files.iter().find(defines).unwrap_or(self.main())
    }

    fn sort(&mut self) {
        let mut order: Vec<String> = vec![self.main().name.clone()];
        for (_, item) in members(&self.main().value["paths"]) {
            if let Some((file, _)) = outside(item)
                && !order.iter().any(|known| known == file)
            {
                order.push(file.to_owned());
            }
        }
        self.files.sort_by_key(|file| {
            let place = order.iter().position(|name| *name == file.name);
            (place.unwrap_or(usize::MAX), file.name.clone())
        });
    }
}

impl Source {
    /// Returns index and name of each tag.
    fn tags(&self) -> impl Iterator<Item = (usize, &str)> {
        items(&self.value["tags"])
            .enumerate()
            .filter_map(|(index, tag)| Some((index, tag["name"].as_str()?)))
    }
}

/// Returns file and pointer of an object that is nothing but a reference to another file.
fn outside(value: &Value) -> Option<(&str, &str)> {
    let (file, pointer) = value["$ref"].as_str()?.split_once('#')?;
    (!file.is_empty() && value.as_object()?.len() == 1).then_some((file, pointer))
}

/// Returns whether an entry is a reference to its definition in another file.
fn is_elsewhere(entry: &Value) -> bool {
    outside(entry).is_some()
}

/// Returns the components that a file defines itself, as kind, name and pointer.
fn definitions(file: &Source) -> impl Iterator<Item = (&str, &str, String)> {
    members(&file.value["components"]).flat_map(|(kind, entries)| {
        members(entries)
            .filter(|(_, entry)| !is_elsewhere(entry))
            .map(move |(name, _)| (kind, name, format!("/components/{kind}/{name}")))
    })
}
