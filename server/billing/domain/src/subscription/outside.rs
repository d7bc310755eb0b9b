//! The stored record of a subscription that an outside billing engine billed. Such engines are gone: the record is read and kept as it
//! stands, nothing of it is billed or charged, and the subscription can only be cancelled, at once and here alone.

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

impl Draft<'_> {
    /// Refuses every command but a plain cancellation; facts and time change nothing.
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

    /// Ends it at once. Its invoices and credit stay as they are.
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
