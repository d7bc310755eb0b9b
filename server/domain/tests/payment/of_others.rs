//! Changes made directly at the processor are recorded like completed operations of this server.

use insta::assert_snapshot;
use multirail_domain::operations::received_notice::Sender;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{DoneByOthers, Input, What};
use multirail_kernel::ids::ConnectorAccountId;
use multirail_sdk::connector::{About, Approval, OperationKind, Outcome};

use crate::support::outcomes::*;
use crate::support::story::{CAPTURE, Story, VOID};

/// Reads a notice of the usual account about the authorization `ref_1`.
fn read(story: &Story, kind: OperationKind, reference: &str, amount: i64) -> Option<DoneByOthers> {
    read_by("mca_1", story, kind, reference, amount)
}

fn read_by(
    account: &str,
    story: &Story,
    kind: OperationKind,
    reference: &str,
    amount: i64,
) -> Option<DoneByOthers> {
    let account = ConnectorAccountId::parse(account).expect("an id");
    let sender = Sender {
        account: &account,
        profile: &story.payment.profile_id,
        connector: "stripe_test",
    };
    let about = About {
        kind,
        key: None,
        reference: Some(reference.to_owned()),
        authorization_reference: Some("ref_1".to_owned()),
        authorization_key: None,
    };
    let approval = Approval {
        reference: about.reference.clone(),
        amount_minor: Some(amount),
        ..Approval::default()
    };
    story.payment.done_by_others(sender, &about, &approval)
}

fn others(story: &mut Story, kind: OperationKind, reference: &str, amount: i64) {
    let done = read(story, kind, reference, amount).expect("it can be applied");
    let name = format!("others: {kind} {amount}");
    story.step(&name, Input::DoneByOthers(Box::new(done)));
}

#[test]
fn captures_voids_and_raises() {
    let mut page = String::new();
    for (method, done) in [
        (Manual, vec![(OperationKind::Capture, 1500)]),
        (Manual, vec![(OperationKind::Capture, 6540)]),
        (
            Manual,
            vec![(OperationKind::Capture, 500), (OperationKind::Capture, 500)],
        ),
        (Manual, vec![(OperationKind::Capture, 7000)]),
        (
            ManualMultiple,
            vec![
                (OperationKind::Capture, 500),
                (OperationKind::Capture, 6040),
            ],
        ),
        (
            ManualMultiple,
            vec![(OperationKind::Capture, 500), (OperationKind::Void, 0)],
        ),
        (Manual, vec![(OperationKind::Void, 0)]),
        (
            Manual,
            vec![
                (OperationKind::Increment, 7000),
                (OperationKind::Capture, 7000),
            ],
        ),
        (
            Manual,
            vec![
                (OperationKind::Increment, 4000),
                (OperationKind::Increment, 5000),
                (OperationKind::Increment, 4500),
                (OperationKind::Capture, 4500),
            ],
        ),
        (
            Manual,
            vec![(OperationKind::Increment, 4000), (OperationKind::Void, 0)],
        ),
    ] {
        let mut story = Story::approved(method).afresh();
        for (number, (kind, amount)) in done.into_iter().enumerate() {
            others(&mut story, kind, &format!("others_{number}"), amount);
        }
        page += &story.page();
    }
    assert_snapshot!(page, @"
    others: capture 1500               partially_captured                           0 left 1500 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged, authorize done, capture done 1500
    others: capture 6540               succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540
    others: capture 500                partially_captured                           0 left  500 received  payment_captured about pay_1_1_1
    others: capture 500                partially_captured                           0 left 1000 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged, authorize done, capture done 500, capture done 500
    others: capture 7000               conflicted                                   0 left 7000 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 7000; integrity_failure: the processor captured more than was authorized
    others: capture 500                partially_captured_and_capturable         6040 left  500 received  payment_captured about pay_1_1_1
    others: capture 6040               succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 500, capture done 6040
    others: capture 500                partially_captured_and_capturable         6040 left  500 received  payment_captured about pay_1_1_1
    others: void 0                     partially_captured                           0 left  500 received  payment_captured about pay_1_1_void
    attempt 1: partial_charged, authorize done, capture done 500, void done
    others: void 0                     cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, void done
    others: increment 7000             requires_capture                          7000 left    0 received
    others: capture 7000               succeeded                                    0 left 7000 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, increment done 7000, capture done 7000
    others: increment 4000             requires_capture                          4000 left    0 received
    others: increment 5000             requires_capture                          5000 left    0 received
    others: increment 4500             requires_capture                          4500 left    0 received
    others: capture 4500               succeeded                                    0 left 4500 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, increment done 4000, increment done 5000, increment done 4500, capture done 4500
    others: increment 4000             requires_capture                          4000 left    0 received
    others: void 0                     cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, increment done 4000, void done
    ");
}

#[test]
fn what_comes_again_changes_nothing() {
    let mut story = Story::approved(ManualMultiple);
    for (kind, amount) in [
        (OperationKind::Increment, 7000),
        (OperationKind::Capture, 500),
        (OperationKind::Void, 0),
    ] {
        others(&mut story, kind, "others_1", amount);
        let once = story.payment.clone();
        let again = read(&story, kind, "others_1", amount);
        if let Some(again) = again {
            story.step("again", Input::DoneByOthers(Box::new(again)));
        }
        assert_eq!(story.payment, once, "{kind}");
    }
}

/// The notice of an earlier adjustment is repeated after a later one.
#[test]
fn an_adjustment_that_comes_again_late_changes_nothing() {
    let mut story = Story::approved(Manual);
    others(&mut story, OperationKind::Increment, "others_1", 7000);
    others(&mut story, OperationKind::Increment, "others_2", 6000);
    let once = story.payment.clone();
    others(&mut story, OperationKind::Increment, "others_1", 7000);
    assert_eq!(story.payment, once);
}

/// Captured at the processor and cancelled here: in any order of the news, the payment ends as at the processor.
#[test]
fn a_cancel_that_meets_a_capture_ends_the_same_in_every_order() {
    let answers: [fn() -> Outcome; 4] = [declined, pending, unknown, never_happened];
    for answer in answers {
        let mut ends = Vec::new();
        for captured_first in [true, false] {
            let mut story = Story::approved(Manual);
            story.cancel();
            if captured_first {
                others(&mut story, OperationKind::Capture, "others_1", 1500);
            }
            story.answer(VOID, answer());
            if !captured_first {
                others(&mut story, OperationKind::Capture, "others_1", 1500);
            }
            story.answer(VOID, declined());
            let payment = &story.payment;
            ends.push((payment.status, payment.amounts(), payment.active().status));
        }
        assert_eq!(ends[0], ends[1]);
        assert_eq!(ends[0].0.as_str(), "partially_captured");
    }
}

/// A change that may be an operation of this server isn't applied.
#[test]
fn what_is_not_applied() {
    let mut capturing = Story::approved(Manual);
    capturing.capture(Some(1500));
    assert_eq!(
        read(&capturing, OperationKind::Capture, "others_1", 1500),
        None
    );
    capturing.answer(CAPTURE, done());
    assert!(read(&capturing, OperationKind::Capture, "others_1", 1500).is_some());

    let story = Story::approved(Manual);
    let of_another = read_by("mca_2", &story, OperationKind::Capture, "others_1", 1500);
    assert_eq!(of_another, None);
    assert_eq!(
        read(&story, OperationKind::Authorize, "others_1", 1500),
        None
    );
    assert_eq!(read(&story, OperationKind::Capture, "others_1", 0), None);

    let same = read(&story, OperationKind::Increment, "others_1", 6540);
    assert_eq!(same, None);
    // The capture was decided on the former total.
    let mut partly = Story::approved(ManualMultiple);
    others(&mut partly, OperationKind::Capture, "others_1", 500);
    let lower = read(&partly, OperationKind::Increment, "others_2", 6000);
    assert_eq!(lower, None);

    let mut waiting = Story::created(Manual);
    waiting.confirm();
    assert_eq!(
        read(&waiting, OperationKind::Capture, "others_1", 1500),
        None
    );

    // A refund of an amount that isn't known as captured waits for the capture's news.
    assert_eq!(read(&story, OperationKind::Refund, "others_1", 400), None);

    // A void of a captured payment counts as a refund.
    let taken = Story::approved(Automatic);
    let reversed = read(&taken, OperationKind::Void, "others_1", 0).expect("a refund");
    assert_eq!((reversed.what, reversed.amount), (What::Refund, 6540));
}
