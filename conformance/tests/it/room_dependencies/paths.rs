//! Reads the paths that a source file names from its tokens: in `use` lines, in code and in macros. Texts and
//! comments don't count.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::UseTree;

use super::sources::before_tests;

/// The path of a module or an item, without `self` and `super`.
pub type Path = Vec<String>;

/// Returns the paths that a module's source names outside of its tests.
pub fn paths(text: &str, module: &[String]) -> Result<BTreeSet<Path>, String> {
    let code = before_tests(text);
    let tokens: TokenStream = code.parse().map_err(|error| format!("{error}"))?;
    let mut found = BTreeSet::new();
    walk(tokens, &mut found)?;
    Ok(found
        .into_iter()
        .map(|path| absolute(path, module))
        .collect())
}

/// Returns the first line that contains a word, for a failure's message.
pub fn line_of(text: &str, word: &str) -> usize {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let names = |line: &str| line.split(|c| !is_name(c)).any(|one| one == word);
    let mut lines = text.lines();
    let at = lines.position(|line| !line.trim_start().starts_with("//") && names(line));
    at.map_or(1, |at| at + 1)
}

fn walk(tokens: TokenStream, found: &mut BTreeSet<Path>) -> Result<(), String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if is_test_attribute(&tokens[at..]) {
            at = end_of_item(&tokens, at + 2);
            continue;
        }
        match &tokens[at] {
            TokenTree::Group(group) => {
                walk(group.stream(), found)?;
                at += 1;
            }
            // `use<'a>` is a bound, not an import.
            TokenTree::Ident(word) if *word == "use" && !is_punct(&tokens, at + 1, '<') => {
                let end = (at..tokens.len())
                    .find(|at| is_punct(&tokens, *at, ';'))
                    .unwrap_or(tokens.len());
                let start = at + 1 + if is_colons(&tokens, at + 1) { 2 } else { 0 };
                let tree = tokens[start..end].iter().cloned().collect();
                // `use $module` in a macro's pattern isn't an import, and is read like other code.
                match syn::parse2::<UseTree>(tree) {
                    Ok(tree) => {
                        expand(&tree, &mut Vec::new(), found);
                        at = end;
                    }
                    Err(_) => at += 1,
                }
            }
            TokenTree::Ident(word) => {
                let is_inner = at >= 2 && is_colons(&tokens, at - 2);
                let mut path = vec![word.to_string()];
                at += 1;
                while is_colons(&tokens, at) {
                    let Some(TokenTree::Ident(word)) = tokens.get(at + 2) else {
                        break;
                    };
                    path.push(word.to_string());
                    at += 3;
                }
                if path.len() > 1 && !is_inner {
                    found.insert(path);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => at += 1,
        }
    }
    Ok(())
}

fn expand(tree: &UseTree, before: &mut Path, found: &mut BTreeSet<Path>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            expand(&path.tree, before, found);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                expand(tree, before, found);
            }
        }
        UseTree::Name(name) => add(before, &name.ident.to_string(), found),
        UseTree::Rename(rename) => add(before, &rename.ident.to_string(), found),
        UseTree::Glob(_) => {
            found.insert(before.clone());
        }
    }
}

fn add(before: &Path, word: &str, found: &mut BTreeSet<Path>) {
    let mut path = before.clone();
    if word != "self" {
        path.push(word.to_owned());
    }
    found.insert(path);
}

/// Returns the path from the root of the crate, written `crate`.
fn absolute(path: Path, module: &[String]) -> Path {
    let ups = path.iter().take_while(|word| *word == "super").count();
    let is_local = path[0] == "self";
    if ups == 0 && !is_local {
        return path;
    }
    let kept = module.len().saturating_sub(ups);
    let rest = path[ups.max(usize::from(is_local))..].iter().cloned();
    let base = module[..kept].iter().cloned();
    std::iter::once("crate".to_owned())
        .chain(base)
        .chain(rest)
        .collect()
}

fn is_punct(tokens: &[TokenTree], at: usize, wanted: char) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens, at, ':') && is_punct(tokens, at + 1, ':')
}

fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let Some(TokenTree::Group(group)) = tokens.get(1) else {
        return false;
    };
    is_punct(tokens, 0, '#')
        && group.delimiter() == Delimiter::Bracket
        && group.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// Returns the position after the item that starts here, behind its `;` or its braces.
fn end_of_item(tokens: &[TokenTree], start: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let rest = tokens.iter().skip(start);
    rest.clone()
        .position(ends)
        .map_or(tokens.len(), |at| start + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let module = ["payment".to_owned(), "link".to_owned()];
        let found = paths(text, &module).expect("a source");
        found.iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn use_lines_are_taken_apart() {
        let found =
            read("pub use crate::{routing::{self, key::Key as K}, ids::*};\nuse super::Payment;");
        let wanted = [
            "crate::ids",
            "crate::payment::Payment",
            "crate::routing",
            "crate::routing::key::Key",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn paths_are_read_inside_code_and_macros() {
        let found = read(
            "fn a() -> crate::money::Money { vec![multirail_domain::customers::mandate::Mandate::<u8>::new()] }",
        );
        let wanted = [
            "crate::money::Money",
            "multirail_domain::customers::mandate::Mandate",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn texts_comments_and_tests_name_nothing() {
        let found = read(
            "/// crate::a::A\nconst A: &str = \"crate::b::B\"; // crate::c\n#[cfg(test)]\nuse crate::d::D;\n\
             #[cfg(test)]\nmod x { use crate::e::E; }\nfn f<T>() -> impl X + use<T> { self::g::H }",
        );
        assert_eq!(found, ["crate::payment::link::g::H"]);
    }

    #[test]
    fn a_line_is_found_by_a_whole_word() {
        assert_eq!(
            line_of(
                "// routing\nlet routings = 1;\nuse crate::routing::X;",
                "routing"
            ),
            3
        );
    }
}
