//! Stories with several steps, which have a name of their own.

use futures::FutureExt;

use super::{Maker, debits, payers};

/// A story that no type of event names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Story {
    /// The payer's bank returns a debit.
    DebitReturned,
    /// A payer approves at the page of their bank.
    PayerApproves,
    /// A payer declines there.
    PayerDeclines,
    /// A payer scans a QR code and pays.
    QrCodePaid,
}

impl Story {
    /// All stories.
    pub(crate) const ALL: [Self; 4] = [
        Story::DebitReturned,
        Story::PayerApproves,
        Story::PayerDeclines,
        Story::QrCodePaid,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Story::DebitReturned => "debit_returned",
            Story::PayerApproves => "payer_approves",
            Story::PayerDeclines => "payer_declines",
            Story::QrCodePaid => "qr_code_paid",
        }
    }

    /// Returns the story of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|story| story.as_str() == name)
    }

    pub(super) fn maker(self) -> Maker {
        match self {
            Story::DebitReturned => |stage| debits::returned(stage).boxed_local(),
            Story::PayerApproves => |stage| payers::approves(stage).boxed_local(),
            Story::PayerDeclines => |stage| payers::declines(stage).boxed_local(),
            Story::QrCodePaid => |stage| payers::pays_by_qr_code(stage).boxed_local(),
        }
    }
}
