//! What an outside engine bills, and what is charged of it.

use super::*;

/// A year of dates passes: our own engine bills none of them.
#[test]
fn nothing_is_billed_but_what_the_engine_says() {
    let mut story = active();
    story.passes(400);
    assert_eq!(story.invoices.len(), 1);
    let told = story.takes(Input::Command(Command::Pause(When::Now)));
    told.expect("it may");
    story.passes(400);
    assert_eq!(story.invoices.len(), 1);
}

#[test]
fn an_invoice_of_the_engine_is_taken_over_once() {
    let mut story = billed();
    assert_eq!(story.invoices.len(), 2);
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    assert_eq!(story.invoices.len(), 2);
    charged(&mut story, paid());
    assert_eq!(story.invoices[1].status, InvoiceStatus::Paid);
    // The engine hasn't taken note yet, and names it still.
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    does(&mut story, SubscriptionStatus::Active, &["in_2"]);
    assert_eq!(story.invoices.len(), 2);
    assert_eq!(outside(&story).to_record, []);
}

#[test]
fn what_the_engine_does_not_want_any_more_is_not_charged() {
    let mut story = billed();
    // By the time it is charged, the engine's word is old.
    story.now = story.now.plus_seconds(3_600).expect("in range");
    let effects = story.takes(Input::Time).expect("it may");
    assert_eq!(effects, [Effect::LookAtEngine]);
    stands(&mut story, SubscriptionStatus::Active, &[]);
    assert_eq!(story.invoices[1].status, InvoiceStatus::Voided);
    assert_eq!(story.invoices[1].tries, []);
    assert_eq!(story.standing.open, []);

    // A payment under way is waited for: money may have moved.
    let mut story = billed();
    story.takes(Input::Time).expect("it is charged");
    stands(&mut story, SubscriptionStatus::Active, &[]);
    assert_eq!(story.invoices[1].status, InvoiceStatus::PaymentPending);
    // Where the engine says that it wants it, it is charged at once.
    let mut story = billed();
    story.now = story.now.plus_seconds(3_600).expect("in range");
    story.takes(Input::Time).expect("it may");
    stands(&mut story, SubscriptionStatus::Active, &["in_2"]);
    let effects = story.takes(Input::Time).expect("it may");
    assert!(matches!(effects[..], [Effect::Charge(_)]), "{effects:?}");
}

#[test]
fn nobody_pays_for_what_the_engine_bills_otherwise() {
    let mut story = created();
    story.does(Command::Confirm);
    let mut dearer = state(&story, SubscriptionStatus::Pending, &[]);
    dearer.open_invoices = vec![bills("in_1", 1_100)];
    let input = told(&story, EngineOutcome::Done(dearer));
    let effects = story.takes(input).expect("it is never refused");
    assert_eq!(story.status(), SubscriptionStatus::Failed);
    let payment_id = PaymentId::parse("pay_1").expect("an id");
    assert_eq!(
        effects,
        [Effect::CancelPayment(payment_id), Effect::AskEngine]
    );
    let asked = outside(&story).asked.as_ref().expect("it is asked");
    assert_eq!(asked.wish, Wish::End);
}

/// It was paid before it was heard that the engine had made it: what that bills is what was paid.
#[test]
fn nobody_pays_the_first_invoice_twice() {
    let mut story = created();
    story.does(Command::Confirm);
    story.told(paid());
    assert_eq!(outside(&story).to_record.len(), 1);
    does(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    assert_eq!(story.invoices.len(), 1);
    let asked = outside(&story).asked.as_ref().expect("it is told");
    let Wish::Record(record) = &asked.wish else {
        panic!("{asked:?}");
    };
    assert_eq!(record.reference.as_deref(), Some("in_1"));
}

#[test]
fn what_is_collected_after_the_end_is_charged_while_the_engine_wants_it() {
    let mut ended = billed();
    charged(&mut ended, failed(RetryAdvice::MayRetry));
    ended.does(Command::Cancel(Cancel {
        receivables: ReceivablesHandling::SchedulePaymentCollection,
        ..cancel(When::Now)
    }));
    does(&mut ended, SubscriptionStatus::Cancelled, &["in_2"]);
    charged(&mut ended, failed(RetryAdvice::MayRetry));
    let asked_about = |story: &mut Story| {
        let (at, _) = story.standing.due().expect("it is tried again");
        story.now = at;
        let effects = story.takes(Input::Time).expect("it may");
        assert_eq!(effects, [Effect::LookAtEngine]);
    };
    asked_about(&mut ended);
    let mut wanted = ended.clone();
    stands(&mut wanted, SubscriptionStatus::Cancelled, &["in_2"]);
    let effects = wanted.takes(Input::Time).expect("it may");
    assert!(matches!(effects[..], [Effect::Charge(_)]), "{effects:?}");
    // The engine's invoices from after the end are nobody's.
    stands(&mut ended, SubscriptionStatus::Cancelled, &["in_3"]);
    assert_eq!(ended.invoices[1].status, InvoiceStatus::Voided);
    assert_eq!(ended.invoices.len(), 2);
    assert_eq!(ended.standing.due(), None);
}

#[test]
fn an_invoice_is_remembered_once() {
    let mut story = made();
    stands(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    stands(&mut story, SubscriptionStatus::Pending, &["in_1"]);
    assert_eq!(outside(&story).invoices, ["in_1"]);
}
