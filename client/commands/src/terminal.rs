//! Texts of a server on a terminal.

/// Replaces characters that would move the terminal's cursor or ring its bell.
pub(crate) fn one_line(text: &str) -> String {
    let shown = |character: char| match character.is_control() {
        true => '\u{fffd}',
        false => character,
    };
    text.chars().map(shown).collect()
}

/// Escapes the control characters that JSON allows in texts. The value stays the same.
pub(crate) fn one_line_of_json(json: &str) -> String {
    let mut line = String::with_capacity(json.len());
    for character in json.chars() {
        match character.is_control() {
            true => line.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => line.push(character),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_controls_the_terminal() {
        let hostile = "pay_\u{9b}2J\u{1b}[2J\r\n\u{7}é";
        assert_eq!(
            one_line(hostile),
            "pay_\u{fffd}2J\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}é"
        );
    }

    #[test]
    fn json_keeps_its_value() {
        let hostile = "\u{9b}2J\u{7f}";
        let json = serde_json::to_string(hostile).expect("JSON");
        let line = one_line_of_json(&json);
        assert_eq!(line, r#""\u009b2J\u007f""#);
        let read: String = serde_json::from_str(&line).expect("JSON");
        assert_eq!(read, hostile);
    }
}
