//! Accepting a dispute, and the result if the processor's answer is late, lost or a refusal.

use multirail_domain::payments::dispute::DisputeStage::{Dispute, PreArbitration};
use multirail_domain::payments::dispute::DisputeStatus::{Lost, Opened};
use multirail_domain::payments::dispute::{Command, DisputeActionKind, DisputeStatus};
use multirail_sdk::connector::Finding;

use crate::story::{Disputes, news};
use crate::support::AMOUNT;
use crate::support::outcomes::*;

#[test]
fn accepted_once() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.accept(1);
    story.accept(1);
    story.answer(1, done());
    story.accept(1);
    story.hear(1, news(Dispute, Lost, AMOUNT));
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            refused, DisputeNotInState: the dispute can't be accepted: it is being accepted already
    dp_1: done                             dispute dispute_accepted +dispute_accepted; 6540 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            refused, DisputeNotInState: the dispute can't be accepted: it is a dispute and dispute_accepted
    dp_1: dispute lost 6540                dispute dispute_accepted; 6540 disputed, 6540 held, 0 refunded, 0 left
    ");
}

#[test]
fn a_processor_that_calls_it_lost_has_said_that_it_is_accepted() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.accept(1);
    story.answer(1, unknown());
    story.hear(1, news(Dispute, Lost, AMOUNT));
    story.answer(1, done());
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: unknown (timeout)                dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: dispute lost 6540                dispute dispute_accepted +dispute_accepted; 6540 disputed, 6540 held, 0 refunded, 0 left
    dp_1: done                             dispute dispute_accepted; 6540 disputed, 6540 held, 0 refunded, 0 left
    ");
}

#[test]
fn refused_and_asked_for_again() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.accept(1);
    story.answer(1, declined());
    story.accept(1);
    story.answer(1, unknown());
    story.wait(61);
    story.command("sync", 1, Command::Sync);
    story.answer(1, never_happened());
    story.accept(1);
    story.answer(1, done());
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: declined                         dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: unknown (timeout)                dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    ... 61 seconds later
    sync                                   dispute dispute_opened !look up; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: never happened                   dispute dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: done                             dispute dispute_accepted +dispute_accepted; 6540 disputed, 6540 held, 0 refunded, 0 left
    ");
}

#[test]
fn what_came_to_nothing_is_asked_for_again_under_its_own_key() {
    let mut story = Disputes::with_one(Dispute, Opened);
    let key = |story: &Disputes| {
        let last = story.disputes[0].actions.last().expect("an action");
        (last.operation.key.clone(), story.disputes[0].actions.len())
    };
    story.accept(1);
    let first = key(&story);
    story.answer(1, never_happened());
    story.accept(1);
    assert_eq!(key(&story), first, "the first request may still arrive");
    story.answer(1, declined());
    story.accept(1);
    let second = key(&story);
    assert_ne!(second.0, first.0, "what was refused is over");
    story.answer(1, never_happened());
    story.challenge(1, &[("customer_name", "Ada")]);
    let third = key(&story);
    assert_ne!(third.0, second.0, "another request");
    story.answer(1, never_happened());
    story.challenge(1, &[("customer_name", "Grace")]);
    let fourth = key(&story);
    assert_ne!(fourth.0, third.0, "other evidence");
    story.answer(1, never_happened());
    story.challenge(1, &[("customer_name", "Grace")]);
    assert_eq!(key(&story), fourth);
}

#[test]
fn a_further_stage_is_no_answer_to_an_accept_before() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.accept(1);
    story.hear(1, news(PreArbitration, Opened, AMOUNT));
    story.answer(1, done());
    story.hear(1, news(PreArbitration, Lost, AMOUNT));
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    accept dp_1                            dispute dispute_opened !ask; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: pre_arbitration opened 6540      pre_arbitration dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: done                             pre_arbitration dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    dp_1: pre_arbitration lost 6540        pre_arbitration dispute_lost +dispute_lost; 6540 disputed, 6540 held, 0 refunded, 0 left
    ");
}

#[test]
fn what_a_dispute_that_was_asked_about_says_of_an_action() {
    let mut lines = Vec::new();
    for kind in [DisputeActionKind::Accept, DisputeActionKind::Challenge] {
        let mut story = Disputes::with_one(Dispute, Opened);
        match kind {
            DisputeActionKind::Accept => story.accept(1),
            DisputeActionKind::Challenge => story.challenge(1, &[("customer_name", "Ada")]),
        }
        let action = &story.disputes[0].actions[0];
        let mut say = |stage, status| {
            let finding = action.find_outcome(&news(stage, status, AMOUNT));
            let said = match &finding {
                Finding::Outcome(outcome) => words(outcome),
                Finding::Absent { reason } => format!("no trace, {reason}"),
            };
            lines.push(format!("{kind}, {stage} {status}: {said}"));
        };
        for status in DisputeStatus::ALL {
            say(Dispute, *status);
        }
        say(PreArbitration, Opened);
        say(PreArbitration, Lost);
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    accept_dispute, dispute dispute_opened: no trace, the dispute stands as before: dispute/dispute_opened
    accept_dispute, dispute dispute_expired: declined
    accept_dispute, dispute dispute_accepted: done
    accept_dispute, dispute dispute_cancelled: declined
    accept_dispute, dispute dispute_challenged: no trace, the dispute stands as before: dispute/dispute_challenged
    accept_dispute, dispute dispute_won: declined
    accept_dispute, dispute dispute_lost: done
    accept_dispute, pre_arbitration dispute_opened: declined
    accept_dispute, pre_arbitration dispute_lost: declined
    challenge_dispute, dispute dispute_opened: no trace, the dispute stands as before: dispute/dispute_opened
    challenge_dispute, dispute dispute_expired: declined
    challenge_dispute, dispute dispute_accepted: declined
    challenge_dispute, dispute dispute_cancelled: declined
    challenge_dispute, dispute dispute_challenged: done
    challenge_dispute, dispute dispute_won: done
    challenge_dispute, dispute dispute_lost: done
    challenge_dispute, pre_arbitration dispute_opened: declined
    challenge_dispute, pre_arbitration dispute_lost: declined
    ");
}

#[test]
fn nothing_is_paid_twice() {
    let answer = |refunded: i64, disputed: i64| {
        let mut story = Disputes::of_a_purchase();
        story.refund(refunded, done());
        story.raise(news(Dispute, Opened, disputed));
        story.accept(1);
        let page = story.page();
        page.lines().last().unwrap_or_default().to_owned()
    };
    let twice = answer(AMOUNT, AMOUNT);
    assert!(
        twice.contains(
            "refused, DisputeNotInState: the dispute can't be accepted: its payer would be paid twice: 6540 were captured, \
             refunds come to 6540 and other disputes to 0; challenge it with proof of that"
        ),
        "{twice}"
    );
    let too_much = answer(2_000, 4_541);
    assert!(too_much.contains("refunds come to 2000"), "{too_much}");
    let the_rest = answer(2_000, 4_540);
    assert!(the_rest.contains("!ask"), "{the_rest}");
}
