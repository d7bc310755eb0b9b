//! Property tests of money: no time is billed twice, no invoice has two payments at once, and the amounts paid match
//! the amounts billed.

use multirail_billing_domain::calendar::Interval;
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::invoice::LineKind;
use multirail_billing_domain::subscription::*;
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::ids::PaymentId;
use multirail_kernel::timestamp::Timestamp;
use proptest::prelude::*;

use crate::given::*;
use crate::story::*;
use crate::walk::{AMOUNTS, any_coupon, any_price, check_coupon, interval};

#[derive(Clone, Debug)]
enum Act {
    Passes(i64),
    /// For this many days all charges fail with this advice.
    Fails(i64, Advice),
    Pause,
    PauseAtEnd,
    Resume(bool),
    /// A change of price, with the same interval or another one.
    GoesOver(i64, Option<Interval>),
    Collect,
    Void,
    /// A replacement of the charged method, possibly by the same one.
    Replace(u32),
    Cancel(Cancel),
    /// A manual refund of this amount of the newest payment.
    RefundByHand(i64),
    /// A manual refund of this amount of the newest payment whose money is credit.
    RefundLateByHand(i64),
    /// The failure of all manual refunds.
    HandRefundsFail,
    /// The outcome of refunds of credit from now on.
    RefundsEnd(RefundStatus),
    /// The number of next refunds that never take place.
    RefundsLost(u32),
    /// The success of a payment that had failed; 0 is the newest.
    PaidAfterAll(usize),
    /// A reversal of a payment's money, final or uncertain.
    TakenBack(usize, TakenBack),
}

#[derive(Clone, Copy, Debug)]
enum Advice {
    MayRetry,
    /// For this many days from now on.
    NotBefore(i64),
    DoNotRetry,
}

impl Advice {
    fn said(self, now: Timestamp) -> RetryAdvice {
        match self {
            Advice::MayRetry => RetryAdvice::MayRetry,
            Advice::NotBefore(days) => {
                RetryAdvice::NotBefore(now.plus_seconds(days * DAY).expect("in range"))
            }
            Advice::DoNotRetry => RetryAdvice::DoNotRetry,
        }
    }
}

fn advice() -> impl Strategy<Value = Advice> {
    prop_oneof![
        6 => Just(Advice::MayRetry),
        2 => (1_i64..20).prop_map(Advice::NotBefore),
        1 => Just(Advice::DoNotRetry),
    ]
}

#[derive(Clone, Copy, Debug)]
enum TakenBack {
    Failed,
    Pending,
    Part,
}

impl TakenBack {
    fn outcome(self) -> Outcome {
        match self {
            TakenBack::Failed => failed(RetryAdvice::MayRetry),
            TakenBack::Pending => Outcome::Pending,
            TakenBack::Part => Outcome::NeedsReview,
        }
    }
}

fn cancellation() -> impl Strategy<Value = Cancel> {
    let when = prop_oneof![3 => Just(When::Now), 1 => Just(When::EndOfTerm)];
    let unbilled = proptest::sample::select(UnbilledChargesOption::ALL);
    let receivables = proptest::sample::select(ReceivablesHandling::ALL);
    let returns = proptest::sample::select(ReturnOption::ALL);
    let credits = proptest::sample::select(RefundableCreditsHandling::ALL);
    let parts = (when, unbilled, receivables, returns, credits);
    parts.prop_map(|(when, unbilled, receivables, returns, credits)| Cancel {
        when,
        unbilled,
        receivables,
        returns,
        credits,
        reason_code: None,
    })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (1_i64..70).prop_map(Act::Passes),
        2 => (1_i64..70, advice()).prop_map(|(days, advice)| Act::Fails(days, advice)),
        2 => Just(Act::Pause),
        1 => Just(Act::PauseAtEnd),
        3 => any::<bool>().prop_map(Act::Resume),
        2 => (AMOUNTS, proptest::option::weighted(0.2, interval())).prop_map(|(amount, interval)| Act::GoesOver(amount, interval)),
        1 => Just(Act::Collect),
        1 => Just(Act::Void),
        1 => (1_u32..4).prop_map(Act::Replace),
        1 => cancellation().prop_map(Act::Cancel),
        1 => (1_i64..200_000).prop_map(Act::RefundByHand),
        2 => (1_i64..200_000).prop_map(Act::RefundLateByHand),
        1 => Just(Act::HandRefundsFail),
        1 => proptest::sample::select(RefundStatus::ALL).prop_map(Act::RefundsEnd),
        1 => (1_u32..12).prop_map(Act::RefundsLost),
        2 => (0_usize..5).prop_map(Act::PaidAfterAll),
        2 => (0_usize..5, taken_back()).prop_map(|(nth, how)| Act::TakenBack(nth, how)),
    ]
}

fn taken_back() -> impl Strategy<Value = TakenBack> {
    prop_oneof![
        2 => Just(TakenBack::Failed),
        1 => Just(TakenBack::Pending),
        1 => Just(TakenBack::Part),
    ]
}

proptest! {
    #[test]
    fn no_time_is_billed_twice(
        price in any_price(),
        coupon in proptest::option::of(any_coupon()),
        acts in proptest::collection::vec(act(), 1..25),
    ) {
        let mut story = Story::begun_with(price, coupon.clone());
        for act in acts {
            // Two commands never come in the same microsecond.
            let end = story.now.plus_seconds(1).expect("in range");
            story.until(end, |_| paid());
            match act {
                Act::Passes(days) => story.passes(days),
                Act::Fails(days, advice) => {
                    let end = story.now.plus_seconds(days * DAY).expect("in range");
                    let said = advice.said(story.now);
                    story.until(end, |_| failed(said));
                }
                Act::Pause => drop(story.takes(Input::Command(Command::Pause(When::Now)))),
                Act::PauseAtEnd => drop(story.takes(Input::Command(Command::Pause(When::EndOfTerm)))),
                Act::Resume(holds) => {
                    let charges = if holds {
                        ChargesHandling::AddToUnbilledCharges
                    } else {
                        ChargesHandling::InvoiceImmediately
                    };
                    let resume = Resume { charges, ..resume(None) };
                    drop(story.takes(Input::Command(Command::Resume(resume))));
                }
                Act::GoesOver(amount, interval) => {
                    let mut other = story.standing.subscription.plan.price.clone();
                    other.amount_minor = amount;
                    other.interval = interval.or(other.interval);
                    if amount % 3 == 0 {
                        other.taxes.clear();
                    }
                    let other = Box::new(update(other));
                    drop(story.takes(Input::Command(Command::Update(other))));
                }
                Act::Collect => {
                    let id = story.invoices.last().map(|it| it.invoice_id.clone()).expect("one");
                    drop(story.takes(Input::Command(Command::Collect(id))));
                }
                Act::Void => {
                    let id = story.invoices.last().map(|it| it.invoice_id.clone()).expect("one");
                    drop(story.takes(Input::Command(Command::Void(id))));
                }
                Act::Replace(number) => {
                    let method = replace(&format!("pm_{number}"));
                    if story.takes(Input::Command(method)).is_ok() {
                        story.charges.push((story.now, number));
                    }
                }
                Act::Cancel(cancel) => {
                    drop(story.takes(Input::Command(Command::Cancel(cancel))));
                }
                Act::RefundByHand(amount) => {
                    // An older payment can't be refunded.
                    let is_young = |it: &&Invoice| {
                        it.paid_at
                            .is_some_and(|at| story.now.seconds_since(at) < 365 * DAY)
                    };
                    let mut paid = story.invoices.iter().rev();
                    let newest = paid.find(|it| it.paid_by().is_some() && is_young(it));
                    if let Some(newest) = newest {
                        let amount = amount.min(story.room_of(newest)).max(0);
                        let invoice_id = newest.invoice_id.clone();
                        story.refunds_by_hand(&invoice_id, amount);
                    }
                }
                Act::RefundLateByHand(amount) => {
                    let newest = story.standing.subscription.credited.last().cloned();
                    if let Some(newest) = newest {
                        let room = story.room_in_credited(&newest);
                        story.refunds_credited_by_hand(&newest.payment_id, amount.min(room).max(0));
                    }
                }
                Act::HandRefundsFail => {
                    // Money that was refunded of a reversed payment stays refunded.
                    let invoices = story.invoices.iter();
                    let still: Vec<_> = invoices
                        .filter(|it| it.paid_by().is_some())
                        .map(|it| it.invoice_id.clone())
                        .collect();
                    let of_paid = story.by_hand.iter_mut();
                    let of_paid = of_paid.filter(|it| still.contains(&it.0));
                    of_paid.for_each(|it| it.1 = 0);
                    story.credited_by_hand.iter_mut().for_each(|it| it.1 = 0);
                    story.standing.subscription.has_news = true;
                    story.until(story.now, |_| paid());
                }
                Act::RefundsEnd(status) => story.refunds_end = status,
                Act::RefundsLost(lost) => story.refunds_lost = lost,
                Act::PaidAfterAll(nth) => {
                    let told = story.of_nth_former(nth, paid());
                    story.hears_late(told);
                }
                Act::TakenBack(nth, how) => {
                    let told = story.of_nth_former(nth, how.outcome());
                    story.hears_late(told);
                }
            }
            check(&story)?;
            check_charged(&story)?;
            check_money(&story)?;
            check_coupon(&story, coupon.as_ref())?;
        }
    }
}

/// Checks that lines add up, that numbers and periods are unique, and that unreturned charges never overlap.
pub(crate) fn check(story: &Story) -> Result<(), TestCaseError> {
    let mut starts = Vec::new();
    for (index, invoice) in story.invoices.iter().enumerate() {
        prop_assert_eq!(invoice.number as usize, index + 1);
        let sum: i64 = invoice.lines.iter().map(|line| line.amount_minor).sum();
        prop_assert_eq!(sum, invoice.amount);
        prop_assert!(invoice.amount >= 0);
        let under_way = invoice
            .tries
            .iter()
            .filter(|it| it.failed.is_none())
            .count();
        prop_assert!(under_way <= 1, "one payment at a time");
        starts.extend(invoice.period.map(|period| period.start));
    }
    let unique = starts.len();
    starts.sort();
    starts.dedup();
    prop_assert_eq!(starts.len(), unique, "a period has one invoice");
    let edges = edges(story);
    // An invoice's charge may have been returned before its payment was reversed and it was voided.
    let was_paid = |invoice: &&Invoice| invoice.tries.iter().any(|one| one.is_taken_back);
    let voided = |invoice: &&Invoice| invoice.status.as_str() == "voided" && was_paid(invoice);
    let least = -i64::try_from(story.invoices.iter().filter(voided).count()).expect("few");
    // Time whose money was refunded manually is not returned.
    let mut refunded: Vec<_> = story.by_hand.iter().map(|(invoice, _)| invoice).collect();
    refunded.sort();
    refunded.dedup();
    let refunded = i64::try_from(refunded.len()).expect("few");
    let mut depth = 0;
    let mut index = 0;
    while index < edges.len() {
        let at = edges[index].0;
        while index < edges.len() && edges[index].0 == at {
            depth += edges[index].1;
            index += 1;
        }
        prop_assert!(
            (least..=1 + refunded).contains(&depth),
            "billed {} times at {}",
            depth,
            at
        );
    }
    Ok(())
}

/// Checks that a payment charged the method that was current when it began.
fn check_charged(story: &Story) -> Result<(), TestCaseError> {
    for one in story.invoices.iter().flat_map(|invoice| &invoice.tries) {
        let Some(charged) = &one.payment_method_id else {
            continue;
        };
        let mut chosen = story.charges.iter().rev();
        let chosen = chosen.find(|(at, _)| *at <= one.started_at);
        let chosen = chosen.map_or(1, |(_, number)| *number);
        prop_assert_eq!(charged.as_str(), format!("pm_{chosen}"));
    }
    check_refusals(story)
}

/// Checks that no method is refused more often than the networks allow.
fn check_refusals(story: &Story) -> Result<(), TestCaseError> {
    let tries = story.invoices.iter().flat_map(|invoice| &invoice.tries);
    let refused = tries.filter_map(|one| {
        let failed = one.failed.as_ref()?;
        let counts = !failed.is_set_aside && !one.is_late && !one.is_taken_back;
        let method = one.payment_method_id.as_ref().filter(|_| counts)?;
        Some((method.as_str(), failed.at))
    });
    let refused: Vec<_> = refused.collect();
    for (method, at) in &refused {
        let month = refused.iter().filter(|(other, then)| {
            let seconds = at.seconds_since(*then);
            other == method && (0..30 * DAY).contains(&seconds)
        });
        prop_assert!(month.count() <= 15, "{} until {}", method, at);
    }
    Ok(())
}

/// Returns the starts and ends of billed time, each with its change to the number of times that it is billed.
pub(crate) fn edges(story: &Story) -> Vec<(i64, i64)> {
    let mut charged: Vec<(i64, i64, i64)> = Vec::new();
    for invoice in &story.invoices {
        for line in &invoice.lines {
            // A voided invoice's charges were given up; its returns are credit again.
            if invoice.status.as_str() == "voided" && line.amount_minor > 0 {
                continue;
            }
            let Some(period) = line.period else { continue };
            let (start, end) = (period.start.as_micros(), period.end.as_micros());
            match line.kind.as_str() {
                "return" => charged.push((start, end, -1)),
                "subscription" | "proration" => charged.push((start, end, 1)),
                _ => {}
            }
        }
    }
    // Pending returns and charges that are on no invoice yet count as well.
    let subscription = &story.standing.subscription;
    for owed in &subscription.owed {
        let period = owed.returned.period;
        charged.push((period.start.as_micros(), period.end.as_micros(), -1));
    }
    for charge in &subscription.unbilled {
        let period = charge.period;
        charged.push((period.start.as_micros(), period.end.as_micros(), 1));
    }
    let mut edges: Vec<(i64, i64)> = charged
        .iter()
        .flat_map(|(start, end, sign)| [(*start, *sign), (*end, -*sign)])
        .collect();
    edges.sort();
    edges
}

/// Checks that the money of payments equals charges, credit and refunds together.
fn check_money(story: &Story) -> Result<(), TestCaseError> {
    let subscription = &story.standing.subscription;
    let sum = |invoice: &Invoice, kinds: &[LineKind]| {
        let lines = invoice.lines.iter();
        let of_kinds = lines.filter(|line| kinds.contains(&line.kind));
        of_kinds.map(|line| line.amount_minor).sum::<i64>()
    };
    let (mut held, mut kept) = (0, 0);
    for invoice in &story.invoices {
        let credit = sum(invoice, &[LineKind::CreditUsed, LineKind::CreditGiven]);
        let back = sum(invoice, &[LineKind::Return, LineKind::TaxReturn]);
        let holds = |payment_id: &PaymentId| story.held.contains(payment_id);
        let tries = invoice.tries.iter().map(|one| &one.payment_id);
        let holding = tries.filter(|id| holds(id)).count();
        // Late money waits for the outcome of the payment under way.
        let waits = invoice.is_under_way() && holding > 0;
        let credited = invoice.credited().count();
        prop_assert!(invoice.credited().all(holds), "credit of no payment");
        if let Some(paid_by) = invoice.paid_by() {
            prop_assert!(holds(paid_by), "paid by nothing");
            prop_assert_eq!(holding, credited + 1);
        } else if !waits {
            prop_assert_eq!(holding, credited, "{:?}", invoice);
        }
        held +=
            invoice.amount * i64::try_from(if waits { credited } else { holding }).expect("few");
        kept += match invoice.status.as_str() {
            "invoice_paid" => invoice.amount - credit,
            // Only amounts that were paid before count.
            "voided" => back,
            _ => -credit,
        };
    }
    // A manual refund withdraws only credit for the same money. Nothing else withdraws credit, and nobody gets more
    // back than they paid.
    let by_hand: i64 = story.by_hand.iter().map(|(_, amount)| amount).sum();
    let of_credit = story.credited_by_hand.iter();
    let of_credit: i64 = of_credit.map(|(_, amount)| amount).sum();
    let by_hand = by_hand + of_credit;
    let taken = held - subscription.refunded() - subscription.credit - kept;
    prop_assert!((0..=by_hand).contains(&taken), "{} of {}", taken, by_hand);
    let mut tries = story.invoices.iter().flat_map(|invoice| &invoice.tries);
    if !tries.any(|one| one.is_taken_back) {
        let paid = held - subscription.refunded() - by_hand;
        prop_assert!(subscription.credit <= paid, "{} paid", paid);
    }
    // The refundable amount was requested or came late.
    let at_most = subscription.refunding.as_ref().and_then(|it| it.at_most);
    prop_assert!(at_most.unwrap_or(0) >= 0);
    Ok(())
}

/// A confirm took so long that another one could begin, and is then refused. The payment is still checked.
#[test]
fn a_refused_confirm_leaves_the_other_one_looked_at() {
    let mut story = Story::created(monthly());
    story.does(Command::Confirm);
    let end = story.now.plus_seconds(60).expect("in range");
    story.until(end, |_| Outcome::Untouched);
    story.does(Command::Confirm);
    story.does(Command::Unconfirm);
    let end = story.now.plus_seconds(DAY).expect("in range");
    let mut seen = story.clone();
    seen.until(end, |_| paid());
    assert_eq!(seen.status(), SubscriptionStatus::Active);
    story.until(end, |_| Outcome::Untouched);
    assert_eq!(story.status(), SubscriptionStatus::Created);
    assert_eq!(story.standing.due(), None, "it isn't looked at for ever");
    story.does(Command::Confirm);
    assert!(story.standing.due().is_some());
}

/// A busy service or a missing account says nothing about the payer.
#[test]
fn an_unsent_attempt_does_not_count() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(48 * DAY).expect("in range");
    story.until(end, |_| Outcome::NotAsked {
        why: "no account".to_owned(),
    });
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(story.invoices[1].failures(), 0);
    assert!(story.invoices[1].tries.len() > 20);
    story.passes(2);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    let mut never = Story::active();
    let end = never.now.plus_seconds(200 * DAY).expect("in range");
    never.until(end, |_| Outcome::NotAsked {
        why: "no account".to_owned(),
    });
    assert_eq!(never.status(), SubscriptionStatus::Unpaid, "in the end");
}
