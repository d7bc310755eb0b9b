//! Finds card numbers in texts that must not contain any. Such texts are stored, shown and sent in clear, so a number
//! in one is refused.
//!
//! A check digit alone isn't enough, because every tenth order number has a correct one. Outside of names a number must
//! also have the leading digits and the length of a network.

use std::borrow::Cow;

use crate::card_number::Network;
use crate::card_number::number::passes_luhn;
use crate::card_number::ranges;

/// The lengths of the card numbers that are searched.
const LENGTHS: std::ops::RangeInclusive<usize> = 13..=19;

/// The lengths of the groups in which people and forms write a number.
const GROUPINGS: [&[usize]; 6] = [
    &[4, 4, 4, 4],
    &[4, 6, 5],
    &[4, 6, 4],
    &[4, 5, 6],
    &[4, 4, 4, 4, 3],
    &[6, 13],
];

/// The purpose of a text, which decides how likely a number in it is a card number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A person's name, in which no digits are expected.
    Name,
    /// A phone number: 13 digits after a plus sign are normal.
    Phone,
    /// Any other text: 13 digits alone may be a reference.
    Other,
}

/// Checks whether a text very likely contains a card number.
pub fn holds_card_number(text: &str, kind: TextKind) -> bool {
    let text = &*folded(text);
    if text.bytes().filter(u8::is_ascii_digit).count() < *LENGTHS.start() {
        return false;
    }
    match kind {
        TextKind::Name => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            is_card(&digits, kind) || groups(text).any(|digits| is_card(&digits, kind))
        }
        TextKind::Phone => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            let is_international = text.trim_start().starts_with('+');
            (!is_international || digits.len() > 13) && is_card(&digits, kind)
        }
        TextKind::Other => {
            let is_reference = text.len() == *LENGTHS.start();
            !is_reference && groups(text).any(|digits| is_card(&digits, kind))
        }
    }
}

/// Replaces digits of other scripts, and blanks and dashes of web pages and documents, by their ASCII counterparts.
fn folded(text: &str) -> Cow<'_, str> {
    /// The zeros of Arabic, Persian, Devanagari and full-width digits. The other digits follow each of them.
    const ZEROES: [char; 4] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{ff10}'];
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let fold = |c: char| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c if c.is_whitespace() => ' ',
        c => {
            let of_script = |zero: char| u32::from(c).checked_sub(u32::from(zero));
            let mut digits = ZEROES.into_iter().filter_map(of_script);
            let digit = digits.find(|digit| *digit < 10);
            digit
                .and_then(|digit| char::from_digit(digit, 10))
                .unwrap_or(c)
        }
    };
    text.chars().map(fold).collect()
}

fn is_card(digits: &str, kind: TextKind) -> bool {
    let length = digits.len();
    if !LENGTHS.contains(&length) || !passes_luhn(digits) {
        return false;
    }
    match kind {
        TextKind::Name => true,
        TextKind::Phone | TextKind::Other => {
            Network::from_digits(digits).is_some_and(|network| ranges::makes(network, length))
        }
    }
}

/// Returns the digits that may form one number: a single run, or neighbouring runs in one of the [`GROUPINGS`].
fn groups(text: &str) -> impl Iterator<Item = String> + '_ {
    let runs = runs(text);
    let single = runs.iter().map(|run| run.digits.to_owned());
    let single: Vec<String> = single.collect();
    let joined = (0..runs.len()).flat_map(move |start| {
        let from = runs[start..].to_vec();
        GROUPINGS
            .iter()
            .filter_map(move |grouping| joined(&from, grouping))
    });
    single.into_iter().chain(joined)
}

/// A run of digits without an adjacent letter, digit or underscore.
#[derive(Clone, Copy)]
struct Run<'a> {
    digits: &'a str,
    /// The blank, dash or dot between the previous run and this one, if nothing else stands there.
    joint: Option<char>,
}

fn runs(text: &str) -> Vec<Run<'_>> {
    let mut found = Vec::new();
    let mut end_of_last = None;
    let mut rest = 0;
    while let Some(start) = text[rest..].find(|c: char| c.is_ascii_digit()) {
        let start = rest + start;
        let length = text[start..].find(|c: char| !c.is_ascii_digit());
        let end = length.map_or(text.len(), |length| start + length);
        let touches = |c: char| c.is_alphanumeric() || c == '_';
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        if !before.is_some_and(touches) && !after.is_some_and(touches) {
            let is_joint = |c: char| c.is_ascii_whitespace() || matches!(c, '-' | '.');
            let joint =
                before.filter(|c| is_joint(*c) && end_of_last == Some(start - c.len_utf8()));
            found.push(Run {
                digits: &text[start..end],
                joint,
            });
            end_of_last = Some(end);
        } else {
            end_of_last = None;
        }
        rest = end;
    }
    found
}

fn joined(runs: &[Run<'_>], grouping: &[usize]) -> Option<String> {
    let runs = runs.get(..grouping.len())?;
    let joint = runs.get(1)?.joint;
    let fits = runs
        .iter()
        .zip(grouping)
        .enumerate()
        .all(|(place, (run, length))| {
            run.digits.len() == *length
                && (place == 0 || (run.joint.is_some() && run.joint == joint))
        });
    fits.then(|| runs.iter().map(|run| run.digits).collect())
}

#[cfg(test)]
mod tests {
    use super::TextKind::{Name, Other, Phone};
    use super::*;

    #[test]
    fn texts_with_a_card_number() {
        let table = [
            ("4111111111111111", Name),
            ("ADA 4111-1111 1111.1111", Name),
            // No network's number, but no person has such a name.
            ("1234567890123452", Name),
            ("4111111111111111", Phone),
            ("+4111111111111111", Phone),
            ("4222222222222", Phone),
            ("paid with 4111111111111111, thanks", Other),
            ("4111 1111 1111 1111", Other),
            ("4111-1111-1111-1111", Other),
            ("12 4111 1111 1111 1111 10/30", Other),
            ("3782 822463 10005", Other),
            ("378282246310005", Other),
            ("PAN:4222222222222", Other),
            ("6212345678901232", Other),
            ("6759649826438453", Other),
            ("6011000991300009", Other),
            // Grouped by other signs than a space and a hyphen, as in web pages and documents.
            ("4111.1111.1111.1111", Other),
            ("4111\u{a0}1111\u{a0}1111\u{a0}1111", Other),
            ("4111\u{202f}1111\u{202f}1111\u{202f}1111", Other),
            ("4111\u{2013}1111\u{2013}1111\u{2013}1111", Other),
            ("4111\t1111\t1111\t1111", Other),
            ("4111\n1111\n1111\n1111", Other),
            // Digits of other keyboards.
            ("カード ４１１１ １１１１ １１１１ １１１１", Other),
            ("٤١١١١١١١١١١١١١١١", Other),
            ("۴۱۱۱۱۱۱۱۱۱۱۱۱۱۱۱", Phone),
            ("ADA ４１１１１１１１１１１１１１１１", Name),
        ];
        for (text, kind) in table {
            assert!(holds_card_number(text, kind), "{text} {kind:?}");
        }
    }

    #[test]
    fn texts_without_one() {
        let table = [
            ("Ada Lovelace 3rd", Name),
            ("4111111111111112", Name),
            ("+4915112345678", Phone),
            ("+49 151 1234 5678", Phone),
            ("+4222222222222", Phone),
            // A time in milliseconds, an order number, an EAN with a correct check digit.
            ("1700000000004", Other),
            ("5678901234565", Other),
            ("4222222222222", Other),
            ("9780306406156", Other),
            ("4111111111111112", Other),
            ("1234567890123452", Other),
            ("pay_4111111111111111", Other),
            ("a4111111111111111", Other),
            ("41111111111111111111", Other),
            ("41111111-1111-4111-8111-111111111111", Other),
            ("2024-01-02T03:04:05.000006Z", Other),
            ("4111.1111-1111.1111", Other),
            ("192.168.110.111 192.168.110.112", Other),
            ("٤١١١١١١١١١١١١١١٢", Other),
            ("", Other),
        ];
        for (text, kind) in table {
            assert!(!holds_card_number(text, kind), "{text} {kind:?}");
        }
    }
}
