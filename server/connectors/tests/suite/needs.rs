//! The abilities that a case needs. The connector's description says which abilities it has.

use multirail_connectors::account::BASE_URL;
use multirail_sdk::charge::CaptureMethod;
use multirail_sdk::connector::{OperationKind, Recovery};
use multirail_sdk::payer_method::PayerMethodRules;

use super::subject::Subject;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    SeveralCaptures,
    Redirects,
    /// A method that payers finish elsewhere.
    PayerMethods,
    /// Debits of bank accounts.
    Debits,
    /// Debits without the payer.
    RecurringDebits,
    /// Such a method whose money can be captured later.
    ReservingMethods,
    /// Such a method with a smallest and a largest amount.
    LimitedMethods,
    CardChecks,
    /// Authorizations can be raised.
    Raises,
    /// The processor may hold approved payments.
    Reviews,
    /// Look-ups, for any kind of operation.
    LookUps,
    /// An account's own base URL.
    BaseUrl,
    /// Signed notices.
    Notices,
    /// Look-ups of disputes.
    DisputeLookUps,
    /// Merchants may accept disputes.
    Acceptance,
    /// Merchants may challenge disputes.
    Challenges,
    /// The processor lists disputes.
    DisputeLists,
}

/// Cases without a row need nothing; the first need that isn't met is the reason to skip a case.
pub const NEEDS: &[(&str, Need)] = &[
    ("taken_in_several_parts", Need::SeveralCaptures),
    ("a_card_is_checked_without_money", Need::CardChecks),
    ("a_raised_amount_is_captured", Need::Raises),
    ("a_second_raise_is_captured", Need::Raises),
    ("a_raised_amount_is_released", Need::Raises),
    ("a_raise_changes_nothing_of_the_authorization", Need::Raises),
    (
        "an_increment_needs_a_request_with_the_authorization",
        Need::Raises,
    ),
    ("a_captured_or_released_payment_is_not_raised", Need::Raises),
    ("a_held_payment_is_captured_or_released", Need::Reviews),
    ("a_payer_approves", Need::Redirects),
    ("a_payer_rejects", Need::Redirects),
    ("a_payer_returns_undecided", Need::Redirects),
    ("every_payer_pays", Need::PayerMethods),
    ("every_payer_rejects", Need::PayerMethods),
    (
        "every_reserved_payment_is_captured_in_part",
        Need::PayerMethods,
    ),
    (
        "every_reserved_payment_is_captured_in_part",
        Need::ReservingMethods,
    ),
    ("every_lost_page_is_found", Need::PayerMethods),
    (
        "every_page_that_comes_too_late_is_found",
        Need::PayerMethods,
    ),
    ("every_repeated_request_is_one_payment", Need::PayerMethods),
    (
        "every_limit_of_an_amount_is_the_processors_own",
        Need::PayerMethods,
    ),
    (
        "every_limit_of_an_amount_is_the_processors_own",
        Need::LimitedMethods,
    ),
    ("every_debit_is_paid", Need::Debits),
    ("every_paid_debit_is_refunded_in_part", Need::Debits),
    ("every_returned_debit_is_a_lost_dispute", Need::Debits),
    ("every_refused_debit_fails", Need::Debits),
    ("every_lost_debit_is_found", Need::Debits),
    ("every_debit_whose_answer_is_late_is_found", Need::Debits),
    ("every_repeated_debit_is_made_once", Need::Debits),
    (
        "every_saved_account_is_debited_again",
        Need::RecurringDebits,
    ),
    ("every_kind_is_found", Need::LookUps),
    ("an_unknown_operation_is_absent", Need::LookUps),
    ("a_look_up_that_fails", Need::LookUps),
    ("an_address_that_is_not_allowed", Need::BaseUrl),
    ("an_unreachable_address", Need::BaseUrl),
    ("notices_match_the_books", Need::Notices),
    ("forged_notices_are_rejected", Need::Notices),
    ("notices_of_a_dispute", Need::Notices),
    (
        "notices_of_a_dispute_come_twice_and_backwards",
        Need::Notices,
    ),
    ("a_dispute_is_looked_up", Need::DisputeLookUps),
    ("a_dispute_is_asked_about_in_vain", Need::DisputeLookUps),
    ("a_dispute_is_accepted", Need::Acceptance),
    ("an_unknown_dispute_is_not_accepted", Need::Acceptance),
    ("giving_in_fails_on_the_way", Need::Acceptance),
    ("giving_in_takes_too_long", Need::Acceptance),
    ("evidence_is_submitted", Need::Challenges),
    ("handing_in_evidence_fails_on_the_way", Need::Challenges),
    ("handing_in_evidence_takes_too_long", Need::Challenges),
    ("disputes_are_listed", Need::DisputeLists),
];

impl Need {
    pub fn is_met(self, subject: &dyn Subject) -> bool {
        let description = subject.description();
        let capabilities = &description.capabilities;
        match self {
            Need::SeveralCaptures => capabilities.captures(CaptureMethod::ManualMultiple),
            Need::Redirects => capabilities.redirects,
            Need::PayerMethods => capabilities.payer_methods.iter().any(|one| !one.is_debit()),
            Need::Debits => capabilities
                .payer_methods
                .iter()
                .any(PayerMethodRules::is_debit),
            Need::RecurringDebits => {
                let mut rules = capabilities.payer_methods.iter();
                rules.any(|one| one.is_debit() && one.recurs)
            }
            Need::ReservingMethods => capabilities.payer_methods.iter().any(|one| one.reserves),
            Need::LimitedMethods => {
                let mut rules = capabilities.payer_methods.iter();
                rules.any(|one| !one.amounts.is_empty())
            }
            Need::CardChecks => capabilities.verifies_cards,
            Need::Raises => capabilities.raises_authorizations.is_some(),
            Need::Reviews => capabilities.holds_for_review,
            Need::LookUps => OperationKind::ALL.iter().any(|kind| {
                matches!(
                    capabilities.recovery.for_operation(*kind),
                    Recovery::LookUp(_)
                )
            }),
            Need::BaseUrl => {
                let mut settings = description.settings.iter();
                settings.any(|own| own.name == BASE_URL.name)
            }
            Need::Notices => subject.secrets().is_some(),
            Need::DisputeLookUps => capabilities.disputes.finds.is_some(),
            Need::Acceptance => capabilities.disputes.accepts.is_some(),
            Need::Challenges => capabilities.disputes.challenges.is_some(),
            Need::DisputeLists => capabilities.disputes.lists.is_some(),
        }
    }

    pub fn reason(self) -> &'static str {
        match self {
            Need::SeveralCaptures => "it captures a payment once",
            Need::Redirects => "it never sends payers to a page",
            Need::PayerMethods => "it offers cards and their wallets only",
            Need::Debits => "it debits no bank accounts",
            Need::RecurringDebits => "it debits no accounts without the payer",
            Need::ReservingMethods => "its methods beside cards are captured at once",
            Need::LimitedMethods => "its methods beside cards have no limits of their own",
            Need::CardChecks => "it checks no cards without money",
            Need::Raises => "it raises no authorizations",
            Need::Reviews => "it holds no payments for review",
            Need::LookUps => "it has no look-ups, so that outcomes come by repetition and notice",
            Need::BaseUrl => "accounts can't choose its address",
            Need::Notices => "it sends no notices about card payments",
            Need::DisputeLookUps => "it has no look-ups of disputes",
            Need::Acceptance => "it accepts no disputes",
            Need::Challenges => "it takes no evidence",
            Need::DisputeLists => "it doesn't list disputes",
        }
    }
}
