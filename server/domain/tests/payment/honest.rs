//! A correct processor behind a connection that loses requests and answers. After all questions, the payment agrees exactly
//! with the processor's ledger, without a conflict.

use std::collections::BTreeMap;

use multirail_domain::payments::payment::{
    AtHand, Attempt, CaptureMethod, Command, Effect, Fact, Input, Payment, PaymentStatus,
    ProcessorCall,
};
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{OperationKind, Outcome};
use proptest::prelude::*;

use crate::support::outcomes::*;
use crate::support::story::Story;
use crate::support::{AMOUNT, with_card};

/// The fate of one request on its way and at the processor.
#[derive(Clone, Copy, Debug)]
struct Fate {
    /// The request is lost, and the connection reports it.
    unsent: bool,
    /// The answer is lost.
    unheard: bool,
    /// The processor answers later.
    slow: bool,
    declined: bool,
    redirected: bool,
    /// A capture finds out that the authorization expired.
    lapsed: bool,
}

#[derive(Clone, Copy, Debug)]
enum Ask {
    Confirm,
    Capture(i64),
    Cancel,
    CancelPostCapture,
    Sync,
}

/// The processor's books.
#[derive(Default)]
struct Ledger {
    /// By the key of the authorization.
    authorizations: BTreeMap<String, Authorization>,
    /// The processor's present answer, by key.
    answers: BTreeMap<String, Verdict>,
}

#[derive(Clone, Copy, Default)]
struct Authorization {
    approved: bool,
    waiting: bool,
    at_once: bool,
    taken: i64,
    closed: bool,
}

struct Verdict {
    now: Outcome,
    /// The answer after it is asked again.
    later: Outcome,
}

impl Ledger {
    fn perform(&mut self, payment: &Payment, call: &ProcessorCall, fate: Fate) -> Outcome {
        if fate.unsent {
            return never_happened();
        }
        if let Some(known) = self.answers.get(call.key.as_str()) {
            return known.now.clone();
        }
        let attempts = payment.attempts.iter();
        let attempt = attempts
            .clone()
            .find(|a| a.number == call.attempt)
            .expect("an attempt");
        let authorization = attempt.authorization.as_ref().expect("an authorization");
        let book = self
            .authorizations
            .entry(authorization.key.to_string())
            .or_default();
        let done_or = |allowed| if allowed { done() } else { declined() };
        let (now, later) = match call.kind {
            OperationKind::Authorize => {
                book.at_once = attempt.captures_at_once;
                if fate.redirected {
                    book.waiting = true;
                    (redirect(), done_or(!fate.declined))
                } else {
                    let truth = done_or(!fate.declined);
                    approve(book, &truth, attempt.amount);
                    (truth.clone(), truth)
                }
            }
            OperationKind::Capture => {
                let amounts = attempt.captures.iter().map(|capture| &capture.operation);
                let amount = amounts
                    .clone()
                    .find(|o| o.key == call.key)
                    .map_or(0, |o| o.amount);
                let fits = book.taken + amount <= AMOUNT && !book.closed && !fate.declined;
                book.closed |= fate.lapsed;
                let refusal = if book.closed { gone() } else { declined() };
                let fits = fits && !book.closed;
                if fits {
                    book.taken += amount;
                    book.closed |= payment.terms.capture_method != CaptureMethod::ManualMultiple;
                }
                let truth = if fits { done() } else { refusal };
                (truth.clone(), truth)
            }
            OperationKind::Void if is_post_capture(attempt, call) => {
                let allowed = book.taken > 0 && !fate.declined;
                if allowed {
                    book.taken = 0;
                    book.closed = true;
                }
                (done_or(allowed), done_or(allowed))
            }
            OperationKind::Void => {
                let allowed = if book.waiting || (book.approved && book.at_once) {
                    true
                } else {
                    book.approved && !book.closed && book.taken < AMOUNT
                };
                if allowed {
                    book.waiting = false;
                    book.closed = true;
                    if book.at_once {
                        book.taken = 0;
                    }
                }
                (done_or(allowed), done_or(allowed))
            }
            OperationKind::Increment | OperationKind::Refund => {
                unreachable!("nobody raises here, and a payment's own call is never a refund")
            }
        };
        let now = if fate.slow && call.kind != OperationKind::Authorize {
            pending()
        } else {
            now
        };
        let answer = Verdict { now, later };
        let said = answer.now.clone();
        self.answers.insert(call.key.to_string(), answer);
        if fate.unheard { unknown() } else { said }
    }

    fn look_up(&mut self, call: &ProcessorCall) -> Outcome {
        let Some(answer) = self.answers.get_mut(call.key.as_str()) else {
            return never_happened();
        };
        let key = call.key.to_string();
        if let Some(book) = self.authorizations.get_mut(&key)
            && matches!(answer.now, Outcome::CustomerMustAct { .. })
        {
            if book.waiting {
                book.waiting = false;
                approve(book, &answer.later, AMOUNT);
            } else {
                // The authorization was voided before the payer came.
                answer.later = declined();
            }
        }
        answer.now = answer.later.clone();
        answer.now.clone()
    }
}

fn is_post_capture(attempt: &Attempt, call: &ProcessorCall) -> bool {
    let mut voids = attempt.post_capture_voids.iter();
    voids.any(|void| void.operation.key == call.key)
}

fn approve(book: &mut Authorization, truth: &Outcome, amount: i64) {
    if let Outcome::Done(_) = truth {
        book.approved = true;
        if book.at_once {
            book.taken = amount;
        }
    }
}

fn fate() -> impl Strategy<Value = Fate> {
    let rarely = || prop::bool::weighted(0.25);
    let flags = (
        rarely(),
        rarely(),
        rarely(),
        rarely(),
        rarely(),
        prop::bool::weighted(0.1),
    );
    flags.prop_map(
        |(unsent, unheard, slow, declined, redirected, lapsed)| Fate {
            unsent,
            unheard,
            slow,
            declined,
            redirected,
            lapsed,
        },
    )
}

fn ask() -> impl Strategy<Value = Ask> {
    prop_oneof![
        Just(Ask::Confirm),
        prop::sample::select(&[1000, 2540, 4000, AMOUNT]).prop_map(Ask::Capture),
        Just(Ask::Cancel),
        Just(Ask::CancelPostCapture),
        Just(Ask::Sync),
    ]
}

/// Makes a step and carries out its effects, like the server.
fn carry_out(
    story: &mut Story,
    ledger: &mut Ledger,
    input: Input,
    fates: &mut impl Iterator<Item = Fate>,
) {
    let Ok(step) = story.try_input(input) else {
        return;
    };
    story.payment = step.payment;
    for effect in step.effects {
        let (key, outcome) = match effect {
            Effect::Call(call) => {
                let fate = fates.next().expect("fates don't end");
                (
                    call.key.clone(),
                    ledger.perform(&story.payment, &call, fate),
                )
            }
            Effect::LookUp(call) => (call.key.clone(), ledger.look_up(&call)),
            Effect::Announce(_)
            | Effect::Method(_)
            | Effect::Mandate(_)
            | Effect::DeleteCard
            | Effect::ReturnExcess(_)
            | Effect::DeleteCredentials { .. } => continue,
        };
        apply(story, ledger, key, outcome, fates);
    }
}

fn apply(
    story: &mut Story,
    ledger: &mut Ledger,
    about: ProcessorKey,
    outcome: Outcome,
    fates: &mut impl Iterator<Item = Fate>,
) {
    let mut fates: Box<dyn Iterator<Item = Fate>> = Box::new(fates);
    carry_out(
        story,
        ledger,
        Input::Fact(Fact { about, outcome }),
        &mut fates,
    );
}

const KIND: Fate = Fate {
    unsent: false,
    unheard: false,
    slow: false,
    declined: false,
    redirected: false,
    lapsed: false,
};

/// The number of requests that may fail.
const FATES: usize = 12;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_books_agree(
        method in prop::sample::select(CaptureMethod::ALL),
        asks in prop::collection::vec(ask(), 1..12),
        fates in prop::collection::vec(fate(), FATES),
    ) {
        agree(method, asks, fates)?;
    }
}

/// A void is lost twice, and the next void, for a late approval, five times.
#[test]
fn the_books_agree_after_many_losses() {
    let declined = Fate {
        declined: true,
        ..KIND
    };
    let redirected = Fate {
        redirected: true,
        ..KIND
    };
    let unsent = Fate {
        unsent: true,
        ..KIND
    };
    let mut fates = vec![declined, redirected, unsent, unsent, KIND];
    fates.extend([unsent; 5]);
    let asks = vec![Ask::Confirm, Ask::Confirm, Ask::Cancel];
    let agreed = agree(CaptureMethod::Automatic, asks, fates);
    assert!(agreed.is_ok(), "{agreed:?}");
}

fn agree(method: CaptureMethod, asks: Vec<Ask>, fates: Vec<Fate>) -> Result<(), TestCaseError> {
    let mut story = Story::created(method);
    story.manual_retry_enabled = true;
    let mut ledger = Ledger::default();
    let mut fates = fates.into_iter().chain(std::iter::repeat(KIND));
    for ask in asks {
        let command = match ask {
            Ask::Confirm => story.confirm_command(with_card()),
            Ask::Capture(amount) => Command::Capture {
                amount_to_capture: Some(amount),
                credentials: AtHand::default(),
            },
            Ask::Cancel => Command::Cancel {
                reason: None,
                credentials: AtHand::default(),
            },
            Ask::CancelPostCapture => Command::CancelPostCapture {
                reason: None,
                credentials: AtHand::default(),
            },
            Ask::Sync => Command::Sync { about: None },
        };
        carry_out(&mut story, &mut ledger, Input::Command(command), &mut fates);
    }
    // Each round uses up at least one failure; later requests succeed.
    for _ in 0..=FATES {
        story.now = story.now.plus_seconds(60).expect("a moment");
        carry_out(
            &mut story,
            &mut ledger,
            Input::Command(Command::Sync { about: None }),
            &mut fates,
        );
    }
    let payment = &story.payment;
    prop_assert!(!payment.is_open_at_processor(), "{}", story.page());
    prop_assert_ne!(payment.status, PaymentStatus::Conflicted);
    prop_assert_ne!(payment.status, PaymentStatus::Processing);
    for attempt in &payment.attempts {
        let Some(authorization) = &attempt.authorization else {
            continue;
        };
        let book = ledger
            .authorizations
            .get(authorization.key.as_str())
            .copied();
        let book = book.unwrap_or_default();
        prop_assert_eq!(attempt.captured_amount(), book.taken, "{}", story.page());
        // The processor holds no amount that can't be captured, and the payment shows no capturable amount that isn't held.
        let is_held = book.approved && !book.closed && book.taken < AMOUNT;
        let is_capturable = attempt.number == payment.active().number
            && matches!(
                payment.status,
                PaymentStatus::RequiresCapture | PaymentStatus::PartiallyCapturedAndCapturable
            );
        prop_assert_eq!(is_held, is_capturable, "{}", story.page());
    }
    Ok(())
}
