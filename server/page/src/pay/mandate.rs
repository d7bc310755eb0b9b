//! The mandate that a payer agrees to before an account is debited.

use super::Language;
use super::language::{MandateTexts, Wording};

/// The debits that a mandate permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MandateScope {
    /// The debit of this payment.
    Once,
    /// The debit of this payment, and later ones of the saved account.
    Later,
}

/// A mandate as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mandate {
    pub title: &'static str,
    /// The names and values of the mandate: the merchant first.
    pub facts: Vec<(&'static str, String)>,
    pub paragraphs: Vec<&'static str>,
    /// The consent that the payer gives.
    pub agree: &'static str,
    /// True if the payer confirms the details of the account before.
    pub is_reviewed: bool,
}

/// The parts of a payment that its mandate shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DebitOrder<'a> {
    pub seller: Option<&'a str>,
    /// The payment's amount, as people write it.
    pub amount: &'a str,
    pub language: Language,
}

/// Returns the mandate of a `payment_method_type`, or `None` for a method that debits no account.
pub(crate) fn mandate(kind: &str, scope: MandateScope, order: DebitOrder<'_>) -> Option<Mandate> {
    let texts = order.language.mandate_texts();
    let (wording, is_sepa) = match kind {
        "ach" => (&texts.ach, false),
        "bacs" => (&texts.bacs, false),
        "becs" => (&texts.becs, false),
        "sepa" => (&texts.sepa, true),
        _ => return None,
    };
    let mut paragraphs = vec![permission(wording, scope)];
    paragraphs.extend(wording.rights);
    Some(Mandate {
        title: wording.title,
        facts: facts(texts, is_sepa, scope, order),
        paragraphs,
        agree: wording.agree,
        // The scheme wants payers to see the account once more before they agree.
        is_reviewed: kind == "bacs",
    })
}

fn permission(wording: &Wording, scope: MandateScope) -> &'static str {
    match scope {
        MandateScope::Once => wording.once,
        MandateScope::Later => wording.later,
    }
}

fn facts(
    texts: &MandateTexts,
    is_sepa: bool,
    scope: MandateScope,
    order: DebitOrder<'_>,
) -> Vec<(&'static str, String)> {
    let seller = order.seller.unwrap_or(texts.shop).to_owned();
    let kind = match scope {
        MandateScope::Once => texts.once,
        MandateScope::Later => texts.later,
    };
    let payee = if is_sepa { texts.creditor } else { texts.payee };
    vec![
        (payee, seller),
        (texts.amount, order.amount.to_owned()),
        (texts.kind, kind.to_owned()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMES: [&str; 4] = ["ach", "bacs", "becs", "sepa"];
    const SCOPES: [MandateScope; 2] = [MandateScope::Once, MandateScope::Later];

    fn order(language: Language, seller: Option<&str>) -> DebitOrder<'_> {
        DebitOrder {
            seller,
            amount: "€65.40",
            language,
        }
    }

    #[test]
    fn every_mandate_names_the_merchant_in_every_language() {
        let mut titles = Vec::new();
        for language in Language::ALL {
            for kind in SCHEMES {
                for scope in SCOPES {
                    let named = mandate(kind, scope, order(language, Some("Books")));
                    let named = named.expect("a mandate");
                    assert_eq!(named.facts[0].1, "Books", "{language:?} {kind}");
                    let unnamed = mandate(kind, scope, order(language, None));
                    let unnamed = unnamed.expect("a mandate");
                    assert!(!unnamed.facts[0].1.is_empty(), "{language:?} {kind}");
                }
                let once = mandate(kind, MandateScope::Once, order(language, None));
                titles.push(once.expect("a mandate").title);
            }
        }
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), Language::ALL.len() * SCHEMES.len());
        let other = mandate("ideal", MandateScope::Once, order(Language::English, None));
        assert_eq!(other, None);
    }

    #[test]
    fn a_mandate_says_whether_later_debits_follow() {
        for language in Language::ALL {
            for kind in SCHEMES {
                let [once, later] = SCOPES.map(|scope| {
                    let mandate = mandate(kind, scope, order(language, None));
                    mandate.expect("a mandate")
                });
                assert_ne!(once.facts, later.facts, "{language:?} {kind}");
                let permits = kind == "ach" || kind == "becs";
                let differ = once.paragraphs != later.paragraphs;
                assert_eq!(differ, permits, "{language:?} {kind}");
            }
        }
    }

    #[test]
    fn a_mandate_for_later_debits_permits_later_amounts() {
        let texts = Language::English.mandate_texts();
        let order = order(Language::English, None);
        let later = mandate("ach", MandateScope::Later, order).expect("a mandate");
        assert_eq!(later.facts[2], (texts.kind, texts.later.to_owned()));
        assert_eq!(later.paragraphs[0], texts.ach.later);
        assert!(texts.ach.later.contains("later amounts"));
        assert!(!texts.ach.once.contains("later amounts"));
    }

    #[test]
    fn only_bacs_shows_the_account_once_more() {
        let reviewed = SCHEMES.iter().filter(|kind| {
            let mandate = mandate(kind, MandateScope::Once, order(Language::English, None));
            mandate.is_some_and(|mandate| mandate.is_reviewed)
        });
        assert_eq!(reviewed.collect::<Vec<_>>(), [&"bacs"]);
    }
}
