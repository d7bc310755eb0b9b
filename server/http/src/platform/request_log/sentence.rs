//! Sentences of errors as the log may show them: without names and values that callers chose.

use multirail_api::{is_member, is_term};
use multirail_kernel::masking::HIDDEN;

/// The beginning of a message whose rest is a path without quotation marks.
const MISSING: &str = "Missing required parameter: ";
/// The addition to the path of an object when the name of one of its members is at fault.
const NAME_OF_MEMBER: &str = " (the name of a member)";
/// The comparisons in names of queries.
const COMPARISONS: [&str; 4] = ["gt", "gte", "lt", "lte"];
/// Quoted words of our messages that the document's schemas don't have.
const OURS: [&str; 17] = [
    "-",
    "_",
    "api-key",
    "application/json",
    "authorization",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "idempotency-key",
    "identity",
    "origin",
    "x-client-source",
    "x-client-version",
    "x-connected-merchant-id",
    "x-profile-id",
];

/// Hides quoted texts that the document doesn't have. Messages quote everything that a caller chose.
pub(super) fn shown(sentence: &str) -> String {
    if let Some(path) = sentence.strip_prefix(MISSING) {
        return format!("{MISSING}{}", shown_path(path));
    }
    let mut shown = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, mark, quoted)) = next_quotation(rest) {
        let (path, after) = quoted.split_once(mark).unwrap_or((quoted, ""));
        shown.push_str(before);
        shown.push(mark);
        shown.push_str(shown_path(path));
        shown.push(mark);
        rest = after;
    }
    shown.push_str(rest);
    shown
}

/// Splits at the first quotation mark.
fn next_quotation(text: &str) -> Option<(&str, char, &str)> {
    let (place, mark) = text
        .char_indices()
        .find(|&(_, letter)| matches!(letter, '`' | '"'))?;
    let (before, quoted) = text.split_at_checked(place)?;
    Some((before, mark, quoted.strip_prefix(mark)?))
}

fn shown_path(path: &str) -> &str {
    let bare = path.strip_suffix(NAME_OF_MEMBER).unwrap_or(path);
    match OURS.contains(&bare) || is_term(bare) || bare.split('.').all(is_step) {
        true => path,
        false => HIDDEN,
    }
}

/// Returns whether a step of a path is a member of the document, with or without places in lists.
fn is_step(step: &str) -> bool {
    let (name, places) = step.split_once('[').unwrap_or((step, ""));
    let is_place = |letter: char| letter.is_ascii_digit() || matches!(letter, '[' | ']');
    (is_member(name) || COMPARISONS.contains(&name)) && places.chars().all(is_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_document_stay_and_names_of_callers_do_not() {
        let sentences = [
            "`Ada Okafor` is not a known member here.",
            "`capture_metod` is not a known member here. Was `capture_method` meant?",
            "`order_details[0].amount` must be at least 0.",
            "The query parameter `Ada` isn't known here. Was `requested_at.gte` meant?",
            "`metadata.Ada Okafor` holds a card number. Card numbers belong in `card_number` alone.",
            "`metadata (the name of a member)` holds a card number.",
            "dispute_status has the word `Okafor` that this service doesn't know",
            "`capture_method` can only be \"manual\", and not \"Okafor\"",
            "an open `Ada",
            "Missing required parameter: metadata.Ada.amount",
            "Missing required parameter: customer.email",
        ];
        let shown: Vec<String> = sentences.into_iter().map(shown).collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        `***` is not a known member here.
        `***` is not a known member here. Was `capture_method` meant?
        `order_details[0].amount` must be at least 0.
        The query parameter `***` isn't known here. Was `requested_at.gte` meant?
        `***` holds a card number. Card numbers belong in `card_number` alone.
        `metadata (the name of a member)` holds a card number.
        dispute_status has the word `***` that this service doesn't know
        `capture_method` can only be "manual", and not "***"
        an open `***`
        Missing required parameter: ***
        Missing required parameter: customer.email
        "#);
    }
}
