//! Texts of merchants, in the form that processors accept.

/// Returns the first characters of a text.
pub fn cut(text: &str, longest: usize) -> String {
    text.chars().take(longest).collect()
}

/// Returns the trimmed text, or `None` if it is blank.
pub fn said(text: &Option<String>) -> Option<&str> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_stay_whole_and_blanks_say_nothing() {
        assert_eq!(cut("Größe", 3), "Grö");
        assert_eq!(cut("a", 3), "a");
        let of = |text: &str| said(&Some(text.to_owned())).map(str::to_owned);
        assert_eq!(of(" Ada "), Some("Ada".to_owned()));
        assert_eq!(of("  "), None);
        assert_eq!(said(&None), None);
    }
}
