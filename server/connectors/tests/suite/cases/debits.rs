//! Cases of debits. Each case goes through every scheme that the connector offers.

use futures::future::join_all;
use multirail_connector_kit::{TestAccount, stories};
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_account::{BankAccount, BankScheme};
use multirail_sdk::charge::FutureUsage;
use multirail_sdk::connector::details::{Consent, ConsentKind, Initiation, OnlineConsent, Payer};
use multirail_sdk::connector::{
    Approval, AuthorizeRequest, Details, DisputeStage, DisputeStatus, Finding, Outcome, Recovery,
    UnknownReason,
};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::PayerMethodRules;

use crate::suite::bench::{Asked, Authorization, Bench, RETURN_URL, declined, done_for, unknown};
use crate::suite::disputes::Disputed;
use crate::suite::peer::Fault;
use crate::suite::subject::{AccountThat, Books, CardThat};

/// A scheme with the connector's rules for it.
#[derive(Clone, Copy)]
struct Offered {
    scheme: BankScheme,
    rules: &'static PayerMethodRules,
}

fn offered(bench: &Bench) -> impl Iterator<Item = Offered> {
    let all = stories::debits(&bench.subject.description().capabilities);
    all.map(|(rules, scheme)| Offered { scheme, rules })
}

fn account(bench: &Bench, offered: Offered, that: AccountThat) -> BankAccount {
    let (number, bank_code) = bench.subject.account(offered.scheme, that);
    let account = TestAccount {
        scheme: offered.scheme,
        number,
        bank_code: (!bank_code.is_empty()).then_some(bank_code),
    };
    account.entered()
}

fn consent() -> Consent {
    Consent {
        kind: ConsentKind::Online,
        accepted_at: Some("2026-01-05T10:11:12.345Z".to_owned()),
        online: Some(OnlineConsent {
            ip_address: Some("192.0.2.7".to_owned()),
            user_agent: Some("Browser/1.0".to_owned()),
            unread: UnreadMembers::default(),
        }),
        unread: UnreadMembers::default(),
    }
}

/// Returns a request to debit 65.40.
fn asked(bench: &Bench, offered: Offered) -> Asked {
    let currency = offered.rules.currencies.first().copied();
    let money = Money::new(6540, currency.unwrap_or(Currency::EUR));
    bench.authorize(CardThat::IsApproved, money, true)
}

async fn debit(
    bench: &Bench,
    asked: &Asked,
    account: BankAccount,
    payer: Payer,
    initiation: Initiation,
) -> Outcome {
    let details = Details {
        payer,
        initiation,
        ..Details::default()
    };
    let request = AuthorizeRequest {
        key: asked.key.clone(),
        access: bench.subject.access(),
        money: asked.money,
        capture: true,
        data: PaymentMethodData::BankDebit(Box::new(account)),
        return_url: RETURN_URL.to_owned(),
        details: bench.with_customer(details).await,
    };
    bench.connector.authorize(request).await
}

/// Debits the account of a payer who consents now.
async fn debit_now(bench: &Bench, offered: Offered, asked: &Asked, that: AccountThat) -> Outcome {
    let account = account(bench, offered, that);
    let initiation = Initiation {
        consent: Some(consent()),
        ..Initiation::default()
    };
    let payer = stories::payer(offered.rules);
    debit(bench, asked, account, payer, initiation).await
}

/// Returns the end of a debit. Its payer may have to confirm the account at a page first, and its bank
/// decides later.
async fn ended(bench: &Bench, asked: &Asked, outcome: Outcome) -> Outcome {
    let Outcome::CustomerMustAct { reference, step } = outcome else {
        return bench.settled(asked, outcome).await;
    };
    let page = step.url().expect("a page");
    bench.subject.decide(page, true).await;
    bench.settled(asked, Outcome::Pending { reference }).await
}

/// Debits an account that pays.
async fn paid(bench: &Bench, offered: Offered, that: AccountThat) -> (Asked, Authorization) {
    let asked = asked(bench, offered);
    let begun = debit_now(bench, offered, &asked, that).await;
    let approval = done_for(ended(bench, &asked, begun).await, asked.money);
    let paid = Authorization {
        reference: approval.reference,
        ..asked.authorization()
    };
    (asked, paid)
}

/// Most schemes know later whether the account pays.
pub async fn every_debit_is_paid(bench: Bench) {
    for offered in offered(&bench) {
        let asked = asked(&bench, offered);
        let begun = debit_now(&bench, offered, &asked, AccountThat::Pays).await;
        let is_done = matches!(begun, Outcome::Done(_));
        let before = bench.books(&asked.authorization()).await;
        let taken = if is_done { 6540 } else { 0 };
        assert_eq!(before.captured, taken, "{}", offered.scheme);
        done_for(ended(&bench, &asked, begun).await, asked.money);
        let books = bench.books(&asked.authorization()).await;
        assert_eq!(books.captured, 6540, "{}", offered.scheme);
    }
}

pub async fn every_paid_debit_is_refunded_in_part(bench: Bench) {
    for offered in offered(&bench) {
        let (asked, paid) = paid(&bench, offered, AccountThat::Pays).await;
        let outcome = bench.finish(&bench.refund(&paid, 540)).await;
        done_for(outcome, Money::new(540, asked.money.currency));
        let books = bench.books(&paid).await;
        assert_eq!(books.given_back, 540, "{}", offered.scheme);
    }
}

/// The payment of a returned debit stays paid.
pub async fn every_returned_debit_is_a_lost_dispute(bench: Bench) {
    for offered in offered(&bench) {
        let (asked, paid) = paid(&bench, offered, AccountThat::Returns).await;
        let reference = bench.subject.returns_debit(&paid).await;
        let sold = paid.clone();
        let states = bench.states_of(&Disputed { sold, reference }).await;
        let statuses: Vec<DisputeStatus> = states.iter().map(|state| state.status).collect();
        let expected = [DisputeStatus::Opened, DisputeStatus::Lost];
        assert_eq!(statuses, expected, "{}", offered.scheme);
        for state in states {
            assert_eq!(state.stage, DisputeStage::Dispute);
            assert_eq!(state.money, asked.money);
            assert_eq!(state.authorization_reference, paid.reference);
            assert!(state.reason_code.or(state.reason).is_some());
            assert_eq!(state.challenge_required_by, None);
        }
        let reference = paid.reference;
        let still = bench.settled(&asked, Outcome::Pending { reference }).await;
        done_for(still, asked.money);
    }
}

pub async fn every_refused_debit_fails(bench: Bench) {
    for offered in offered(&bench) {
        let asked = asked(&bench, offered);
        let begun = debit_now(&bench, offered, &asked, AccountThat::IsRefused).await;
        let decline = declined(ended(&bench, &asked, begun).await);
        assert!(!decline.code.is_empty(), "{}", offered.scheme);
        let books = bench.books(&asked.authorization()).await;
        assert_eq!(books, Books::default(), "{}", offered.scheme);
    }
}

/// A repetition or a look-up finds the debit, or proves that there is none.
pub async fn every_lost_debit_is_found(bench: Bench) {
    for offered in offered(&bench) {
        for fault in [Fault::LosesRequest, Fault::LosesAnswer] {
            let asked = asked(&bench, offered);
            bench.subject.peer().faults().next(fault);
            let lost = debit_now(&bench, offered, &asked, AccountThat::Pays).await;
            let reason = unknown(lost);
            assert_eq!(reason, UnknownReason::ConnectionLost, "{}", offered.scheme);
            let found = found_after_a_loss(&bench, offered, &asked).await;
            let Some(found) = found else {
                assert!(!fault.is_done(), "{} {fault:?}", offered.scheme);
                continue;
            };
            done_for(ended(&bench, &asked, found).await, asked.money);
            let books = bench.books(&asked.authorization()).await;
            assert_eq!(books.captured, 6540, "{} {fault:?}", offered.scheme);
        }
    }
}

/// Only the deadline ends these calls, so all are made at once.
pub async fn every_debit_whose_answer_is_late_is_found(mut bench: Bench) {
    let patient = bench.loses_patience();
    // Opens the connection first, so that the deadline measures only the calls.
    bench.sold().await;
    let all = offered(&bench).map(|offered| (offered, asked(&bench, offered)));
    let all: Vec<_> = all.collect();
    for _ in &all {
        bench.subject.peer().faults().next(Fault::AnswersNever);
    }
    let debits = all
        .iter()
        .map(|(offered, asked)| debit_now(&bench, *offered, asked, AccountThat::Pays));
    for told in join_all(debits).await {
        assert_eq!(unknown(told), UnknownReason::Timeout);
    }
    bench.connector = patient;
    for (offered, asked) in all {
        let found = found_after_a_loss(&bench, offered, &asked).await;
        let found = found.unwrap_or_else(|| panic!("{}: it was made", offered.scheme));
        done_for(ended(&bench, &asked, found).await, asked.money);
        let books = bench.books(&asked.authorization()).await;
        assert_eq!(books.captured, 6540, "{}", offered.scheme);
    }
}

/// The same request, sent twice, debits the account once.
pub async fn every_repeated_debit_is_made_once(bench: Bench) {
    for offered in offered(&bench) {
        let asked = asked(&bench, offered);
        let mut told = Vec::new();
        for _ in 0..2 {
            told.push(debit_now(&bench, offered, &asked, AccountThat::Pays).await);
        }
        let again = told.pop().expect("two outcomes");
        done_for(ended(&bench, &asked, again).await, asked.money);
        let books = bench.books(&asked.authorization()).await;
        assert_eq!(books.captured, 6540, "{}", offered.scheme);
    }
}

async fn found_after_a_loss(bench: &Bench, offered: Offered, asked: &Asked) -> Option<Outcome> {
    match bench.recovery(asked.kind()) {
        Recovery::LookUp(_) => match bench.look_up(asked, None, None).await {
            Finding::Outcome(outcome) => Some(outcome),
            Finding::Absent { .. } => None,
        },
        Recovery::Repeat { .. } | Recovery::Notice | Recovery::GiveUp { .. } => {
            Some(debit_now(bench, offered, asked, AccountThat::Pays).await)
        }
    }
}

/// A processor that has no id of its own for the saved account gets the account again.
pub async fn every_saved_account_is_debited_again(bench: Bench) {
    for offered in offered(&bench).filter(|offered| offered.rules.recurs) {
        let payer = Payer {
            customer_id: Some("ada".to_owned()),
            ..stories::payer(offered.rules)
        };
        let agreed = first_of_series(&bench, offered, payer.clone()).await;
        let again = asked(&bench, offered);
        let initiation = Initiation {
            off_session: Some(true),
            consent: Some(consent()),
            mandate: agreed.mandate.map(|mandate| *mandate),
            ..Initiation::default()
        };
        let account = account(&bench, offered, AccountThat::Pays);
        let begun = debit(&bench, &again, account, payer, initiation).await;
        done_for(ended(&bench, &again, begun).await, again.money);
        let books = bench.books(&again.authorization()).await;
        assert_eq!(books.captured, 6540, "{}", offered.scheme);
    }
}

async fn first_of_series(bench: &Bench, offered: Offered, payer: Payer) -> Approval {
    let first = asked(bench, offered);
    let initiation = Initiation {
        future_usage: Some(FutureUsage::OffSession),
        consent: Some(consent()),
        ..Initiation::default()
    };
    let account = account(bench, offered, AccountThat::Pays);
    let begun = debit(bench, &first, account, payer, initiation).await;
    done_for(ended(bench, &first, begun).await, first.money)
}
