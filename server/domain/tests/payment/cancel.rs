//! Cancelling a payment, and voiding its authorization.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{Changes, PaymentStatus};
use multirail_kernel::currency::Currency;
use multirail_sdk::connector::{Approval, Decline, Outcome, Remarks};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};

#[test]
fn before_anything_was_sent() {
    let mut story = Story::create(Changes {
        amount: Some(100),
        currency: Some(Currency::USD),
        ..Changes::default()
    });
    story.cancel();
    assert_snapshot!(story.page(), @"
    create                             requires_payment_method                    100 left    - received
    cancel                             cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided
    ");

    let mut story = Story::created(Manual);
    story.cancel();
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    cancel                             cancelled                                    0 left    0 received  payment_cancelled about pay_1  [forget the card]
    attempt 1: voided
    ");
    assert!(!story.payment.holds_card);
}

#[test]
fn every_answer_to_the_void_of_an_authorization() {
    let mut page = String::new();
    for answer in [done(), pending(), unknown(), declined(), never_happened()] {
        let mut story = Story::approved(Manual);
        story.cancel();
        let mut story = story.afresh();
        story.answer(VOID, answer);
        let reason = story.payment.cancellation_reason.as_deref();
        page += &story.page();
        page += &format!("  reason: {}\n", reason.unwrap_or("none"));
    }
    assert_snapshot!(page, @"
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, void done
      reason: duplicate
    void: pending                      processing                                   0 left    0 received  payment_processing about pay_1_1_void
    attempt 1: void_initiated, authorize done, void pending
      reason: duplicate
    void: unknown (timeout)            processing                                   0 left    0 received  payment_processing about pay_1_1_void
    attempt 1: void_initiated, authorize done, void unknown
      reason: duplicate
    void: declined                     requires_capture                          6540 left    0 received  action_required about pay_1_1_void
    attempt 1: authorized, authorize done, void declined; DC_08: Payment declined: Card declined
      reason: none
    void: never happened               requires_capture                          6540 left    0 received
    attempt 1: authorized, authorize done, void never_happened; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
      reason: none
    ");
}

#[test]
fn a_void_that_never_happened_can_be_asked_for_again() {
    let mut story = Story::approved(ManualMultiple);
    story.cancel();
    story.answer(VOID, unknown());
    story.answer(VOID, never_happened());
    story.cancel();
    story.answer(VOID, pending());
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]
    cancel                             processing                                   0 left    0 received  [ask to void]
    void: unknown (timeout)            processing                                   0 left    0 received  payment_processing about pay_1_1_void
    void: never happened               requires_capture                          6540 left    0 received  action_required about pay_1_1_void
    cancel                             processing                                   0 left    0 received  [ask to void]
    void: pending                      processing                                   0 left    0 received  payment_processing about pay_1_1_void_2
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, void never_happened, void done
    ");
}

#[test]
fn after_a_void_that_never_happened_captures_go_on() {
    let mut story = Story::approved(ManualMultiple);
    story.cancel();
    story.answer(VOID, never_happened());
    let mut story = story.afresh();
    story.capture(Some(1000));
    story.capture(Some(5000));
    story.answer(CAPTURE.nth(1), done());
    story.answer(CAPTURE.nth(2), done());
    assert_snapshot!(story.page(), @"
    capture 1000                       processing                                5540 left    0 received  [ask to capture]
    capture 5000                       processing                                 540 left    0 received  [ask to capture]
    capture 1: done                    partially_captured_and_capturable          540 left 1000 received  payment_captured about pay_1_1_1
    capture 2: done                    partially_captured_and_capturable          540 left 6000 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 1000, capture done 5000, void never_happened
    ");
}

#[test]
fn while_the_void_runs_nothing_is_captured() {
    for method in [Manual, ManualMultiple] {
        let mut story = Story::approved(method);
        story.cancel();
        let before = story.payment.clone();
        story.capture(Some(1));
        story.cancel();
        story.answer(AUTHORIZE, done());
        assert_eq!(story.payment, before);
        assert_eq!(story.payment.amounts().capturable, 0);
    }
}

#[test]
fn an_old_refusal_is_not_shown_on_a_cancelled_payment() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.answer(CAPTURE, never_happened());
    story.cancel();
    story.answer(VOID, done());
    assert_eq!(story.payment.active().decline, None);
}

/// The reserved amount still exists: it can be captured, or voided again.
#[test]
fn a_refused_void_leaves_the_authorization() {
    let mut story = Story::approved(Manual);
    story.cancel();
    story.answer(VOID, pending());
    let mut story = story.afresh();
    story.answer(VOID, declined());
    assert!(story.payment.is_void_refused());
    assert!(story.payment.is_unfinished(), "money is reserved");
    story.cancel();
    story.answer(VOID.nth(2), declined());
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    void: declined                     requires_capture                          6540 left    0 received  action_required about pay_1_1_void
    cancel                             processing                                   0 left    0 received  [ask to void]
    void 2: declined                   requires_capture                          6540 left    0 received  action_required about pay_1_1_void_2
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540, void declined, void declined
    ");
}

#[test]
fn a_void_of_the_rest_that_is_refused_leaves_the_rest() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    story.void_the_rest();
    let mut story = story.afresh();
    story.answer(VOID, declined());
    story.capture(Some(500));
    story.answer(CAPTURE.nth(2), done());
    assert_snapshot!(story.page(), @"
    void: declined                     partially_captured_and_capturable         5540 left 1000 received  action_required about pay_1_1_void
    capture 500                        partially_captured_and_capturable         5040 left 1000 received  [ask to capture]
    capture 2: done                    partially_captured_and_capturable         5040 left 1500 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 1000, capture done 500, void declined
    ");
}

fn remarked(amount: i64) -> Option<Box<Remarks>> {
    let more = serde_json::json!({ "sent_back_to_payer": amount });
    let more = more.as_object().cloned().expect("an object");
    Remarks {
        more,
        ..Remarks::default()
    }
    .unless_empty()
}

fn told(story: &Story) -> Option<i64> {
    let remarks = story.payment.active().remarks.as_deref()?;
    remarks.more.get("sent_back_to_payer")?.as_i64()
}

#[test]
fn a_void_tells_what_went_back_to_the_payer() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.cancel();
    let void = || {
        Outcome::Done(Approval {
            remarks: remarked(3270),
            ..Approval::default()
        })
    };
    story.answer(VOID, void());
    assert_eq!(story.payment.status, PaymentStatus::Cancelled);
    assert_eq!(told(&story), Some(3270));
    let known = story.payment.clone();
    story.answer(VOID, void());
    assert_eq!(story.payment, known, "a repeated answer changes nothing");
}

#[test]
fn a_decline_tells_what_went_back_to_the_payer_even_after_a_cancel() {
    let declined = || {
        Outcome::Declined(Decline {
            code: "DC_08".to_owned(),
            remarks: remarked(3270),
            ..Decline::default()
        })
    };
    for is_cancelled in [false, true] {
        let mut story = Story::created(Automatic);
        story.confirm();
        story.answer(AUTHORIZE, redirect());
        if is_cancelled {
            story.cancel();
        }
        story.answer(AUTHORIZE, declined());
        assert_eq!(told(&story), Some(3270));
        let known = story.payment.clone();
        story.answer(AUTHORIZE, declined());
        assert_eq!(story.payment, known, "a repeated answer changes nothing");
    }
}

#[test]
fn a_decline_tells_how_the_authentication_ended() {
    let status = |word: &str| {
        let members = serde_json::json!({ "trans_status": word });
        members.as_object().cloned().expect("an object")
    };
    let declined = |auth_code: &str, word: &str| {
        let remarks = Remarks {
            auth_code: Some(auth_code.to_owned()),
            authentication: status(word),
            ..Remarks::default()
        };
        Outcome::Declined(Decline {
            code: "DC_08".to_owned(),
            remarks: remarks.unless_empty(),
            ..Decline::default()
        })
    };
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.answer(AUTHORIZE, declined("A1", "U"));
    story.answer(AUTHORIZE, declined("A2", "N"));
    let remarks = story.payment.active().remarks.as_deref();
    let remarks = remarks.expect("remarks");
    assert_eq!(remarks.authentication, status("N"));
    assert_eq!(
        remarks.auth_code.as_deref(),
        Some("A1"),
        "the first one was already reported"
    );
}
