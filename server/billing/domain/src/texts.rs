//! Texts of the catalogue: bounded, on one line.

use multirail_kernel::refusal::Refusal;

/// How many characters a name may have, and a description.
pub const LONGEST_NAME: usize = 255;
pub const LONGEST_DESCRIPTION: usize = 1_000;

/// The text without blanks around it, when it has `least` to `most` characters and none that controls a terminal.
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

/// A name.
pub fn name(member: &str, text: &str) -> Result<String, Refusal> {
    line(member, text, 1, LONGEST_NAME)
}

/// A description, which may be absent; one without any text is.
pub fn description(text: Option<&str>) -> Result<Option<String>, Refusal> {
    let read = text.map(|text| line("description", text, 0, LONGEST_DESCRIPTION));
    Ok(read.transpose()?.filter(|text| !text.is_empty()))
}
