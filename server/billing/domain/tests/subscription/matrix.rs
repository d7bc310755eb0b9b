//! A table for human readers: the effect of every command, payment outcome and passage of time in every status.

use std::fmt::Write;

use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::ids::{PaymentId, RefundId};

use crate::given::*;
use crate::story::*;

pub const LEGEND: &str = "\
What every input does to a subscription in every status. Time passes until the next thing that is due.

status   the next status
+n       so many invoices more; -> what the newest changed one is
!charge  its payment is seen to; !cancel a payment is cancelled; *paid invoice_paid is announced
!refund  payments are looked for to which credit can be refunded; !look it is asked how a refund stands
!news    payments that nobody waits for are looked at; !coupon its coupon can be had again; !coupon taken it can't any more
=n       so much credit from now on, in minor units
@        when the next period begins: now, later, or - for never
no       refused; 409 as confirmed already
.        nothing changes
";

pub fn statuses() -> Vec<(&'static str, Story)> {
    let created = Story::created(monthly());
    let mut lapsed = Story::created_with(monthly(), Some(half()));
    lapsed.passes(1);
    let mut begun = created.clone();
    begun.does(Command::Confirm);
    let mut pending = begun.clone();
    pending.reports(Outcome::Pending);
    let mut trial = monthly();
    trial.trial_days = 14;
    let mut once = monthly();
    once.interval = None;
    let active = Story::active();
    let mut dunned = active.clone();
    let end = dunned.now.plus_seconds(29 * DAY).expect("in range");
    dunned.until(end, |_| failed(RetryAdvice::MayRetry));
    let mut paused = active.clone();
    paused.does(Command::Pause(When::Now));
    let mut paused_unpaid = dunned.clone();
    paused_unpaid.does(Command::Pause(When::Now));
    let mut unpaid = active.clone();
    let end = unpaid.now.plus_seconds(29 * DAY).expect("in range");
    unpaid.until(end, |_| failed(RetryAdvice::DoNotRetry));
    let mut cancelled = active.clone();
    cancelled.does(Command::Cancel(cancel(When::Now)));
    let refunded = Cancel {
        returns: ReturnOption::Prorate,
        credits: RefundableCreditsHandling::ScheduleRefund,
        ..cancel(When::Now)
    };
    let mut cancelled_open = dunned.clone();
    cancelled_open.does(Command::Cancel(refunded.clone()));
    let mut to_refund = active.clone();
    to_refund.passes(7);
    to_refund.does(Command::Cancel(refunded));
    let mut refunding = to_refund.clone();
    let now = refunding.now;
    refunding.until(now, |_| paid());
    let mut refused = begun.clone();
    refused.reports(failed(RetryAdvice::MayRetry));
    let mut gone = active.clone();
    let end = gone.now.plus_seconds(29 * DAY).expect("in range");
    gone.until(end, |_| Outcome::CustomerGone {
        why: "redacted".to_owned(),
    });
    vec![
        ("created", created),
        (
            "created with a coupon",
            Story::created_with(monthly(), Some(half())),
        ),
        ("created with a coupon, and lapsed", lapsed),
        ("created: confirm under way", begun),
        ("pending", pending),
        ("trial", Story::begun(trial)),
        ("active", active),
        ("active: an invoice is tried again", dunned),
        ("paused", paused),
        ("paused: an invoice is open", paused_unpaid),
        ("unpaid", unpaid),
        ("onetime", Story::begun(once)),
        ("cancelled", cancelled),
        ("cancelled: an invoice is open", cancelled_open),
        ("cancelled: credit is to be refunded", to_refund),
        ("cancelled: credit is being refunded", refunding),
        ("failed", refused),
        ("in_active", gone),
    ]
}

pub fn inputs(story: &Story) -> Vec<(&'static str, Input)> {
    let later = story.now.plus_seconds(5 * DAY).expect("in range");
    let mut dearer = monthly();
    dearer.amount_minor = 1_500;
    let open = story.standing.open.last();
    let some = open.or(story.invoices.last()).expect("it has one");
    let id = some.invoice_id.clone();
    let told = |outcome| Input::Told(story.of_payment(outcome));
    let returning = |returns| {
        let credits = RefundableCreditsHandling::ScheduleRefund;
        Input::Command(Command::Cancel(Cancel {
            returns,
            credits,
            ..cancel(When::Now)
        }))
    };
    let refunds = &story.standing.subscription.refunds;
    let refund = refunds.last().map(|refund| refund.refund_id.clone());
    let refund = refund.unwrap_or_else(|| RefundId::parse("ref_none").expect("an id"));
    let of_refund = |status| Input::RefundTold(story.of_refund(refund.clone(), status));
    let may = RetryAdvice::MayRetry;
    vec![
        ("confirm", Input::Command(Command::Confirm)),
        ("pause", Input::Command(Command::Pause(When::Now))),
        (
            "pause at end",
            Input::Command(Command::Pause(When::EndOfTerm)),
        ),
        ("resume", Input::Command(Command::Resume(resume(None)))),
        (
            "resume later",
            Input::Command(Command::Resume(resume(Some(later)))),
        ),
        (
            "update",
            Input::Command(Command::Update(Box::new(update(dearer)))),
        ),
        ("another method", Input::Command(replace("pm_2"))),
        ("cancel", Input::Command(Command::Cancel(cancel(When::Now)))),
        (
            "cancel at end",
            Input::Command(Command::Cancel(cancel(When::EndOfTerm))),
        ),
        ("cancel, prorate", returning(ReturnOption::Prorate)),
        ("cancel, full", returning(ReturnOption::Full)),
        ("refund credit", Input::Command(Command::RefundCredit)),
        ("void", Input::Command(Command::Void(id.clone()))),
        ("collect", Input::Command(Command::Collect(id))),
        ("paid", told(paid())),
        ("pending", told(Outcome::Pending)),
        ("untouched", told(Outcome::Untouched)),
        ("failed", told(failed(may))),
        ("to be reviewed", told(Outcome::NeedsReview)),
        (
            "not asked",
            told(Outcome::NotAsked {
                why: "busy".to_owned(),
            }),
        ),
        ("paid after all", Input::Told(story.of_former(paid()))),
        (
            "torn after all",
            Input::Told(story.of_former(Outcome::NeedsReview)),
        ),
        ("taken back", Input::Told(story.of_former(failed(may)))),
        (
            "refund",
            Input::Refund(ToRefund {
                refund_id: RefundId::parse("ref_new").expect("an id"),
                payment_id: PaymentId::parse("pay_1").expect("an id"),
                amount: 100,
            }),
        ),
        ("none refundable", Input::NothingRefundable),
        ("refund succeeded", of_refund(RefundStatus::Succeeded)),
        ("refund failed", of_refund(RefundStatus::Failed)),
        ("time", Input::Time),
    ]
}

pub fn cell(story: &Story, input: Input) -> String {
    let mut story = story.clone();
    let is_time = matches!(input, Input::Time);
    if let Some((at, _)) = story.standing.due().filter(|_| is_time) {
        story.now = story.now.max(at);
    }
    let before = story.clone();
    let effects = match story.takes(input) {
        Ok(effects) => effects,
        Err(multirail_kernel::refusal::Refusal::SubscriptionConfirmed) => return "409".to_owned(),
        Err(_) => return "no".to_owned(),
    };
    if story.standing == before.standing && effects.is_empty() {
        return ".".to_owned();
    }
    let mut text = story.status().to_string();
    let more = story.invoices.len() - before.invoices.len();
    if more > 0 {
        write!(text, " +{more}").expect("a text");
    }
    let is_changed = |one: &&Invoice| !before.invoices.contains(one);
    if let Some(changed) = story.invoices.iter().rev().find(is_changed) {
        write!(text, " ->{}", changed.status).expect("a text");
    }
    for effect in effects {
        text.push_str(match effect {
            Effect::Charge(_) => " !charge",
            Effect::CancelPayment(_) => " !cancel",
            Effect::Announce(_) => " *paid",
            Effect::RefundCredit => " !refund",
            Effect::LookAtRefund(_) => " !look",
            Effect::LookAtPayments => " !news",
            Effect::GiveCouponBack => " !coupon",
            Effect::TakeCoupon => " !coupon taken",
        });
    }
    let credit = |of: &Story| of.standing.subscription.credit;
    if credit(&story) != credit(&before) {
        write!(text, " ={}", credit(&story)).expect("a text");
    }
    let next = match story.standing.subscription.next_billing_at {
        None => "-",
        Some(at) if at <= story.now => "now",
        Some(_) => "later",
    };
    write!(text, " @{next}").expect("a text");
    text
}

#[test]
fn status_by_input() {
    let mut table = LEGEND.to_owned();
    for (name, story) in statuses() {
        write!(table, "\n{name}\n").expect("a text");
        for (input_name, input) in inputs(&story) {
            let cell = cell(&story, input);
            writeln!(table, "  {input_name:<17}{cell}").expect("a text");
        }
    }
    insta::assert_snapshot!("status_by_input", table);
}

#[test]
fn every_status_is_in_the_table() {
    let there: Vec<SubscriptionStatus> = statuses().iter().map(|(_, it)| it.status()).collect();
    for status in SubscriptionStatus::ALL {
        assert!(there.contains(status), "{status}");
    }
}
