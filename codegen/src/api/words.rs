//! The words of every enumeration of the document as a macro, so that the server can pair them with its own without a list.

use std::fmt::Write as _;

use crate::document::{Document, is_enumeration};
use crate::{enums, names, render};

/// Returns the file of the macro.
pub fn emit(document: &Document) -> String {
    let arms: String = document
        .schemas()
        .filter(|(_, schema)| is_enumeration(schema))
        .map(|(name, schema)| arm(name, &enums::words(schema)))
        .collect();
    format!(
        "{}
/// Calls a macro with the words of an enumeration of the document behind its own arguments:
/// `with_words!(SortDirection => both! {{ A, B, }})` is `both! {{ A, B, Asc = Asc, Desc = Desc, }}`.
///
/// Each word stands there as its variant in `multirail_types` and as the name that the server would give it: the same
/// one, or the word itself where that is a name (`Usd = USD`).
#[rustfmt::skip]
#[macro_export]
macro_rules! with_words {{
{arms}}}
",
        render::HEADER
    )
}

fn arm(name: &str, words: &[&str]) -> String {
    let mut arm = format!(
        "    ({} => $then:ident! {{ $($given:tt)* }}) => {{\n        $then! {{ $($given)*",
        names::ident(name)
    );
    for word in words {
        let variant = names::pascal(word);
        let own = if is_name(word) { *word } else { &variant };
        // Writing to a text can't fail.
        let _ = write!(arm, " {variant} = {own},");
    }
    arm.push_str(" }\n    };\n");
    arm
}

/// Returns whether a word can be the name of a variant as it stands.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
        && syn::parse_str::<proc_macro2::Ident>(word).is_ok()
}
