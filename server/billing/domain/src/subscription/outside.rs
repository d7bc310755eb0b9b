//! The stored record of a subscription that an external billing engine billed. The server no longer supports such
//! engines. The record is read and stored unchanged, and nothing is billed or charged. The only possible command
//! cancels the subscription at once, without contact to the engine.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{InvoiceId, PaymentId, ProcessorKey};
use multirail_kernel::record_object::is_zero;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use serde::{Deserialize, Serialize};

use crate::calendar::Period;
use crate::charge::ReturnOption;
use crate::subscription::draft::Draft;
use crate::subscription::transition::Command;
use crate::subscription::{
    Cancel, ChargesHandling, Input, Plan, ReceivablesHandling, RefundableCreditsHandling,
    SubscriptionStatus, UnbilledChargesOption, UnpaidInvoicesHandling, When,
};

/// The stored state of a subscription at an external engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outside {
    /// The engine's id of the subscription; unset until the engine created it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// True if its first invoice was paid. From then on the engine determines the status.
    #[serde(default)]
    pub has_begun: bool,
    /// True if an invoice could not be collected and isn't settled yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unpaid: bool,
    /// True if the subscription ended here and the engine must still end it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_to_end: bool,
    /// The last period that the engine billed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
    /// A request to the engine without an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// The payments to report to the engine, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_record: Vec<ToRecord>,
    /// The time of the next report after the engine refused one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tell_again_at: Option<Timestamp>,
    /// The number of refused reports in a row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refusals: u32,
    /// The engine's ids of its newest invoices. Each is imported once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invoices: Vec<String>,
    /// Invoices that are charged once the engine has confirmed that they are still due.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<InvoiceId>,
    /// The time of the next query of the subscription's status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look_at: Option<Timestamp>,
    /// The time of the engine's last answer to that query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<Timestamp>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A request to the engine without an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The idempotency key of the request at the engine.
    pub key: ProcessorKey,
    pub wish: Wish,
    /// The number of repetitions.
    pub looks: u32,
    /// The time of the next repetition.
    pub due_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A request to the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// Create the subscription, which waits for its first payment.
    Create,
    Update {
        plan: Box<Plan>,
    },
    Pause {
        when: When,
    },
    Resume {
        /// At once if unset.
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
    /// Record that an invoice was paid.
    Record(ToRecord),
    /// End a subscription that never began here or can't continue.
    End,
}

words! {
    /// The names of the requests to an engine.
    pub enum EngineOperation {
        Create = "create",
        Update = "update",
        Pause = "pause",
        Resume = "resume",
        Cancel = "cancel",
        Record = "record payment",
        End = "end",
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

/// A payment to report to the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToRecord {
    pub invoice_id: InvoiceId,
    /// The engine's id of the invoice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Unset if the amount due was 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<PaymentId>,
    /// In minor units.
    pub amount: i64,
    pub currency: Currency,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Draft<'_> {
    /// Refuses every command except a plain cancellation. Facts and time change nothing.
    pub(super) fn answer_outside(&mut self, input: Input) -> Result<(), Refusal> {
        match input {
            Input::Command(Command::Cancel(cancel)) => self.cancel_outside(cancel),
            Input::Command(
                Command::Confirm
                | Command::Update(_)
                | Command::Replace(_)
                | Command::Pause(_)
                | Command::Resume(_)
                | Command::RefundCredit
                | Command::Void(_)
                | Command::Collect(_),
            ) => Err(not_ours("a change of a subscription")),
            Input::Refund(_) => Err(not_ours("a refund of credit")),
            Input::Command(Command::Unconfirm)
            | Input::Time
            | Input::Told(_)
            | Input::NothingRefundable
            | Input::NewsHeard
            | Input::RefundTold(_) => Ok(()),
        }
    }

    /// Ends the subscription at once. Its invoices and credit stay unchanged.
    fn cancel_outside(&mut self, cancel: Cancel) -> Result<(), Refusal> {
        if self.status().is_final() {
            return Err(self.refusal("cancel"));
        }
        let Cancel {
            when,
            unbilled,
            receivables,
            returns,
            credits,
            reason_code,
        } = cancel;
        let is_plain = when == When::Now
            && unbilled == UnbilledChargesOption::Invoice
            && receivables == ReceivablesHandling::NoAction
            && returns == ReturnOption::None
            && credits == RefundableCreditsHandling::NoAction;
        if !is_plain {
            return Err(not_ours("a cancellation with options or later than now"));
        }
        let now = self.context.now;
        let subscription = &mut self.subscription;
        subscription.status = SubscriptionStatus::Cancelled;
        subscription.cancel_reason_code = reason_code;
        subscription.cancelled_at = Some(now);
        subscription.paused_at = None;
        subscription.next_billing_at = None;
        subscription.pausing_at = None;
        subscription.resuming = None;
        subscription.cancelling = None;
        if let Some(outside) = &mut subscription.outside {
            outside.asked = None;
        }
        Ok(())
    }
}

fn not_ours(what: &str) -> Refusal {
    Refusal::FlowNotSupported {
        flow: format!("{what} that an outside billing engine billed"),
    }
}
