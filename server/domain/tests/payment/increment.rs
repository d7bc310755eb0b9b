//! Incremental authorization: a new total before any capture.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{Changes, Input};
use multirail_sdk::connector::{Capabilities, OperationKind};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, RAISE, Story, VOID, refused};
use crate::support::{ABLE, AMOUNT, may_be_raised, purchase};

fn to_be_raised() -> Story {
    Story::to_be_raised(Manual).afresh()
}

/// Returns id, former total, requested total and status of each increment.
fn list(story: &Story) -> Vec<String> {
    let increments = story.payment.active().increments.iter();
    increments
        .map(|one| {
            let (asked, before) = (one.operation.amount, one.previously_authorized);
            format!("{} {before} to {asked}: {}", one.increment_id, one.status())
        })
        .collect()
}

fn refusal(story: &mut Story, amount: i64) -> String {
    let command = story.raise_command(amount);
    match story.try_input(Input::Command(command)) {
        Ok(step) => panic!("not refused: {:?}", step.effects),
        Err(refusal) => refused(&refusal),
    }
}

#[test]
fn what_is_granted_can_be_captured() {
    let mut story = to_be_raised();
    story.raise(7000);
    story.answer(RAISE, done());
    story.raise(9000);
    story.answer(RAISE, pending());
    story.answer(RAISE, done());
    assert_eq!(story.payment.terms.amount, 9000);
    assert_eq!(story.payment.active().amount, 9000);
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_snapshot!(list(&story).join("\n"), @"
    auth_1 6540 to 7000: success
    auth_2 7000 to 9000: success
    ");
    assert_snapshot!(story.page(), @"
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    increment: done                    requires_capture                          7000 left    0 received
    raise to 9000                      requires_capture                          7000 left    0 received  [ask to increment]
    increment: pending                 requires_capture                          7000 left    0 received
    increment: done                    requires_capture                          9000 left    0 received
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 9000 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, increment done 7000, increment done 9000, capture done 9000
    ");
}

#[test]
fn what_is_refused_or_lost_leaves_everything_as_it_was() {
    let mut story = to_be_raised();
    story.raise(7000);
    story.answer(RAISE, declined());
    story.raise(7000);
    story.answer(RAISE, never_happened());
    story.raise(7000);
    story.answer(RAISE, unknown());
    story.sync();
    assert_eq!(story.payment.terms.amount, AMOUNT);
    assert!(story.payment.is_open_at_processor());
    assert_snapshot!(list(&story).join("\n"), @"
    auth_1 6540 to 7000: failure
    auth_2 6540 to 7000: failure
    auth_3 6540 to 7000: unresolved
    ");
    assert_snapshot!(story.page(), @"
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    increment: declined                requires_capture                          6540 left    0 received
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    increment: never happened          requires_capture                          6540 left    0 received
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    increment: unknown (timeout)       requires_capture                          6540 left    0 received
    sync                               requires_capture                          6540 left    0 received  [look up increment]  [look up increment]
    attempt 1: authorized, authorize done, increment declined 7000, increment never_happened 7000, increment unknown 7000
    ");
}

/// The processor had no record of the first raise, and then carried it out: the higher total counts.
#[test]
fn a_late_one_counts() {
    let mut story = to_be_raised();
    story.raise(9000);
    story.answer(RAISE, never_happened());
    story.raise(7000);
    story.answer(RAISE, done());
    story.answer(RAISE.nth(1), done());
    assert_eq!(story.payment.amounts().capturable, 9000);
    assert_eq!(story.payment.amounts().net, 9000);
}

#[test]
fn shipping_and_tax_stay_parts_of_the_total() {
    let mut story = Story::create(Changes {
        shipping_cost: Some(460),
        particulars: may_be_raised(),
        ..purchase(Manual)
    });
    story.confirm();
    story.answer(AUTHORIZE, done());
    story.raise(8000);
    story.answer(RAISE, done());
    let terms = &story.payment.terms;
    assert_eq!((terms.amount, terms.total()), (7540, 8000));
    assert_eq!(story.payment.amounts().capturable, 8000);
}

#[test]
fn what_it_is_refused_for() {
    let mut refusals = Vec::new();
    let mut story = to_be_raised();
    for amount in [6539, 6540, 1_000_000_000_000] {
        refusals.push(refusal(&mut story, amount));
    }
    story.raise(7000);
    refusals.push(refusal(&mut story, 8000));
    story.cancel();
    refusals.push(refusal(&mut story, 8000));
    refusals.push(refusal(&mut Story::approved(Manual), 7000));
    let unable = Capabilities {
        raises_authorizations: None,
        ..ABLE
    };
    let mut through_another = Story::create(Changes {
        particulars: may_be_raised(),
        ..purchase(Manual)
    });
    through_another.candidates[0].capabilities = unable;
    through_another.confirm();
    through_another.answer(AUTHORIZE, done());
    refusals.push(refusal(&mut through_another, 7000));
    assert_snapshot!(refusals.join("\n"), @"
    Precondition: amount 6539 is not above the total of 6540 that is authorized: it is the new total
    Precondition: amount 6540 is not above the total of 6540 that is authorized: it is the new total
    Precondition: amount 1000000000000 is above 999999999999, the largest amount that is accepted
    Precondition: the authorization can't be raised: the processor hasn't decided on the raise before
    Precondition: the authorization of a payment whose status is processing can't be raised
    Precondition: the authorization can't be raised: request_incremental_authorization was not set
    FlowNotSupported: raising an authorization through stripe_test is not supported
    ");
}

/// An automatic capture can't be raised, whatever the request says.
#[test]
fn only_what_is_captured_later_may_be_raised() {
    for (method, may_be_raised) in [
        (Automatic, None),
        (Manual, Some(true)),
        (ManualMultiple, Some(true)),
    ] {
        let story = Story::to_be_raised(method);
        let attempt = story.payment.active();
        assert_eq!(attempt.may_be_raised, may_be_raised, "{method}");
        let details = story.payment.details(attempt);
        assert_eq!(details.may_be_raised, may_be_raised.is_some(), "{method}");
    }
}

/// A capture is decided on the authorized amount at that time. It ends as usual, and the processor releases the rest.
#[test]
fn after_a_capture_it_does_not_count() {
    let mut pages = String::new();
    for ends_first in [OperationKind::Capture, OperationKind::Increment] {
        let mut story = to_be_raised();
        story.raise(7000);
        story.capture(None);
        if ends_first == OperationKind::Capture {
            story.answer(CAPTURE, done());
            story.answer(RAISE, done());
        } else {
            story.answer(RAISE, done());
            story.answer(CAPTURE, done());
        }
        assert_eq!(story.payment.amounts().net, AMOUNT);
        pages += &story.page();
    }
    assert_snapshot!(pages, @"
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    increment: done                    succeeded                                    0 left 6540 received
    attempt 1: charged, authorize done, increment done 7000, capture done 6540
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    capture all                        processing                                   0 left    0 received  [ask to capture]
    increment: done                    processing                                   0 left    0 received
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, increment done 7000, capture done 6540
    ");
}

#[test]
fn after_a_capture_that_came_to_nothing_it_counts() {
    let mut story = to_be_raised();
    story.raise(7000);
    story.capture(None);
    story.answer(RAISE, done());
    assert_eq!(story.payment.amounts().net, AMOUNT);
    story.answer(CAPTURE, declined());
    assert_eq!(story.payment.amounts().net, 7000);
    assert_eq!(story.payment.amounts().capturable, 7000);
}

#[test]
fn a_void_sets_free_all_of_it() {
    let mut pages = String::new();
    for is_known_before in [true, false] {
        let mut story = to_be_raised();
        story.raise(7000);
        if is_known_before {
            story.answer(RAISE, done());
        }
        story.cancel();
        story.answer(VOID, done());
        if !is_known_before {
            story.answer(RAISE, done());
        }
        assert_eq!(story.payment.active().voided_amount(), 7000);
        pages += &story.page();
    }
    assert_snapshot!(pages, @"
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    increment: done                    requires_capture                          7000 left    0 received
    cancel                             processing                                   0 left    0 received  [ask to void]
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, increment done 7000, void done
    raise to 7000                      requires_capture                          6540 left    0 received  [ask to increment]
    cancel                             processing                                   0 left    0 received  [ask to void]
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    increment: done                    cancelled                                    0 left    0 received
    attempt 1: voided, authorize done, increment done 7000, void done
    ");
}

#[test]
fn another_total_than_was_asked_for_needs_somebody() {
    let mut story = to_be_raised();
    story.raise(9000);
    story.answer(RAISE, done_for(8000));
    assert_snapshot!(story.page(), @"
    raise to 9000                      requires_capture                          6540 left    0 received  [ask to increment]
    increment: done 8000               conflicted                                   0 left    0 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, increment done 9000; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");
}

/// Records that are older than increments read unchanged.
#[test]
fn records_without_any_are_as_they_were() {
    let story = Story::approved(Manual);
    let record = serde_json::to_value(story.payment.active().record()).expect("a record");
    assert_eq!(record.get("increments"), None);
    assert_eq!(record.get("may_be_raised"), None);
}
