//! Cases of the methods that payers finish elsewhere. Each case goes through every method that the connector offers,
//! within the method's rules.

use futures::future::join_all;
use multirail_connector_kit::stories::{self, Away, ask, asked_by, payer};
use multirail_kernel::money::Money;
use multirail_sdk::connector::details::Payer;
use multirail_sdk::connector::{
    Finding, OperationKind, Outcome, Recovery, StepForm, UnknownReason,
};
use multirail_sdk::payer_method::PayerMethodRules;

use crate::suite::bench::{Asked, Authorization, Bench, agrees, declined, done, done_for, unknown};
use crate::suite::peer::Fault;
use crate::suite::subject::{Books, Subject};

/// The number of calls that wait for their deadline together.
const AT_ONCE: usize = 4;

/// Returns whether these cases cover the method. Debits have cases of their own. Some payers decide in an app of their own,
/// which not every test can press.
pub fn covers(subject: &dyn Subject, rules: &PayerMethodRules) -> bool {
    let is_pressed = rules.shows != Some(StepForm::WaitScreen) || subject.presses_apps();
    stories::covers(rules) && is_pressed
}

/// Returns the offered methods that these cases cover.
fn offered(bench: &Bench) -> impl Iterator<Item = &'static PayerMethodRules> {
    let all = bench.subject.description().capabilities.payer_methods;
    all.iter().filter(|rules| covers(&*bench.subject, rules))
}

/// Returns whether the payer pays cash, which no processor can give back.
fn is_voucher(rules: &PayerMethodRules) -> bool {
    rules.shows == Some(StepForm::Voucher)
}

async fn sent_away(bench: &Bench, rules: &PayerMethodRules, capture: bool) -> Away {
    agrees(stories::sent_away(bench, rules, capture).await)
}

/// Requests a payment of this payer, who is sent to a page.
pub async fn sent_away_as(
    bench: &Bench,
    rules: &PayerMethodRules,
    capture: bool,
    payer: Payer,
) -> Away {
    agrees(stories::sent_away_as(bench, rules, capture, payer).await)
}

/// Decides for the payer, and returns the outcome that the payer brings back, or that the processor tells of.
pub async fn returns(bench: &Bench, away: &Away, pays: bool) -> Outcome {
    let place = away.place().expect("a place");
    let brought = bench.subject.decide(place, pays).await;
    let looks_up = matches!(
        bench.recovery(OperationKind::Authorize),
        Recovery::LookUp(_)
    );
    if brought.is_none() && !looks_up {
        let told = bench.outcome_by_notice(&away.asked).await;
        return told.expect("a notice");
    }
    let found = bench.look_up(&away.asked, away.reference.clone(), brought);
    match found.await {
        Finding::Outcome(outcome) => outcome,
        Finding::Absent { reason } => panic!("{reason}"),
    }
}

async fn paid(bench: &Bench, away: &Away) -> Authorization {
    let approval = done_for(returns(bench, away, true).await, away.asked.money);
    Authorization {
        reference: approval.reference,
        ..away.asked.authorization()
    }
}

pub async fn every_payer_pays(bench: Bench) {
    for rules in offered(&bench) {
        let away = sent_away(&bench, rules, true).await;
        let before = bench.books(&away.asked.authorization()).await;
        assert_eq!(before, Books::default(), "{}", rules.kind);
        let paid = paid(&bench, &away).await;
        let given_back = if is_voucher(rules) { 0 } else { 540 };
        if given_back > 0 {
            done(bench.finish(&bench.refund(&paid, given_back)).await);
        }
        let books = bench.books(&paid).await;
        assert_eq!(
            (books.captured, books.given_back),
            (6540, given_back),
            "{}",
            rules.kind
        );
    }
}

pub async fn every_reserved_payment_is_captured_in_part(bench: Bench) {
    for rules in offered(&bench).filter(|rules| rules.reserves) {
        let away = sent_away(&bench, rules, false).await;
        let reserved = paid(&bench, &away).await;
        let books = bench.books(&reserved).await;
        assert_eq!(
            (books.authorized, books.captured),
            (6540, 0),
            "{}",
            rules.kind
        );
        done(bench.finish(&bench.capture(&reserved, 5000, true)).await);
        assert_eq!(
            bench.books(&reserved).await.captured,
            5000,
            "{}",
            rules.kind
        );
    }
}

pub async fn every_payer_rejects(bench: Bench) {
    for rules in offered(&bench) {
        let away = sent_away(&bench, rules, true).await;
        let decline = declined(returns(&bench, &away, false).await);
        assert!(!decline.code.is_empty(), "{}", rules.kind);
        let books = bench.books(&away.asked.authorization()).await;
        assert_eq!(books, Books::default(), "{}", rules.kind);
    }
}

/// Returns the outcome that a repetition or a look-up tells, or `None` if the processor never got the request.
async fn found_after_a_loss(
    bench: &Bench,
    rules: &PayerMethodRules,
    asked: &Asked,
) -> Option<Outcome> {
    let capabilities = &bench.subject.description().capabilities;
    if capabilities.repeats_authorizations {
        return Some(ask(bench, rules, asked, payer(rules)).await);
    }
    match bench.look_up(asked, None, None).await {
        Finding::Outcome(outcome) => Some(outcome),
        Finding::Absent { .. } => None,
    }
}

/// Asserts that the payer is sent to the page of the only payment, if there is one.
async fn is_found(bench: &Bench, rules: &PayerMethodRules, asked: Asked, fault: Fault) {
    let Some(found) = found_after_a_loss(bench, rules, &asked).await else {
        assert!(!fault.is_done(), "{} {fault:?}", rules.kind);
        return;
    };
    let away = agrees(Away::read(rules, asked, found));
    let paid = paid(bench, &away).await;
    let books = bench.books(&paid).await;
    assert_eq!(books.captured, 6540, "{} {fault:?}", rules.kind);
}

pub async fn every_lost_page_is_found(bench: Bench) {
    for rules in offered(&bench) {
        for fault in [Fault::LosesRequest, Fault::LosesAnswer] {
            let asked = asked_by(&bench, rules, true);
            bench.subject.peer().faults().next(fault);
            let lost = unknown(ask(&bench, rules, &asked, payer(rules)).await);
            assert_eq!(lost, UnknownReason::ConnectionLost, "{}", rules.kind);
            is_found(&bench, rules, asked, fault).await;
        }
    }
}

/// Only the deadline ends these calls, so some are made at once.
pub async fn every_page_that_comes_too_late_is_found(mut bench: Bench) {
    let patient = bench.loses_patience();
    // Opens the connection first, so that the deadline measures only the calls.
    bench.sold().await;
    let all = offered(&bench).map(|rules| (rules, asked_by(&bench, rules, true)));
    let all: Vec<_> = all.collect();
    for some in all.chunks(AT_ONCE) {
        for _ in some {
            bench.subject.peer().faults().next(Fault::AnswersNever);
        }
        let ask = some
            .iter()
            .map(|(rules, asked)| ask(&bench, rules, asked, payer(rules)));
        for (told, (rules, _)) in join_all(ask).await.into_iter().zip(some) {
            assert_eq!(unknown(told), UnknownReason::Timeout, "{}", rules.kind);
        }
    }
    bench.connector = patient;
    for (rules, asked) in all {
        is_found(&bench, rules, asked, Fault::AnswersNever).await;
    }
}

/// The same request, sent twice, has one payer's step, and the payer pays once.
pub async fn every_repeated_request_is_one_payment(bench: Bench) {
    for rules in offered(&bench) {
        let asked = asked_by(&bench, rules, true);
        let first = ask(&bench, rules, &asked, payer(rules)).await;
        let first = agrees(Away::read(rules, asked.clone(), first));
        let again = ask(&bench, rules, &asked, payer(rules)).await;
        let again = agrees(Away::read(rules, asked, again));
        assert_eq!(again.reference, first.reference, "{}", rules.kind);
        let paid = paid(&bench, &again).await;
        let books = bench.books(&paid).await;
        assert_eq!(books.captured, 6540, "{}", rules.kind);
    }
}

/// The processor takes the smallest and the largest amount of a method, and refuses those that routing excludes.
pub async fn every_limit_of_an_amount_is_the_processors_own(bench: Bench) {
    for rules in offered(&bench) {
        for (currency, least, most) in rules.amounts {
            for amount_minor in [least - 1, *least, *most, most + 1] {
                let money = Money::new(amount_minor, *currency);
                let asked = Asked {
                    money,
                    ..asked_by(&bench, rules, true)
                };
                let told = ask(&bench, rules, &asked, payer(rules)).await;
                match rules.check_charged(money) {
                    Ok(()) => assert_eq!(agrees(Away::read(rules, asked, told)).asked.money, money),
                    Err(_) => assert!(!declined(told).code.is_empty(), "{}", rules.kind),
                }
            }
        }
    }
}
