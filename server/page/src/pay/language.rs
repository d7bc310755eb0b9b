//! The languages of the payment page.

mod debit_texts;
mod mandate_texts;
mod method_texts;
mod step_texts;
mod texts;

pub use debit_texts::DebitTexts;
pub use mandate_texts::{MandateTexts, Wording};
pub use method_texts::MethodTexts;
pub use step_texts::StepTexts;
pub use texts::Texts;

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    German,
    French,
    Spanish,
    Japanese,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 5] = [
        Language::English,
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Japanese,
    ];

    /// Returns the language that `Accept-Language` prefers; English where it names none of them.
    pub fn preferred(accept_language: Option<&str>) -> Self {
        let mut best = (0, Language::English);
        for range in accept_language.unwrap_or_default().split(',') {
            let mut parts = range.split(';');
            let tag = parts.next().unwrap_or_default().trim();
            let primary = tag.split('-').next().unwrap_or_default();
            let quality = parts
                .find_map(|part| part.trim().strip_prefix("q="))
                .map_or(1000, thousandths);
            let ours = Language::ALL
                .into_iter()
                .find(|language| primary.eq_ignore_ascii_case(language.tag()));
            if let Some(language) = ours
                && quality > best.0
            {
                best = (quality, language);
            }
        }
        best.1
    }

    /// Returns the value for `lang`.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::French => "fr",
            Language::Spanish => "es",
            Language::Japanese => "ja",
        }
    }

    /// Returns the page's texts.
    pub fn texts(self) -> &'static Texts {
        match self {
            Language::English => &texts::ENGLISH,
            Language::German => &texts::GERMAN,
            Language::French => &texts::FRENCH,
            Language::Spanish => &texts::SPANISH,
            Language::Japanese => &texts::JAPANESE,
        }
    }

    /// Returns the texts of the methods beside cards.
    pub fn method_texts(self) -> &'static MethodTexts {
        match self {
            Language::English => &method_texts::ENGLISH,
            Language::German => &method_texts::GERMAN,
            Language::French => &method_texts::FRENCH,
            Language::Spanish => &method_texts::SPANISH,
            Language::Japanese => &method_texts::JAPANESE,
        }
    }

    /// Returns the texts of an account that is to be debited.
    pub fn debit_texts(self) -> &'static DebitTexts {
        match self {
            Language::English => &debit_texts::ENGLISH,
            Language::German => &debit_texts::GERMAN,
            Language::French => &debit_texts::FRENCH,
            Language::Spanish => &debit_texts::SPANISH,
            Language::Japanese => &debit_texts::JAPANESE,
        }
    }

    /// Returns the texts of mandates.
    pub fn mandate_texts(self) -> &'static MandateTexts {
        match self {
            Language::English => &mandate_texts::ENGLISH,
            Language::German => &mandate_texts::GERMAN,
            Language::French => &mandate_texts::FRENCH,
            Language::Spanish => &mandate_texts::SPANISH,
            Language::Japanese => &mandate_texts::JAPANESE,
        }
    }

    /// Returns the texts of the payer's steps.
    pub fn step_texts(self) -> &'static StepTexts {
        match self {
            Language::English => &step_texts::ENGLISH,
            Language::German => &step_texts::GERMAN,
            Language::French => &step_texts::FRENCH,
            Language::Spanish => &step_texts::SPANISH,
            Language::Japanese => &step_texts::JAPANESE,
        }
    }
}

/// Returns a quality between 0 and 1 in thousandths; an unreadable one counts as 0.
fn thousandths(quality: &str) -> u16 {
    let quality: f32 = quality.trim().parse().unwrap_or_default();
    if (0.0..=1.0).contains(&quality) {
        (quality * 1000.0) as u16
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_that_is_liked_best() {
        for (header, tag) in [
            ("de", "de"),
            ("de-CH,de;q=0.9,en;q=0.8", "de"),
            ("pt-BR, fr-CA;q=0.7, en;q=0.3", "fr"),
            ("en;q=0.2, ES ;q=0.9", "es"),
            ("ja,en", "ja"),
            ("de;q=0, fr;q=0.1", "fr"),
            ("de;q=much, fr;q=0.1", "fr"),
            ("de;q=7, fr;q=0.1", "fr"),
            ("*", "en"),
            ("den", "en"),
            (",;;q=,", "en"),
        ] {
            assert_eq!(Language::preferred(Some(header)).tag(), tag, "{header}");
        }
        assert_eq!(Language::preferred(None), Language::English);
    }
}
