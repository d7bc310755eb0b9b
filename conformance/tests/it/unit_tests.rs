//! The place of unit tests: in the child module `tests` of the tested module, short ones in the same file, longer
//! ones in their own.

use std::path::Path;

use crate::room_dependencies::sources::{module_of, sources};

/// Tests of at least this many lines have their own file.
const LONG: usize = 150;
const INLINE: &str = "\nmod tests {\n";

/// Returns what is wrong with the unit tests of one file.
fn problem(src: &Path, file: &Path, text: &str) -> Option<String> {
    let module = module_of(src, file);
    if module
        .iter()
        .any(|part| part == "tests" || part == "fixture")
    {
        return None;
    }
    let (code, tests) = text.split_once(INLINE).unwrap_or((text, ""));
    let has = |start: &str| {
        code.lines()
            .any(|line| line.trim_start().starts_with(start))
    };
    if has("#[path") {
        return Some("a module has its file where Rust looks for it, without `#[path]`".to_owned());
    }
    if has("#[test]") || has("#[tokio::test") {
        return Some("tests stand in a module `tests`, the last item of the file".to_owned());
    }
    let length = tests.lines().count();
    if length > LONG {
        return Some(format!(
            "{length} lines of tests want a file of their own, `tests.rs`"
        ));
    }
    let after = code.lines().skip_while(|line| *line != "#[cfg(test)]");
    let of_tests = after.skip(1).find(|line| line.contains("mod "));
    let name = of_tests?.trim_end_matches(';').rsplit(' ').next()?;
    let is_known = name == "tests" || name == "fixture";
    (!is_known).then(|| format!("`{name}` is called `tests`, or `fixture` where others use it"))
}

#[test]
fn unit_tests_stand_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = root.parent().expect("the workspace");
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in ["server", "client", "codegen", "conformance"] {
        for file in sources(&root.join(folder)) {
            let name = file.strip_prefix(root).expect("below the workspace");
            // Vendored libraries with a patch of ours.
            if name.starts_with("server/vendor") {
                continue;
            }
            let Some(src) = name.ancestors().find(|folder| folder.ends_with("src")) else {
                continue;
            };
            let text = std::fs::read_to_string(&file).expect("a source");
            let problem = problem(src, name, &text);
            wrong.extend(problem.map(|why| format!("{}: {why}", name.display())));
            count += 1;
        }
    }
    assert!(count > 400, "{count} sources");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn tests_that_stand_elsewhere_are_noticed() {
    let of = |file: &str, text: &str| problem(Path::new("src"), &Path::new("src").join(file), text);
    let long = "    // a line\n".repeat(LONG + 1);
    let inline = format!("struct Money;\n\n#[cfg(test)]{INLINE}    use super::*;\n");
    let outlined = "struct Money;\n\n#[cfg(test)]\nmod tests;\n";
    for (file, text) in [
        ("money.rs", inline.as_str()),
        ("money.rs", outlined),
        ("money/tests.rs", "#[test]\nfn adds() {}\n"),
        ("money/tests/sums.rs", "#[test]\nfn adds() {}\n"),
    ] {
        assert_eq!(of(file, text), None, "{file}: {text}");
    }
    let elsewhere = [
        of("money.rs", "#[test]\nfn adds() {}\n"),
        of("money.rs", "#[cfg(test)]\nmod money_tests;\n"),
        of(
            "money.rs",
            "#[cfg(test)]\n#[path = \"money_tests.rs\"]\nmod tests;\n",
        ),
        of("money.rs", &format!("{inline}{long}}}\n")),
    ];
    let elsewhere = elsewhere.map(Option::unwrap_or_default).join("\n");
    insta::assert_snapshot!(elsewhere, @r"
    tests stand in a module `tests`, the last item of the file
    `money_tests` is called `tests`, or `fixture` where others use it
    a module has its file where Rust looks for it, without `#[path]`
    153 lines of tests want a file of their own, `tests.rs`
    ");
}
