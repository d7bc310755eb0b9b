//! Checks which subject uses which, as far as no crate enforces it. `wrong_arrows.txt` lists today's violations, and
//! may only shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;

use super::paths::{line_of, paths};
use super::plan::{FLOORS, Floor, SUBJECTS};
use super::root;
use super::sources::{module_of, sources};

const WRONG_TODAY: &str = include_str!("wrong_arrows.txt");
const LIST: &str = "conformance/tests/it/room_dependencies/wrong_arrows.txt";

/// Subjects by layer and module.
type Subjects = BTreeMap<(&'static str, Vec<&'static str>), &'static str>;

fn subjects() -> Subjects {
    let mut found = Subjects::new();
    for floor in FLOORS {
        for (subject, modules) in floor.modules {
            for module in modules.split_whitespace() {
                let key = (floor.name, module.split("::").collect());
                let before = found.insert(key, subject);
                assert!(before.is_none(), "plan.rs names {module} twice");
            }
        }
    }
    found
}

/// Returns the subject of a path in a crate, and the module that decides it. The longest module counts.
fn subject_of<'p>(
    subjects: &Subjects,
    floor: &'static str,
    path: &'p [String],
) -> Option<(&'static str, &'p str)> {
    let lengths = (1..=path.len().min(4)).rev();
    lengths
        .filter_map(|length| {
            let module = path[..length].iter().map(String::as_str).collect();
            // The key borrows from the plan, so the look-up compares.
            let found = subjects
                .iter()
                .find(|((name, words), _)| *name == floor && same(words, &module))?;
            Some((*found.1, path[length - 1].as_str()))
        })
        .next()
}

fn same(words: &[&str], module: &Vec<&str>) -> bool {
    words == module.as_slice()
}

fn may_use(from: &str, to: &str) -> bool {
    let allowed = SUBJECTS.iter().find(|(subject, _)| *subject == from);
    let (_, allowed) = allowed.unwrap_or_else(|| panic!("{from} is no subject"));
    from == to || allowed.split_whitespace().any(|one| one == to)
}

/// Returns the violations of one file, each with its line.
fn wrong_arrows(
    subjects: &Subjects,
    floor: &Floor,
    from: &str,
    module: &[String],
    text: &str,
) -> Result<BTreeMap<&'static str, usize>, String> {
    let mut wrong = BTreeMap::new();
    for path in paths(text, module)? {
        let target = FLOORS
            .iter()
            .find(|one| one.name == path[0])
            .or_else(|| (path[0] == "crate").then_some(floor));
        let Some(target) = target else { continue };
        let found = subject_of(subjects, target.name, &path[1..]);
        if let Some((to, word)) = found.filter(|(to, _)| !may_use(from, to)) {
            wrong.entry(to).or_insert_with(|| line_of(text, word));
        }
    }
    Ok(wrong)
}

/// Returns the files of a layer in the plan, with their modules. A crate's root is left out, because it names all
/// modules.
fn files(floor: &Floor) -> Vec<(std::path::PathBuf, Vec<String>)> {
    let src = root().join(floor.src);
    let files = sources(&src).into_iter().map(|file| {
        let module = module_of(&src, &file);
        (file, module)
    });
    files
        .filter(|(_, module)| {
            let is_test = module.iter().any(|part| {
                part == "tests" || part == "fixture" || part == "lib" || part == "main"
            });
            !is_test
        })
        .collect()
}

fn relative(file: &FilePath) -> String {
    let root = root();
    file.strip_prefix(root)
        .expect("below the root")
        .display()
        .to_string()
}

#[test]
fn arrows_between_subjects_are_those_of_the_plan() {
    let subjects = subjects();
    let mut found = BTreeMap::new();
    let mut homeless = Vec::new();
    for floor in FLOORS {
        for (file, module) in files(floor) {
            let place = relative(&file);
            let Some((from, _)) = subject_of(&subjects, floor.name, &module) else {
                homeless.push(place);
                continue;
            };
            let text = std::fs::read_to_string(&file).expect("a source");
            let wrong = wrong_arrows(&subjects, floor, from, &module, &text);
            for (to, line) in wrong.unwrap_or_else(|error| panic!("{place}: {error}")) {
                found.insert(format!("{place} -> {to}"), (from, to, line));
            }
        }
    }
    assert!(
        homeless.is_empty(),
        "name the subject of these modules in plan.rs: {homeless:#?}"
    );
    let listed: BTreeSet<&str> = WRONG_TODAY.lines().collect();
    let new: Vec<String> = found
        .iter()
        .filter(|(arrow, _)| !listed.contains(arrow.as_str()))
        .map(|(arrow, (from, to, line))| {
            let place = arrow.split(" -> ").next().unwrap_or_default();
            format!("{place}:{line}: {from} may not use {to} ({arrow})")
        })
        .collect();
    let gone: Vec<&&str> = listed
        .iter()
        .filter(|arrow| !found.contains_key(**arrow))
        .collect();
    assert!(new.is_empty(), "new wrong arrows: {new:#?}");
    assert!(
        gone.is_empty(),
        "these arrows are gone, delete them from {LIST}: {gone:#?}"
    );
}

#[test]
fn modules_of_the_plan_exist() {
    for floor in FLOORS {
        let src = root().join(floor.src);
        for (_, modules) in floor.modules {
            for module in modules.split_whitespace() {
                let path = src.join(module.replace("::", "/"));
                assert!(
                    path.is_dir() || path.with_extension("rs").is_file(),
                    "{} has no module {module}: delete it from plan.rs",
                    floor.src
                );
            }
        }
    }
}

#[test]
fn wrong_arrows_are_found_and_right_ones_are_not() {
    let module = ["routing".to_owned(), "observed".to_owned()];
    let text = "use multirail_kernel::ids::PaymentId;\nuse crate::payments::payment::Payment;\nuse crate::routing::Key;";
    let mut floors = FLOORS.iter();
    let domain = floors.find(|floor| floor.name == "multirail_domain");
    let domain = domain.expect("a floor");
    let wrong = wrong_arrows(&subjects(), domain, "routing", &module, text);
    assert_eq!(wrong, Ok(BTreeMap::from([("payments", 2)])));
}
