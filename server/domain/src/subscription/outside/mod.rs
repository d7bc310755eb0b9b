//! What is kept of a subscription whose periods an outside billing engine counts. (Facts 3.13, 7.11)
//!
//! The engine owns prices, dates, statuses and what is billed; payments are made here, through routing, as for our own engine. So
//! nothing here bills a period of such a subscription: invoices come from the engine ([`EngineState`]), are charged as any other,
//! and the engine is told once each is paid. What is asked of the engine is stored before it is asked ([`Asked`]), under a key that
//! the engine knows it by, and until its answer is known nothing else is asked.

mod ask;
mod invoices;
mod take_over;

use serde::{Deserialize, Serialize};

use crate::billing::calendar::Period;
use crate::billing::charge::ReturnOption;
use crate::billing::invoice::Line;
use crate::connector::UnknownReason;
use crate::currency::Currency;
use crate::ids::{InvoiceId, PaymentId, ProcessorKey};
use crate::record_object::is_zero;
use crate::subscription::{
    ChargesHandling, Plan, ReceivablesHandling, SubscriptionStatus, UnbilledChargesOption,
    UnpaidInvoicesHandling, When,
};
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;
use crate::words::words;

/// The most open invoices that are read of one answer. Of an engine that has as many none is taken as gone.
pub const MOST_OPEN_INVOICES: usize = 100;

/// What an outside engine is asked and says, as far as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outside {
    /// The engine's id of the subscription; unset until it is made there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Its first invoice was paid: from then on its status is the engine's.
    #[serde(default)]
    pub has_begun: bool,
    /// An invoice could not be collected, and isn't settled yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unpaid: bool,
    /// It is over here, and the engine has to be told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_to_end: bool,
    /// The stretch of time that the engine billed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// What the engine was asked for, and has not answered yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// The payments that the engine is still to be told of, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_record: Vec<ToRecord>,
    /// When it is told again, after it refused to take note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tell_again_at: Option<Timestamp>,
    /// How often in a row it refused to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refusals: u32,
    /// The engine's ids of its newest invoices: each is taken over once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invoices: Vec<String>,
    /// Invoices that are charged once the engine was asked whether it still wants that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<InvoiceId>,
    /// When the engine is asked next how the subscription stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look_at: Option<Timestamp>,
    /// When it last said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<Timestamp>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A request to the engine without an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The engine does it once under this key, and finds it by it.
    pub key: ProcessorKey,
    pub wish: Wish,
    /// How often it was taken up again.
    pub looks: u32,
    /// When it is taken up again.
    pub due_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// What the engine is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// Make the subscription, which waits for its first payment.
    Create,
    Update {
        plan: Box<Plan>,
    },
    Pause {
        when: When,
    },
    Resume {
        /// At once where unset.
        at: Option<Timestamp>,
        charges: ChargesHandling,
        unpaid_invoices: UnpaidInvoicesHandling,
    },
    Cancel {
        when: When,
        unbilled: UnbilledChargesOption,
        receivables: ReceivablesHandling,
        returns: ReturnOption,
        reason_code: Option<String>,
    },
    /// Take note that an invoice was paid.
    Record(ToRecord),
    /// End what never began here, or can't go on.
    End,
}

words! {
    /// What an engine is asked for, by name.
    pub enum EngineOperation {
        Create = "create",
        Update = "update",
        Pause = "pause",
        Resume = "resume",
        Cancel = "cancel",
        Record = "record payment",
        End = "end",
        ListItems = "list items",
        Estimate = "estimate",
    }
}

impl Wish {
    pub fn operation(&self) -> EngineOperation {
        match self {
            Wish::Create => EngineOperation::Create,
            Wish::Update { .. } => EngineOperation::Update,
            Wish::Pause { .. } => EngineOperation::Pause,
            Wish::Resume { .. } => EngineOperation::Resume,
            Wish::Cancel { .. } => EngineOperation::Cancel,
            Wish::Record(_) => EngineOperation::Record,
            Wish::End => EngineOperation::End,
        }
    }
}

/// A payment that the engine is to be told of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToRecord {
    pub invoice_id: InvoiceId,
    /// The engine's id of the invoice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Unset where there was nothing to be paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<PaymentId>,
    /// In minor units.
    pub amount: i64,
    pub currency: Currency,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// How the engine says that a subscription stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineState {
    /// Its id there.
    pub reference: String,
    pub status: SubscriptionStatus,
    pub next_billing_at: Option<Timestamp>,
    /// What was billed last.
    pub period: Option<Period>,
    pub paused_at: Option<Timestamp>,
    pub pauses_at: Option<Timestamp>,
    pub resumes_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    pub cancels_at: Option<Timestamp>,
    /// What it wants to be paid, the oldest first; at most [`MOST_OPEN_INVOICES`].
    pub open_invoices: Vec<EngineInvoice>,
}

/// An invoice of the engine's that is to be paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineInvoice {
    /// Its id there.
    pub reference: String,
    /// In minor units; the sum of the lines.
    pub amount: i64,
    pub currency: Currency,
    pub period: Option<Period>,
    pub lines: Vec<Line>,
}

/// What became of a request to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineOutcome {
    /// It was done, and so the subscription stands now.
    Done(EngineState),
    /// The engine's definite no: nothing was done.
    Refused { code: String, message: String },
    /// It certainly never reached the engine.
    NeverHappened { reason: String },
    /// It may have been done.
    Unknown(UnknownReason),
}

/// What became of the request with this key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineTold {
    pub key: ProcessorKey,
    /// When the engine had last been read, as the subscription stood before it was asked.
    pub looked_at: Option<Timestamp>,
    pub outcome: EngineOutcome,
}
