//! Stories about commands that come before a late worker: the result is the same as with a punctual worker.

use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::invoice::LineKind;
use multirail_billing_domain::subscription::*;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use proptest::prelude::*;

use crate::given::*;
use crate::money::{check, edges};
use crate::periods::days;
use crate::story::*;
use crate::walk::{any_coupon, any_price, check_coupon};

/// Lets time pass without a worker.
fn no_worker_runs(story: &mut Story, days: i64) {
    story.now = story.now.plus_seconds(days * DAY).expect("in range");
}

/// A period has begun and isn't billed yet. A pause or cancellation bills it up to now.
#[test]
fn a_command_that_outruns_the_worker_leaves_no_time_unbilled() {
    let commands = [
        Command::Pause(When::Now),
        Command::Pause(When::EndOfTerm),
        Command::Cancel(cancel(When::Now)),
        Command::Cancel(cancel(When::EndOfTerm)),
    ];
    for command in commands {
        let mut story = Story::active();
        no_worker_runs(&mut story, 40);
        story.does(command.clone());
        story.passes(40);
        let periods = days(&story);
        assert!(periods.len() >= 2, "{command:?}: {periods:?}");
        assert_eq!(periods[1], "2026-02-28", "{command:?}");
        let status = story.invoices[1].status.as_str();
        // Open invoices are not charged during a pause, nor after a cancellation that leaves them open.
        let ends_at_once = matches!(
            command,
            Command::Pause(When::Now)
                | Command::Cancel(Cancel {
                    when: When::Now,
                    ..
                })
        );
        let expected = if ends_at_once {
            "invoice_created"
        } else {
            "invoice_paid"
        };
        assert_eq!(status, expected, "{command:?}");
    }
    // An update must wait until the billed period is paid.
    let mut story = Story::active();
    no_worker_runs(&mut story, 40);
    let another = Box::new(update(monthly()));
    let refused = story.decide(Input::Command(Command::Update(another)));
    let said = refused
        .expect_err("the period before is not paid")
        .to_string();
    assert!(said.contains("one of its invoices is open"), "{said}");
}

/// The invoice that the command made can still be collected.
#[test]
fn an_invoice_made_by_a_cancellation_is_open_and_not_charged() {
    let mut story = Story::active();
    no_worker_runs(&mut story, 40);
    story.does(Command::Cancel(cancel(When::Now)));
    assert_eq!(story.standing.due(), None);
    let open = story.invoices[1].clone();
    assert_eq!((open.amount, open.tries.len()), (1_000, 0));
    story.passes(40);
    assert_eq!(story.invoices[1], open);
    story.does(Command::Collect(open.invoice_id));
    story.passes(1);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");

    let mut collected = Story::active();
    no_worker_runs(&mut collected, 40);
    collected.does(Command::Cancel(Cancel {
        receivables: ReceivablesHandling::SchedulePaymentCollection,
        ..cancel(When::Now)
    }));
    collected.passes(1);
    assert_eq!(collected.invoices[1].status.as_str(), "invoice_paid");
}

/// A punctual worker would have charged the invoice before the pause, so it is charged afterwards.
#[test]
fn an_invoice_made_by_a_pause_is_charged_after_it() {
    let paused = || {
        let mut story = Story::active();
        no_worker_runs(&mut story, 40);
        story.does(Command::Pause(When::Now));
        story.passes(30);
        assert_eq!(story.invoices[1].tries.len(), 0);
        story
    };
    let mut resumed = paused();
    resumed.does(Command::Resume(resume(None)));
    let now = resumed.now;
    resumed.until(now, |_| failed(RetryAdvice::MayRetry));
    resumed.passes(10);
    assert_eq!(resumed.invoices[1].tries.len(), 1, "once");
    let mut ended = paused();
    ended.does(Command::Cancel(cancel(When::Now)));
    ended.passes(40);
    assert_eq!(ended.invoices[1].tries.len(), 0);
}

/// Both invoices are charged at once after the pause, and no time twice: the return of one reduces the other.
#[test]
fn the_rest_of_an_unpaid_period_reduces_the_next_invoice() {
    let at = |story: &Story, days| story.now.plus_seconds(days * DAY).expect("in range");
    let mut outrun = Story::active();
    no_worker_runs(&mut outrun, 40);
    outrun.does(Command::Pause(When::Now));
    outrun.passes(10);
    let mut planned = outrun.clone();
    let date = at(&planned, 5);
    planned.does(Command::Resume(resume(Some(date))));
    outrun.does(Command::Resume(resume(None)));
    let mut refused = Story::active();
    let end = at(&refused, 29);
    refused.until(end, |_| failed(RetryAdvice::MayRetry));
    refused.does(Command::Pause(When::Now));
    refused.does(replace("pm_2"));
    refused.does(Command::Resume(Resume {
        unpaid_invoices: UnpaidInvoicesHandling::SchedulePaymentCollection,
        ..resume(None)
    }));
    for mut story in [outrun, planned, refused] {
        story.passes(6);
        assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
        let next = &story.invoices[2];
        let back = next.lines.iter().any(|line| line.kind == LineKind::Return);
        assert!(back && next.amount < 1_000, "{next:?}");
        assert_eq!(story.standing.subscription.owed, []);
    }
}

/// The charge began before the end, and no processor was asked for it.
#[test]
fn an_unsent_charge_is_not_repeated_after_the_end() {
    for command in [
        Command::Pause(When::Now),
        Command::Cancel(cancel(When::Now)),
    ] {
        let mut story = Story::active();
        no_worker_runs(&mut story, 28);
        story.takes(Input::Time).expect("it is billed");
        story.does(command.clone());
        story.reports(Outcome::NotAsked {
            why: "no account".to_owned(),
        });
        assert_eq!(story.standing.due(), None, "{command:?}");
        if let Command::Pause(_) = command {
            story.does(Command::Resume(resume(None)));
            story.passes(1);
            assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
        }
    }
}

#[test]
fn a_resumption_that_is_due_has_happened_whoever_comes_first() {
    let mut story = Story::active();
    story.does(Command::Pause(When::Now));
    let later = story.now.plus_seconds(10 * DAY).expect("in range");
    story.does(Command::Resume(resume(Some(later))));
    no_worker_runs(&mut story, 20);
    let refused = story.decide(Input::Command(Command::Resume(resume(None))));
    refused.expect_err("it runs since then");
    story.does(Command::Pause(When::Now));
    assert_eq!(days(&story).pop().as_deref(), Some("2026-02-10"));
    assert_eq!(story.standing.subscription.paused_at, Some(story.now));
}

/// A pause or a cancellation that was planned for an earlier time takes effect first.
#[test]
fn earlier_plans_take_effect_first() {
    let mut story = Story::active();
    let soon = story.now.plus_seconds(3 * DAY).expect("in range");
    story.does(Command::Cancel(cancel(When::At(soon))));
    no_worker_runs(&mut story, 5);
    let refused = story.decide(Input::Command(Command::Pause(When::Now)));
    let said = refused.expect_err("it is over").to_string();
    assert!(said.ends_with("it has status cancelled"), "{said}");
    let mut story = Story::active();
    story.does(Command::Pause(When::At(soon)));
    no_worker_runs(&mut story, 5);
    story.does(Command::Cancel(cancel(When::Now)));
    let owed = story.invoices.last().expect("one");
    assert_eq!(owed.lines[0].period.expect("one").start, soon, "{owed:?}");
}

/// With too many overdue periods the worker must catch up first.
#[test]
fn too_much_that_is_due_is_left_to_the_worker() {
    let mut price = monthly();
    price.interval = Some(
        multirail_billing_domain::calendar::Interval::new(
            multirail_billing_domain::calendar::IntervalUnit::Day,
            1,
        )
        .expect("an interval"),
    );
    let mut story = Story::begun(price);
    no_worker_runs(&mut story, 200);
    let refused = story.decide(Input::Command(Command::Pause(When::Now)));
    assert_eq!(refused, Err(Refusal::busy(Object::Subscription)));
    let now = story.now;
    story.until(now, |_| paid());
    story.does(Command::Pause(When::Now));
    assert_eq!(story.invoices.len(), 201);
}

proptest! {
    /// A late worker gets the same result as a punctual one.
    #[test]
    fn a_command_that_outruns_the_worker_bills_the_same(
        price in any_price(),
        coupon in proptest::option::of(any_coupon()),
        acts in proptest::collection::vec(late_act(), 1..12),
    ) {
        let mut late = Story::begun_with(price, coupon.clone());
        let mut in_time = late.clone();
        for act in acts {
            let end = late.now.plus_seconds(3_601).expect("in range");
            late.now = end;
            in_time.until(end, |_| paid());
            let command = match act {
                LateAct::Passes(days) => {
                    no_worker_runs(&mut late, days);
                    in_time.passes(days);
                    continue;
                }
                LateAct::Works => {
                    let now = late.now;
                    late.until(now, |_| paid());
                    continue;
                }
                LateAct::Pause(when) => Command::Pause(when.on(late.now)),
                LateAct::Cancel(when) => Command::Cancel(cancel(when.on(late.now))),
                LateAct::Resume(days) => {
                    let at = days.map(|days| late.now.plus_seconds(days * DAY).expect("in range"));
                    Command::Resume(resume(at))
                }
            };
            let first = late.takes(Input::Command(command.clone()));
            let second = in_time.takes(Input::Command(command));
            prop_assert_eq!(first.is_ok(), second.is_ok());
        }
        // Enough time for all planned work.
        let end = late.now;
        late.until(end, |_| paid());
        in_time.until(end, |_| paid());
        check(&late)?;
        check_coupon(&late, coupon.as_ref())?;
        check_coupon(&in_time, coupon.as_ref())?;
        prop_assert_eq!(late.status(), in_time.status());
        let next = |story: &Story| story.standing.subscription.next_billing_at;
        prop_assert_eq!(next(&late), next(&in_time));
        let billed = billed_time(&in_time);
        prop_assert_eq!(billed_time(&late), billed.clone());
        for (start, end) in &in_time.runs {
            let (start, end) = (start.as_micros(), end.unwrap_or(in_time.now).as_micros());
            // A subscription resumed after its last period ends at once.
            if start == end {
                continue;
            }
            let is_billed = |(from, to): &(i64, i64)| *from <= start && end <= *to;
            prop_assert!(billed.iter().any(is_billed), "not billed: {start} to {end}, {billed:?}");
        }
    }
}

#[derive(Clone, Debug)]
enum LateWhen {
    Now,
    EndOfTerm,
    In(i64),
}

impl LateWhen {
    fn on(self, now: Timestamp) -> When {
        match self {
            LateWhen::Now => When::Now,
            LateWhen::EndOfTerm => When::EndOfTerm,
            LateWhen::In(days) => When::At(now.plus_seconds(days * DAY).expect("in range")),
        }
    }
}

#[derive(Clone, Debug)]
enum LateAct {
    /// Time without a worker.
    Passes(i64),
    Works,
    Pause(LateWhen),
    Resume(Option<i64>),
    Cancel(LateWhen),
}

fn late_act() -> impl Strategy<Value = LateAct> {
    let when = || {
        prop_oneof![
            2 => Just(LateWhen::Now),
            1 => Just(LateWhen::EndOfTerm),
            1 => (1_i64..60).prop_map(LateWhen::In),
        ]
    };
    prop_oneof![
        5 => (1_i64..90).prop_map(LateAct::Passes),
        1 => Just(LateAct::Works),
        3 => when().prop_map(LateAct::Pause),
        4 => proptest::option::of(1_i64..60).prop_map(LateAct::Resume),
        1 => when().prop_map(LateAct::Cancel),
    ]
}

/// Returns the billed stretches of time, each as start and end in microseconds.
fn billed_time(story: &Story) -> Vec<(i64, i64)> {
    let mut depth = 0;
    let mut stretches: Vec<(i64, i64)> = Vec::new();
    for (at, change) in edges(story) {
        let before = depth;
        depth += change;
        match (before, depth) {
            (0, 1) => match stretches.last_mut() {
                Some(last) if last.1 == at => {}
                Some(_) | None => stretches.push((at, at)),
            },
            (1, 0) => {
                if let Some(last) = stretches.last_mut() {
                    last.1 = at;
                }
            }
            _ => {}
        }
    }
    stretches
}
