//! What an outside engine is asked for, told, and heard of.

use super::*;

/// One thing is asked after the other, and what was done is told until the engine takes note.
#[test]
fn a_refused_note_is_told_again_and_keeps_nobody_waiting() {
    let mut story = billed();
    charged(&mut story, paid());
    let asked = |story: &Story| {
        let asked = outside(story).asked.clone();
        asked.map(|asked| (asked.wish.operation(), asked.key))
    };
    let (operation, key) = asked(&story).expect("it is told");
    assert_eq!(operation, EngineOperation::Record);
    let refusal = story.takes(Input::Command(Command::Pause(When::Now)));
    assert!(
        matches!(refusal, Err(Refusal::Precondition { .. })),
        "{refusal:?}"
    );
    let input = told(&story, refused());
    story.takes(input).expect("it is never refused");
    assert_eq!(asked(&story), None);
    // Meanwhile the merchant may have his way.
    let mut other = story.clone();
    other.does(Command::Pause(When::Now));
    let (at, due) = story.standing.due().expect("it is told again");
    assert_eq!(due, Due::AskEngine);
    story.now = at;
    assert_eq!(
        story.takes(Input::Time).expect("it may"),
        [Effect::AskEngine]
    );
    let (operation, again) = asked(&story).expect("it is told again");
    assert_eq!(operation, EngineOperation::Record);
    assert_ne!(again, key, "under the same key it would be refused again");
}

#[test]
fn an_answer_that_is_lost_is_asked_for_under_the_same_key() {
    let mut story = active();
    story.does(Command::Pause(When::Now));
    let key = outside(&story).asked.clone().expect("it is asked").key;
    let input = told(&story, unknown());
    assert_eq!(story.takes(input), Ok(vec![]));
    assert_eq!(story.status(), SubscriptionStatus::Active);
    for _ in 0..40 {
        let (at, due) = story.standing.due().expect("it is asked again");
        story.now = at;
        if due == Due::AskEngine {
            assert_eq!(
                story.takes(Input::Time).expect("it may"),
                [Effect::AskEngine]
            );
        } else {
            stands(&mut story, SubscriptionStatus::Active, &[]);
        }
        assert_eq!(outside(&story).asked.clone().expect("it is asked").key, key);
    }
    does(&mut story, SubscriptionStatus::Paused, &[]);
    assert_eq!(story.status(), SubscriptionStatus::Paused);
    // Told once more, or of another request, it changes nothing.
    let before = story.standing.clone();
    does(&mut story, SubscriptionStatus::Active, &[]);
    assert_eq!(story.standing, before);
}

fn key_of(story: &Story) -> Option<ProcessorKey> {
    outside(story).asked.as_ref().map(|asked| asked.key.clone())
}

/// A request that somebody has taken up again may have been done by them, whatever came of the first try.
#[test]
fn what_was_taken_up_again_is_not_known_never_to_have_happened() {
    let mut story = created();
    story.does(Command::Confirm);
    let mut alone = story.clone();
    let input = told(&alone, never_happened());
    alone.takes(input).expect("it is never refused");
    assert_eq!(key_of(&alone), None, "nobody else asked");

    let key = key_of(&story);
    assert_eq!(story.does(Command::Confirm), [Effect::AskEngine]);
    let input = told(&story, never_happened());
    story.takes(input).expect("it is never refused");
    assert_eq!(key_of(&story), key);
    does(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    assert_eq!(outside(&story).reference.as_deref(), Some("engine_1"));
}

/// The engine takes no note of one payment, ever: it is told of the others all the same, and of the end.
#[test]
fn a_note_that_is_refused_for_good_holds_nothing_up() {
    let mut story = billed();
    charged(&mut story, paid());
    let mut noted = Vec::new();
    stands(&mut story, SubscriptionStatus::Active, &["in_2", "in_3"]);
    for _ in 0..12 {
        let wish = outside(&story)
            .asked
            .as_ref()
            .map(|asked| asked.wish.clone());
        match wish {
            Some(Wish::Record(record)) if record.reference.as_deref() == Some("in_2") => {
                let input = told(&story, refused());
                story.takes(input).expect("it is never refused");
            }
            Some(Wish::Record(record)) => {
                noted.extend(record.reference);
                does(&mut story, SubscriptionStatus::Active, &["in_2"]);
            }
            Some(other) => panic!("{other:?}"),
            None => {
                let (at, _) = story.standing.due().expect("there is more to tell");
                story.now = at;
                let effects = story.takes(Input::Time).expect("it may");
                if effects.contains(&Effect::LookAtEngine) {
                    stands(&mut story, SubscriptionStatus::Active, &["in_2", "in_3"]);
                } else if matches!(effects[..], [Effect::Charge(_)]) {
                    story.told(paid());
                }
            }
        }
    }
    assert_eq!(noted, ["in_3"]);
}

#[test]
fn what_the_engine_makes_after_the_end_is_ended_there() {
    let mut story = created();
    story.does(Command::Confirm);
    let input = told(&story, unknown());
    story.takes(input).expect("it is never refused");
    story.told(failed(RetryAdvice::MayRetry));
    assert_eq!(story.status(), SubscriptionStatus::Failed);
    does(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    let asked = outside(&story).asked.as_ref().expect("it is asked");
    assert_eq!(asked.wish, Wish::End);
}

#[test]
fn a_state_of_another_subscription_is_not_this_ones() {
    let mut story = active();
    let before = story.standing.clone();
    let mut others = state(&story, SubscriptionStatus::Cancelled, &["in_9"]);
    others.reference = "engine_9".to_owned();
    story
        .takes(Input::EngineState(Box::new(others.clone())))
        .expect("it is never refused");
    assert_eq!(story.standing, before);
    story.does(Command::Pause(When::Now));
    let key = key_of(&story);
    let input = told(&story, EngineOutcome::Done(others));
    story.takes(input).expect("it is never refused");
    assert_eq!(key_of(&story), key, "it isn't known what became of it");
    assert_eq!(story.status(), SubscriptionStatus::Active);
}

/// What an answer says is older than what somebody has read since: nothing of it is taken over but that it was done.
#[test]
fn an_old_answer_takes_nothing_back() {
    let mut story = active();
    story.does(Command::Pause(When::Now));
    let old = told(
        &story,
        EngineOutcome::Done(state(&story, SubscriptionStatus::Paused, &[])),
    );
    story.now = story.now.plus_seconds(1).expect("in range");
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    story.takes(old).expect("it is never refused");
    assert_eq!(
        story.invoices[1].status,
        InvoiceStatus::Created,
        "it is still owed"
    );
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(key_of(&story), None);
    assert_eq!(
        outside(&story).look_at,
        Some(story.now),
        "the engine is read once more"
    );
}
