//! The name of an operation, as an option has it.

use serde_json::Value;
use strsim::jaro_winkler;

use crate::document::operations;

/// The maximum number of names that are suggested.
const MOST_SUGGESTED: usize = 3;
/// The least similarity of a suggested name, from 0 to 1.
const SIMILAR: f64 = 0.85;

/// Checks that the document has an operation of this name. The server takes any name, and one that is wrong would wait
/// forever.
///
/// # Errors
/// The reason, with names that may be meant.
pub(super) fn check_operation(name: &str, document: &str) -> Result<(), String> {
    let document: Value = serde_json::from_str(document).map_err(|error| error.to_string())?;
    let names = operations(&document).filter_map(|one| one.members["operationId"].as_str());
    let names: Vec<&str> = names.collect();
    if names.contains(&name) {
        return Ok(());
    }
    let near = nearest(name, &names);
    let hint = match near.is_empty() {
        true => "the interface document has the names, such as payments_confirm".to_owned(),
        false => format!("is one of these meant: {}?", near.join(", ")),
    };
    Err(format!("--operation: there is no operation {name}; {hint}"))
}

/// Returns the most similar names, the most similar first.
fn nearest<'a>(given: &str, names: &[&'a str]) -> Vec<&'a str> {
    let scored = names.iter().map(|name| (similarity(given, name), *name));
    let mut near: Vec<_> = scored.filter(|(score, _)| *score >= SIMILAR).collect();
    near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let nearest = near.into_iter().take(MOST_SUGGESTED);
    nearest.map(|(_, name)| name).collect()
}

/// Returns the similarity of two names; a part counts as the whole.
fn similarity(given: &str, name: &str) -> f64 {
    match name.contains(given) {
        true => 1.0,
        false => jaro_winkler(given, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str) -> String {
        let document = multirail_api::document_json();
        check_operation(name, &document).expect_err("refused")
    }

    #[test]
    fn an_operation_has_to_be_in_the_document() {
        let document = multirail_api::document_json();
        assert_eq!(check_operation("payments_confirm", &document), Ok(()));
        insta::assert_snapshot!(refusal("foo"), @"--operation: there is no operation foo; the interface document has the names, such as payments_confirm");
        let slip = refusal("payment_confirm");
        let wanted = "no operation payment_confirm; is one of these meant: payments_confirm";
        assert!(slip.contains(wanted), "{slip}");
        let part = refusal("post_capture");
        assert!(part.contains("payments_cancel_post_capture"), "{part}");
    }

    #[test]
    fn few_names_are_suggested_the_most_similar_first() {
        let names = [
            "payouts_list",
            "refunds_list",
            "payments_list",
            "refunds_update",
        ];
        assert_eq!(nearest("refund_list", &names)[0], "refunds_list");
        assert!(nearest("list", &names).len() <= MOST_SUGGESTED);
        assert_eq!(nearest("zzz", &names), [""; 0]);
    }
}
