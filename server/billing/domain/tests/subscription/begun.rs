//! Stories about work that must begin only once: a confirm, and a charge of an unpaid invoice.

use multirail_billing_domain::subscription::*;
use multirail_kernel::refusal::Refusal;

use crate::given::*;
use crate::story::*;

fn confirms(story: &Story) -> Result<Step, Refusal> {
    story.decide(Input::Command(Command::Confirm))
}

/// A second request at the same time would send another card.
#[test]
fn one_request_at_a_time_confirms_it() {
    let mut story = Story::created(monthly());
    story.does(Command::Confirm);
    assert_eq!(confirms(&story), Err(Refusal::SubscriptionConfirmed));
    // The subscription was paid between two reads.
    let mut torn = story.clone();
    torn.standing.open.clear();
    assert_eq!(confirms(&torn), Err(Refusal::SubscriptionConfirmed));
    // The first confirm was refused.
    let mut refused = story.clone();
    refused.does(Command::Unconfirm);
    confirms(&refused).expect("the next may");
    refused.does(Command::Confirm);
    assert_eq!(confirms(&refused), Err(Refusal::SubscriptionConfirmed));
    // The server died, so the outcome of the first confirm is unknown.
    let mut died = story.clone();
    let end = died.now.plus_seconds(59).expect("in range");
    died.until(end, |_| Outcome::Untouched);
    assert_eq!(confirms(&died), Err(Refusal::SubscriptionConfirmed));
    let end = died.now.plus_seconds(1).expect("in range");
    died.until(end, |_| Outcome::Untouched);
    confirms(&died).expect("the next may");
    story.reports(Outcome::Pending);
    story.does_nothing_for(Command::Unconfirm);
    assert_eq!(confirms(&story), Err(Refusal::SubscriptionConfirmed));
}

impl Story {
    fn does_nothing_for(&mut self, command: Command) {
        let before = self.standing.clone();
        assert_eq!(self.does(command), []);
        assert_eq!(self.standing, before);
    }
}

/// The merchant must first refund the money that the payment under review has taken.
#[test]
fn nothing_is_collected_while_a_payment_holds_money() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| Outcome::NeedsReview);
    let invoice = story.invoices[1].clone();
    assert_eq!(invoice.status.as_str(), "manual_review");
    let payment_id = invoice.last_payment().expect("one").clone();
    let amount = 400;
    story.holds = vec![Held {
        payment_id,
        amount,
        taken_back: 0,
    }];
    let collect = Command::Collect(invoice.invoice_id);
    let refused = story.decide(Input::Command(collect.clone()));
    let said = refused.expect_err("it holds money").to_string();
    assert!(said.contains("refund that first"), "{said}");
    story.holds.clear();
    story.does(collect);
    story.passes(1);
    assert_eq!(story.invoices[1].status.as_str(), "invoice_paid");
    assert_eq!(story.invoices[1].tries.len(), 2);
}

/// No processor received a first payment: the payer must start again. A renewal's payment is made again.
#[test]
fn an_unsent_payment_fails_only_a_subscription_that_never_began() {
    let never = || Outcome::NotAsked {
        why: "not_processed".to_owned(),
    };
    let mut story = Story::created_with(monthly(), Some(half()));
    story.does(Command::Confirm);
    let effects = story.reports(never());
    assert!(effects.contains(&Effect::GiveCouponBack), "{effects:?}");
    assert_eq!(story.status(), SubscriptionStatus::Failed);
    assert_eq!(story.standing.due(), None);
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| never());
    assert_eq!(story.status(), SubscriptionStatus::Active);
    assert_eq!(story.invoices[1].failures(), 0);
    let next = story.invoices[1].due_at.expect("it is asked again");
    assert!(next <= end.plus_seconds(60).expect("in range"));
}

/// Returns the times of the checks of an invoice's payment, in seconds from now. The outcome stays unknown each time.
fn looks(story: &mut Story, how: &Outcome) -> Vec<i64> {
    let from = story.now;
    story.reports(how.clone());
    let mut looks = Vec::new();
    while looks.len() < 8 {
        let (at, due) = story.standing.due().expect("it is looked at");
        assert!(matches!(due, Due::Invoice(_)), "{due:?}");
        story.now = at;
        story.takes(Input::Time).expect("it is looked at");
        story.reports(how.clone());
        looks.push(at.seconds_since(from));
    }
    looks
}

/// The checks come after a minute, then five times every five minutes, then hourly. (Facts 7.11)
#[test]
fn an_invoice_without_an_outcome_is_looked_at_by_a_schedule() {
    let expected = [60, 360, 660, 960, 1_260, 1_560, 5_160, 8_760];
    for how in [Outcome::Pending, Outcome::NeedsReview] {
        let mut first = Story::created(monthly());
        first.does(Command::Confirm);
        assert_eq!(looks(&mut first, &how), expected, "{how:?}");
        let mut renewal = Story::active();
        let (begins, _) = renewal.standing.due().expect("it is renewed");
        renewal.now = begins;
        renewal.takes(Input::Time).expect("it is billed");
        assert_eq!(looks(&mut renewal, &how), expected, "{how:?}");
    }
}
