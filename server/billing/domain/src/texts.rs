//! Checks texts of the catalogue: one line of limited length.

use multirail_kernel::refusal::Refusal;

/// The maximum number of characters of a name, and of a description.
pub const LONGEST_NAME: usize = 255;
pub const LONGEST_DESCRIPTION: usize = 1_000;

/// Trims the text and accepts `least` to `most` characters without control characters.
pub fn line(member: &str, text: &str, least: usize, most: usize) -> Result<String, Refusal> {
    let trimmed = text.trim();
    let is_fit =
        (least..=most).contains(&trimmed.chars().count()) && !trimmed.chars().any(char::is_control);
    if is_fit {
        Ok(trimmed.to_owned())
    } else {
        Err(Refusal::invalid_format(
            member,
            format!("{least} to {most} characters on one line"),
        ))
    }
}

/// Checks a name.
pub fn name(member: &str, text: &str) -> Result<String, Refusal> {
    line(member, text, 1, LONGEST_NAME)
}

/// Checks an optional description. An empty text counts as absent.
pub fn description(text: Option<&str>) -> Result<Option<String>, Refusal> {
    let read = text.map(|text| line("description", text, 0, LONGEST_DESCRIPTION));
    Ok(read.transpose()?.filter(|text| !text.is_empty()))
}
