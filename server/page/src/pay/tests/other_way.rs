use super::*;

const END: &str = "2026-11-29T21:00:00.000Z";

/// Returns the sentence about another way.
fn sentence_of(language: Language, state: State<'_>, way: OtherWay) -> String {
    let page = PayPage {
        language,
        other_way: Some(way),
        ..page(state)
    };
    let html = page.write().html;
    let (_, rest) = html.split_once("id=\"other-way\"").expect("a sentence");
    let (_, rest) = rest.split_once('>').expect("its text");
    let (sentence, _) = rest.split_once("</p>").expect("its end");
    sentence.to_owned()
}

#[test]
fn a_waiting_payer_reads_the_way_to_another_method_in_every_language() {
    let mut sentences = Vec::new();
    for language in Language::ALL {
        let waits = State::WaitsForPayer {
            address: "https://pay.example/go",
            method: Some("iDEAL"),
        };
        sentences.push(sentence_of(language, waits, OtherWay::Cancel));
        let wait = || acts(StepForm::Wait);
        let later = sentence_of(language, wait(), OtherWay::After(END.to_owned()));
        let moment = format!("<time datetime=\"{END}\">{END}</time>");
        assert!(later.contains(&moment), "{later}");
        assert!(!later.contains('{'), "{later}");
        sentences.push(later);
        sentences.push(sentence_of(language, wait(), OtherWay::Merchant));
    }
    sentences.sort();
    sentences.dedup();
    assert_eq!(sentences.len(), 15);
}

#[test]
fn other_states_name_no_other_way() {
    for state in [form(), State::Paid, State::Failed] {
        let page = PayPage {
            other_way: Some(OtherWay::Merchant),
            ..page(state)
        };
        assert!(!page.write().html.contains("id=\"other-way\""));
    }
}
