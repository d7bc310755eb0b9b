//! Small changes of an input: of its bytes, and of the words and numbers in it.

use std::ops::Range;

use crate::random::Random;

/// No input grows beyond this many bytes.
const LONGEST: usize = 65_536;

/// Replacements of words and numbers.
const TOKENS: [&[u8]; 34] = [
    b"null",
    b"true",
    b"0",
    b"-1",
    b"1.5",
    b"6540.0",
    b"1e2",
    b"1e400",
    b"-0.0",
    b"2147483648",
    b"9007199254740993",
    b"9223372036854775807",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"18446744073709551616",
    b"123456789012345678901234567890",
    b"\"\"",
    b"\" \"",
    b"\"0\"",
    b"\"-1\"",
    b"\"true\"",
    b"\"\\u0000\"",
    b"\"\\ud83d\\ude00\"",
    b"\"\xf0\x9f\x98\x80\"",
    b"\"\xff\"",
    b"\"../..\"",
    b"\"9999-12-31T23:59:60Z\"",
    b"\"-262144-01-01T00:00:00Z\"",
    b"\"4111111111111111\"",
    b"[]",
    b"{}",
    b"[null]",
    b"{\"\":{}}",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
];

/// Makes one change.
pub fn mutate(input: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    match random.below(10) {
        0 => {
            let bit = random.below(8);
            if let Some(byte) = any(input, random) {
                *byte ^= 1 << bit;
            }
        }
        1 => {
            let other = random.next() as u8;
            if let Some(byte) = any(input, random) {
                *byte = other;
            }
        }
        2 => {
            let part = part(input, random);
            input.drain(part);
        }
        3 => {
            let part = part(input, random);
            let again = input[part.clone()].to_vec();
            input.splice(part.end..part.end, again);
        }
        4 => input.truncate(random.below(input.len())),
        5 => {
            let other = random.pick(others);
            let tail = &other[random.below(other.len())..];
            input.truncate(random.below(input.len() + 1));
            input.extend_from_slice(tail);
        }
        6 => {
            let at = random.below(input.len() + 1);
            let token = *random.pick(&TOKENS);
            input.splice(at..at, token.iter().copied());
        }
        // A word or a number becomes another one: the rest still has a form that a parser accepts.
        7 | 8 => {
            let token = *random.pick(&TOKENS);
            replace(input, token, random);
        }
        _ => {
            let other = random.pick(others);
            let words = words(other);
            if !words.is_empty() {
                let word = random.pick(&words).clone();
                replace(input, &other[word], random);
            }
        }
    }
    input.truncate(LONGEST);
}

fn any<'a>(input: &'a mut [u8], random: &mut Random) -> Option<&'a mut u8> {
    let at = random.below(input.len());
    input.get_mut(at)
}

/// Returns a part, mostly a short one.
fn part(input: &[u8], random: &mut Random) -> Range<usize> {
    let start = random.below(input.len() + 1);
    let longest = if random.below(4) == 0 { 4_096 } else { 16 };
    let length = random.below(longest).min(input.len() - start);
    start..start + length
}

fn replace(input: &mut Vec<u8>, by: &[u8], random: &mut Random) {
    let words = words(input);
    if !words.is_empty() {
        let word = random.pick(&words).clone();
        input.splice(word, by.iter().copied());
    }
}

/// Returns texts with their quotes, and words between signs.
fn words(input: &[u8]) -> Vec<Range<usize>> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-.".contains(&byte);
    let mut all = Vec::new();
    let mut at = 0;
    while at < input.len() {
        let start = at;
        if input[at] == b'"' {
            at += 1;
            while at < input.len() && input[at] != b'"' {
                at += if input[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(input.len());
            all.push(start..at);
        } else if is_plain(input[at]) {
            while at < input.len() && is_plain(input[at]) {
                at += 1;
            }
            all.push(start..at);
        } else {
            at += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_found_and_replaced() {
        let input = br#"{"a": "b\"c", "n":-1.5e3,"t":true}"#;
        let found: Vec<String> = words(input)
            .into_iter()
            .map(|word| String::from_utf8_lossy(&input[word]).into_owned())
            .collect();
        assert_eq!(
            found,
            [r#""a""#, r#""b\"c""#, r#""n""#, "-1.5e3", r#""t""#, "true"]
        );
    }

    #[test]
    fn the_same_seed_makes_the_same_changes_and_none_is_refused() {
        let others = [b"".to_vec(), br#"{"a":[1,"x\"#.to_vec()];
        let play = |seed| {
            let mut random = Random::new(seed);
            let mut input = br#"{"amount":6540,"currency":"USD"}"#.to_vec();
            for _ in 0..5_000 {
                mutate(&mut input, &others, &mut random);
                assert!(input.len() <= LONGEST);
            }
            input
        };
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
    }
}
