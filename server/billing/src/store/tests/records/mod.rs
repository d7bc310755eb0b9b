//! Billing's records. (`migrations/README.md`, "Records") `server/store/src/tests/records` describes how formats begin
//! and are released.

mod catalogue;
pub(super) mod subscription;

use multirail_billing_domain::calendar::IntervalUnit;
use multirail_billing_domain::charge::{ChargeKind, ReturnOption};
use multirail_billing_domain::invoice::LineKind;
use multirail_billing_domain::invoice_status::InvoiceStatus;
use multirail_billing_domain::item::ItemType;
use multirail_billing_domain::subscription::{
    ChargesHandling, ReceivablesHandling, RefundableCreditsHandling, SubscriptionStatus,
    UnbilledChargesOption, UnpaidInvoicesHandling,
};
use multirail_billing_domain::term::TermKind;
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId};
use multirail_kernel::timestamp::Timestamp;
use multirail_store::fixture::records::Life::Rewritten;
use multirail_store::fixture::records::{Kind, Records, words};
use serde_json::Value;

use crate::store::DECLARED;

const RECORDS: Records = Records {
    manifest: env!("CARGO_MANIFEST_DIR"),
    statements: "src/store",
    formats: "src/store/tests/records",
    package: env!("CARGO_PKG_NAME"),
    kinds,
    words: enumerations,
};

fn kinds() -> Vec<Kind> {
    vec![
        Kind::json(Rewritten, &catalogue::catalogue()),
        Kind::json(Rewritten, &subscription::subscriptions()),
        Kind::json(Rewritten, &subscription::invoices()),
    ]
}

/// Enumerations whose words are stored in records or columns.
fn enumerations() -> Value {
    words! {
        ChargeKind ChargeKind::ALL.iter();
        ChargesHandling ChargesHandling::ALL.iter();
        Currency Currency::EVERY.iter();
        IntervalUnit IntervalUnit::ALL.iter();
        InvoiceStatus InvoiceStatus::ALL.iter();
        ItemType ItemType::ALL.iter();
        LineKind LineKind::ALL.iter();
        ReceivablesHandling ReceivablesHandling::ALL.iter();
        RefundStatus RefundStatus::ALL.iter();
        RefundableCreditsHandling RefundableCreditsHandling::ALL.iter();
        ReturnOption ReturnOption::ALL.iter();
        SubscriptionStatus SubscriptionStatus::ALL.iter();
        TermKind TermKind::ALL.iter();
        UnbilledChargesOption UnbilledChargesOption::ALL.iter();
        UnpaidInvoicesHandling UnpaidInvoicesHandling::ALL.iter();
    }
}

fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_001 + seconds * 1_000_000)
}

fn merchant_id() -> MerchantId {
    MerchantId::parse("bookshop").expect("an id")
}

fn account_id() -> ConnectorAccountId {
    ConnectorAccountId::parse("mca_example").expect("an id")
}

#[test]
fn every_record_has_an_example() {
    RECORDS.each_has_an_example(&[DECLARED]);
}

#[test]
fn newest_examples_show_what_this_version_writes() {
    RECORDS.newest_examples_show_what_this_version_writes();
}

#[test]
fn examples_of_every_format_are_read_and_lose_nothing() {
    RECORDS.examples_of_every_format_are_read_and_lose_nothing();
}

#[test]
fn released_examples_never_change() {
    RECORDS.released_examples_never_change();
}

#[test]
fn members_of_a_later_version_are_stored_or_refused() {
    let refused = RECORDS.refuse_members_of_a_later_version();
    insta::assert_snapshot!(refused, @r"
    billing_catalogue.record/discount
    billing_catalogue.record/duration
    billing_catalogue.record/interval
    invoices.record/lines/0/period
    invoices.record/period
    subscriptions.record/charged/0/charged/period
    subscriptions.record/coupon/discount
    subscriptions.record/coupon/duration
    subscriptions.record/outside/asked/wish
    subscriptions.record/outside/period
    subscriptions.record/owed/0/returned/period
    subscriptions.record/plan/price/interval
    subscriptions.record/term
    subscriptions.record/term/period
    subscriptions.record/term/schedule
    subscriptions.record/term/schedule/interval
    subscriptions.record/unbilled/0/period
    ");
}

#[test]
fn words_of_a_later_version_are_refused() {
    let enumerations = RECORDS.refuse_words_of_a_later_version();
    insta::assert_snapshot!(enumerations, @r"
    ChargeKind
    ChargesHandling
    Currency
    IntervalUnit
    InvoiceStatus
    ItemType
    LineKind
    ReceivablesHandling
    RefundStatus
    RefundableCreditsHandling
    ReturnOption
    SubscriptionStatus
    TermKind
    UnbilledChargesOption
    UnpaidInvoicesHandling
    ");
}
