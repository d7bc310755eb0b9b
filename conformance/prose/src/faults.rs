//! The signs of a sentence that has to be read twice.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, Piece};

/// A reason why a reader stumbles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The sentence begins with a relative clause in the place of its subject: "What is asked …", "Of refunds …".
    Headless,
    /// The sentence leans on the one before it and has no verb: "The same for refunds."
    Fragment,
    /// The sentence hides a headless clause behind an empty subject: "This is what …".
    Dodge,
    /// The sentence has more than 30 words.
    Long,
    /// A person is "he" or "she".
    Gendered,
    /// The name has a word that only this project uses in this sense.
    Dialect,
}

const LONGEST: usize = 30;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("patterns are constants")
}

macro_rules! patterns {
    ($($name:ident = $text:expr;)+) => {
        $(static $name: LazyLock<Regex> = LazyLock::new(|| pattern($text));)+
    };
}

patterns! {
    RELATIVE = r"^(What|Who|Whoever|Whose|Whatever|Of whom|Of what|By what|By whom|With what|That which)\b";
    // With a main clause behind a comma these are sentences; on a member they are phrases.
    ADVERBIAL = r"^(Whether|How|Where|When)\b";
    THAT = r"^That \w+";
    THAT_WITH_A_VERB = r"^That (is|was|would|will|can|could|may|might|must|has|had|does|makes?|means|holds|keeps|needs|takes|comes|goes|costs|leaves|way|one|last|first|said)\b";
    OF = r"^Of \w+";
    OF_COURSE = r"^Of (course|these|those)\b";
    FRAGMENT = concat!(
        r"^(The same( (of|for|with|in|as|where|when|if|and|but)\b|[.,:]|$)",
        r"|As (it|they|X|before)\b[^,]*$|(Nothing|None|Nobody) (where|if|when|unless|but)\b",
        r"|All of (it|them)\b[^,]{0,20}$|Likewise\b)"
    );
    DODGE = concat!(
        r"^((This|It|That) is (what|who|how|where|whether)",
        r"|(Tells|Says|Names|Gives) (what|who|how|whether|of)",
        r"|The (thing|one) (that|who|which)|(Something|Somebody) (that|who))\b"
    );
    GENDERED = r"\b([Hh]e|him|[Hh]is|she|her)\b";
    DIALECT = r"^of$|(^|_)(nobody|set_free|onward|unmet|crowds?|told|anew|beside|kept|near|desk|doorstep)(_|$)";
}

impl Fault {
    /// Every fault, in the order in which a report lists them.
    pub const ALL: [Fault; 6] = [
        Fault::Headless,
        Fault::Fragment,
        Fault::Dodge,
        Fault::Long,
        Fault::Gendered,
        Fault::Dialect,
    ];

    /// Returns the word for a report.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Headless => "headless",
            Fault::Fragment => "fragment",
            Fault::Dodge => "dodge",
            Fault::Long => "long",
            Fault::Gendered => "he/she",
            Fault::Dialect => "dialect",
        }
    }

    /// Returns whether a piece has the fault.
    pub fn is_in(self, piece: &Piece) -> bool {
        let text = piece.text.as_str();
        match (piece.kind, self) {
            (Kind::Names, Fault::Dialect) => DIALECT.is_match(text),
            (
                Kind::Names,
                Fault::Headless | Fault::Fragment | Fault::Dodge | Fault::Long | Fault::Gendered,
            )
            | (Kind::Markdown | Kind::Comments | Kind::Contract | Kind::Messages, Fault::Dialect) => {
                false
            }
            (Kind::Markdown | Kind::Comments | Kind::Contract | Kind::Messages, _) => {
                self.is_in_sentence(text, piece.on_member)
            }
        }
    }

    fn is_in_sentence(self, text: &str, on_member: bool) -> bool {
        match self {
            Fault::Headless => is_headless(text, on_member),
            Fault::Fragment => FRAGMENT.is_match(text) && !text.contains(", "),
            Fault::Dodge => DODGE.is_match(text),
            Fault::Long => text.split_whitespace().count() > LONGEST,
            Fault::Gendered => GENDERED.is_match(text),
            Fault::Dialect => false,
        }
    }
}

fn is_headless(text: &str, on_member: bool) -> bool {
    if text.ends_with('?') {
        return false;
    }
    let is_adverbial = ADVERBIAL.is_match(text);
    if is_adverbial && (on_member || text.contains(", ")) {
        return false;
    }
    is_adverbial
        || RELATIVE.is_match(text)
        || (THAT.is_match(text) && !THAT_WITH_A_VERB.is_match(text))
        || (OF.is_match(text) && !OF_COURSE.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str, on_member: bool) -> Vec<Fault> {
        let piece = Piece {
            kind: Kind::Comments,
            place: String::new(),
            text: text.to_owned(),
            on_member,
        };
        let found = Fault::ALL.into_iter();
        found.filter(|fault| fault.is_in(&piece)).collect()
    }

    #[test]
    fn sentences_without_a_subject_are_headless() {
        for text in [
            "What the wallet hands over then pays.",
            "Who has no checkout sends a link.",
            "Of refunds they hear twice.",
            "That a refund failed is announced.",
            "Whether the processor accepts it.",
        ] {
            assert_eq!(faults(text, false), [Fault::Headless], "{text}");
        }
    }

    #[test]
    fn questions_main_clauses_and_phrases_on_members_are_not() {
        assert_eq!(faults("What happens after a crash?", false), []);
        assert_eq!(faults("When it expires, the link closes.", false), []);
        assert_eq!(faults("Whether the processor accepts it.", true), []);
        assert_eq!(faults("That is the rule.", false), []);
        assert_eq!(faults("Of course it can fail.", false), []);
    }

    #[test]
    fn ways_around_the_rule_count_too() {
        assert_eq!(faults("This is what pays.", false), [Fault::Dodge]);
        assert_eq!(faults("The same for refunds.", false), [Fault::Fragment]);
        assert_eq!(
            faults("The payer confirms his card.", false),
            [Fault::Gendered]
        );
        assert_eq!(faults(&"word ".repeat(31), false), [Fault::Long]);
    }

    #[test]
    fn private_words_in_names_are_dialect() {
        let name = |text: &str| Piece {
            kind: Kind::Names,
            place: String::new(),
            text: text.to_owned(),
            on_member: false,
        };
        for text in ["of", "told", "left_beside", "kept_here"] {
            assert!(Fault::Dialect.is_in(&name(text)), "{text}");
        }
        for text in ["offer", "nearest", "keep", "of_profile"] {
            assert!(!Fault::Dialect.is_in(&name(text)), "{text}");
        }
    }
}
