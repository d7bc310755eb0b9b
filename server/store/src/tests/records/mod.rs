//! Stored records outlive the program that wrote them. (`migrations/README.md`, "Records")
//!
//! `format_1`, `format_2`, ... hold an example of every kind of record as released versions wrote it; the newest folder may
//! be a draft. When a test says that a record has changed:
//!
//! ```sh
//! MULTIRAIL_RECORDS=write cargo test -p multirail-store newest_examples
//! ```
//!
//! updates the draft, or begins one. When the program is released,
//!
//! ```sh
//! MULTIRAIL_RECORDS=release cargo test -p multirail-store released_examples
//! ```
//!
//! writes the check sums of the draft, which can't change afterwards.

mod accounts;
mod customer;
pub(super) mod dispute;
mod held;
mod kinds;
mod mandate;
mod older_server;
mod particulars;
mod payment;
mod personal;
mod redacted;
mod refund;
mod routing;
mod saved_method;
mod words;

use crate::fixture::records::Records;
use crate::tables::CORE;

const RECORDS: Records = Records {
    manifest: env!("CARGO_MANIFEST_DIR"),
    statements: "src",
    formats: "src/tests/records",
    package: env!("CARGO_PKG_NAME"),
    kinds: kinds::all,
    words: words::all,
};

#[test]
fn every_record_has_an_example() {
    RECORDS.each_has_an_example(CORE);
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
fn members_of_a_later_version_stay_or_are_refused() {
    let refused = RECORDS.refuse_members_of_a_later_version();
    insta::assert_snapshot!(refused, @r"
    api_keys.record/expiration
    connector_accounts.record/fee_table/0
    connector_accounts.record/payment_methods_enabled/0/accepted_countries
    connector_accounts.record/payment_methods_enabled/0/accepted_currencies
    connector_accounts.record/payment_methods_enabled/1/accepted_countries
    connector_accounts.record/payment_methods_enabled/1/accepted_currencies
    error_mappings.record/key
    payments.record/terms/routing
    payments.record/terms/routing/data
    payments.record/terms/routing/data/0
    payments.record/terms/routing/data/0/connector
    payments.record/terms/routing/data/1
    payments.record/terms/surcharge
    ");
}

#[test]
fn words_of_a_later_version_are_refused() {
    let enumerations = RECORDS.refuse_words_of_a_later_version();
    insta::assert_snapshot!(enumerations, @r"
    AttemptStatus
    AuthenticationType
    BankAccountKind
    BankHolderKind
    BankName
    BankScheme
    CaptureMethod
    CardTerms
    ConnectorStatus
    ConnectorType
    ConsentKind
    CountryCode
    Currency
    CustomerStatus
    Decision
    DeclineCategory
    DetailsLayout
    DeviceDataCollected
    DisputeActionKind
    DisputeStage
    DisputeStatus
    DynamicFeature
    DynamicParam
    ErrorCategory
    EvidenceItem
    FileType
    FormLabels
    FutureUsage
    Initiator
    Key
    MerchantAccountType
    MerchantDecision
    MethodRole
    MitCategory
    Network
    OperationGroup
    Operator
    OrganizationType
    PaymentExperience
    PaymentMethod
    PaymentMethodType
    PaymentStatus
    Progress
    RecurringKind
    RefundStatus
    RefundType
    ScaExemption
    StepForm
    TaxStatus
    ThreeDsDecision
    TransactionType
    UnknownReason
    Wallet
    ");
}
