//! Giving in, and what becomes of it where the processor's answer is late, lost or a refusal.

use multirail_domain::connector::DisputeNews;
use multirail_domain::dispute::DisputeStage::{Dispute, PreArbitration};
use multirail_domain::dispute::DisputeStatus::{Challenged, Lost, Opened, Won};
use multirail_domain::dispute::{Command, DisputeActionKind};

use crate::story::{Disputes, news};
use crate::support::AMOUNT;
use crate::support::outcomes::*;

#[test]
fn accepted_once() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.accept(1);
    story.accept(1);
    story.told(1, done());
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
    story.told(1, unknown());
    story.hear(1, news(Dispute, Lost, AMOUNT));
    story.told(1, done());
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
    story.told(1, declined());
    story.accept(1);
    story.told(1, unknown());
    story.wait(61);
    story.command("sync", 1, Command::Sync);
    story.told(1, never_happened());
    story.accept(1);
    story.told(1, done());
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
fn a_further_stage_is_no_answer_to_an_accept_before() {
    let mut story = Disputes::with_one(Dispute, Opened);
    story.accept(1);
    story.hear(1, news(PreArbitration, Opened, AMOUNT));
    story.told(1, done());
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
    let kinds = [DisputeActionKind::Accept, DisputeActionKind::Challenge];
    let said = |kind: DisputeActionKind, news: DisputeNews| {
        let outcome = kind.outcome_when_asked(&news);
        format!("{kind}, {}: {}", news.status, words(&outcome))
    };
    let statuses = [Opened, Challenged, Lost, Won];
    let lines: Vec<_> = kinds
        .into_iter()
        .flat_map(|kind| statuses.map(|status| said(kind, news(Dispute, status, AMOUNT))))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    accept_dispute, dispute_opened: never happened
    accept_dispute, dispute_challenged: never happened
    accept_dispute, dispute_lost: done
    accept_dispute, dispute_won: declined
    challenge_dispute, dispute_opened: never happened
    challenge_dispute, dispute_challenged: done
    challenge_dispute, dispute_lost: done
    challenge_dispute, dispute_won: done
    ");
}
