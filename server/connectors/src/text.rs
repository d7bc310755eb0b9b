//! Texts of merchants, in the form that processors accept.

use std::borrow::Cow;

use serde::Serialize;

/// A text of a request, with at most `MOST` characters. [`Text::whole`] wants `LEAST`, too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Text<'a, const MOST: usize = { usize::MAX }, const LEAST: usize = 0>(Cow<'a, str>);

impl<'a, const MOST: usize, const LEAST: usize> Text<'a, MOST, LEAST> {
    /// Returns the first characters of a text, as many as fit.
    pub fn cut(text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let end = text.char_indices().nth(MOST).map(|(end, _)| end);
        Text(match (end, text) {
            (None, whole) => whole,
            (Some(end), Cow::Borrowed(text)) => Cow::Borrowed(text.get(..end).unwrap_or(text)),
            (Some(end), Cow::Owned(mut text)) => {
                text.truncate(end);
                Cow::Owned(text)
            }
        })
    }

    /// Returns the text, or `None` if it is too long or too short.
    pub fn whole(text: impl Into<Cow<'a, str>>) -> Option<Self> {
        let text = text.into();
        let length = text.chars().count();
        (LEAST..=MOST).contains(&length).then_some(Text(text))
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text(text.into())
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text(text.into())
    }
}

/// A secret of a request. It has no form for logs.
#[derive(Clone, Copy, Serialize)]
#[serde(transparent)]
pub struct Secret<'a>(&'a str);

impl<'a> Secret<'a> {
    pub fn new(secret: &'a str) -> Self {
        Secret(secret)
    }
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
    fn blanks_say_nothing() {
        let of = |text: &str| said(&Some(text.to_owned())).map(str::to_owned);
        assert_eq!(of(" Ada "), Some("Ada".to_owned()));
        assert_eq!(of("  "), None);
        assert_eq!(said(&None), None);
    }

    #[test]
    fn a_text_keeps_its_limits() {
        let cut = |text: Text<'_, 3>| text.0.into_owned();
        assert_eq!(cut(Text::cut("Größe")), "Grö");
        assert_eq!(cut(Text::cut("Größe".to_owned())), "Grö");
        assert_eq!(cut(Text::cut("a")), "a");
        let fits = |text: &str| Text::<'_, 3, 2>::whole(text.to_owned()).is_some();
        let words = ["G", "Gr", "Grö", "Größ", ""];
        assert_eq!(words.map(fits), [false, true, true, false, false]);
        assert_eq!(Text::from("any length").0, "any length");
    }
}
