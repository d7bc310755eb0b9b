//! The rules for passwords.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;

/// Checks a password: 8 to 70 characters, with a capital and a small letter, a digit and another character, and without
/// blanks.
///
/// # Errors
/// [`Refusal::PasswordInvalid`], which names the first broken rule and no part of the password.
pub fn check_password(password: &SecretText) -> Result<(), Refusal> {
    let text = password.expose();
    let has = |kind: fn(char) -> bool| text.chars().any(kind);
    let rules = [
        (
            (8..=70).contains(&text.chars().count()),
            "it has to have 8 to 70 characters",
        ),
        (
            !has(|c| c.is_whitespace() || c.is_control()),
            "it can't have blanks",
        ),
        (has(char::is_uppercase), "it needs a capital letter"),
        (has(char::is_lowercase), "it needs a small letter"),
        (has(|c| c.is_ascii_digit()), "it needs a digit"),
        (
            has(|c| !c.is_alphanumeric()),
            "it needs a character that is neither letter nor digit",
        ),
    ];
    match rules.into_iter().find(|(holds, _)| !holds) {
        Some((_, why)) => Err(Refusal::PasswordInvalid { why }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        let said = |text: &str| match check_password(&SecretText::new(text)) {
            Ok(()) => "taken".to_owned(),
            Err(refusal) => refusal.to_string(),
        };
        let long = format!("Aa1!{}", "x".repeat(66));
        let longer = format!("{long}x");
        let table: Vec<String> = [
            "Correct-1",
            "Äpfel-und-1",
            "Short-1",
            "no-capital-1",
            "NO-SMALL-1",
            "No-digit-here",
            "Nothing1else",
            "With a-blank1",
            &long,
            &longer,
        ]
        .iter()
        .map(|text| format!("{} characters: {}", text.chars().count(), said(text)))
        .collect();
        insta::assert_snapshot!(table.join("\n"), @r"
        9 characters: taken
        11 characters: taken
        7 characters: the password is not taken: it has to have 8 to 70 characters
        12 characters: the password is not taken: it needs a capital letter
        10 characters: the password is not taken: it needs a small letter
        13 characters: the password is not taken: it needs a digit
        12 characters: the password is not taken: it needs a character that is neither letter nor digit
        13 characters: the password is not taken: it can't have blanks
        70 characters: taken
        71 characters: the password is not taken: it has to have 8 to 70 characters
        ");
    }
}
