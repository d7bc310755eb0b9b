//! Conditions and amounts of refunds.

use std::fmt::Write;

use insta::assert_snapshot;
use multirail_domain::payments::payment::{AtHand, CaptureMethod, PaymentStatus};
use multirail_domain::payments::refund::Create;
use serde_json::json;

use crate::story::Refunds;
use crate::support::outcomes::*;
use crate::support::story::{CAPTURE, Story, refused};

#[test]
fn all_goes_back_unless_an_amount_is_named() {
    let mut story = Refunds::of_a_purchase();
    story.refund(None);
    story.answer(1, done());
    assert_snapshot!(story.page(), @"
    refund all                   ref_1 pending      0 refunded 6540 taken    0 left  [ask to refund]
    ref_1: done                  ref_1 succeeded 6540 refunded 6540 taken    0 left  refund_succeeded about ref_1
    ref_1 of 6540: done
    ");
    assert_eq!(
        story.payment.status,
        PaymentStatus::Succeeded,
        "it stays what it was"
    );
}

#[test]
fn parts_go_back_until_nothing_is_left() {
    let mut story = Refunds::of_a_purchase();
    story.refund(Some(2000));
    story.answer(1, done_for(2000));
    story.refund(Some(4541));
    story.refund(None);
    story.refund(Some(4540));
    story.refund(Some(1));
    story.answer(2, done_for(4540));
    assert_snapshot!(story.page(), @"
    refund 2000                  ref_1 pending      0 refunded 2000 taken 4540 left  [ask to refund]
    ref_1: done 2000             ref_1 succeeded 2000 refunded 2000 taken 4540 left  refund_succeeded about ref_1
    refund 4541                  refused, RefundTooLarge: amount 4541 is above what was captured and not refunded yet, 4540
    refund all                   refused, RefundTooLarge: amount 6540 is above what was captured and not refunded yet, 4540
    refund 4540                  ref_2 pending   2000 refunded 6540 taken    0 left  [ask to refund]
    refund 1                     refused, RefundTooLarge: amount 1 is above what was captured and not refunded yet, 0
    ref_2: done 4540             ref_2 succeeded 6540 refunded 6540 taken    0 left  refund_succeeded about ref_2
    ref_1 of 2000: done
    ref_2 of 4540: done
    ");
}

#[test]
fn what_came_to_nothing_can_be_asked_for_again() {
    let mut story = Refunds::of_a_purchase();
    story.refund(None);
    story.refund(Some(1));
    story.answer(1, declined());
    story.refund(None);
    story.answer(2, never_happened());
    story.refund(None);
    story.answer(3, unknown());
    story.refund(Some(1));
    assert_snapshot!(story.page(), @"
    refund all                   ref_1 pending      0 refunded 6540 taken    0 left  [ask to refund]
    refund 1                     refused, RefundTooLarge: amount 1 is above what was captured and not refunded yet, 0
    ref_1: declined              ref_1 failed       0 refunded    0 taken 6540 left  refund_failed about ref_1
    refund all                   ref_2 pending      0 refunded 6540 taken    0 left  [ask to refund]
    ref_2: never happened        ref_2 failed       0 refunded    0 taken 6540 left  refund_failed about ref_2
    refund all                   ref_3 pending      0 refunded 6540 taken    0 left  [ask to refund]
    ref_3: unknown (timeout)     ref_3 pending      0 refunded 6540 taken    0 left
    refund 1                     refused, RefundTooLarge: amount 1 is above what was captured and not refunded yet, 0
    ref_1 of 6540: declined; DC_08: Payment declined: Card declined
    ref_2 of 6540: never_happened; not_processed: the processor has no trace of this operation: it did not take place
    ref_3 of 6540: unknown
    ");
}

#[test]
fn no_more_than_was_captured_goes_back() {
    let mut payment = Story::approved(CaptureMethod::Manual);
    payment.capture(Some(1000));
    payment.answer(CAPTURE, done());
    let mut story = Refunds::with_payment(payment.payment);
    story.refund(Some(1001));
    story.refund(Some(6540));
    story.refund(None);
    assert_snapshot!(story.page(), @"
    refund 1001                  refused, RefundTooLarge: amount 1001 is above what was captured and not refunded yet, 1000
    refund 6540                  refused, RefundTooLarge: amount 6540 is above what was captured and not refunded yet, 1000
    refund all                   ref_1 pending      0 refunded 1000 taken    0 left  [ask to refund]
    ref_1 of 1000: started
    ");
    assert_eq!(story.payment.status, PaymentStatus::PartiallyCaptured);
}

#[test]
fn an_amount_is_positive() {
    let mut story = Refunds::of_a_purchase();
    for amount in [0, -1, i64::MIN, i64::MAX] {
        story.refund(Some(amount));
    }
    assert_snapshot!(story.page(), @"
    refund 0                     refused, InvalidFormat: amount is not in the expected form: a positive integer
    refund -1                    refused, InvalidFormat: amount is not in the expected form: a positive integer
    refund -9223372036854775808  refused, InvalidFormat: amount is not in the expected form: a positive integer
    refund 9223372036854775807   refused, RefundTooLarge: amount 9223372036854775807 is above what was captured and not refunded yet, 6540
    ");
}

#[test]
fn every_status_of_a_payment() {
    let mut page = String::new();
    for status in PaymentStatus::ALL {
        let mut story = Refunds::of_a_purchase();
        story.payment.status = *status;
        let wish = story.wish(Some(100));
        let answer = match story.try_create(wish) {
            Ok(step) => step.refund.status.to_string(),
            Err(refusal) => refused(&refusal),
        };
        let _ = writeln!(page, "{status}: {answer}");
    }
    assert_snapshot!(page, @"
    requires_payment_method: NotInState: the payment can't be refunded: its status is requires_payment_method, it would have to be succeeded or partially_captured
    requires_confirmation: NotInState: the payment can't be refunded: its status is requires_confirmation, it would have to be succeeded or partially_captured
    requires_customer_action: NotInState: the payment can't be refunded: its status is requires_customer_action, it would have to be succeeded or partially_captured
    requires_merchant_action: NotInState: the payment can't be refunded: its status is requires_merchant_action, it would have to be succeeded or partially_captured
    processing: NotInState: the payment can't be refunded: its status is processing, it would have to be succeeded or partially_captured
    requires_capture: NotInState: the payment can't be refunded: its status is requires_capture, it would have to be succeeded or partially_captured
    partially_authorized_and_requires_capture: NotInState: the payment can't be refunded: its status is partially_authorized_and_requires_capture, it would have to be succeeded or partially_captured
    partially_captured_and_capturable: NotInState: the payment can't be refunded: its status is partially_captured_and_capturable, it would have to be succeeded or partially_captured
    partially_captured_and_processing: NotInState: the payment can't be refunded: its status is partially_captured_and_processing, it would have to be succeeded or partially_captured
    succeeded: pending
    partially_captured: pending
    failed: NotInState: the payment can't be refunded: its status is failed, it would have to be succeeded or partially_captured
    cancelled: NotInState: the payment can't be refunded: its status is cancelled, it would have to be succeeded or partially_captured
    cancelled_post_capture: NotInState: the payment can't be refunded: its status is cancelled_post_capture, it would have to be succeeded or partially_captured
    conflicted: NotInState: the payment can't be refunded: its status is conflicted, it would have to be succeeded or partially_captured
    expired: NotInState: the payment can't be refunded: its status is expired, it would have to be succeeded or partially_captured
    ");
}

#[test]
fn a_payment_can_be_refunded_for_a_year() {
    let mut story = Refunds::of_a_purchase();
    let a_year = 365 * 86_400;
    story.wait(a_year - 1);
    story.refund(Some(100));
    story.wait(1);
    story.refund(Some(100));
    assert_snapshot!(story.page(), @"
    ... 31535999 seconds later
    refund 100                   ref_1 pending      0 refunded  100 taken 6440 left  [ask to refund]
    ... 1 seconds later
    refund 100                   refused, InvalidFormat: payment_id is not in the expected form: a payment of the last 365 days
    ref_1 of 100: started
    ");
}

/// Failed refunds count too: the contract counts refunds that exist.
#[test]
fn the_twelfth_refund_is_refused() {
    let mut story = Refunds::of_a_purchase();
    for nth in 1..=10 {
        story.refund(Some(100));
        story.answer(nth, declined());
    }
    let mut story = story.afresh();
    story.refund(Some(100));
    story.refund(Some(100));
    assert_eq!(story.refunds.len(), 11);
    let told = story.page();
    let told: Vec<&str> = told.lines().take(2).collect();
    assert_snapshot!(told.join("\n"), @"
    refund 100                   ref_11 pending      0 refunded  100 taken 6440 left  [ask to refund]
    refund 100                   refused, TooManyRefunds: the payment has 11 refunds already and can have no more
    ");
}

/// A caller that repeats a request, unsure of the first answer, learns that the refund exists.
#[test]
fn a_taken_id_is_refused_first() {
    let mut story = Refunds::of_a_purchase();
    let first = story.wish(None);
    story.refund(None);
    story.answer(1, done());
    let mut story = story.afresh();
    for amount in [None, Some(100), Some(0)] {
        let again = Create {
            refund_id: first.refund_id.clone(),
            ..story.wish(amount)
        };
        story.create("the same id again", again);
    }
    story.refund(None);
    assert_snapshot!(story.page(), @"
    the same id again            refused, Duplicate: there is a refund ref_1 already
    the same id again            refused, Duplicate: there is a refund ref_1 already
    the same id again            refused, Duplicate: there is a refund ref_1 already
    refund all                   refused, RefundTooLarge: amount 6540 is above what was captured and not refunded yet, 0
    ref_1 of 6540: done
    ");
}

#[test]
fn another_merchant_is_not_named() {
    let mut story = Refunds::of_a_purchase();
    for named in ["shop", "other"] {
        let create = Create {
            named_merchant_id: Some(named.to_owned()),
            ..story.wish(Some(100))
        };
        story.create(&format!("in the name of {named}"), create);
    }
    assert_snapshot!(story.page(), @"
    in the name of shop          ref_1 pending      0 refunded  100 taken 6440 left  [ask to refund]
    in the name of other         refused, NotFound: there is no such merchant account
    ref_1 of 100: started
    ");
}

#[test]
fn it_goes_back_by_the_way_that_it_came() {
    let mut story = Refunds::of_a_purchase();
    let create = Create {
        reason: Some("returned".to_owned()),
        metadata: json!({"order": 42}).as_object().cloned(),
        ..story.wish(Some(2000))
    };
    story.create("refund 2000", create);
    let refund = &story.refunds[0];
    let stored = serde_json::to_string_pretty(refund).expect("JSON");
    assert_snapshot!(stored, @r#"
    {
      "merchant_id": "shop",
      "refund_id": "ref_1",
      "payment_id": "pay_1",
      "profile_id": "pro_1",
      "status": "pending",
      "refund_type": "instant",
      "currency": "USD",
      "reason": "returned",
      "metadata": {
        "order": 42
      },
      "charge": {
        "attempt": 1,
        "connector": "stripe_test",
        "merchant_connector_id": "mca_1",
        "authorization_key": "mrk_1",
        "authorization_reference": "ref_1"
      },
      "operation": {
        "key": "mrk_101",
        "amount": 2000,
        "progress": "started",
        "started_at": 1767607872345000
      },
      "created_at": 1767607872345000,
      "modified_at": 1767607872345000
    }
    "#);
    let attempt = story.payment.active();
    let authorization = attempt.authorization.as_ref().expect("an authorization");
    assert_eq!(refund.charge.authorization_key, authorization.key);
    assert_ne!(refund.operation.key, authorization.key, "a key of its own");
}

#[test]
fn credentials_are_those_that_took_the_money() {
    let given = |identifier: &str| AtHand {
        given: Some(identifier.to_owned()),
        are_held: false,
    };
    let mut story = Refunds::of_a_purchase();
    story.credentials = given("mine");
    story.refund(Some(100));
    assert_snapshot!(story.page(), @"refund 100                   refused, InvalidValue: merchant_connector_details can't be given: the payment was sent with the stored connector account and goes on with it");
}

#[test]
fn a_payment_and_refunds_of_different_moments_do_not_agree() {
    let mut story = Refunds::of_a_purchase();
    assert!(story.payment.agrees_with(&[]));
    story.refund(Some(2000));
    let (paid, asked) = (story.payment.clone(), story.refunds.clone());
    story.answer(1, done_for(2000));
    let (refunded, done) = (story.payment.clone(), story.refunds.clone());
    story.update(1, Some("returned"));
    let noted = story.refunds.clone();
    let agree: Vec<bool> = [&asked, &done, &noted, &Vec::new()]
        .into_iter()
        .flat_map(|refunds| [paid.agrees_with(refunds), refunded.agrees_with(refunds)])
        .collect();
    assert_eq!(
        agree,
        [true, false, false, true, false, true, false, false],
        "a note changes nothing of what is counted"
    );
}

#[test]
fn a_reason_can_be_noted_later() {
    let mut story = Refunds::of_a_purchase();
    story.refund(Some(2000));
    let made_at = story.refunds[0].modified_at;
    story.wait(10);
    story.update(1, None);
    assert_eq!(story.refunds[0].modified_at, made_at, "nothing changed");
    story.update(1, Some("returned"));
    assert_eq!(story.refunds[0].reason.as_deref(), Some("returned"));
    story.update(1, None);
    assert_eq!(story.refunds[0].reason.as_deref(), Some("returned"));
    assert_eq!(story.refunds[0].modified_at, story.now);
    story.answer(1, done());
    story.update(1, Some("damaged"));
    assert_snapshot!(story.page(), @"
    refund 2000                  ref_1 pending      0 refunded 2000 taken 4540 left  [ask to refund]
    ... 10 seconds later
    update ref_1                 ref_1 pending      0 refunded 2000 taken 4540 left
    update ref_1                 ref_1 pending      0 refunded 2000 taken 4540 left
    update ref_1                 ref_1 pending      0 refunded 2000 taken 4540 left
    ref_1: done                  ref_1 succeeded 2000 refunded 2000 taken 4540 left  refund_succeeded about ref_1
    update ref_1                 ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1 of 2000: done
    ");
}
