//! What merchants say, as far as processors take it.

/// The first characters of a text.
pub fn cut(text: &str, longest: usize) -> String {
    text.chars().take(longest).collect()
}

/// A text without the blanks around it; nothing where it has no more than these.
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
