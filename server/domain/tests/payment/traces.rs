//! The worked examples of the contract, in order.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::Changes;
use multirail_kernel::currency::Currency;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};
use crate::support::{AMOUNT, with_card};

#[test]
fn a_automatic_success() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, done_for(AMOUNT));
    story.capture(None);
    story.cancel();
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done 6540               succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [forget the card]
    capture all                        refused, NotInState: the payment can't be captured: its status is succeeded, it would have to be requires_capture, partially_captured_and_capturable or processing
    cancel                             refused, Precondition: a payment whose status is succeeded can't be cancelled
    attempt 1: charged, authorize done
    ");
}

#[test]
fn b_manual_captured_whole() {
    let mut story = Story::created(Manual);
    story.confirm();
    story.answer(AUTHORIZE, done_for(AMOUNT));
    story.capture(None);
    story.answer(CAPTURE, done_for(AMOUNT));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done 6540               requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done 6540                 succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540
    ");
}

#[test]
fn c_manual_captured_in_part() {
    let mut story = Story::approved(Manual);
    story.capture(Some(7000));
    story.capture(Some(0));
    story.capture(Some(4000));
    story.answer(CAPTURE, done_for(4000));
    story.capture(Some(1000));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]
    capture 7000                       refused, InvalidValue: amount_to_capture 7000 is above amount_capturable 6540
    capture 0                          refused, InvalidFormat: amount_to_capture is not in the expected form: a positive integer
    capture 4000                       processing                                   0 left    0 received  [ask to capture]
    capture: done 4000                 partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
    capture 1000                       refused, NotInState: the payment can't be captured: its status is partially_captured, it would have to be requires_capture, partially_captured_and_capturable or processing
    attempt 1: partial_charged, authorize done, capture done 4000
    ");
}

#[test]
fn d_several_captures() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(4000));
    story.answer(CAPTURE, done_for(4000));
    story.capture(None);
    story.answer(CAPTURE, done_for(2540));
    story.capture(Some(1));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture: done 4000                 partially_captured_and_capturable         2540 left 4000 received  payment_captured about pay_1_1_1
    capture all                        partially_captured_and_processing            0 left 4000 received  [ask to capture]
    capture: done 2540                 succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    capture 1                          refused, NotInState: the payment can't be captured: its status is succeeded, it would have to be requires_capture, partially_captured_and_capturable or processing
    attempt 1: charged, authorize done, capture done 4000, capture done 2540
    ");
    assert_eq!(story.payment.capture_id(1, 2).to_string(), "pay_1_1_2");
}

#[test]
fn e_decline_and_retry() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, declined());
    assert_eq!(story.payment.manual_retry_allowed(), Some(true));
    story.confirm_with(with_card());
    story.manual_retry_enabled = true;
    story.confirm_with(with_card());
    story.answer(AUTHORIZE, done_for(AMOUNT));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: declined                failed                                       0 left    0 received  payment_failed about pay_1_1  [forget the card]
    confirm                            refused, Precondition: a payment whose status is failed can't be confirmed: is_manual_retry_enabled of the profile is not set
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done 6540               succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    attempt 2: charged, authorize done
    ");
}

#[test]
fn f_the_payer_approves_at_the_processors_page() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    let page = story.payment.active().redirect_url.as_deref();
    assert_eq!(page, Some("https://processor.example/page"));
    story.sync();
    story.answer(AUTHORIZE, done_for(AMOUNT));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: customer must act       requires_customer_action                     0 left    0 received  action_required about pay_1_1
    sync                               requires_customer_action                     0 left    0 received  [look up authorize]
    authorize: done 6540               succeeded                                    0 left 6540 received  payment_succeeded about pay_1  [forget the card]
    attempt 1: charged, authorize done
    ");
    assert_eq!(story.payment.active().redirect_url, None);
}

#[test]
fn f_the_payer_rejects() {
    let mut story = Story::created(Manual);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.answer(AUTHORIZE, not_authenticated());
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: customer must act       requires_customer_action                     0 left    0 received  action_required about pay_1_1
    authorize: auth failed             failed                                       0 left    0 received  payment_failed about pay_1_1  [forget the card]
    attempt 1: authentication_failed, authorize declined; DC_09: The payer did not approve
    ");
}

#[test]
fn f_cancelled_while_the_payer_is_away() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.cancel();
    story.answer(VOID, done_for(0));
    story.answer(AUTHORIZE, declined());
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: customer must act       requires_customer_action                     0 left    0 received  action_required about pay_1_1
    cancel                             cancelled                                    0 left    0 received  payment_cancelled about pay_1  [ask to void]  [forget the card]
    void: done 0                       cancelled                                    0 left    0 received
    authorize: declined                cancelled                                    0 left    0 received
    attempt 1: voided, authorize declined, void done
    ");
}

#[test]
fn g_no_instrument() {
    let mut story = Story::create(Changes {
        amount: Some(AMOUNT),
        currency: Some(Currency::USD),
        ..Changes::default()
    });
    story.confirm();
    story.confirm_with(with_card());
    story.answer(AUTHORIZE, done_for(AMOUNT));
    assert_snapshot!(story.page(), @"
    create                             requires_payment_method                   6540 left    - received
    confirm                            refused, InvalidValue: the payment has no instrument: give payment_method with payment_method_data
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done 6540               succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done
    ");
}

#[test]
fn h_cancelled_after_the_authorization() {
    let mut story = Story::approved(Manual);
    story.cancel();
    story.answer(VOID, done_for(AMOUNT));
    story.capture(None);
    story.cancel();
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]
    cancel                             processing                                   0 left    0 received  [ask to void]
    void: done 6540                    cancelled                                    0 left    0 received  payment_cancelled about pay_1
    capture all                        refused, NotInState: the payment can't be captured: its status is cancelled, it would have to be requires_capture, partially_captured_and_capturable or processing
    cancel                             refused, Precondition: a payment whose status is cancelled can't be cancelled
    attempt 1: voided, authorize done, void done
    ");
    let reason = story.payment.cancellation_reason.as_deref();
    assert_eq!(reason, Some("duplicate"));
}
