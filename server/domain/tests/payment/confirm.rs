//! Confirming: the request to the processor, and the effect of its answers.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::Changes;
use multirail_sdk::connector::{Approval, CardChecks, Decline, Outcome};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};
use crate::support::{AMOUNT, purchase, to_verify, with_card};

/// Confirms 65.40 USD by card; the processor may approve a part.
fn partly(capture_method: CaptureMethod) -> Story {
    let mut story = Story::create(Changes {
        enable_partial_authorization: Some(true),
        ..purchase(capture_method)
    });
    story.confirm();
    story.afresh()
}

#[test]
fn the_interim_status_announces_nothing() {
    let mut story = Story::created(Automatic);
    story.confirm();
    assert!(story.announced.is_empty());
    let attempt = story.payment.active();
    assert_eq!(attempt.connector.as_deref(), Some("stripe_test"));
    let authorization = attempt.authorization.as_ref().expect("an authorization");
    assert_eq!(
        (authorization.amount, authorization.key.as_str()),
        (AMOUNT, "mrk_1")
    );
}

#[test]
fn every_answer_to_each_capture_method() {
    let answers = [
        done(),
        done_for(AMOUNT),
        done_for(5000),
        done_for(7000),
        done_for(0),
        done_for(-1),
        done_in(AMOUNT, "EUR"),
        redirect(),
        declined(),
        not_authenticated(),
        pending(),
        unknown(),
        never_happened(),
    ];
    let mut page = String::new();
    for method in CaptureMethod::ALL {
        page += &format!("{method}\n");
        for answer in &answers {
            let mut story = Story::created(*method);
            story.confirm();
            let mut story = story.afresh();
            story.answer(AUTHORIZE, answer.clone());
            page += &format!("  {}\n", story.page().lines().next().unwrap_or_default());
        }
    }
    assert_snapshot!("answers_to_each_capture_method", page);
}

#[test]
fn a_part_may_be_approved_where_that_is_allowed() {
    let mut story = partly(Manual);
    story.answer(AUTHORIZE, done_for(5000));
    story.capture(Some(5001));
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    authorize: done 5000               partially_authorized_and_requires_capture 5000 left    0 received  payment_partially_authorized about pay_1  [forget the card]
    capture 5001                       refused, InvalidValue: amount_to_capture 5001 is above amount_capturable 5000
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      partially_captured                           0 left 5000 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged, authorize done, capture done 5000
    ");

    let mut story = partly(ManualMultiple);
    story.answer(AUTHORIZE, done_for(5000));
    story.capture(Some(2000));
    story.answer(CAPTURE, declined());
    assert_snapshot!(story.page(), @"
    authorize: done 5000               partially_authorized_and_requires_capture 5000 left    0 received  payment_partially_authorized about pay_1  [forget the card]
    capture 2000                       processing                                3000 left    0 received  [ask to capture]
    capture: declined                  partially_authorized_and_requires_capture 5000 left    0 received  action_required about pay_1_1_1
    attempt 1: partially_authorized, authorize done, capture declined 2000; DC_08: Payment declined: Card declined
    ");

    let mut story = partly(Automatic);
    story.answer(AUTHORIZE, done_for(5000));
    assert_snapshot!(story.page(), @"
    authorize: done 5000               partially_captured                           0 left 5000 received  payment_captured about pay_1_1  [forget the card]
    attempt 1: partial_charged, authorize done
    ");

    let mut story = partly(Automatic);
    story.answer(AUTHORIZE, done_for(0));
    assert_snapshot!(story.page(), @"
    authorize: done 0                  conflicted                                   0 left    0 received  action_required about pay_1_1_conflict  [forget the card]
    attempt 1: integrity_failure, authorize done; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");
}

#[test]
fn a_zero_amount_checks_the_card_whatever_the_capture_method() {
    for method in [Automatic, Manual, ManualMultiple] {
        let mut story = Story::create(to_verify(method));
        story.confirm();
        story.answer(AUTHORIZE, done());
        assert_eq!(story.payment.status.as_str(), "succeeded");
        assert_eq!(story.payment.amounts().received, Some(0));
    }
}

#[test]
fn a_zero_amount_that_saves_nothing_is_not_confirmed() {
    let mut story = Story::create(Changes {
        amount: Some(0),
        ..purchase(Automatic)
    });
    let before = story.payment.clone();
    story.confirm();
    assert_eq!(story.payment, before);
}

#[test]
fn members_of_the_confirm_count() {
    let mut story = Story::created(Automatic);
    story.confirm_with(Changes {
        amount: Some(7000),
        capture_method: Some(Manual),
        ..with_card()
    });
    story.answer(AUTHORIZE, done_for(7000));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]  [forget the card]
    authorize: done 7000               requires_capture                          7000 left    0 received  payment_authorized about pay_1
    attempt 1: authorized, authorize done
    ");
}

#[test]
fn what_a_confirm_is_refused_for() {
    let mut story = Story::created(Automatic);
    story.card_is_held = false;
    story.confirm();
    story.candidates.clear();
    story.confirm_with(with_card());
    story.confirm_with(Changes {
        amount: Some(-1),
        ..with_card()
    });
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            refused, InvalidValue: the payment method given earlier is no longer held: give payment_method_data again
    confirm                            refused, NoEligibleConnector: no connector account of the profile is enabled for this payment method, currency and amount
    confirm                            refused, InvalidFormat: amount is not in the expected form: an amount of 0 or more
    attempt 1: confirmation_awaited
    ");
}

#[test]
fn the_processors_words_are_stored() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, declined());
    let decline = story.payment.active().decline.clone().expect("a decline");
    assert_eq!(decline.code, "DC_08");
    assert_eq!(decline.message, "Payment declined: Card declined");
}

#[test]
fn pending_then_answered() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, unknown());
    story.answer(AUTHORIZE, unknown());
    story.answer(AUTHORIZE, pending());
    story.confirm();
    story.cancel();
    story.answer(AUTHORIZE, done());
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: unknown (timeout)       processing                                   0 left    0 received  payment_processing about pay_1_1
    authorize: unknown (timeout)       processing                                   0 left    0 received
    authorize: pending                 processing                                   0 left    0 received
    confirm                            refused, Precondition: a payment whose status is processing can't be confirmed
    cancel                             refused, Precondition: a payment whose status is processing can't be cancelled
    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [forget the card]
    attempt 1: charged, authorize done
    ");
}

#[test]
fn the_issuers_checks_are_stored_whatever_it_decided() {
    let found = |letter: &str| CardChecks {
        card_code: Some(letter.to_owned()),
        ..CardChecks::default()
    };
    let approved = Outcome::Done(Approval {
        checks: Some(found("M")),
        ..Approval::default()
    });
    let declined = Outcome::Declined(Decline {
        checks: Some(Box::new(found("N"))),
        ..Decline::default()
    });
    for (outcome, letter) in [(approved, "M"), (declined, "N")] {
        let mut story = Story::created(Automatic);
        story.confirm();
        story.answer(AUTHORIZE, outcome.clone());
        let attempt = story.payment.active();
        assert_eq!(attempt.issuer_checks(), Some(&found(letter)));
        // The same outcome again changes nothing.
        let before = story.payment.clone();
        story.answer(AUTHORIZE, outcome);
        assert_eq!(story.payment, before);
    }
}
