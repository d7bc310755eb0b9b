//! The news of an operation may come in any order, repeatedly, or not at all: the payment ends the same.

mod of_payment;

use std::fmt::Write;

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::Changes;
use multirail_sdk::connector::{Approval, CardChecks, Decline, DeclineCategory, Outcome};
use proptest::prelude::*;

use crate::support::orders::{
    Decides, Hearer, News, ends_alike, is_declined, is_done, is_taken_back, never_was,
};
use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};
use crate::support::{AMOUNT, purchase};
use of_payment::{OfPayment, asked};

/// The answer has members that no notice has.
fn with_checks() -> Outcome {
    Outcome::Done(Approval {
        network_transaction_id: Some("scheme_1".to_owned()),
        checks: Some(CardChecks {
            card_code: Some("M".to_owned()),
            ..CardChecks::default()
        }),
        ..Approval::default()
    })
}

/// The look-up has some other members.
fn with_address() -> Outcome {
    Outcome::Done(Approval {
        checks: Some(CardChecks {
            address: Some("Y".to_owned()),
            ..CardChecks::default()
        }),
        ..Approval::default()
    })
}

fn with_category() -> Outcome {
    let Outcome::Declined(decline) = declined() else {
        unreachable!("a refusal");
    };
    Outcome::Declined(Decline {
        category: Some(DeclineCategory::DoNotHonor),
        ..decline
    })
}

/// Returns the end, whatever interim news come before.
fn page(decides: Decides, news: &[Vec<News>]) -> String {
    let mut page = String::new();
    for (name, begin) in asked() {
        let mut ends: Vec<String> = news
            .iter()
            .map(|news| ends_alike(&begin, news, decides))
            .collect();
        ends.dedup();
        let [end] = ends.as_slice() else {
            panic!("{name}: {ends:?}");
        };
        let _ = writeln!(page, "{name}: {end}");
    }
    page
}

#[test]
fn what_was_done() {
    use News::{Answer, Finding, Notice};
    let news = [
        vec![
            Answer(with_checks()),
            Finding(with_address()),
            Notice(done()),
        ],
        vec![
            Answer(unknown()),
            Finding(pending()),
            Notice(with_checks()),
            Notice(done()),
        ],
        vec![
            Answer(pending()),
            Finding(unknown()),
            Notice(done()),
            Notice(pending()),
        ],
        vec![
            Answer(redirect()),
            Finding(with_checks()),
            Notice(done()),
            Notice(redirect()),
        ],
    ];
    assert_snapshot!(page(is_done, &news), @"
    authorize, automatic: succeeded (charged), 0 left, 6540 received, 0 voided +payment_succeeded
    authorize, manual: requires_capture (authorized), 6540 left, 0 received, 0 voided +payment_authorized
    authorize, several captures: requires_capture (authorized), 6540 left, 0 received, 0 voided +payment_authorized
    capture all: succeeded (charged), 0 left, 6540 received, 0 voided, capture charged +payment_succeeded
    capture a part: partially_captured (partial_charged), 0 left, 4000 received, 0 voided, capture charged +payment_captured
    capture one of several: partially_captured_and_capturable (partial_charged_and_chargeable), 2540 left, 4000 received, 0 voided, capture charged +payment_captured
    capture a further part: partially_captured_and_capturable (partial_charged_and_chargeable), 5000 left, 1540 received, 0 voided, capture charged, capture charged +payment_captured
    capture all the rest: succeeded (charged), 0 left, 6540 received, 0 voided, capture charged, capture charged +payment_succeeded
    raise: requires_capture (authorized), 7000 left, 0 received, 0 voided, raise success
    void all: cancelled (voided), 0 left, 0 received, 6540 voided +payment_cancelled
    void the rest: partially_captured (partial_charged), 0 left, 1000 received, 5540 voided, capture charged +payment_captured
    void what came too late: cancelled (voided), 0 left, 0 received, 6540 voided
    void what was taken at once: cancelled_post_capture (voided_post_charge), 0 left, 0 received, 6540 voided +payment_cancelled_post_capture
    void what was captured: cancelled_post_capture (voided_post_charge), 0 left, 0 received, 6540 voided, capture charged +payment_cancelled_post_capture
    void a part that was captured: cancelled_post_capture (voided_post_charge), 0 left, 0 received, 6540 voided, capture charged +payment_cancelled_post_capture
    void one of several captures: cancelled_post_capture (voided_post_charge), 0 left, 0 received, 6540 voided, capture charged +payment_cancelled_post_capture
    ");
}

#[test]
fn what_was_refused() {
    use News::{Answer, Finding, Notice};
    let news = [
        vec![
            Answer(with_category()),
            Finding(declined()),
            Notice(declined()),
        ],
        vec![
            Answer(unknown()),
            Finding(pending()),
            Notice(declined()),
            Notice(with_category()),
        ],
        vec![Answer(redirect()), Finding(unknown()), Notice(declined())],
    ];
    assert_snapshot!(page(is_declined, &news), @"
    authorize, automatic: failed (failure), 0 left, 0 received, 0 voided, DC_08 +payment_failed
    authorize, manual: failed (failure), 0 left, 0 received, 0 voided, DC_08 +payment_failed
    authorize, several captures: failed (failure), 0 left, 0 received, 0 voided, DC_08 +payment_failed
    capture all: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, DC_08 +action_required
    capture a part: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, DC_08 +action_required
    capture one of several: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, DC_08 +action_required
    capture a further part: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, DC_08 +action_required
    capture all the rest: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, DC_08 +action_required
    raise: requires_capture (authorized), 6540 left, 0 received, 0 voided, raise failure
    void all: requires_capture (authorized), 6540 left, 0 received, 0 voided, DC_08 +action_required
    void the rest: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, DC_08 +action_required
    void what came too late: conflicted (integrity_failure), 0 left, 6540 received, 0 voided, integrity_failure +action_required
    void what was taken at once: succeeded (charged), 0 left, 6540 received, 0 voided +action_required
    void what was captured: succeeded (charged), 0 left, 6540 received, 0 voided, capture charged +action_required
    void a part that was captured: partially_captured (partial_charged), 0 left, 4000 received, 0 voided, capture charged +action_required
    void one of several captures: partially_captured_and_capturable (partial_charged_and_chargeable), 2540 left, 4000 received, 0 voided, capture charged +action_required
    ");
}

/// A processor's "no record" comes after the answer. If a later answer is lost, the call may have arrived since, so the server
/// asks again.
#[test]
fn what_never_was() {
    use News::{Answer, Finding};
    let answered = [Answer(never_happened()), Finding(never_happened())];
    let found = [Finding(never_happened()), Finding(unknown())];
    let mut page = String::new();
    for (name, mut begin) in asked() {
        let at_once = ends_alike(&begin, &answered, never_was);
        begin.hear(unknown());
        let later = ends_alike(&begin, &found, never_was);
        let _ = writeln!(page, "{name}: {at_once}");
        if later != at_once {
            let _ = writeln!(page, "{name}, the answer lost: {later}");
        }
    }
    assert_snapshot!(page, @"
    authorize, automatic: failed (failure), 0 left, 0 received, 0 voided, not_processed +payment_failed
    authorize, manual: failed (failure), 0 left, 0 received, 0 voided, not_processed +payment_failed
    authorize, several captures: failed (failure), 0 left, 0 received, 0 voided, not_processed +payment_failed
    capture all: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, not_processed
    capture all, the answer lost: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, not_processed +action_required
    capture a part: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, not_processed
    capture a part, the answer lost: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, not_processed +action_required
    capture one of several: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, not_processed
    capture one of several, the answer lost: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, not_processed +action_required
    capture a further part: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, not_processed
    capture a further part, the answer lost: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, not_processed +action_required
    capture all the rest: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, not_processed
    capture all the rest, the answer lost: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, not_processed +action_required
    raise: requires_capture (authorized), 6540 left, 0 received, 0 voided, raise failure
    void all: requires_capture (authorized), 6540 left, 0 received, 0 voided, not_processed
    void all, the answer lost: requires_capture (authorized), 6540 left, 0 received, 0 voided, not_processed +action_required
    void the rest: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, not_processed +payment_captured
    void the rest, the answer lost: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, not_processed +action_required
    void what came too late: cancelled (voided), 0 left, 6540 received, 0 voided
    void what was taken at once: succeeded (charged), 0 left, 6540 received, 0 voided
    void what was taken at once, the answer lost: succeeded (charged), 0 left, 6540 received, 0 voided +action_required
    void what was captured: succeeded (charged), 0 left, 6540 received, 0 voided, capture charged
    void what was captured, the answer lost: succeeded (charged), 0 left, 6540 received, 0 voided, capture charged +action_required
    void a part that was captured: partially_captured (partial_charged), 0 left, 4000 received, 0 voided, capture charged
    void a part that was captured, the answer lost: partially_captured (partial_charged), 0 left, 4000 received, 0 voided, capture charged +action_required
    void one of several captures: partially_captured_and_capturable (partial_charged_and_chargeable), 2540 left, 4000 received, 0 voided, capture charged
    void one of several captures, the answer lost: partially_captured_and_capturable (partial_charged_and_chargeable), 2540 left, 4000 received, 0 voided, capture charged +action_required
    ");
}

/// An approval of a part.
#[test]
fn what_was_approved_in_part() {
    use News::{Answer, Finding, Notice};
    let mut page = String::new();
    for method in [Automatic, Manual] {
        let mut story = Story::create(Changes {
            enable_partial_authorization: Some(true),
            ..purchase(method)
        });
        story.confirm();
        let begin = OfPayment::new(story, AUTHORIZE);
        let news = [
            Answer(pending()),
            Finding(done_for(5000)),
            Notice(done_for(5000)),
        ];
        let _ = writeln!(page, "{method}: {}", ends_alike(&begin, &news, is_done));
    }
    assert_snapshot!(page, @"
    automatic: partially_captured (partial_charged), 0 left, 5000 received, 0 voided +payment_captured
    manual: partially_authorized_and_requires_capture (partially_authorized), 5000 left, 0 received, 0 voided +payment_partially_authorized
    ");
}

/// A mere authorization takes nothing that could be reversed, so it is left out.
#[test]
fn what_was_taken_back() {
    use News::{Answer, Finding, Notice};
    let news = [
        vec![
            Answer(with_checks()),
            Finding(done()),
            Notice(done()),
            Notice(taken_back()),
        ],
        vec![
            Answer(pending()),
            Notice(done()),
            Notice(declined()),
            Notice(taken_back()),
        ],
        vec![
            Answer(unknown()),
            Finding(taken_back()),
            Notice(taken_back()),
        ],
    ];
    let mut page = String::new();
    for (name, begin) in asked() {
        let reserves = name.starts_with("authorize") || name == "raise";
        if reserves && !begin.payment.active().captures_at_once {
            continue;
        }
        for news in &news {
            // For captures, some processors report both a refusal and a failure.
            let mut news = news.clone();
            if !name.starts_with("capture") {
                news.retain(|one| !matches!(one, Notice(Outcome::Declined(d)) if !d.takes_back));
            }
            let told = ends_alike(&begin, &news, is_taken_back);
            let line = format!("{name}: {told}\n");
            if !page.ends_with(&line) {
                page.push_str(&line);
            }
        }
    }
    assert_snapshot!(page, @"
    authorize, automatic: failed (capture_failed), 0 left, 0 received, 0 voided, returned +payment_failed
    capture all: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, returned +action_required
    capture a part: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, returned +action_required
    capture one of several: requires_capture (authorized), 6540 left, 0 received, 0 voided, capture failed, returned +action_required
    capture a further part: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, returned +action_required
    capture all the rest: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, capture failed, returned +action_required
    void all: conflicted (integrity_failure), 0 left, 0 received, 0 voided, integrity_failure +action_required
    void the rest: partially_captured_and_capturable (partial_charged_and_chargeable), 5540 left, 1000 received, 0 voided, capture charged, returned +action_required
    void what came too late: conflicted (integrity_failure), 0 left, 6540 received, 0 voided, integrity_failure +action_required
    void what was taken at once: succeeded (charged), 0 left, 6540 received, 0 voided +action_required
    void what was captured: succeeded (charged), 0 left, 6540 received, 0 voided, capture charged +action_required
    void a part that was captured: partially_captured (partial_charged), 0 left, 4000 received, 0 voided, capture charged +action_required
    void one of several captures: partially_captured_and_capturable (partial_charged_and_chargeable), 2540 left, 4000 received, 0 voided, capture charged +action_required
    ");
}

/// Generates news of two open captures.
fn of_two() -> impl Strategy<Value = Vec<(usize, Outcome)>> {
    let ends = || {
        prop::sample::select(vec![
            done(),
            declined(),
            gone(),
            taken_back(),
            never_happened(),
        ])
    };
    let interim = || prop::sample::select(vec![pending(), unknown()]);
    (ends(), ends(), interim(), interim()).prop_flat_map(|(first, second, one, other)| {
        Just(vec![(1, first), (2, second), (1, one), (2, other)]).prop_shuffle()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// If the ends of both are known, the sums are the same in any order.
    #[test]
    fn of_two_captures_the_sums_are_the_same(news in of_two(), amount in prop::sample::select(vec![1000, 2540])) {
        let sums = |news: &mut dyn Iterator<Item = &(usize, Outcome)>| {
            let mut story = Story::approved(ManualMultiple);
            story.capture(Some(4000));
            story.capture(Some(amount));
            for (nth, outcome) in news {
                story.answer(CAPTURE.nth(*nth), outcome.clone());
            }
            let attempt = story.payment.active();
            (attempt.captured_amount(), attempt.pending_capture_amount())
        };
        let is_end = |outcome: &Outcome| !matches!(outcome, Outcome::Pending { .. } | Outcome::Unknown(_));
        let captured = news.iter().filter(|(_, outcome)| is_done(outcome));
        let captured: i64 = captured.map(|(nth, _)| if *nth == 1 { 4000 } else { amount }).sum();
        let reawakened = |nth: usize| {
            // The processor had no record of it, and later works on it.
            let mut of = news.iter().filter(|(own, _)| *own == nth).map(|(_, outcome)| outcome);
            of.next().is_some_and(never_was) && of.next().is_some_and(|outcome| !is_end(outcome))
        };
        let (taken, open) = sums(&mut news.iter());
        prop_assert_eq!(taken, captured);
        if !reawakened(1) && !reawakened(2) {
            prop_assert_eq!(open, 0);
            prop_assert_eq!(sums(&mut news.iter().rev()).0, captured);
        }
        prop_assert!(taken <= AMOUNT);
    }
}
