//! The cases, and the connectors under test.

pub mod bench;
pub mod cases;
pub mod disputes;
pub mod expect;
pub mod mishaps;
pub mod needs;
mod proof;
mod selling;
mod stage;
pub mod subject;

use std::future::Future;

pub use multirail_peers as peer;

use bench::Bench;
use needs::{NEEDS, Need};
use subject::Subject;

/// Calls a macro of this module with all cases: `every_case!(names {})`.
macro_rules! every_case {
    ($then:ident $arguments:tt) => {
        $crate::suite::$then! { $arguments
            paying::taken_at_once
            paying::reserved_and_taken_whole
            paying::reserved_and_taken_in_part
            paying::taken_in_several_parts
            paying::no_more_is_taken_than_is_reserved
            paying::a_declined_card
            paying::a_card_is_checked_without_money
            paying::amounts_have_the_decimals_of_their_currency
            keeping::a_stored_card_is_charged_without_its_payer
            keeping::a_card_stored_by_a_check_is_charged_without_its_payer
            keeping::a_deleted_card_is_not_charged
            keeping::a_charge_of_a_stored_card_stands_every_fault
            voids::an_authorization_is_released
            voids::money_captured_at_once_is_returned
            raises::a_raised_amount_is_captured
            raises::a_second_raise_is_captured
            raises::a_raised_amount_is_released
            raises::a_raise_changes_nothing_of_the_authorization
            raises::an_increment_needs_a_request_with_the_authorization
            raises::a_captured_or_released_payment_is_not_raised
            reviews::a_held_payment_is_captured_or_released
            refunds::all_of_it
            refunds::in_parts
            refunds::no_more_than_was_taken
            payers::a_payer_approves
            payers::a_payer_rejects
            payers::a_payer_returns_undecided
            methods::every_payer_pays
            methods::every_payer_rejects
            methods::every_reserved_payment_is_captured_in_part
            methods::every_lost_page_is_found
            methods::every_page_that_comes_too_late_is_found
            methods::every_repeated_request_is_one_payment
            methods::every_limit_of_an_amount_is_the_processors_own
            debits::every_debit_is_paid
            debits::every_paid_debit_is_refunded_in_part
            debits::every_returned_debit_is_a_lost_dispute
            debits::every_refused_debit_fails
            debits::every_lost_debit_is_found
            debits::every_debit_whose_answer_is_late_is_found
            debits::every_repeated_debit_is_made_once
            debits::every_saved_account_is_debited_again
            look_ups::every_kind_is_found
            look_ups::an_unknown_operation_is_absent
            accounts::credentials_that_are_refused
            accounts::credentials_that_are_accepted
            accounts::credentials_of_another_kind
            accounts::an_address_that_is_not_allowed
            accounts::an_unreachable_address
            repeats::every_kind_is_done_once
            repeats::a_key_stands_for_one_request
            faults::a_lost_request
            faults::a_lost_answer
            faults::silence_before
            faults::silence_after
            faults::half_an_answer
            faults::nonsense
            faults::a_huge_answer
            faults::trouble_before
            faults::trouble_after
            faults::a_refusal_on_the_way
            faults::too_many_requests
            faults::too_many_requests_for_now
            faults::a_look_up_that_fails
            faults::connections_are_reused
            faults::a_processor_that_closes_its_connections
            notices::notices_match_the_books
            notices::forged_notices_are_rejected
            disputes::notices_of_a_dispute
            disputes::notices_of_a_dispute_come_twice_and_backwards
            disputes::a_dispute_is_looked_up
            disputes::a_dispute_is_asked_about_in_vain
            disputes::a_dispute_is_accepted
            disputes::an_unknown_dispute_is_not_accepted
            disputes::giving_in_fails_on_the_way
            disputes::giving_in_takes_too_long
            disputes::evidence_is_submitted
            disputes::handing_in_evidence_fails_on_the_way
            disputes::handing_in_evidence_takes_too_long
            disputes::disputes_are_listed
        }
    };
}
pub(crate) use every_case;

/// Runs every case for a connector: `contract!(stripe, crate::peers::stripe::start)`. Each case
/// gets a subject of its own.
macro_rules! contract {
    ($connector:ident, $start:path) => {
        mod $connector {
            $crate::suite::every_case!(tests { $start });
        }
    };
}
pub(crate) use contract;

macro_rules! tests {
    ({ $start:path } $($group:ident::$case:ident)*) => {
        $(
            #[tokio::test]
            async fn $case() {
                let subject = $start().await;
                $crate::suite::run(stringify!($case), subject, $crate::suite::cases::$group::$case).await;
            }
        )*
    };
}
pub(crate) use tests;

macro_rules! names {
    ({} $($group:ident::$case:ident)*) => {
        &[$((stringify!($group), stringify!($case))),*]
    };
}
pub(crate) use names;

/// Every case, after the name of its group.
pub const CASES: &[(&str, &str)] = every_case!(names {});

/// Runs a case, unless the connector's description excludes it. Checks that it brought about the mishaps that the page of
/// proof ascribes to it.
pub async fn run<F: Future<Output = ()>>(
    case: &str,
    subject: Box<dyn Subject>,
    test: impl FnOnce(Bench) -> F,
) {
    let bench = Bench::new(subject);
    match missing(case, &*bench.subject) {
        Some(need) => println!("left out: {}", need.reason()),
        None => {
            let expected = mishaps::expected(case, &*bench.subject);
            let met = bench.met.clone();
            test(bench).await;
            let met = met.lock().expect("no test panics within");
            assert_eq!(*met, expected, "{case} brings about what mishaps.rs says");
        }
    }
}

/// Returns the ability that the subject lacks for this case.
pub fn missing(case: &str, subject: &dyn Subject) -> Option<Need> {
    let mut rows = NEEDS.iter().filter(|(own, _)| *own == case);
    rows.find(|(_, need)| !need.is_met(subject))
        .map(|(_, need)| *need)
}

#[test]
fn every_need_and_mishap_is_that_of_a_case() {
    let needs = NEEDS.iter().map(|(case, _)| case);
    let mishaps = mishaps::BROUGHT_ABOUT.iter().map(|(case, ..)| case);
    for case in needs.chain(mishaps) {
        assert!(
            CASES.iter().any(|(_, own)| own == case),
            "there is no case {case}"
        );
    }
}
